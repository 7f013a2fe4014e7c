import { and, eq, isNull, lte } from 'drizzle-orm';
import { accounts, suspenseReceived, suspenseReturned } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { postEntry } from '../ledger/ledger.ts';
import { enqueue } from '../store/outbox.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import { readPayoutSettings } from '../limits/settings.ts';
import type { Db, Store } from '../store/store.ts';

/**
 * Notes that a transfer goes back to where it came from: it reached us by a signed authorization, but pays for nothing
 * here. It is sent when its block is safe, because what a reorganisation takes away cannot be returned.
 */
export async function scheduleRefund(store: Store, fact: string): Promise<void> {
  await store.tx((db) => scheduleRefundWithin(db, store, fact));
}

export async function scheduleRefundWithin(db: Db, store: Store, fact: string): Promise<void> {
  const { observedTransfers } = store.tables;
  await db
    .update(observedTransfers)
    .set({ returnWanted: true })
    .where(
      and(
        eq(observedTransfers.fact, fact),
        eq(observedTransfers.outgoing, false),
        isNull(observedTransfers.consumedBy),
      ),
    );
}

/** Whether the transfer of this authorization is on its way back. */
export async function isReturned(
  store: Store,
  { network, authorizer, nonce }: { network: Network; authorizer: string; nonce: string },
): Promise<boolean> {
  const { observedTransfers } = store.tables;
  const isIt = and(eq(observedTransfers.authorizer, authorizer), eq(observedTransfers.nonce, nonce));
  const [row] = await store.read
    .select({ returnWanted: observedTransfers.returnWanted })
    .from(observedTransfers)
    .where(and(eq(observedTransfers.network, network), isIt));
  return row?.returnWanted === true;
}

/** Takes the wanted returns whose blocks are safe: through suspense, to what is owed to their senders. */
export async function startReturns(db: Db, store: Store, step: { network: Network; safeBlock: number }, nowMs: number) {
  const { network, safeBlock } = step;
  const wanted = await selectWanted(db, { network, safeBlock });
  for (const { fact } of wanted) await returnWithin(db, store, { fact, to: null }, nowMs);
}

const selectWanted = prepare((db, { observedTransfers }) =>
  db
    .select({ fact: observedTransfers.fact })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.network, placeholder('network')),
        eq(observedTransfers.returnWanted, true),
        eq(observedTransfers.landed, true),
        isNull(observedTransfers.consumedBy),
        lte(observedTransfers.block, placeholder('safeBlock')),
      ),
    ),
);

/** `to`: null for where it came from. Nothing happens to one that is explained, or has vanished. */
export async function returnWithin(
  db: Db,
  store: Store,
  { fact, to }: { fact: string; to: string | null },
  nowMs: number,
): Promise<void> {
  const { observedTransfers } = store.tables;
  const [transfer] = await db
    .update(observedTransfers)
    .set({ consumedBy: 'suspense' })
    .where(
      and(
        eq(observedTransfers.fact, fact),
        eq(observedTransfers.landed, true),
        eq(observedTransfers.outgoing, false),
        isNull(observedTransfers.consumedBy),
      ),
    )
    .returning();
  if (!transfer) return;
  const network = transfer.network;
  const { landings: landing, toAddress: address, amountMicroUsdc: amount } = transfer;
  await postEntry(db, store.tables, suspenseReceived({ network, address, fact, landing, amount }), nowMs);
  await owe(db, store, transfer, { payer: to ?? transfer.fromAddress, amount, nowMs });
}

type ObservedRow = Store['tables']['observedTransfers']['$inferSelect'];

/** Payouts leave from the treasury, also for what came to another address of ours and is moved there. */
async function payingAddress(db: Db, { tables }: Store, { network, toAddress }: ObservedRow): Promise<string> {
  const { treasuries } = await readPayoutSettings(db, tables);
  return treasuries[network] ?? toAddress;
}

/** Owes what is in suspense to where it came from, once: false when it is owed already. */
export async function oweSender(db: Db, store: Store, transfer: ObservedRow, nowMs: number): Promise<boolean> {
  return owe(db, store, transfer, { payer: transfer.fromAddress, amount: transfer.amountMicroUsdc, nowMs });
}

/** The same for what is left of one of which a part was paid out. */
export async function oweRest(
  db: Db,
  store: Store,
  transfer: ObservedRow,
  { amountMicroUsdc: amount, nowMs }: { amountMicroUsdc: bigint; nowMs: number },
): Promise<boolean> {
  return owe(db, store, transfer, { payer: transfer.fromAddress, amount, nowMs });
}

async function owe(
  db: Db,
  store: Store,
  transfer: ObservedRow,
  { payer, amount, nowMs }: { payer: string; amount: bigint; nowMs: number },
): Promise<boolean> {
  const network = transfer.network;
  const { fact } = transfer;
  const account = accounts.refundDue(network, payerAccountId(payer));
  const entry = suspenseReturned({ network, fact, account, amount });
  const owed = await db
    .insert(store.tables.refunds)
    .values({
      id: entry.cause,
      network,
      payer,
      account,
      fromAddress: await payingAddress(db, store, transfer),
      amountMicroUsdc: amount,
      createdAtMs: nowMs,
    })
    .onConflictDoNothing()
    .returning({ id: store.tables.refunds.id });
  if (owed.length === 0) return false;
  await postEntry(db, store.tables, entry, nowMs);
  await enqueue(db, store.tables, 'refund_owed', { refundId: entry.cause }, nowMs);
  return true;
}
