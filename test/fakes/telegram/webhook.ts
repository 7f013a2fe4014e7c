/** Delivery by webhook: one POST per update, with the secret in its header, repeated until it is answered with 2xx. */
import type { Update } from 'grammy/types';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLimit } from '../../../identity/time-limit.ts';
import type { Queue } from './queue.ts';

export type WebhookSettings = { url: string; secretToken: string; maxConnections: number };

export type Webhook = {
  set: (settings: WebhookSettings) => void;
  remove: () => void;
  settings: () => WebhookSettings | null;
  lastError: () => { atSeconds: number; text: string } | null;
  close: () => Promise<void>;
};

const ATTEMPT_TIME_LIMIT_MS = 10_000;
const FIRST_REPEAT_MS = 100;
const REPEAT_MS_MAX = 5_000;

export function createWebhook(queue: Queue, nowMs: () => number): Webhook {
  let settings: WebhookSettings | null = null;
  let stopped = new AbortController();
  let lastError: { atSeconds: number; text: string } | null = null;
  const waiting: Update[] = [];
  const underWay = new Set<Promise<void>>();

  /** Sends what waits, as many at a time as the bot allows. */
  function pump(): void {
    while (settings && underWay.size < settings.maxConnections) {
      const update = waiting.shift();
      if (!update) return;
      const delivery = deliver(settings, update, stopped.signal).finally(() => {
        underWay.delete(delivery);
        pump();
      });
      underWay.add(delivery);
    }
  }

  async function deliver(to: WebhookSettings, update: Update, signal: AbortSignal): Promise<void> {
    for (let pauseMs = FIRST_REPEAT_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, REPEAT_MS_MAX)) {
      queue.noteDelivery(update);
      const problem = await post(to, update, signal);
      if (signal.aborted) return;
      if (problem === null) return queue.confirm(update);
      lastError = { atSeconds: Math.floor(nowMs() / 1000), text: problem };
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  function remove(): void {
    settings = null;
    stopped.abort();
    waiting.length = 0;
    queue.setPush(null);
  }

  return {
    set(next) {
      remove();
      stopped = new AbortController();
      // Everything on its way waits for it.
      setMaxListeners(0, stopped.signal);
      settings = next;
      queue.setPush((update) => {
        waiting.push(update);
        pump();
      });
    },
    remove,
    settings: () => settings,
    lastError: () => lastError,
    async close() {
      remove();
      await Promise.all(underWay);
    },
  };
}

/** Null when the bot took it. */
async function post(to: WebhookSettings, update: Update, signal: AbortSignal): Promise<string | null> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (to.secretToken !== '') headers['x-telegram-bot-api-secret-token'] = to.secretToken;
  const limit = startLimit(ATTEMPT_TIME_LIMIT_MS, signal);
  try {
    const response = await fetch(to.url, {
      method: 'POST',
      headers,
      body: JSON.stringify(update),
      signal: limit.signal,
    });
    await response.arrayBuffer();
    return response.ok ? null : `Wrong response from the webhook: ${response.status} ${response.statusText}`;
  } catch {
    return 'Connection failed';
  } finally {
    limit.end();
  }
}
