import type { Logger } from 'pino';
import { giveUpHoldings, readHoldings, takeHoldings, type Holder } from '../../db/processes/holdings.ts';
import type { Hold, Owner, ProcessLease } from '../../db/processes/owner.ts';
import type { Store } from '../../db/store/store.ts';
import { realTimer, type Timer } from '../../queue/alarm.ts';

export type HolderOptions = {
  store: Store;
  lease: ProcessLease;
  /** An announcement makes a takeover quicker; without it one comes with the next beat. */
  announcer: {
    announce: (channel: string) => void;
    subscribe: (channel: string, listener: () => void) => () => void;
  };
  log: Pick<Logger, 'warn' | 'debug'>;
  timer?: Timer;
};

const GIVEN_UP = 'holdings';

/**
 * Looks with each beat whether what this process wants is free. A holding lasts as long as the epoch in which it was
 * taken: nothing is asked or written while all that is wanted is held.
 */
export function createHolder({ store, lease, announcer, log, timer = realTimer }: HolderOptions): Holder {
  const wishes = createWishes(lease);
  let looking: Promise<void> | null = null;
  let isAskedAgain = false;
  let isClosed = false;
  const unsubscribe = announcer.subscribe(GIVEN_UP, look);
  lease.onBeat(look);

  function look(): void {
    if (looking !== null) isAskedAgain = true;
    looking ??= lookAll().finally(() => (looking = null));
  }

  async function lookAll(): Promise<void> {
    do {
      isAskedAgain = false;
      const names = wishes.open();
      if (isClosed || names.length === 0 || !lease.holds()) continue;
      try {
        await takeFree(names);
      } catch (error) {
        log.debug({ err: error }, 'what is free could not be taken; it is tried again with the next beat');
      }
    } while (isAskedAgain);
  }

  /** The holders are read first: most looks find what others hold, and a read costs less than a transaction. */
  async function takeFree(names: readonly string[]): Promise<void> {
    const owner = lease.owner();
    const rows = await readHoldings(store, '');
    const others = rows.filter(({ process }) => process !== null && process !== owner.process);
    const free = names.filter((name) => !others.some((other) => other.name === name));
    if (free.length > 0) wishes.noteTaken(await takeHoldings(store, owner, free), owner);
  }

  async function release(names: readonly string[]): Promise<void> {
    wishes.drop(names);
    // A look under way may take them still.
    await looking;
    const mine = wishes.forget(names);
    if (mine.length === 0) return;
    try {
      await giveUpHoldings(store, lease.owner(), mine);
      announcer.announce(GIVEN_UP);
    } catch (error) {
      log.warn({ err: error }, 'what is not held any more could not be given up; it is free when the lease ends');
    }
  }

  return {
    process: lease.owner().process,
    want(name) {
      // All that a start wants is taken in one transaction.
      if (!wishes.has(name)) timer.after(0, look);
      return wishes.want(name);
    },
    release,
    read: (prefix) => readHoldings(store, prefix),
    async close() {
      isClosed = true;
      unsubscribe();
      await release(wishes.names());
    },
  };
}

type Wish = { hold: Hold; taken: (() => void)[]; lost: (() => void)[] };

/** What is wanted, and in which epoch it was taken. */
function createWishes(lease: ProcessLease) {
  const wanted = new Map<string, Wish>();
  const held = new Map<string, number>();
  const isHeld = (name: string) => lease.holds() && held.get(name) === lease.owner().epoch;
  lease.onLost(() => {
    const lost = [...held.keys()];
    held.clear();
    for (const name of lost) for (const listener of wanted.get(name)?.lost ?? []) listener();
  });

  function want(name: string): Hold {
    const known = wanted.get(name);
    if (known !== undefined) return known.hold;
    const [taken, lost]: [(() => void)[], (() => void)[]] = [[], []];
    const onTaken = (listener: () => void) => void taken.push(listener);
    const onLost = (listener: () => void) => void lost.push(listener);
    const hold = { isHeld: () => isHeld(name), onTaken, onLost };
    wanted.set(name, { hold, taken, lost });
    return hold;
  }

  return {
    want,
    has: (name: string) => wanted.has(name),
    names: () => [...wanted.keys()],
    open: () => [...wanted.keys()].filter((name) => !isHeld(name)),
    drop: (names: readonly string[]) => names.forEach((name) => wanted.delete(name)),
    noteTaken(names: readonly string[], { epoch }: Owner): void {
      // In an epoch that is over meanwhile, nothing is held.
      if (!lease.holds() || lease.owner().epoch !== epoch) return;
      for (const name of names) held.set(name, epoch);
      for (const name of names) for (const listener of wanted.get(name)?.taken ?? []) listener();
    },
    /** Answers those of them that were held. */
    forget(names: readonly string[]): string[] {
      const mine = names.filter(isHeld);
      for (const name of names) held.delete(name);
      return mine;
    },
  };
}
