import { and, eq, inArray } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';

const settledPayment = prepare((db, { payments }) =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.status, 'settled'), eq(payments.network, placeholder('network'))))
    .limit(1),
);

const landedTransfer = prepare((db, { transfers }) =>
  db
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(eq(transfers.status, 'confirmed'), eq(transfers.network, placeholder('network'))))
    .limit(1),
);

const livingCarrier = prepare((db, { carriers }) =>
  db
    .select({ id: carriers.id })
    .from(carriers)
    .where(and(inArray(carriers.status, ['open', 'sealed']), eq(carriers.network, placeholder('network'))))
    .limit(1),
);

/** Whether something has landed, or is about to, that is not final yet. Other rows that finality moves can wait a little. */
export async function waitsForFinality({ read }: Pick<Store, 'read'>, network: Network): Promise<boolean> {
  for (const find of [livingCarrier, settledPayment, landedTransfer]) {
    if ((await find(read, { network })).length > 0) return true;
  }
  return false;
}

const openPayment = prepare((db, { payments }) =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(and(inArray(payments.status, ['received', 'settling']), eq(payments.network, placeholder('network'))))
    .limit(1),
);

const openTransfer = prepare((db, { transfers }) =>
  db
    .select({ id: transfers.id })
    .from(transfers)
    .where(
      and(
        inArray(transfers.status, ['queued', 'assigned', 'broadcast']),
        eq(transfers.network, placeholder('network')),
      ),
    )
    .limit(1),
);

/** Whether anything is still to be signed, sent or followed there. */
export async function hasOpenWork({ read }: Pick<Store, 'read'>, network: Network): Promise<boolean> {
  for (const find of [openPayment, openTransfer, livingCarrier]) {
    if ((await find(read, { network })).length > 0) return true;
  }
  return false;
}
