import type { ChatName } from '../../core/chats/chats.ts';
import { findLanguage } from '../../core/languages.ts';
import { microUsdc, sumUsdc } from '../../core/money.ts';
import type { View } from '../../core/view.ts';
import { findChatUser } from '../../db/chats/users.ts';
import {
  dueRushes,
  forgetRushes,
  isMerged,
  joinRush,
  lookAtRushAgain,
  tipsOfRush,
  type Rush,
  type RushTip,
} from '../../db/chats/rushes.ts';
import { readGroupLanguage } from '../../db/communities/community-settings.ts';
import type { Store } from '../../db/store/store.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { cutNames } from '../../texts/receipts/several.ts';
import type { Origin } from '../shared/messenger.ts';
import type { Outbox } from './outbox.ts';

/**
 * Where more people tip in a place than the platform lets the bot speak there, the first tips get a message of their own.
 * Further ones are a sign on the command and a line in one message for all, edited now and then; who could not be told
 * alone is named when it closes. What only the payer may read is still said to them.
 */
export type Rushes = {
  /** The rush that a new answer there belongs to; null: it gets a message of its own. `isWanted`: it begins one. */
  idFor: (origin: RushPlace, isWanted?: boolean) => Promise<string | null>;
  isMerged: (key: string) => Promise<boolean>;
  /** Shows what has come since; takes up what an earlier process left. Never rejects. */
  look: () => Promise<void>;
};

/** Where a tip was typed, and the language of who typed it. */
export type RushPlace = Pick<Origin, 'chatId' | 'language' | 'communityId'>;

type Deps = {
  chat: ChatName;
  store: Store;
  outbox: Pick<Outbox, 'open' | 'edit'>;
  /** How much of the place's minute is used up or asked for: 1 is all of it. Absent: the platform has no such limit, and
   * only those who read along are spared. */
  load?: (chatId: string) => number;
  newId: () => string;
  nowMs: () => number;
  isMine: () => boolean;
  warn: (error: unknown) => void;
};

/** From here on own messages would eat up what the shared one, and moderators, need. */
const LOAD_MAX = 0.2;
/** So many tips in a minute have a message of their own in any case. */
const OWN_TIPS = 3;
const MINUTE_MS = 60_000;
const PLACES_MAX = 10_000;
const FIRST_LOOK_MS = 1_500;
const EDIT_EVERY_MS = 6_000;
/** After that without another tip it closes. */
const QUIET_MS = 15_000;
/** A tip whose payment hangs keeps it open no longer than that. */
const OPEN_MAX_MS = 5 * 60_000;
const LOOKED_AT_ONCE = 100;
/** On Discord a message has 2,000 characters. */
const LINES_MAX = 25;
const KEPT_MS = 24 * 3_600_000;

/** What its messages are called in the outbox. */
const KEYS = {
  tips: ({ id }: Rush) => `rush:${id}`,
  call: ({ id, lastTipAtMs }: Rush) => `called:${id}:${String(lastTipAtMs)}`,
};
export const isRushKey = (key: string) => /^(?:rush|called):/.test(key);

export function createRushes(deps: Deps): Rushes {
  const { chat, store, nowMs } = deps;
  let looking: Promise<void> | null = null;
  const tips = createCounter(nowMs);

  async function run(): Promise<void> {
    if (!deps.isMine()) return;
    for (const rush of await dueRushes(store, chat, nowMs(), LOOKED_AT_ONCE)) await show(deps, rush);
    await forgetRushes(store, nowMs() - KEPT_MS);
  }

  return {
    async idFor({ chatId, communityId, language: own = null }, isWanted = false) {
      const isRush = isWanted || (tips.count(chatId) > OWN_TIPS && (deps.load?.(chatId) ?? 1) >= LOAD_MAX);
      const language = isRush ? ((await readGroupLanguage(store, { transport: chat, communityId })) ?? own) : null;
      const begun = isRush ? { id: deps.newId(), language, firstLookMs: FIRST_LOOK_MS } : null;
      return (await joinRush(store, { transport: chat, chatId }, begun, nowMs()))?.id ?? null;
    },
    isMerged: (key) => isMerged(store, { transport: chat, key }),
    look: () =>
      (looking ??= run()
        .catch(deps.warn)
        .finally(() => (looking = null))),
  };
}

/** How many tips came there in the last minute, with this one. A start forgets it. */
function createCounter(nowMs: () => number) {
  const places = new Map<string, number[]>();
  return {
    count(chatId: string): number {
      const now = nowMs();
      const lately = [...(places.get(chatId) ?? []).filter((atMs) => atMs > now - MINUTE_MS), now].slice(-OWN_TIPS - 1);
      places.delete(chatId);
      const [oldest] = places.keys();
      if (places.size >= PLACES_MAX && oldest !== undefined) places.delete(oldest);
      places.set(chatId, lately);
      return lately.length;
    },
  };
}

async function show(deps: Deps, rush: Rush): Promise<void> {
  const { store, nowMs, outbox } = deps;
  const tips = await tipsOfRush(store, rush);
  const now = nowMs();
  const isOpen = ({ status }: RushTip) => status !== 'answered' && status !== 'failed';
  const silentMs = now - rush.lastTipAtMs;
  const isOver = silentMs >= OPEN_MAX_MS || (silentMs >= QUIET_MS && !tips.some(isOpen));
  const paid = tips.filter(({ status, undoneAtMs, erasedAtMs }) => status === 'answered' && !undoneAtMs && !erasedAtMs);
  if (paid.length > 0) {
    const view = rushView(rush, paid, isOver);
    const message = { chatId: rush.chatId, eventId: null, userId: null, language: rush.language, isQuiet: true };
    await outbox.edit(KEYS.tips(rush), view, message);
  }
  if (isOver) await callOut(deps, rush, paid);
  // A tip that came meanwhile keeps it open.
  const isDone = isOver && (await lookAtRushAgain(store, rush, null));
  if (!isDone) await lookAtRushAgain(store, rush, now + EDIT_EVERY_MS);
}

function textsOf({ language }: Rush) {
  return LANGUAGES[findLanguage(language) ?? 'en'];
}

/** A step as long as it is open: such a message needs no placeholder, and no edit for each tip. */
function rushView(rush: Rush, paid: readonly RushTip[], isOver: boolean): View {
  const texts = textsOf(rush);
  const sum = sumUsdc(paid.map(({ amountMicroUsdc }) => microUsdc(amountMicroUsdc)));
  const people = new Set(paid.map(({ userId }) => userId)).size;
  const lines = paid
    .slice(-LINES_MAX)
    .map(({ userId, recipient, amountMicroUsdc }) => texts.rushLine(userId, recipient, microUsdc(amountMicroUsdc)));
  const more = paid.length - lines.length;
  return {
    state: isOver ? 'ok' : 'working',
    audience: 'everyone',
    paragraphs: [
      texts.rushTitle({ tips: paid.length, people, sum }),
      ...(more > 0 ? [texts.rushMore(more)] : []),
      ...lines,
    ],
    actions: [],
  };
}

/** Those who do not talk to the bot have heard of nothing yet. Under the same key it is one message. */
async function callOut(deps: Deps, rush: Rush, paid: readonly RushTip[]): Promise<void> {
  const here = `${deps.chat}:`;
  const members = [...new Set(paid.map(({ recipient }) => recipient))].filter((name) => name.startsWith(here));
  const untold: string[] = [];
  for (const member of members) if ((await findChatUser(deps.store, member)) === null) untold.push(member);
  if (untold.length === 0) return;
  const { names, more } = cutNames(untold);
  const view: View = {
    state: 'working',
    audience: 'everyone',
    paragraphs: [textsOf(rush).rushCall(names, more)],
    actions: [{ kind: 'command', command: '/claim' }],
  };
  const message = { chatId: rush.chatId, eventId: null, userId: null, language: rush.language, isQuiet: false };
  await deps.outbox.open({ key: KEYS.call(rush), ...message, view });
}
