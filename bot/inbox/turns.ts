/**
 * For a platform that waits only seconds for a first word, but long for the answer. In a rush all first words go
 * before any of the work, and the work is done a few at a time.
 */
export type Turns = {
  /** Starts at once: the first word itself, and what has to be done before it. */
  first: <T>(work: () => Promise<T>) => Promise<T>;
  /** Starts when no first word is under way and none has come for a moment, or when it has waited long enough. */
  later: <T>(work: () => Promise<T>) => Promise<T>;
};

const AT_ONCE_MAX = 16;
/** One connection that hangs must not keep all others waiting. */
const PATIENCE_MS = 2_000;

type Waiting = { isPatient: boolean; go: () => void };

export function createTurns(): Turns {
  let firstUnderWay = 0;
  let laterUnderWay = 0;
  const waiting: Waiting[] = [];
  const rush = createRushWatch(look);

  function look(): void {
    while (laterUnderWay < AT_ONCE_MAX) {
      const [next] = waiting;
      if (!next || ((firstUnderWay > 0 || !rush.isQuiet()) && next.isPatient)) return;
      waiting.shift();
      laterUnderWay++;
      next.go();
    }
  }

  function untilTurn(): Promise<void> {
    return new Promise((resolve) => {
      const one: Waiting = { isPatient: true, go: () => {} };
      const timer = setTimeout(() => {
        one.isPatient = false;
        look();
      }, PATIENCE_MS);
      one.go = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(one);
      look();
    });
  }

  return {
    async first(work) {
      firstUnderWay++;
      rush.noteArrival();
      try {
        return await work();
      } finally {
        firstUnderWay--;
        look();
      }
    },
    async later(work) {
      await untilTurn();
      try {
        return await work();
      } finally {
        laterUnderWay--;
        look();
      }
    },
  };
}

/** Tells when a rush is over. */
type RushWatch = { noteArrival: () => void; isQuiet: () => boolean };

/** A rush does not arrive all at once, and work that begins between two of its waves holds up the next. */
const QUIET_MS = 25;
/** After so many at once more are likely to follow, and nobody notices a moment more. */
const RUSH = { count: 20, quietMs: 150 };

function createRushWatch(onQuiet: () => void, monotonicMs: () => number = () => performance.now()): RushWatch {
  let sinceQuiet = 0;
  let lastArrivalMs = 0;

  /** One timer for all: in a rush one timer for each would cost as much as its first word. */
  function watch(): void {
    const quietMs = sinceQuiet > RUSH.count ? RUSH.quietMs : QUIET_MS;
    const leftMs = lastArrivalMs + quietMs - monotonicMs();
    // In a busy process the timer fires before the network was polled, so what has arrived there goes first.
    if (leftMs > 0) setTimeout(() => setImmediate(watch), Math.ceil(leftMs));
    else {
      sinceQuiet = 0;
      onQuiet();
    }
  }

  return {
    isQuiet: () => sinceQuiet === 0,
    noteArrival() {
      lastArrivalMs = monotonicMs();
      sinceQuiet++;
      if (sinceQuiet === 1) watch();
    },
  };
}
