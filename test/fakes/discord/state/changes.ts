/** Tells who waits that something happened, so that no test needs to sleep. */
export type Changes = {
  happened: () => void;
  /** Resolves with the first answer that is neither undefined nor false; asks again after every change. */
  until: <Answer>(ask: () => Answer | undefined | false, what: string, timeoutMs?: number) => Promise<Answer>;
};

const TICK_MS = 20;

export function createChanges(): Changes {
  const waiting = new Set<() => void>();
  let ticking: NodeJS.Timeout | null = null;

  let isDue = false;

  const wakeAll = () => {
    isDue = false;
    for (const wake of waiting) wake();
  };
  // Hundreds of changes may meet hundreds of waiters: they are woken once for all changes of a turn.
  const happened = () => {
    if (isDue || waiting.size === 0) return;
    isDue = true;
    setImmediate(wakeAll);
  };
  const listen = (wake: () => void) => {
    waiting.add(wake);
    // A deadline passes, and a bot does things of its own, without any change here: hence the ticking beside.
    ticking ??= setInterval(wakeAll, TICK_MS);
  };
  const leave = (wake: () => void) => {
    waiting.delete(wake);
    if (waiting.size > 0 || ticking === null) return;
    clearInterval(ticking);
    ticking = null;
  };
  return {
    happened,
    until: (ask, what, timeoutMs = 30_000) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(giveUp);
          leave(wake);
        };
        const wake = () => {
          try {
            const answer = ask();
            if (answer === undefined || answer === false) return;
            stop();
            resolve(answer);
          } catch (error) {
            // The caller that waits gets the error, not the request that happened to wake it.
            stop();
            reject(new Error(`could not ask for ${what}`, { cause: error }));
          }
        };
        const giveUp = setTimeout(() => {
          leave(wake);
          reject(new Error(`waited ${timeoutMs} ms in vain: ${what}`));
        }, timeoutMs);
        listen(wake);
        wake();
      }),
  };
}
