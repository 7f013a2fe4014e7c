/** Where accepted transactions go: into the newest block at once, unless a fault has other plans for them. */
import type { Chain } from '../chain/chain.ts';
import type { Transaction } from '../wire/transaction.ts';
import type { Faults } from '../rpc/faults.ts';

/** Ten seconds at mainnet's pace. */
const LATE_BLOCKS = 50;

export type Mailroom = ReturnType<typeof createMailroom>;

export function createMailroom(chain: Chain, faults: Faults) {
  const held: Transaction[] = [];
  const late: { transaction: Transaction; height: number }[] = [];

  function deliver(transaction: Transaction): void {
    if (faults.take('drop')) return;
    const delay = faults.take('late');
    if (delay) late.push({ transaction, height: chain.blocks.last().height + (delay.blocks ?? LATE_BLOCKS) });
    else if (faults.take('hold')) held.push(transaction);
    else chain.land(transaction);
  }

  function landDue(): void {
    const { height } = chain.blocks.last();
    // Taken out first: each landing notifies this wake-up again.
    const due = late.filter((entry) => entry.height <= height);
    if (due.length === 0) return;
    late.splice(0, late.length, ...late.filter((entry) => entry.height > height));
    for (const { transaction } of due) chain.land(transaction);
  }

  chain.onChange(landDue);
  return {
    deliver,
    /** Lands what was held, if it still can. Answers how many did. */
    release: (): number => held.splice(0).filter((transaction) => chain.land(transaction) !== null).length,
    waiting: () => ({ held: held.length, late: late.length }),
  };
}
