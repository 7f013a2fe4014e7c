import { CHATS, type ChatName } from '../../core/chats/chats.ts';
import type { View } from '../../core/view.ts';
import {
  changeMessage,
  FIRST_REVISION,
  findMessage,
  forgetMessages,
  forgetViews,
  noteOvertaken,
  noteProgress,
  noteShown,
  openMessage,
  pendingMessages,
  type NewMessage,
  type Waiting,
} from '../../db/chats/bot-messages.ts';
import type { Store } from '../../db/store/store.ts';
import type { Log } from '../shared/log.ts';
import { createLanes, type Lane, type LaneTurn, type Rank } from './lanes.ts';
import { createLooks } from './looks.ts';
import type { Pace } from './pace.ts';
import { hashOf, type Pending, type Turn } from './turn.ts';

/**
 * What the bot wants to show in a chat, and the only sender of it. A request is a row in the database and nothing else;
 * showing goes on by itself, as fast as the platform accepts it, across restarts. Only the newest view of a message is
 * ever sent, and never an older one after it.
 *
 * A call whose outcome is unknown may still take effect after newer ones. Where that is likely, what is shown meanwhile
 * is shown once more when the old call can no longer take effect, and only then counts as shown.
 */
export type Outbox = {
  open: (message: Message) => Promise<{ isNew: boolean }>;
  /** `unless`: opened only where no such message waits or was shown through here. */
  edit: (key: string, view: View, unless?: Omit<Message, 'key' | 'view'>) => Promise<void>;
  /** Opens it. A message that shows only its first text is changed; one that says more stays as it is. */
  answerFirst: (message: Message) => Promise<void>;
  /** Looks for what other processes, or an earlier one, have asked for. */
  look: () => Promise<void>;
  /** How long the next message in a lane would wait, as things are. */
  waitMs: (lane: Lane) => number;
  /** How many messages wait there. */
  waitingIn: (lane: Lane) => number;
  /** How many messages wait. */
  size: () => number;
  close: () => Promise<void>;
};

type Message = Omit<NewMessage, 'transport' | 'nowMs' | 'lifetimeSeconds'>;
type Place = { key: string; chatId: string; reactsTo?: number | null };

export type OutboxDeps = {
  chat: ChatName;
  store: Store;
  pace: Pace;
  /** One attempt to bring a message closer to what it has to show. Rejects only when something is broken here. */
  show: (message: Pending) => Promise<Turn>;
  /** Messages of one lane are shown one after another. A sign is no message. */
  laneOf: (place: Place) => Lane;
  /** Whether others read along. */
  isShared: (chatId: string) => boolean;
  /** How long a new message stays in its chat; null: for good. */
  lifetimeOf: (chatId: string) => Promise<number | null>;
  /** How long a tip waits to be collected: its message is edited when that is over. */
  claimDays?: number | undefined;
  nowMs: () => number;
  log: Log;
  /** Whether this process is the one that shows. */
  isMine: () => boolean;
  /** Calls each time it stops being that. */
  onLost?: ((listener: () => void) => void) | undefined;
  /** Tells the one that shows. */
  tell?: (() => void) | undefined;
};

const LOOKED_AT_ONCE = 1_000;
/** After a broken connection; the exact time matters to nobody. */
const LATER_MS = 2_000;
/** In a rush people prefer to see the end sooner: every so many waiting messages delay a step once more. */
const RUSH = 20;
const DAY_MS = 24 * 3_600_000;
/** After that nobody waits for an answer. */
const KEPT_DAYS_MIN = 30;
/** A request is paid days after its card was shown, and what goes back takes its time. */
const AFTER_CLAIM_DAYS = 14;

export function createOutbox(deps: OutboxDeps): Outbox {
  const { chat, store, pace, nowMs, isMine, log } = deps;
  const { stepLastsMs, showsWork, turnsAtOnce } = CHATS[chat].outbox;
  const lanes = createLanes({ pace, nowMs, turnsAtOnce, turn: createTurn(deps) });
  let isClosed = false;

  /** Another process may be the one that shows: it finds the row. */
  function add(place: Place, notBeforeMs: number, rank: Rank): void {
    if (isMine()) lanes.add(deps.laneOf(place), place.key, notBeforeMs, rank);
    else deps.tell?.();
  }

  /** A step that is over at once needs no edit of its own. */
  function stepDueMs({ chatId }: Place): number {
    const lastsMs = deps.isShared(chatId) ? stepLastsMs.shared : stepLastsMs.private;
    return nowMs() + lastsMs * (1 + Math.floor(lanes.size() / RUSH));
  }

  async function open(message: Message): Promise<{ isNew: boolean }> {
    const lifetimeSeconds = await deps.lifetimeOf(message.chatId);
    const opened = await openMessage(store, { ...message, transport: chat, lifetimeSeconds, nowMs: nowMs() });
    const isAwaited = isPassing(message.view) && showsWork;
    const rank = rankOf({ ...message, audience: message.view.audience, shownHash: null });
    if (opened.isNew) add(message, isAwaited ? stepDueMs(message) : 0, rank);
    return opened;
  }

  /** False where there is no such message, or none of this revision. */
  async function change(key: string, view: View, revision?: number): Promise<boolean> {
    const row = await changeMessage(store, { transport: chat, key }, view, nowMs(), revision);
    if (!row) return false;
    const place = { key, chatId: row.chatId, reactsTo: row.reactsTo };
    const isStep = isPassing(view) && (row.shownHash !== null || showsWork);
    add(place, isStep ? stepDueMs(place) : 0, audienceRank(view.audience) ?? 'later');
    return true;
  }

  async function lookOnce(): Promise<void> {
    if (isClosed || !isMine()) return;
    for (const row of await pendingMessages(store, chat, LOOKED_AT_ONCE)) {
      // A message that already shows something may wait on purpose, because it would only show a step.
      const notBeforeMs = row.shownHash === null ? 0 : nowMs() + stepLastsMs.shared;
      lanes.addMissing(deps.laneOf(row), row.key, notBeforeMs, rankOf(row));
    }
    await forgetViews(store, chat, nowMs());
    await forgetMessages(store, chat, nowMs() - keptMs(deps), LOOKED_AT_ONCE);
  }

  return {
    open,
    async edit(key, view, unless) {
      if (await change(key, view)) return;
      // So old that nobody could find it in its chat.
      if (!unless) return log.warn({ key }, 'a message is forgotten');
      // Another edit may open it at the same moment: then this one changes it after all.
      if (!(await open({ ...unless, key, view })).isNew) await change(key, view);
    },
    async answerFirst(message) {
      if (!(await open(message)).isNew) await change(message.key, message.view, FIRST_REVISION);
    },
    look: createLooks(lookOnce),
    waitMs: lanes.waitMs,
    waitingIn: lanes.sizeOf,
    size: lanes.size,
    close: async () => {
      isClosed = true;
      await lanes.close();
    },
  };
}

function keptMs({ claimDays = 0 }: Pick<OutboxDeps, 'claimDays'>): number {
  return Math.max(KEPT_DAYS_MIN, claimDays + AFTER_CLAIM_DAYS) * DAY_MS;
}

/** Read from what is stored, so that it is the same in each process. A receipt answers nobody. */
function rankOf({ audience, userId, shownHash }: Pick<Waiting, 'audience' | 'userId' | 'shownHash'>): Rank {
  return audienceRank(audience) ?? (userId === null || shownHash !== null ? 'later' : 'first_word');
}

/** What only one person may read goes before what everyone reads, wherever it ends up. */
function audienceRank(audience: Waiting['audience']): Rank | null {
  return audience === 'person' ? 'personal' : null;
}

/**
 * True where something else follows by itself. Nothing follows a card until a person presses a button, and without its
 * buttons nobody could.
 */
export function isPassing({ state, actions }: View): boolean {
  return state === 'working' && !actions.some(({ kind }) => kind === 'button');
}

const OVER: LaneTurn = { kind: 'over' };

/**
 * What was sent while another process became the one that shows, by key, until that is stored: it may stand over something
 * newer.
 */
type Unsettled = Map<string, Pending>;

/** How often this process has stopped being the one that shows. */
type Losses = () => number;

function createTurn(deps: OutboxDeps): (key: string) => Promise<LaneTurn> {
  const unsettled: Unsettled = new Map();
  let losses = 0;
  deps.onLost?.(() => void (losses += 1));
  return (key) => takeTurn(deps, unsettled, () => losses, key);
}

/** Never rejects: what could not be shown stays stored. */
async function takeTurn(deps: OutboxDeps, unsettled: Unsettled, losses: Losses, key: string): Promise<LaneTurn> {
  const { chat, store, isMine, nowMs } = deps;
  // It stays stored, and the process that shows messages now shows it.
  if (!unsettled.has(key) && !isMine()) return OVER;
  const lossesBefore = losses();
  const isOvertaken = () => !isMine() || losses() > lossesBefore;
  let sent = unsettled.get(key) ?? null;
  try {
    if (sent) await noteOvertaken(store, sent, nowMs());
    sent = null;
    unsettled.delete(key);
    const row = await findMessage(store, { transport: chat, key });
    if (!row || row.view === null || row.pendingSinceMs === null || !isMine()) return OVER;
    sent = { ...row, view: row.view };
    const begunMs = nowMs();
    const { next, isNoted } = await settle(deps, sent, await deps.show(sent), begunMs);
    if (isNoted || !isOvertaken()) return next;
    await noteOvertaken(store, sent, nowMs());
    return { kind: 'again' };
  } catch (error) {
    if (sent && isOvertaken()) unsettled.set(key, sent);
    deps.log.error({ key, error: String(error) }, 'a message could not be shown; it stays open');
    return { kind: 'later', atMs: nowMs() + LATER_MS };
  }
}

/** `isNoted`: stored as shown, so that whatever is newer is known to wait. */
async function settle(
  { chat, store, nowMs }: OutboxDeps,
  message: Pending,
  turn: Turn,
  begunMs: number,
): Promise<{ next: LaneTurn; isNoted: boolean }> {
  const { lateMs } = CHATS[chat].outbox;
  switch (turn.kind) {
    case 'again':
      return { next: turn, isNoted: false };
    case 'unknown':
      if (lateMs > 0) await noteProgress(store, message, { doubtUntilMs: nowMs() + lateMs });
      return { next: { kind: 'later', atMs: nowMs() + LATER_MS }, isNoted: false };
    case 'shown': {
      const { doubtUntilMs } = message;
      if (doubtUntilMs !== null && begunMs < doubtUntilMs) {
        await noteProgress(store, message, { ...turn.progress, doubtUntilMs });
        return { next: { kind: 'later', atMs: doubtUntilMs }, isNoted: false };
      }
      const shownHash = hashOf(message.view);
      const isNewest = await noteShown(store, message, { ...turn.progress, shownHash, nowMs: nowMs() });
      return { next: isNewest ? OVER : { kind: 'again' }, isNoted: true };
    }
  }
}
