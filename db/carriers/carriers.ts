import type { Network } from '../../core/networks.ts';
import { and, asc, eq, getTableColumns, max } from 'drizzle-orm';
import type { CarrierKind } from '../../core/transfers/carriers.ts';
import { laneHolding } from '../processes/owner.ts';
import { signingTx } from '../processes/signing.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { SigningDb, Store } from '../store/store.ts';

export type CarrierRow = Store['tables']['carriers']['$inferSelect'];
export type CarrierTransactionRow = Store['tables']['carrierTransactions']['$inferSelect'];

/** Signed bytes by the hash or signature that the chain knows them by. */
export type SignedBytes = { hash: string; bytes: string; maxFeePerGas?: bigint; maxPriorityFeePerGas?: bigint };

/** What is about to be sent. An EVM network has nonce, calls and gas, Solana the height that ends it. */
export type NewCarrier = {
  id: string;
  network: Network;
  kind: CarrierKind;
  sender: string;
  signed: SignedBytes;
} & ({ laneNonce: number; calldata: string; gasLimit: number } | { lastValidHeight: number });

/**
 * Stores what is about to be sent. Belongs in the transaction that takes what it carries. Throws when its sender
 * has spent the nonce already.
 */
export async function insertCarrier(
  db: SigningDb,
  store: Store,
  { signed, ...carrier }: NewCarrier,
  { itemIds, nowMs }: { itemIds: readonly string[]; nowMs: number },
): Promise<void> {
  const { carriers, carrierItems } = store.tables;
  const [inserted] = await db
    .insert(carriers)
    .values({ ...carrier, status: 'open', createdAtMs: nowMs })
    .onConflictDoNothing()
    .returning({ id: carriers.id });
  if (!inserted) throw new Error(`${carrier.sender} has spent the nonce of carrier ${carrier.id} already`);
  await Promise.all([
    insertBytes(db, store, carrier.id, signed, nowMs),
    db.insert(carrierItems).values(itemIds.map((itemId) => ({ carrierId: carrier.id, itemId }))),
  ]);
}

/** A replacement with higher fees at the same lane nonce, stored before it is sent. */
export async function addReplacement(
  store: Store,
  { id, network, kind, sender }: Pick<CarrierRow, 'id' | 'network' | 'kind' | 'sender'>,
  signed: SignedBytes,
  nowMs: number,
): Promise<void> {
  const right = { under: laneHolding(network, sender), carrier: { network, kind, step: 'replacement' } } as const;
  await signingTx(store, right, (db) => insertBytes(db, store, id, signed, nowMs));
}

async function insertBytes(db: SigningDb, store: Store, carrierId: string, signed: SignedBytes, nowMs: number) {
  await db.insert(store.tables.carrierTransactions).values({
    hash: signed.hash,
    carrierId,
    bytes: signed.bytes,
    maxFeePerGas: signed.maxFeePerGas?.toString() ?? null,
    maxPriorityFeePerGas: signed.maxPriorityFeePerGas?.toString() ?? null,
    signedAtMs: nowMs,
  });
}

type SignedTransaction = Omit<CarrierTransactionRow, 'bytes'>;

/**
 * Without its calls and bytes, some 100 kB each of a full batch: those are read where they are used (`readCalls`,
 * `readBytes`). `newest`: what was signed last; the only one, where nothing can be replaced.
 */
export type OpenCarrier = {
  carrier: Omit<CarrierRow, 'calldata'>;
  transactions: SignedTransaction[];
  newest: SignedTransaction;
};

/** Carriers whose end is not known yet: those of a lane in the order of their nonces, otherwise oldest first. */
export async function openCarriers(store: Store, network: Network, limit = Number.MAX_SAFE_INTEGER) {
  const rows = await selectOpen(store.read, { network, limit });
  const byId = new Map<string, OpenCarrier>();
  for (const { carrier, transaction } of rows) {
    const transactions = [...(byId.get(carrier.id)?.transactions ?? []), transaction];
    byId.set(carrier.id, { carrier, transactions, newest: transaction });
  }
  return [...byId.values()];
}

const selectOpen = prepare((db, { carriers, carrierTransactions }) => {
  const { calldata: _calldata, ...carrier } = getTableColumns(carriers);
  const { bytes: _bytes, ...transaction } = getTableColumns(carrierTransactions);
  return db
    .select({ carrier, transaction })
    .from(carriers)
    .innerJoin(carrierTransactions, eq(carrierTransactions.carrierId, carriers.id))
    .where(and(eq(carriers.network, placeholder('network')), eq(carriers.status, 'open')))
    .orderBy(asc(carriers.laneNonce), asc(carriers.createdAtMs), asc(carrierTransactions.signedAtMs))
    .limit(placeholder('limit'));
});

/** The signed bytes of this hash or signature; null when nothing was signed that has it. */
export async function readBytes(store: Store, hash: string): Promise<string | null> {
  const { carrierTransactions } = store.tables;
  const [row] = await store.read
    .select({ bytes: carrierTransactions.bytes })
    .from(carrierTransactions)
    .where(eq(carrierTransactions.hash, hash));
  return row?.bytes ?? null;
}

/** The calls of a batch of a lane; null for any other carrier. */
export async function readCalls(store: Store, carrierId: string): Promise<readonly string[] | null> {
  const { carriers } = store.tables;
  const [row] = await store.read
    .select({ calldata: carriers.calldata })
    .from(carriers)
    .where(eq(carriers.id, carrierId));
  return row === undefined || row.calldata === null ? null : (JSON.parse(row.calldata) as string[]);
}

/** The highest nonce that this lane has spent in our books; null when it never signed. */
export async function lastLaneNonce(store: Store, network: Network, lane: string): Promise<number | null> {
  const { carriers } = store.tables;
  const [row] = await store.read
    .select({ nonce: max(carriers.laneNonce) })
    .from(carriers)
    .where(and(eq(carriers.network, network), eq(carriers.sender, lane)));
  return row?.nonce ?? null;
}
