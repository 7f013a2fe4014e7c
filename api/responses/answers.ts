import { AppError } from '../../core/errors.ts';
import { NOTHING_HEARD, type Heard, type OpenResponse } from '../../core/payments/joins.ts';
import { LEASE_MS } from '../../db/processes/owner.ts';
import { readResponses, type Question } from '../../db/processes/responses.ts';
import type { Store } from '../../db/store/store.ts';
import { realTimer, type Timer } from '../../queue/alarm.ts';

/** How often an asked row is read again when no announcement comes. */
const POLL_MS = 500;
export const ANSWERED = 'responses';

type Asking = {
  store: Store;
  announcer: { waitFor: (channel: string, timeoutMs: number, signal?: AbortSignal) => Promise<unknown> };
  timer?: Timer;
};

/** Until all owners have answered, one of them has left, or a lease is over. Throws when the caller that asks hangs up. */
export async function awaitAnswers(
  { store, announcer, timer = realTimer }: Asking,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<Heard> {
  const deadlineMs = timer.nowMs() + LEASE_MS;
  const ids = questions.map(({ id }) => id);
  const stopListening = new AbortController();
  const either = AbortSignal.any([signal, stopListening.signal]);
  for (;;) {
    if (signal.aborted) throw new AppError('settlement_pending', { retryAfterSeconds: 5 });
    const changed = announcer.waitFor(ANSWERED, POLL_MS, either);
    const rows = await readResponses(store.read, store, { ids });
    const present = questions.filter((question) => rows.some((row) => isRenewed(row, question)));
    const open = questions.filter((question) => !present.includes(question));
    const isLeft = open.some(({ id }) => rows.every((row) => row.id !== id || !row.isOwnerAlive));
    const isOver = timer.nowMs() >= deadlineMs;
    if (open.length === 0 || isLeft || isOver) {
      stopListening.abort();
      const silent = isOver ? open : [];
      return { present: idsOf(present), silent: new Map(silent.map(({ id, number }) => [id, number])) };
    }
    await changed;
  }
}

function isRenewed({ id, renewed }: OpenResponse, question: Question): boolean {
  return id === question.id && renewed >= question.number;
}

export function idsOf(rows: readonly { id: string }[]): ReadonlySet<string> {
  return rows.length === 0 ? NOTHING_HEARD.present : new Set(rows.map(({ id }) => id));
}
