import { startWalk } from '../../../db/payments/records/waiting-people.ts';
import { lookForPayable, payableLines } from '../../../db/transfers/waiting.ts';
import type { Books } from '../books.ts';

/** The lines that a round which begins now would pay, as far as its first look goes. */
export async function payableOf({ store, clock }: Pick<Books, 'store' | 'clock'>, limit = 100): Promise<number[]> {
  const { people } = await lookForPayable(store, startWalk(), clock.nowMs);
  return payableLines(store, people, clock.nowMs, limit);
}
