import type { Context } from 'hono';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import { lastRevision, messagesAfter, type ChatMessage } from '../../db/chats/chat.ts';
import type { Store } from '../../db/store/store.ts';
import type { Changes } from '../shared/changes.ts';
import type { Log } from '../shared/log.ts';

const POLL_MS = 1_000;
const HEARTBEAT_POLLS = 15;
const RETRY_MS = 1_000;
const PAGE_SIZE = 100;

export type StreamDeps = { store: Store; changes: Changes; closing: AbortSignal; log: Log };

/**
 * Follows a chat from the revision that the page has seen (`Last-Event-ID`, or `?after=` for a page that had to open
 * the stream anew). Each message is sent in its latest form, so a page that was away misses no edit and no receipt.
 */
export function streamChat(context: Context, deps: StreamDeps, chatId: string, onEnd: () => void): Response {
  const seen = Number(context.req.header('last-event-id') ?? context.req.query('after') ?? 0);
  const work = async (stream: SSEStreamingApi) => {
    const wakeUp = createWakeUp(deps, chatId, stream);
    try {
      await follow(deps, chatId, stream, wakeUp, Number.isSafeInteger(seen) && seen > 0 ? seen : 0);
    } finally {
      wakeUp.stop();
      onEnd();
    }
  };
  // The page opens the stream again by itself and loses nothing.
  return streamSSE(context, work, async (error) => deps.log.warn({ error: String(error) }, 'chat stream broke off'));
}

async function follow(
  { store }: StreamDeps,
  chatId: string,
  stream: SSEStreamingApi,
  wakeUp: WakeUp,
  seen: number,
): Promise<void> {
  let revision = seen;
  let isReady = false;
  let quietPolls = 0;
  // A page that has seen more than there is remembers another database: it starts over.
  if (revision > (await lastRevision(store, chatId))) {
    revision = 0;
    await stream.writeSSE({ event: 'reset', data: '', id: '0', retry: RETRY_MS });
  }
  while (!wakeUp.isOver()) {
    const messages = await messagesAfter(store, chatId, revision, PAGE_SIZE);
    for (const message of messages) {
      await stream.writeSSE({ event: 'message', id: String(message.revision), data: toWire(message) });
      revision = message.revision;
    }
    if (messages.length === PAGE_SIZE) continue;
    if (!isReady) await stream.writeSSE({ event: 'ready', data: '', id: String(revision), retry: RETRY_MS });
    isReady = true;
    // A comment keeps proxies from closing the stream, and finds out that nobody is there any more.
    if (messages.length === 0 && ++quietPolls % HEARTBEAT_POLLS === 0) await stream.write(': still here\n\n');
    await wakeUp.wait();
  }
}

function toWire({ id, position, author, view, onceKey }: ChatMessage): string {
  // The page showed its own message while it was on the way, and recognises it by this.
  const eventId = author === 'visitor' && onceKey ? onceKey.replace(/^event:/, '') : null;
  return JSON.stringify({ id, position, author, view, event_id: eventId });
}

type WakeUp = { wait: () => Promise<void>; isOver: () => boolean; stop: () => void };

/** Rings when the chat changed, and every second, because a change in another process may notify nowhere. */
function createWakeUp({ changes, closing }: StreamDeps, chatId: string, stream: SSEStreamingApi): WakeUp {
  let hasRung = false;
  let wake = () => {};
  const notify = () => {
    hasRung = true;
    wake();
  };
  const unsubscribe = changes.subscribe(chatId, notify);
  stream.onAbort(notify);
  closing.addEventListener('abort', notify);
  return {
    async wait() {
      // What rang since the last look is not waited for again.
      if (!hasRung) await new Promise<void>((resolve) => (wake = oncePassed(POLL_MS, resolve)));
      hasRung = false;
    },
    isOver: () => stream.aborted || stream.closed || closing.aborted,
    stop() {
      unsubscribe();
      closing.removeEventListener('abort', notify);
    },
  };
}

/** Calls `then` after this time, or at once when what it answers is called. */
function oncePassed(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => {
    clearTimeout(timer);
    then();
  };
}
