import type { TransferState, WithdrawalPhase, WithdrawalState } from '../../core/states.ts';
import { ADDRESS_WAIT_MS } from '../../core/wallets/withdrawal-wait.ts';
import { markDead } from '../../db/withdrawals/end.ts';
import { findWithdrawal, type WithdrawalRow } from '../../db/withdrawals/find.ts';
import type { Store } from '../../db/store/store.ts';
import { fakeWallets, START_MS } from './harness.ts';

const wallets = fakeWallets();
export const HOLDER = 'chat:alice';
export const STRANGER = `0x${'cd'.repeat(20)}`;
export const SOLANA_STRANGER = 'Stranger111111111111111111111111111111111111';

/** A day ago, so that its address is known by now. */
export const ASKED_MS = START_MS - ADDRESS_WAIT_MS;

let count = 0;

/** Written past every check, as an attacker with the database but without the keys would. */
export async function forgeWithdrawal(store: Store, change: Partial<WithdrawalRow> = {}): Promise<string> {
  const id = String(++count).padStart(32, '0');
  const walletId = change.walletId ?? HOLDER;
  const network = change.network ?? 'base';
  const row = {
    id,
    holderId: HOLDER,
    requestKey: id,
    walletId,
    network,
    fromAddress: network === 'solana' ? wallets.solana.addressOf(walletId) : wallets.base.addressOf(walletId),
    toAddress: network === 'solana' ? SOLANA_STRANGER : STRANGER,
    toTreasury: null,
    passkeyId: null,
    amountMicroUsdc: 1_500_000n,
    status: 'requested' as const,
    createdAtMs: ASKED_MS,
    notBeforeMs: START_MS,
    // The holders of the wallet were told at once.
    notifiedAtMs: change.createdAtMs ?? ASKED_MS,
    ...change,
  };
  await writeWithdrawal(store, row);
  return id;
}

export async function rowOf(store: Store, id: string): Promise<WithdrawalRow> {
  const row = await findWithdrawal(store, id);
  if (row === null) throw new Error(`there is no withdrawal ${id}`);
  return row;
}

/** What the worker says when the chain has proved it. */
export async function die(store: Store, id: string): Promise<void> {
  const row = await rowOf(store, id);
  if (!(await markDead(store, row, { finalizedTime: row.validBefore ?? 0 })))
    throw new Error(`withdrawal ${id} was not signed`);
}

const STATES: Record<WithdrawalPhase, readonly [WithdrawalState, TransferState]> = {
  requested: ['requested', 'queued'],
  signed: ['leaving', 'assigned'],
  sent: ['leaving', 'broadcast'],
  dead: ['leaving', 'queued'],
  paid: ['paid', 'final'],
  failed: ['failed', 'void'],
};

/** What may be left out. */
type Open =
  | Exclude<keyof WithdrawalRow, keyof Store['tables']['walletWithdrawals']['$inferInsert']>
  | 'failure'
  | 'toTreasury'
  | 'passkeyId'
  | 'notifiedAtMs'
  | 'countedOn'
  | 'calledOffAtMs'
  | 'endedAtMs';
type Given = Omit<WithdrawalRow, Open> & Partial<WithdrawalRow>;

/** A withdrawal and its transfer, past every check. */
export async function writeWithdrawal(store: Store, given: Given): Promise<void> {
  const { nonce, validBefore, signature, carrierId, landedTransaction, ...own } = given;
  const { generation = 0, tries = 0, status: phase, ...withdrawal } = own;
  const [status, transferStatus] = STATES[phase];
  const { id, network, fromAddress, toAddress, amountMicroUsdc, createdAtMs } = withdrawal;
  const signed = { generation, tries, nonce, validBefore, signature, carrierId, landedTransaction };
  const place = { id, network, fromAddress, toAddress, amountMicroUsdc, createdAtMs };
  const rest = { purpose: 'wallet_withdrawal', status: transferStatus, nextTryAtMs: 0, exposed: false } as const;
  await store.tx(async (db) => {
    await db.insert(store.tables.walletWithdrawals).values({ ...withdrawal, status });
    await db.insert(store.tables.transfers).values({ ...place, ...signed, ...rest });
  });
}
