import type { Hono } from 'hono';
import { createWebChat } from '../../../bot/web/chat.ts';
import { createWebMessenger } from '../../../bot/web/messenger.ts';
import type { View } from '../../../core/view.ts';
import { messagesAfter } from '../../../db/chats/chat.ts';
import { createChanges } from '../changes.ts';
import { createHarness, OPERATOR } from '../harness.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

export type Shown = { id: string; position: number; author: string; view: View; event_id: string | null };
export type StreamEvent = { event: string; id: string; data: string };

/** The web chat as a browser meets it, without a socket: pages by `app.request()`, the stream read event by event. */
export async function createWebHarness(apiUrl: string, { isSecure = false } = {}) {
  const harness = await createHarness({ apiUrl, faucet: true, balance: 0n as never });
  const changes = createChanges();
  const { store, clock, deps } = harness;
  const messengers = {
    ...deps.messengers,
    web: createWebMessenger({ store, changes, random: deps.random, now: clock.now }),
  };
  Object.assign(deps, { messengers });
  const chat = createWebChat({
    ...deps,
    publicUrl: 'http://localhost',
    limits: createRateLimits(deps.clock.now),
    changes,
    bot: harness.bot,
    isSecure,
    operator: OPERATOR,
  });
  return { ...harness, changes, chat, browser: () => openBrowser(chat) };
}

/** One visitor: keeps the cookie and posts as our own page does. */
async function openBrowser(chat: Hono) {
  const page = await chat.request('http://localhost/');
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    chat.request(`http://localhost${path}`, {
      method: 'POST',
      headers: { cookie, origin: 'http://localhost', 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const say = (text: string, eventId: string) => post('/messages', { text, event_id: eventId });
  const press = (button: string, eventId: string) => post('/presses', { button, event_id: eventId });
  const listen = async (headers: Record<string, string> = {}, query = '') =>
    readStream(await chat.request(`http://localhost/stream${query}`, { headers: { cookie, ...headers } }));
  return { page, cookie, post, say, press, listen };
}

export type Listening = Awaited<ReturnType<typeof readStream>>;

async function readStream(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  async function next(): Promise<StreamEvent> {
    for (;;) {
      const end = buffer.indexOf('\n\n');
      if (end >= 0) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (block.startsWith(':')) continue;
        const fields = Object.fromEntries(
          block.split('\n').map((row) => [row.slice(0, row.indexOf(':')), row.slice(row.indexOf(':') + 1).trim()]),
        );
        return { event: fields['event'] ?? '', id: fields['id'] ?? '', data: fields['data'] ?? '' };
      }
      const { done, value } = await reader.read();
      if (done) return { event: 'end', id: '', data: '' };
      buffer += value;
    }
  }
  /** Reads until an event fits. */
  async function until(fits: (event: StreamEvent) => boolean): Promise<StreamEvent> {
    for (;;) {
      const event = await next();
      if (fits(event) || event.event === 'end') return event;
    }
  }
  const untilText = (text: string) => until(({ data }) => data.includes(text));
  return { response, next, until, untilText, close: () => reader.cancel() };
}

export async function shown(store: Parameters<typeof messagesAfter>[0], chatId: string) {
  return messagesAfter(store, chatId, 0, 100);
}
