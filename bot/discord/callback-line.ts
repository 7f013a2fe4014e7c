import { Agent, request as requestHttp, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { DefaultRestOptions, DefaultUserAgent } from 'discord.js';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';

/** Posts to a path below the API's version. A call whose fate nobody knows rejects. */
export type CallbackLine = { post: (path: string, body: object) => Promise<Outcome<unknown>>; close: () => void };

/** Nobody waits longer than this for a first word. */
const TIMEOUT_MS = 4_000;
/** How much of Discord's 3 seconds may pass before the next attempt that it asks for. */
const PATIENCE_MS = 2_000;
const ATTEMPTS_MAX = 3;
/** Each takes one call at a time, so there are as many as a rush has calls within a round trip of 50 ms. */
const CONNECTIONS_MAX = 128;
/** Somewhat shorter than servers keep them open, so that hardly any call meets a closed one. */
const IDLE_MS = 30_000;
const ANSWER_BYTES_MAX = 1_000_000;

const refusal = z.looseObject({ code: z.number().catch(0), retry_after: z.number().nonnegative().catch(Infinity) });

type Raw = { status: number; text: string };

/**
 * Sends the first words, the only calls in a hurry. Discord does not count them and gives them no bucket, so the queues
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
  // The answer of a server that failed does not say what it did.
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
