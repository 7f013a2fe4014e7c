import type { Books } from '../../db/audit/books.ts';
import { COMPARED_EVERY_MS, isComparisonDue, writeComparison } from '../../db/audit/solvency.ts';
import type { Violation } from '../../db/audit/invariants.ts';
import type { Network } from '../../core/networks.ts';
import { startJob, type Job } from '../../queue/job.ts';
import type { WorkerContext } from '../dependencies.ts';
import { stopFor } from '../may-sign.ts';

/** A comparison that could not be made, such as during a reorganisation, is tried again this soon. */
const LOOK_EVERY_MS = COMPARED_EVERY_MS / 5;

/** What one of our addresses holds at one block. */
export type Held = { address: string; onChain: bigint; inBooks: bigint };

/** All our addresses, by the books and by the chain, at one block. */
export type Compared = { block: number; books: Books; held: readonly Held[] };

type Watched = Pick<WorkerContext, 'store' | 'log'>;

/** Records for all processes, every ten seconds, what is owed and what is there. */
export function startSolvencyCheck(
  { store, log }: Watched,
  network: Network,
  compare: () => Promise<Compared | null>,
): Job {
  return startJob({
    name: `solvency of ${network}`,
    everyMs: LOOK_EVERY_MS,
    log,
    step: async () => {
      if (!(await isComparisonDue(store, network))) return;
      const compared = await compare();
      if (compared === null) return;
      const { block, books, held } = compared;
      const total = (of: 'inBooks' | 'onChain') => held.reduce((sum, one) => sum + one[of], 0n);
      const { unexplained, float, reorgLoss } = books;
      const sums = { inBooks: total('inBooks'), onChain: total('onChain'), unexplained, float, reorgLoss };
      await writeComparison(store, { network, block, ...sums });
    },
  });
}

/** A violation, before its network is known. */
export type Difference = Omit<Violation, 'network'>;

/** The addresses at which books and chain differ. */
export function differencesOf({ block, held }: Pick<Compared, 'block' | 'held'>): Difference[] {
  return held
    .filter(({ onChain, inBooks }) => onChain !== inBooks)
    .map(({ address, onChain, inBooks }) => ({
      rule: 'ledger = chain',
      detail: `${address} holds ${onChain} at block ${block}, books say ${inBooks}`,
    }));
}

type Reporting = Pick<WorkerContext, 'store' | 'log' | 'now'> & { profile: { network: Network } };

/** Books that disagree with themselves stop all networks; books that disagree with one chain stop that one. */
export async function reportViolations(
  worker: Reporting,
  ofBooks: readonly Violation[],
  ofChain: readonly Difference[],
): Promise<Violation[]> {
  const { network } = worker.profile;
  const found = [...ofBooks, ...ofChain.map((difference) => ({ ...difference, network }))];
  await stopFor(worker, found);
  return found;
}
