import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import { readDiscordChat } from '../../core/discord/chat.ts';
import { namedPeople, toDiscordMessage } from '../../core/discord/message.ts';
import type { View } from '../../core/view.ts';
import type { ChatSender } from '../receipts.ts';

export type DiscordSenderOptions = {
  token: string;
  apiUrl?: string | undefined;
  log: Logger;
};

const API_URL = 'https://discord.com/api';
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Longer than this, the row of the outbox waits instead of the worker. */
const PATIENCE_MS = 3_000;
const WAITS_MAX = 5;

const created = z.looseObject({ id: z.string() });
const limited = z.looseObject({ retry_after: z.number().nonnegative() });
const refused = z.looseObject({ code: z.number() });

/** The chat is gone, or the bot may not write there: nobody could be told, now or later. */
class Unreachable extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`Discord lets nothing be posted there (${code})`);
    this.code = code;
  }
}

/**
 * Posts receipts as messages of the bot. They carry a nonce made from the key, under which Discord keeps one message:
 * a reply that was lost is asked for again without a second message.
 */
export function createDiscordSender({ token, apiUrl = API_URL, log }: DiscordSenderOptions): ChatSender {
  const post = (path: string, body: object) => postJson(`${apiUrl}/v10${path}`, token, body);
  return async ({ chatId, onceKey, view }) => {
    const chat = readDiscordChat(chatId);
    if (chat.kind === 'guild' && view.audience === 'person') {
      return log.error({ onceKey }, 'a receipt for one person is not posted where others read along');
    }
    try {
      const channelId =
        chat.kind === 'person'
          ? created.parse(await post('/users/@me/channels', { recipient_id: chat.userId })).id
          : chat.channelId;
      await post(`/channels/${channelId}/messages`, toBody(onceKey, view));
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      log.info({ onceKey, code: error.code }, 'a receipt reaches nobody on Discord');
    }
  };
}

function toBody(onceKey: string, view: View): object {
  // The first receipt tells the recipients; what becomes of it later concerns the payer.
  const users = onceKey.startsWith('settled:') ? namedPeople(view).slice(0, 100) : [];
  return {
    ...toDiscordMessage(view),
    allowed_mentions: { parse: [], users },
    nonce: createHash('sha256').update(onceKey).digest('base64url').slice(0, 24),
    enforce_nonce: true,
  };
}

async function postJson(url: string, token: string, body: object): Promise<unknown> {
  for (let waits = 0; ; waits++) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = await readAnswer(response);
    if (response.ok) return answer;
    if (response.status === 429) {
      const waitMs = limited.parse(answer).retry_after * 1_000;
      if (waits < WAITS_MAX && waitMs <= PATIENCE_MS) await new Promise((resolve) => setTimeout(resolve, waitMs));
      else throw new Error(`Discord wants no message for ${waitMs} ms`);
      continue;
    }
    if (response.status === 403 || response.status === 404) throw new Unreachable(codeOf(answer));
    throw new Error(`Discord answered ${response.status} (${codeOf(answer)})`);
  }
}

/** Null for what is no JSON, such as the page of a proxy. */
async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text.length > ANSWER_BYTES_MAX) throw new Error(`Discord answered with ${text.length} characters`);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function codeOf(answer: unknown): number {
  return refused.safeParse(answer).data?.code ?? 0;
}
