import { Worker } from 'node:worker_threads';
import type { Asked, Snapshot } from './question.ts';

/** Not the thread that serves: SQLite answers only when it is done. Started with the first question. */
export function createSqliteSnapshot(path: string): { ask: Snapshot; close: () => Promise<void> } {
  let thread: Worker | null = null;
  let previous: Promise<unknown> = Promise.resolve();
  const start = () => {
    // Neither the loader of this process nor its secrets.
    const started = new Worker(new URL('./sqlite-thread.mjs', import.meta.url), {
      workerData: { path },
      execArgv: [],
      env: {},
    });
    started.unref();
    const forget = () => void (thread = null);
    return started.once('error', forget).once('exit', forget);
  };
  return {
    ask(questions) {
      const answer = previous.then(() => answerOf((thread ??= start()), questions));
      // A failure reaches its own caller; the next has its turn either way.
      previous = answer.catch(() => undefined);
      return answer;
    },
    close: async () => void (await thread?.terminate()),
  };
}

function answerOf(thread: Worker, questions: readonly Asked[]): Promise<unknown[][][]> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      done();
    };
    const onMessage = (rows: unknown[][][]) => settle(() => resolve(rows));
    const onError = (error: unknown) =>
      settle(() => reject(new Error('the thread that reads the database failed', { cause: error })));
    const onExit = () => settle(() => reject(new Error('the thread that reads the database ended')));
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage(questions);
  });
}
