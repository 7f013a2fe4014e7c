import { and, desc, eq, exists, gt, isNotNull, lte, not, sql } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { fitsTask, isOfferedTo, isUnexplained, WAYS_TO_FIT, type Way } from '../tasks/fitting.ts';
import { returnWithin } from './return-transfer.ts';

/** In one step; the rest is found by the next one. */
const LATE_MAX = 100;

/**
 * A transfer of an amount that several tasks had, one after the other, and that was no one's in its block: it pays for
 * none of them, because any of their payers may have sent it. It goes back where all of them want their money back; if
 * they differ it waits in suspense for the operator, because one of them could be a stranger's.
 */
export async function returnLate(
  db: Db,
  store: Store,
  step: { network: Network; safeBlock: number },
  nowMs: number,
): Promise<void> {
  const { network, safeBlock } = step;
  for (const transfer of await findLate(db, { network, safeBlock })) {
    const to = await agreedAddress(db, store.tables, transfer);
    if (to !== null) await returnWithin(db, store, { fact: transfer.fact, to }, nowMs);
  }
}

type Late = { fact: string; network: Network; toAddress: string; amountMicroUsdc: bigint; block: number };

const findLate = prepare((db, tables) => {
  const { taskOffers, tasks, observedTransfers } = tables;
  const { fact, network, toAddress, amountMicroUsdc, block } = observedTransfers;
  return db
    .selectDistinct({ fact, network, toAddress, amountMicroUsdc, block })
    .from(observedTransfers)
    .innerJoin(
      taskOffers,
      and(
        isOfferedTo(tables),
        eq(taskOffers.amountMicroUsdc, amountMicroUsdc),
        isNotNull(taskOffers.untilBlock),
        gt(block, taskOffers.untilBlock),
      ),
    )
    .innerJoin(tasks, and(eq(tasks.id, taskOffers.taskId), sql`json_array_length(${tasks.refundAddresses}) > 0`))
    .where(
      and(
        eq(network, placeholder('network')),
        isUnexplained(tables),
        eq(observedTransfers.returnWanted, false),
        lte(block, placeholder('safeBlock')),
        not(fitsTask(db, tables)),
        ...WAYS_TO_FIT.map((wayToFit) => not(isAskedFor(db, tables, wayToFit))),
      ),
    )
    .limit(LATE_MAX);
});

/** By a task that is paid, in the block of the surrounding query's transfer: `return-twice-paid.ts` looks after it. */
function isAskedFor(db: Db, tables: Tables, wayToFit: Way) {
  const { taskOffers, tasks } = tables;
  return exists(
    db
      .select({ id: tasks.id })
      .from(taskOffers)
      .innerJoin(tasks, eq(tasks.id, taskOffers.taskId))
      .where(and(isOfferedTo(tables), wayToFit(tables))),
  );
}

/** The one address that all tasks gave which had this amount before the transfer; null where there is none. */
async function agreedAddress(db: Db, { taskOffers, tasks }: Tables, transfer: Late): Promise<string | null> {
  const { network, toAddress, amountMicroUsdc, block } = transfer;
  const had = await db
    .select({ refundAddresses: tasks.refundAddresses })
    .from(taskOffers)
    .innerJoin(tasks, eq(tasks.id, taskOffers.taskId))
    .where(
      and(
        eq(taskOffers.network, network),
        eq(taskOffers.address, toAddress),
        eq(taskOffers.amountMicroUsdc, amountMicroUsdc),
        sql`${taskOffers.headBlock} < ${block}`,
      ),
    )
    .orderBy(desc(taskOffers.headBlock));
  const given = had.map(
    ({ refundAddresses }) => refundAddresses.find((one) => one.network === network)?.address ?? null,
  );
  const [first = null] = given;
  return given.every((address) => address === first) ? first : null;
}
