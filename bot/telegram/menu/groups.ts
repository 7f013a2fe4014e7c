import type { BotCommand, BotCommandScope } from 'grammy/types';
import { LANGUAGE_TAGS, type Language } from '../../../core/languages.ts';
import type { RateLimits } from '../../../queue/rate-limiter.ts';
import { allowedBy } from '../../commands/offered.ts';
import type { Pace } from '../../outbox/pace.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { BotRight } from '../../shared/messenger.ts';
import { COMMANDS, groupLists, type IsOffered } from './commands.ts';

/**
 * Keeps the menus of single groups true to what the bot may do there. A group in which it may do what a plain member may
 * has no list of its own: the list for all groups is made for those. Nothing is stored: Telegram keeps the lists, and is
 * asked for them where this process does not know.
 */
export type GroupMenus = {
  /** What all groups are offered that have no list of their own. */
  isInGroups: IsOffered;
  /** The bot's rights in a group may have changed; it may have left. */
  note: (chat: number) => void;
  /** It was heard what the bot lacks in a group. */
  learn: (chat: number, lacks: readonly BotRight[]) => void;
  /** One round, shared by all callers while it is under way. Never rejects. */
  look: () => Promise<void>;
  close: () => Promise<void>;
};

type Answer<Result> =
  | { kind: 'done'; result: Result }
  | { kind: 'flood'; retryAfterMs: number }
  | { kind: 'refused' | 'moved' | 'unknown' };
type Audience = { scope: BotCommandScope; language: Language | null };

export type GroupMenusDeps = {
  /** What the bot lacks in a group, asked now; null where it is not in it. */
  lacksIn: (chat: number) => Promise<Answer<readonly BotRight[] | null>>;
  readMenu: (audience: Audience) => Promise<Answer<BotCommand[]>>;
  /** Null: the audience has no list of its own any more. */
  writeMenu: (audience: Audience, commands: BotCommand[] | null) => Promise<Answer<unknown>>;
  /** What a plain member lacks in every group. */
  plainLacks: () => readonly BotRight[];
  hasTreasury: (chat: number) => boolean;
  isHere: IsOffered;
  isMine: () => boolean;
  pace: Pick<Pace, 'spareMs' | 'takeCall' | 'pause'>;
  limits: Pick<RateLimits, 'perMinute'>;
  clock: Pick<Clock, 'now' | 'sleep'>;
  log: Log;
};

/** Anyone can add the bot to groups and change its rights: more than this is looked at later, at its last state. */
const LOOKS_PER_GROUP_PER_MINUTE = 2;
const LOOKS_PER_MINUTE = 20;
/** Beyond it a group keeps its menu until its rights are heard of again. */
const WAITING_MAX = 1_000;
const KNOWN_MAX = 10_000;
/** A group that has to wait longer gets its turn in another round. */
const PATIENCE_MS = 2_000;

export function createGroupMenus(deps: GroupMenusDeps): GroupMenus {
  const { clock, limits, isMine, log } = deps;
  const perGroup = limits.perMinute('telegram menus of a group', LOOKS_PER_GROUP_PER_MINUTE);
  const overall = limits.perMinute('telegram menus', LOOKS_PER_MINUTE);
  /** In the order in which they were heard of. */
  const waiting = new Set<number>();
  /** The commands that a group's menu is known to name; of none that waits. */
  const known = new Map<number, string>();
  let restsUntilMs = 0;
  let round: Promise<void> | null = null;
  let isClosed = false;
  const isOver = () => isClosed || !isMine();

  function note(chat: number): void {
    // What was set may be wrong now, or not kept by a group that threw the bot out for a moment.
    known.delete(chat);
    if (waiting.size < WAITING_MAX) waiting.add(chat);
    else if (!waiting.has(chat)) log.warn({ chat }, 'a menu is not looked at: too many wait');
  }

  async function run(): Promise<void> {
    // What comes meanwhile, and what has to wait again, is for the next round.
    const inOrder = [...waiting];
    for (const chat of inOrder) {
      if (isOver() || clock.now() < restsUntilMs) return;
      if (!waiting.has(chat) || !perGroup.allows(String(chat))) continue;
      if (!overall.allows('all')) return;
      // What is heard of it from now on needs another turn.
      waiting.delete(chat);
      const turn = createTurn(deps, chat, isOver);
      const end = await setRight(deps, turn).catch((error: unknown) => {
        if (!isClosed) log.error({ chat, error: String(error) }, "a group's menu could not be set");
        return { kind: 'later' } as const;
      });
      if (end.kind === 'set' && !waiting.has(chat)) remember(known, chat, end.commands);
      if (end.kind === 'later') waiting.add(chat);
      restsUntilMs = Math.max(restsUntilMs, turn.restsUntilMs());
    }
  }

  return {
    isInGroups: (command) => deps.isHere(command) && allowedBy(deps.plainLacks(), true)(command),
    note,
    learn(chat, lacks) {
      if (known.get(chat) !== nameAll(offeredBy(deps, chat, lacks))) note(chat);
    },
    look() {
      if (isClosed || waiting.size === 0) return Promise.resolve();
      round ??= run().finally(() => (round = null));
      return round;
    },
    async close() {
      isClosed = true;
      await round;
    },
  };
}

function remember(known: Map<number, string>, chat: number, commands: string): void {
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(chat, commands);
}

function offeredBy({ isHere, hasTreasury }: GroupMenusDeps, chat: number, lacks: readonly BotRight[]): IsOffered {
  const isAllowed = allowedBy(lacks, hasTreasury(chat));
  return (command) => isHere(command) && isAllowed(command);
}

function nameAll(isOffered: IsOffered): string {
  return COMMANDS.flatMap(({ name }) => (isOffered(name) ? [name] : [])).join(' ');
}

type Turn = {
  chat: number;
  /** One call, as soon as answers leave room for it. Null: not now. */
  call: <T>(make: () => Promise<Answer<T>>) => Promise<Answer<T> | null>;
  restsUntilMs: () => number;
};

function createTurn({ pace, clock }: GroupMenusDeps, chat: number, isOver: () => boolean): Turn {
  let restsUntilMs = 0;
  return {
    chat,
    async call(make) {
      for (let waitMs = pace.spareMs(chat); waitMs > 0; waitMs = pace.spareMs(chat)) {
        if (waitMs > PATIENCE_MS) return null;
        await clock.sleep(waitMs);
      }
      if (isOver()) return null;
      pace.takeCall();
      const answer = await make();
      if (answer.kind === 'flood') {
        pace.pause(chat, answer.retryAfterMs);
        restsUntilMs = clock.now() + answer.retryAfterMs;
      }
      return answer;
    },
    restsUntilMs: () => restsUntilMs,
  };
}

type End = { kind: 'set'; commands: string } | { kind: 'over' } | { kind: 'later' };

/** `over`: the bot is gone from there, or the group is another one now. */
const endBy = (answer: Answer<unknown> | null): End =>
  answer?.kind === 'refused' || answer?.kind === 'moved' ? { kind: 'over' } : { kind: 'later' };

async function setRight(deps: GroupMenusDeps, turn: Turn): Promise<End> {
  const { chat } = turn;
  const asked = await turn.call(() => deps.lacksIn(chat));
  if (asked?.kind !== 'done') return endBy(asked);
  if (asked.result === null) return { kind: 'over' };
  const isOffered = offeredBy(deps, chat, asked.result);
  const commands = nameAll(isOffered);
  const isPlain = commands === nameAll((name) => deps.isHere(name) && allowedBy(deps.plainLacks(), true)(name));
  const lists = listsOf(chat, isPlain ? null : isOffered);
  const isThere = await isAsWanted(deps, turn, lists);
  if (isThere?.kind !== 'done') return endBy(isThere);
  if (!isThere.result) {
    for (const { commands: wanted, ...audience } of lists) {
      const written = await turn.call(() => deps.writeMenu(audience, wanted));
      if (written?.kind !== 'done') return endBy(written);
    }
  }
  return { kind: 'set', commands };
}

type List = Audience & { commands: BotCommand[] | null };

/**
 * In each language: a list of the group without one hides those for all groups in every language, so its members would
 * read English. English itself is the list without a language. Administrators have a list of their own, because the
 * group's would hide theirs.
 */
function listsOf(chat: number, isOffered: IsOffered | null): List[] {
  const listFor = (type: 'chat' | 'chat_administrators', language: Language | null): List => {
    const lists = isOffered === null ? null : groupLists(isOffered, language);
    const commands = type === 'chat' ? lists?.members : lists?.administrators;
    return { scope: { type, chat_id: chat }, language, commands: commands ?? null };
  };
  const others = LANGUAGE_TAGS.filter((tag) => tag !== 'en');
  return [
    listFor('chat', null),
    ...others.flatMap((tag) => [listFor('chat', tag), listFor('chat_administrators', tag)]),
    listFor('chat_administrators', null),
  ];
}

/** The first and the last to be written answer for those between them, also after a process was killed over it. */
async function isAsWanted(
  { readMenu }: GroupMenusDeps,
  turn: Turn,
  lists: readonly List[],
): Promise<Answer<boolean> | null> {
  for (const list of [lists.at(0), lists.at(-1)]) {
    if (list === undefined) continue;
    const { commands, ...audience } = list;
    const answer = await turn.call(() => readMenu(audience));
    if (answer?.kind !== 'done') return answer;
    if (wordsOf(answer.result) !== wordsOf(commands ?? [])) return { kind: 'done', result: false };
  }
  return { kind: 'done', result: true };
}

const wordsOf = (commands: readonly BotCommand[]) =>
  commands.map(({ command, description }) => `${command} ${description}`).join('\n');
