import { and, eq, inArray, isNull, lte, not, or, sql } from 'drizzle-orm';
import { depositReceived } from '../../core/ledger.ts';
import { familyOf, networkNamed, type Family, type Network } from '../../core/networks.ts';
import { postEntry } from '../ledger/ledger.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { fitsTask } from '../tasks/fitting.ts';

/** From here on what this address sends us is the operator's own money. Answers whether it was not declared before. */
export async function declareDepositAddress(
  db: Db,
  { operatorAddresses }: Tables,
  declared: { network: Network; address: string },
  nowMs: number,
): Promise<boolean> {
  const rows = await db
    .insert(operatorAddresses)
    .values({ ...declared, sinceMs: nowMs })
    .onConflictDoNothing()
    .returning({ address: operatorAddresses.address });
  return rows.length > 0;
}

export async function depositAddresses(db: Db, network: Network): Promise<string[]> {
  const rows = await selectDeclared(db, { network });
  return rows.map(({ address }) => address);
}

const selectDeclared = prepare((db, { operatorAddresses }) =>
  db
    .select({ address: operatorAddresses.address })
    .from(operatorAddresses)
    .where(eq(operatorAddresses.network, placeholder('network'))),
);

/** Whether a stranger can send a payment's authorization to the chain. */
const CAN_STRANGERS_SEND = { evm: true, svm: false } as const satisfies Record<Family, boolean>;

/**
 * Books what came from the operator's own addresses as float, once it is final: a deposit is never undone, because our
 * own money may be spent at once. An authorization that a stranger can send waits as long as any other for its proof to be
 * presented: it could be a payment of theirs.
 */
export async function bookDeposits(
  db: Db,
  store: Store,
  step: { network: Network; finalizedBlock: number; declared: readonly string[]; unclaimedSinceMs: number },
  nowMs: number,
): Promise<void> {
  if (step.declared.length === 0) return;
  const { observedTransfers } = store.tables;
  const network = networkNamed(step.network);
  const ready = or(isNull(observedTransfers.authorizer), lte(observedTransfers.seenAtMs, step.unclaimedSinceMs));
  const rows = await db
    .update(observedTransfers)
    .set({ consumedBy: sql`'deposit:' || ${observedTransfers.fact}` })
    .where(
      and(
        eq(observedTransfers.network, step.network),
        isNull(observedTransfers.consumedBy),
        eq(observedTransfers.landed, true),
        eq(observedTransfers.outgoing, false),
        eq(observedTransfers.returnWanted, false),
        inArray(observedTransfers.fromAddress, [...step.declared]),
        // The operator may pay for a task like any payer.
        not(fitsTask(db, store.tables)),
        lte(observedTransfers.block, step.finalizedBlock),
        CAN_STRANGERS_SEND[familyOf(network)] ? ready : undefined,
      ),
    )
    .returning();
  for (const { fact, landings: landing, amountMicroUsdc: amount, toAddress: address } of rows) {
    await postEntry(db, store.tables, depositReceived({ network, address, fact, landing, amount }), nowMs);
  }
}
