import { randomBytes } from 'node:crypto';
import { SHARE_ENV, Worker } from 'node:worker_threads';

/**
 * A process that is stopped inside a transaction keeps its locks; one that only waits for the processor goes on by itself.
 * The server cannot tell them apart: both are silent. So each process has a thread that is hardly ever busy. It says for the
 * main thread that the process runs (`lock_holders`), and when the main thread waits long for a statement, it ends the
 * sessions that are silent and that nobody speaks for. A process that is stopped is stopped with all its threads.
 */
export type Watch = {
  /** By which the sessions of this process are known inside a transaction. */
  name: string;
  /** A transaction begins. */
  open: () => Watched;
  close: () => Promise<void>;
};

export type Watched = {
  /** A statement leaves, or its answer is here. */
  touch: () => void;
  end: () => void;
};

/** What is over sooner needs no thread: commands, and most tests. */
const START_AFTER_MS = 1_000;
export const WATCHED_NAME = 'pennypost:';

export type WatchOptions = { url: string; transactionsMax: number; startAfterMs?: number };

export function createWatch({ url, transactionsMax, startAfterMs = START_AFTER_MS }: WatchOptions): Watch {
  const name = `${WATCHED_NAME}${randomBytes(12).toString('hex')}`;
  /** When each open transaction last gave a sign, 0 where none is open; behind them, whether the thread sleeps. */
  const signs = new Int32Array(new SharedArrayBuffer(4 * (transactionsMax + 1)));
  const free = Array.from({ length: transactionsMax }, (_, index) => index);
  let thread: Worker | null = null;
  let starting: NodeJS.Timeout | null = null;
  let isClosed = false;

  const start = () => {
    if (isClosed) return;
    const started = new Worker(new URL('./watch-thread.mjs', import.meta.url), {
      workerData: { url, name, prefix: WATCHED_NAME, signs },
      // Not the loader of this process; its environment may say how the database is reached.
      execArgv: [],
      env: SHARE_ENV,
    });
    started.unref();
    thread = started;
    const forget = () => {
      thread = null;
      starting = null;
    };
    started.once('error', forget).once('exit', forget);
  };

  const wake = () => {
    starting ??= setTimeout(start, startAfterMs).unref();
    if (Atomics.exchange(signs, transactionsMax, 0) === 1) thread?.postMessage('wake');
  };

  return {
    name,
    open() {
      const slot = free.pop();
      // More than there are connections: then it is not watched, and the server's own limit ends it.
      if (slot === undefined) return { touch: () => {}, end: () => {} };
      const touch = () => void Atomics.store(signs, slot, tick());
      touch();
      wake();
      return {
        touch,
        end() {
          Atomics.store(signs, slot, 0);
          free.push(slot);
        },
      };
    },
    async close() {
      isClosed = true;
      if (starting !== null) clearTimeout(starting);
      await thread?.terminate();
    },
  };
}

/** Milliseconds on the clock that all threads share, as 32 bits that wrap; never 0. */
function tick(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return (seconds * 1_000 + Math.floor(nanoseconds / 1_000_000)) | 0 || 1;
}
