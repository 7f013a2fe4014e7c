import { createRushWatch } from './rush.ts';

/**
 * Discord waits 3 seconds for a first word, and then a quarter of an hour. So in a rush the first words of all go before
 * the work of any, and the work is done a few at a time.
 */
export type Turns = {
  /** Goes at once: the first word itself, and what has to be done before it. */
  first: <T>(work: () => Promise<T>) => Promise<T>;
  /** Goes when no first word is under way and none has come for a moment, or when it has waited long enough. */
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
