import type { BotCommand } from 'grammy/types';
import type { RateLimits } from '../../../queue/rate-limiter.ts';
import { allowedBy } from '../../commands/offered.ts';
import type { Pace } from '../../outbox/pace.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { BotRight } from '../../shared/messenger.ts';
import type { IsOffered } from './commands.ts';
import { createLines, type MenuMemory, type ShownMenu } from './lines.ts';
import { menuFor, nameAll, offeredBy, type Audience, type List, type MenuFacts } from './wanted.ts';

/**
 * Keeps the menus of single groups true to what the bot may do there. A group in which it may do what a plain member may
 * has no list of its own: the list for all groups is made for those. Telegram keeps the lists, and is asked for them
 * before any is written. What each group was shown is remembered, and compared at the first message there after a start:
 * so an update of the bot that offers more, or other words, reaches a group without a call for those that it leaves as
 * they are.
 */
export type GroupMenus = {
  /** What all groups are offered that have no list of their own. */
  isInGroups: IsOffered;
  /** The bot's rights in a group may have changed; it may have left. */
  note: (chat: number) => Promise<void>;
  /** It was heard what the bot lacks in a group. */
  learn: (chat: number, lacks: readonly BotRight[]) => Promise<void>;
  /** Something was said there. */
  hear: (chat: number) => void;
  /** One round, shared by all callers while it is under way. Never rejects. */
  look: () => Promise<void>;
  close: () => Promise<void>;
};

type Answer<Result> =
  | { kind: 'done'; result: Result }
  | { kind: 'flood'; retryAfterMs: number }
  | { kind: 'refused' | 'moved' | 'unknown' };

export type GroupMenusDeps = MenuFacts & {
  memory: MenuMemory;
  /** What the bot lacks in a group, asked now; null where it is not in it. */
  lacksIn: (chat: number) => Promise<Answer<readonly BotRight[] | null>>;
  readMenu: (audience: Audience) => Promise<Answer<BotCommand[]>>;
  /** Null: the audience has no list of its own any more. */
  writeMenu: (audience: Audience, commands: BotCommand[] | null) => Promise<Answer<unknown>>;
  isMine: () => boolean;
  pace: Pick<Pace, 'spareMs' | 'takeCall' | 'pause'>;
  limits: Pick<RateLimits, 'perMinute'>;
  clock: Pick<Clock, 'now' | 'sleep'>;
  log: Log;
};

/** Anyone can add the bot to groups and change its rights: more than this is looked at later, at its last state. */
const LOOKS_PER_GROUP_PER_MINUTE = 2;
const LOOKS_PER_MINUTE = 20;
/** A group that has to wait longer gets its turn in another round. */
const PATIENCE_MS = 2_000;

export function createGroupMenus(deps: GroupMenusDeps): GroupMenus {
  const { clock, limits, isMine, log, memory } = deps;
  const perGroup = limits.perMinute('telegram menus of a group', LOOKS_PER_GROUP_PER_MINUTE);
  const overall = limits.perMinute('telegram menus', LOOKS_PER_MINUTE);
  const lines = createLines(deps);
  const { waiting, behind } = lines;
  let restsUntilMs = 0;
  let round: Promise<void> | null = null;
  let isClosed = false;
  const isOver = () => isClosed || !isMine();

  async function note(chat: number): Promise<void> {
    if (!lines.wait(chat)) log.warn({ chat }, 'a menu is not looked at: too many wait');
    // A process that is killed over it leaves that to the next message there.
    await memory.forget(chat);
  }

  async function run(): Promise<void> {
    if (!isOver()) await lines.compare();
    // What comes meanwhile, and what has to wait again, is for the next round. Changes of rights come first.
    for (const chat of [...waiting, ...behind]) {
      if (isOver() || clock.now() < restsUntilMs) return;
      const line = waiting.has(chat) ? waiting : behind;
      if (!line.has(chat) || !perGroup.allows(String(chat))) continue;
      if (!overall.allows('all')) return;
      // What is heard of it from now on needs another turn.
      lines.leave(chat);
      const turn = createTurn(deps, chat, isOver);
      try {
        const end = await setRight(deps, turn);
        if (end.kind === 'later') line.add(chat);
        else await lines.settle(chat, end);
      } catch (error) {
        if (!isClosed) log.error({ chat, error: String(error) }, "a group's menu could not be set");
        line.add(chat);
      }
      restsUntilMs = Math.max(restsUntilMs, turn.restsUntilMs());
    }
  }

  return {
    isInGroups: (command) => deps.isHere(command) && allowedBy(deps.plainLacks(), true)(command),
    note,
    async learn(chat, lacks) {
      if (lines.commandsOf(chat) !== nameAll(offeredBy(deps, chat, lacks))) await note(chat);
    },
    hear: lines.hear,
    look() {
      if (isClosed || lines.areEmpty()) return Promise.resolve();
      round ??= run()
        .catch((error: unknown) => log.error({ error: String(error) }, 'menus of groups could not be compared'))
        .finally(() => (round = null));
      return round;
    },
    async close() {
      isClosed = true;
      await round;
    },
  };
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

type End = { kind: 'set'; commands: string; shown: ShownMenu } | { kind: 'over' } | { kind: 'later' };

/** `over`: the bot is gone from there, or the group is another one now. */
const endBy = (answer: Answer<unknown> | null): End =>
  answer?.kind === 'refused' || answer?.kind === 'moved' ? { kind: 'over' } : { kind: 'later' };

async function setRight(deps: GroupMenusDeps, turn: Turn): Promise<End> {
  const { chat } = turn;
  const asked = await turn.call(() => deps.lacksIn(chat));
  if (asked?.kind !== 'done') return endBy(asked);
  const lacks = asked.result;
  if (lacks === null) return { kind: 'over' };
  const { commands, lists, menuHash } = menuFor(deps, chat, lacks);
  const was = (await deps.memory.read([chat])).get(chat);
  // What is remembered says more than the lists that are read: other words in one language alone.
  const isOld = was !== undefined && was.menuHash !== menuHash;
  const isThere = isOld ? ANOTHER : await isAsWanted(deps, turn, lists);
  if (isThere?.kind !== 'done') return endBy(isThere);
  if (!isThere.result) {
    for (const { commands: wanted, ...audience } of lists) {
      const written = await turn.call(() => deps.writeMenu(audience, wanted));
      if (written?.kind !== 'done') return endBy(written);
    }
  }
  return { kind: 'set', commands, shown: { lacks, menuHash } };
}

const ANOTHER = { kind: 'done', result: false } as const;

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
    if (wordsOf(answer.result) !== wordsOf(commands ?? [])) return ANOTHER;
  }
  return { kind: 'done', result: true };
}

const wordsOf = (commands: readonly BotCommand[]) =>
  commands.map(({ command, description }) => `${command} ${description}`).join('\n');
