import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { ChatDriver, Person, Scene, Shown } from './chat-driver.ts';

/** Answers what a browser asks for; paths begin behind `/chat`. */
export type AskChat = (
  path: string,
  init: { method?: string; headers: Record<string, string>; body?: string },
) => Promise<Response>;

type Visitor = { person: Person; cookie: string; messages: Map<string, WebMessage>; read: string[]; stop: () => void };

const MARKS = { strong: 'bold', code: 'code', muted: 'small' } as const;
const ORIGIN = 'http://localhost';
const span = z.object({ text: z.string(), style: z.enum(['strong', 'code', 'muted']).optional() });
const action = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('link'), label: z.string(), url: z.string() }),
  z.object({ kind: z.literal('button'), label: z.string(), id: z.string() }),
  z.object({ kind: z.literal('command'), command: z.string() }),
]);
const webMessage = z.object({
  id: z.string(),
  position: z.number(),
  author: z.enum(['bot', 'visitor']),
  view: z.object({ paragraphs: z.array(z.array(span)), actions: z.array(action) }),
});
type WebMessage = z.infer<typeof webMessage>;

/** People with browsers, each in a chat alone with the bot: pages, posts and the stream, as our page uses them. */
export function createWebDriver(ask: AskChat, origin: string = ORIGIN): ChatDriver {
  const deliveries = { times: 1 };
  return {
    means: {
      groups: false,
      mentions: false,
      replies: false,
      summaries: false,
      bareNames: false,
      freeText: true,
      accounts: false,
      clientLanguage: false,
      programs: false,
    },
    open: () => openScene({ ask, origin, deliveries }),
    deliverTimes: (times) => void (deliveries.times = times),
    refused: () => [],
    close: async () => undefined,
  };
}

type Chat = { ask: AskChat; origin: string; deliveries: { times: number } };

async function openScene(chat: Chat): Promise<Scene> {
  const visitors = new Map<string, Visitor>();
  for (const name of ['Alice', 'Bob', 'Carl']) {
    const visitor = await openVisitor(chat, name);
    visitors.set(visitor.person.id, visitor);
  }
  const [alice, bob, carl] = [...visitors.values()].map(({ person }) => person);
  if (!alice || !bob || !carl) throw new Error('three visitors were expected');
  const of = ({ id }: Person): Visitor => {
    const visitor = visitors.get(id);
    if (!visitor) throw new Error(`${id} is no visitor of this scene`);
    return visitor;
  };
  const post = async (person: Person, path: string, body: object) => {
    const send = () => postAs(chat, of(person), path, { ...body, event_id: randomUUID() });
    const sent = await send();
    for (let time = 1; time < chat.deliveries.times; time++) await sent.again();
    return sent;
  };
  return {
    alice,
    bob,
    carl,
    robot: null,
    moderator: null,
    letModerate: () => {
      throw new Error('visitors have no place that anybody runs');
    },
    say: (person, text) => post(person, '/messages', { text }),
    press: async (person, message, label) => post(person, '/presses', { button: buttonOf(message, label) }),
    post: () => Promise.reject(new Error('visitors have no place in common')),
    shown: (person) => inOrder(of(person)).map((message) => toShown(message)),
    everRead: (person) => of(person).read,
    rung: () => 0,
    close: async () => [...visitors.values()].forEach(({ stop }) => stop()),
  };
}

async function postAs({ ask, origin }: Chat, { cookie }: Visitor, path: string, body: object) {
  const headers = { cookie, origin, 'content-type': 'application/json' };
  const again = async () => {
    const { status } = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (status !== 202) throw new Error(`the chat answered ${status} to ${JSON.stringify(body)}`);
  };
  await again();
  return { again };
}

async function openVisitor({ ask }: Chat, name: string): Promise<Visitor> {
  const page = await ask('/', { headers: {} });
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const closing = new AbortController();
  const visitor: Visitor = {
    person: { id: cookie, name },
    cookie,
    messages: new Map(),
    read: [],
    stop: () => closing.abort(),
  };
  void follow(ask, visitor, closing.signal);
  return visitor;
}

/** As the page does: the stream is opened again wherever it broke off, from the last revision that came. */
async function follow(ask: AskChat, visitor: Visitor, signal: AbortSignal): Promise<void> {
  let after = '0';
  while (!signal.aborted) {
    const response = await ask(`/stream?after=${after}`, { headers: { cookie: visitor.cookie } }).catch(() => null);
    const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) {
      // Nobody is there just now; a page waits longer.
      await wait(20);
      continue;
    }
    const stop = () => void reader.cancel().catch(() => undefined);
    signal.addEventListener('abort', stop);
    after = await take(reader, visitor, after).catch(() => after);
    signal.removeEventListener('abort', stop);
    // One that is refused ends at once, and without a socket nothing else in this process would ever have a turn.
    if (!signal.aborted) await wait(20);
  }
}

async function take(reader: ReadableStreamDefaultReader<string>, visitor: Visitor, from: string): Promise<string> {
  let [buffer, after] = ['', from];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return after;
    buffer += value;
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const fields = new Map(buffer.slice(0, end).split('\n').map(toField));
      buffer = buffer.slice(end + 2);
      if (fields.get('event') === 'message') keep(visitor, fields.get('data') ?? '');
      after = fields.get('id') ?? after;
    }
  }
}

function toField(row: string): [string, string] {
  const at = row.indexOf(':');
  return [row.slice(0, at), row.slice(at + 1).trim()];
}

function keep({ messages, read }: Visitor, data: string): void {
  const message = webMessage.parse(JSON.parse(data));
  messages.set(message.id, message);
  if (message.author === 'bot') read.push(wordsOf(message));
}

function inOrder({ messages }: Visitor): WebMessage[] {
  return [...messages.values()].filter(({ author }) => author === 'bot').toSorted((a, b) => a.position - b.position);
}

const wordsOf = ({ view }: Pick<WebMessage, 'view'>): string =>
  view.paragraphs.map((paragraph) => paragraph.map(({ text }) => text).join('')).join('\n');

function toShown({ id, view }: WebMessage): Shown {
  const spans = view.paragraphs.flat();
  const written = spans.flatMap(({ text, style }) => (style === 'code' && text.startsWith('/') ? [text] : []));
  return {
    id,
    text: wordsOf({ view }),
    marks: [...new Set(spans.flatMap(({ style }) => (style === undefined ? [] : [MARKS[style]])))],
    examples: [...view.actions.flatMap((one) => (one.kind === 'command' ? [one.command] : [])), ...written],
    buttons: view.actions.flatMap((one) => (one.kind === 'button' ? [one.label] : [])),
    buttonIds: new Map(view.actions.flatMap((one) => (one.kind === 'button' ? [[one.label, one.id] as const] : []))),
    links: view.actions.flatMap((one) => (one.kind === 'link' ? [{ label: one.label, url: one.url }] : [])),
    isPrivate: true,
    answers: null,
  };
}

function buttonOf({ id, buttonIds }: Shown, label: string): string {
  const button = buttonIds.get(label);
  if (button === undefined) throw new Error(`the message ${id} has no button "${label}"`);
  return button;
}
