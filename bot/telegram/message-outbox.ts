import type { View } from '../../core/view.ts';
import {
  changeMessage,
  findMessage,
  forgetMessages,
  openMessage,
  pendingMessages,
  type NewMessage,
} from '../../db/chats/telegram-messages.ts';
import { LATER, SHOWN, type Delivery, type Pending, type Turn } from './delivery.ts';
import { createLanes } from './lanes.ts';
import { lifetimeIn } from './lifetime.ts';
import { isGroup, readPlace, readUser } from './place.ts';
import { showHere } from './show-here.ts';
import { showPerson } from './show-person.ts';
import { showReaction } from './show-reaction.ts';
import { isNobody } from './update.ts';

/**
 * What the bot wants to show, and the only sender of it to Telegram. A request is a row in the database and nothing
 * else; showing goes on by itself, as fast as Telegram accepts it, across restarts.
 */
export type MessageOutbox = {
  open: (message: Omit<NewMessage, 'nowMs' | 'lifetimeSeconds'>) => Promise<{ isNew: boolean }>;
  edit: (key: string, view: View) => Promise<void>;
  /** Looks for what other processes, or an earlier one, have asked for. */
  look: () => Promise<void>;
  /** How long the next message in a chat would wait, as things are. */
  waitMs: (chat: number) => number;
  /** How many messages wait. */
  size: () => number;
  close: () => Promise<void>;
};

const LOOKED_AT_ONCE = 1_000;
/** A step that is over at once needs no edit of its own; in groups each one costs a twentieth of a minute. */
const STEP_LASTS_MS = { private: 700, group: 2_500 };
/** In a rush people prefer to see the end sooner: every so many waiting messages delay a step once more. */
const RUSH = 20;
/** After that nobody waits for an answer, or edits one. */
const KEPT_MS = 30 * 24 * 3_600_000;

export function createMessageOutbox(delivery: Delivery): MessageOutbox {
  const { store, pace, nowMs, log, isMine, tell } = delivery;
  const lanes = createLanes({ pace, nowMs, turn: (key) => takeTurn(delivery, key) });
  let isClosed = false;

  /** Another process may be the one that shows: it finds the row. */
  const add: typeof lanes.add = (...waiting) => {
    if (isMine()) lanes.add(...waiting);
    else tell?.();
  };

  async function look(): Promise<void> {
    if (isClosed || !isMine()) return;
    for (const { key, chatId, shownHash } of await pendingMessages(store, LOOKED_AT_ONCE)) {
      // A message that shows something already may wait on purpose, because it would only show a step.
      lanes.add(readPlace(chatId).chat, key, shownHash === null ? 0 : nowMs() + STEP_LASTS_MS.group);
    }
    await forgetMessages(store, nowMs() - KEPT_MS, LOOKED_AT_ONCE);
  }

  return {
    async open(message) {
      const place = readPlace(message.chatId);
      const lifetimeSeconds = await lifetimeIn(store, place);
      const opened = await openMessage(store, { ...message, lifetimeSeconds, nowMs: nowMs() });
      if (opened.isNew) add(place.chat, message.key, 0, message.userId !== null);
      return opened;
    },
    async edit(key, view) {
      const row = await changeMessage(store, key, view, nowMs());
      // So old that nobody could find it in its chat.
      if (!row) return log.warn({ key }, 'a message is forgotten');
      const place = readPlace(row.chatId);
      const isStep = view.state === 'working' && row.shownHash !== null;
      const lastsMs = isGroup(place) ? STEP_LASTS_MS.group : STEP_LASTS_MS.private;
      const rushes = 1 + Math.floor(lanes.size() / RUSH);
      add(place.chat, key, isStep ? nowMs() + lastsMs * rushes : 0);
    },
    look,
    waitMs: lanes.waitMs,
    size: lanes.size,
    close: async () => {
      isClosed = true;
      await lanes.close();
    },
  };
}

/** Never rejects: what could not be shown stays stored. */
async function takeTurn(delivery: Delivery, key: string): Promise<Turn> {
  const { store, log, isMine } = delivery;
  // It stays stored, and the process that shows now shows it.
  if (!isMine()) return SHOWN;
  try {
    const row = await findMessage(store, key);
    if (!row || row.view === null) return SHOWN;
    const message = { ...row, view: row.view };
    if (row.reactsTo !== null) return await showReaction(delivery, message, row.reactsTo);
    return await (isForAll(message) ? showHere(delivery, message) : showPerson(delivery, message));
  } catch (error) {
    log.error({ key, error: String(error) }, 'a message could not be shown; it stays open');
    return LATER;
  }
}

/** A sender in the name of the group is answered there: there is no other place, and everyone saw the command. */
function isForAll({ view, chatId, userId }: Pending): boolean {
  if (view.audience === 'everyone' || !isGroup(readPlace(chatId))) return true;
  return userId !== null && isNobody(readUser(userId));
}
