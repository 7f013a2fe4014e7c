import type { TransferState, WithdrawalPhase, WithdrawalState } from '../../core/states.ts';
import type { Store } from '../../db/store/store.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';

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
  | Exclude<keyof WithdrawalRow, keyof Store['tables']['withdrawals']['$inferInsert']>
  | 'failure'
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
    await db.insert(store.tables.withdrawals).values({ ...withdrawal, status });
    await db.insert(store.tables.transfers).values({ ...place, ...signed, ...rest });
  });
}
