import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { ObservedTransfer } from '../../core/observed.ts';
import type { Network } from '../../core/networks.ts';
import type { PaymentRow } from '../payments/records/find.ts';
import { arrivedAt } from '../payments/settle.ts';
import type { Db, Store } from '../store/store.ts';
import { selectSigned } from './seen-statements.ts';

/** By payer and nonce, the newest of each. */
export type SignedPayments = ReadonlyMap<string, PaymentRow>;

type Signed = Pick<ObservedTransfer, 'authorizer' | 'nonce'>;

/** The payments reserved with these authorizations. */
export async function findSigned(
  db: Db,
  store: Store,
  network: Network,
  transfers: readonly Signed[],
): Promise<SignedPayments> {
  const keys = transfers.flatMap(({ authorizer: payer, nonce }) =>
    payer === undefined || nonce === undefined ? [] : [{ payer, nonce }],
  );
  const found = new Map<string, PaymentRow>();
  for (let from = 0; from < keys.length; from += ASKED_MAX) {
    for (const row of await askSigned(db, store, network, keys.slice(from, from + ASKED_MAX)))
      found.set(`${row.payer} ${row.nonce}`, row);
  }
  return found;
}

const ASKED_MAX = 500;

type Key = { payer: string; nonce: string };

/** The oldest first, so that the newest counts. */
async function askSigned(db: Db, store: Store, network: Network, keys: readonly Key[]): Promise<PaymentRow[]> {
  const [one, ...more] = keys;
  if (one !== undefined && more.length === 0) return selectSigned(db, { network, ...one });
  const { payments } = store.tables;
  const payers = [...new Set(keys.map(({ payer }) => payer))];
  const nonces = keys.map(({ nonce }) => nonce);
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.network, network), inArray(payments.payer, payers), inArray(payments.nonce, nonces)))
    .orderBy(asc(payments.createdAtMs));
}

export function signedBy(signed: SignedPayments, { authorizer, nonce }: Signed): PaymentRow | null {
  return signed.get(`${authorizer} ${nonce}`) ?? null;
}

/** A plain transfer that had paid a task before a reorganisation took it away, and has landed again. */
export async function findPaidBy(db: Db, store: Store, fact: string): Promise<PaymentRow | null> {
  const { payments, observedTransfers } = store.tables;
  const [row] = await db
    .select({ consumer: observedTransfers.consumedBy })
    .from(observedTransfers)
    .where(eq(observedTransfers.fact, fact));
  const [kind, id] = (row?.consumer ?? '').split(':');
  if (kind !== 'payment' || id === undefined) return null;
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), isNotNull(payments.landedAddress)));
  return payment ?? null;
}

/**
 * For this amount, to this account, not refused since, and not on the chain before it was presented (or bound to its
 * request). No clocks are compared: the chain was asked before the reservation.
 */
export function paysFor(payment: PaymentRow, transfer: ObservedTransfer): boolean {
  const total = payment.sumMicroUsdc + payment.feeMicroUsdc;
  if (payment.status !== 'received' && payment.status !== 'settling') return false;
  if (transfer.to !== arrivedAt(payment) || transfer.value !== total) return false;
  return payment.bound || !payment.landedBefore;
}

/** A transfer that stood in the books before its payment was reserved, and that nothing explains yet. */
export async function openLanding(db: Db, store: Store, fact: string): Promise<number | null> {
  const { observedTransfers } = store.tables;
  const [row] = await db
    .select({ landings: observedTransfers.landings })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.fact, fact),
        eq(observedTransfers.landed, true),
        eq(observedTransfers.outgoing, false),
        eq(observedTransfers.returnWanted, false),
        isNull(observedTransfers.consumedBy),
      ),
    );
  return row?.landings ?? null;
}
