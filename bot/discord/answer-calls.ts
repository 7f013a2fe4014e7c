import { Agent, request as requestHttp, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { DefaultRestOptions, DefaultUserAgent, Routes, type REST } from 'discord.js';
import { z } from 'zod';
import type { DiscordMessage } from '../../core/discord/message.ts';
import {
  EPHEMERAL,
  idOf,
  messageSchema,
  outcomeOf,
  toBody,
  type NewMessage,
  type Outcome,
  untilKnown,
} from './outcome.ts';

/** What it takes to answer an interaction. */
export type Reply = { id: string; token: string };

const deferred = z.object({
  interaction: z.object({
    response_message_id: z.string(),
    response_message_ephemeral: z.boolean().optional(),
  }),
});

const CALLBACK = { reply: 4, deferReply: 5, deferUpdate: 6, suggestions: 8, modal: 9 } as const;

/** The first word to an interaction, for which Discord waits 3 seconds. */
export function createCallbacks(line: CallbackLine, onSaid: (interactionId: string) => void) {
  const callback = async (reply: Reply, type: number, data?: object): Promise<Outcome<unknown>> => {
    const path = `${Routes.interactionCallback(reply.id, reply.token)}?with_response=true`;
    const body = { type, ...(data && { data }) };
    const outcome = await untilKnown(() => line.post(path, body));
    onSaid(reply.id);
    return outcome;
  };
  return {
    async deferReply(reply: Reply, isPrivate: boolean): Promise<Outcome<{ messageId: string; isPrivate: boolean }>> {
      const outcome = await callback(reply, CALLBACK.deferReply, isPrivate ? { flags: EPHEMERAL } : undefined);
      if (outcome.kind === 'refused') return outcome;
      const { response_message_id, response_message_ephemeral } = deferred.parse(outcome.value).interaction;
      // Where apps may not speak in public, Discord makes an answer private by itself.
      const value = { messageId: response_message_id, isPrivate: response_message_ephemeral ?? isPrivate };
      return { kind: 'done', value };
    },
    deferUpdate: (reply: Reply) => callback(reply, CALLBACK.deferUpdate),
    replyPrivately: (reply: Reply, shown: DiscordMessage) =>
      callback(reply, CALLBACK.reply, toBody({ ...shown, isPrivate: true })),
    showModal: (reply: Reply, modal: object) => callback(reply, CALLBACK.modal, modal),
    suggest: (reply: Reply, choices: { name: string; value: string }[]) =>
      callback(reply, CALLBACK.suggestions, { choices }),
  };
}

/** What the token of an interaction opens for 15 minutes. `@original` is the answer itself. */
export function createAnswerCalls(rest: REST, applicationId: string) {
  const route = (token: string, messageId: string) => Routes.webhookMessage(applicationId, token, messageId);
  return {
    async readAnswer(token: string, messageId: string): Promise<Outcome<{ messageId: string; isPrivate: boolean }>> {
      const outcome = await untilKnown(() => outcomeOf(rest.get(route(token, messageId), { auth: false })));
      if (outcome.kind === 'refused') return outcome;
      const { id, flags } = messageSchema.parse(outcome.value);
      return { kind: 'done', value: { messageId: id, isPrivate: ((flags ?? 0) & EPHEMERAL) !== 0 } };
    },
    /** Made once: a caller that repeats it has to know what the first may still do (latest-edits.ts). */
    editAnswer: (token: string, messageId: string, shown: DiscordMessage) =>
      outcomeOf(rest.patch(route(token, messageId), { body: toBody(shown), auth: false })),
    deleteAnswer: (token: string, messageId: string) =>
      untilKnown(() => outcomeOf(rest.delete(route(token, messageId), { auth: false }))),
    async followUp(token: string, shown: NewMessage): Promise<Outcome<string>> {
      const request = { body: toBody(shown), auth: false };
      return idOf(await untilKnown(() => outcomeOf(rest.post(Routes.webhook(applicationId, token), request))));
    },
  };
}

/** Posts to a path below the API's version. Rejects when it is unknown whether the call took effect. */
export type CallbackLine = { post: (path: string, body: object) => Promise<Outcome<unknown>>; close: () => void };

/** Nobody waits longer than this for a first word. */
const TIMEOUT_MS = 4_000;
/** How much of Discord's 3 seconds may be spent waiting for a retry that Discord asks for. */
const PATIENCE_MS = 2_000;
const ATTEMPTS_MAX = 3;
/** Each makes one call at a time, so there are as many as a rush makes calls within a round trip of 50 ms. */
const CONNECTIONS_MAX = 128;
/** Somewhat shorter than servers keep connections open, so that hardly any call meets a closed one. */
const IDLE_MS = 30_000;
const ANSWER_BYTES_MAX = 1_000_000;

const refusal = z.looseObject({ code: z.number().catch(0), retry_after: z.number().nonnegative().catch(Infinity) });

type Raw = { status: number; text: string };

/**
 * Sends first words, the only urgent calls. Discord does not count them and gives them no bucket, so the queues
 * of discord.js protect nothing here and only cost time (`npm run bench -- chat-burst discord` shows how much is left).
 */
export function createCallbackLine(apiUrl: string = DefaultRestOptions.api): CallbackLine {
  const isSecure = apiUrl.startsWith('https:');
  const { hostname, port, pathname } = new URL(apiUrl);
  const kept = { keepAlive: true, maxSockets: CONNECTIONS_MAX, timeout: IDLE_MS };
  const agent = isSecure ? new SecureAgent(kept) : new Agent(kept);
  const base = `${pathname.replace(/\/+$/, '')}/v${DefaultRestOptions.version}`;
  const headers = { 'content-type': 'application/json', 'user-agent': DefaultUserAgent };
  const request = isSecure ? requestHttps : requestHttp;

  function ask(path: string, text: string): Promise<Raw> {
    const length = String(Buffer.byteLength(text));
    const options: RequestOptions = { agent, hostname, port, method: 'POST', path: `${base}${path}` };
    return send(() => request({ ...options, headers: { ...headers, 'content-length': length } }), text);
  }

  return {
    async post(path, body) {
      const text = JSON.stringify(body);
      for (let attempt = 1; ; attempt++) {
        const raw = await ask(path, text);
        const outcome = read(raw);
        if (outcome.kind === 'done' || outcome.status !== 429 || attempt === ATTEMPTS_MAX) return outcome;
        const waitMs = refusal.parse(parseJson(raw.text)).retry_after * 1_000;
        if (waitMs > PATIENCE_MS) return outcome;
        await wait(waitMs);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Errors never carry the path: the token of an answer is in it. */
function send(open: () => ReturnType<typeof requestHttp>, text: string): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(`Discord gave no answer (${why})`));
    };
    const request = open();
    const timer = setTimeout(() => request.destroy(new Error('too late')), TIMEOUT_MS);
    request.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    request.on('response', (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        answer += part;
        if (answer.length > ANSWER_BYTES_MAX) request.destroy(new Error('too long'));
      });
      response.on('error', () => fail('cut off'));
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text: answer });
      });
    });
    request.end(text);
  });
}

function read({ status, text }: Raw): Outcome<unknown> {
  // A response from a failed server does not say what it did.
  if (status < 200 || status >= 500) throw new Error(`Discord gave no answer (${status})`);
  if (status < 300) return { kind: 'done', value: parseJson(text) };
  return { kind: 'refused', status, code: refusal.parse(parseJson(text)).code };
}

/** Proxies in front of Discord answer with pages. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
