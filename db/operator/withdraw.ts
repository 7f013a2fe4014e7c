import { accounts } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { floatCovers, readFloat } from '../transfers/float.ts';
import { planTransfer } from '../transfers/reserve.ts';
import { readPayoutSettings } from '../limits/settings.ts';
import type { Store } from '../store/store.ts';
import { recordAction, type Command } from './actions.ts';

export type Withdrawal = { network: Network; toAddress: string; amountMicroUsdc: bigint };

export type WithdrawResult =
  | { kind: 'queued'; payoutId: string }
  | { kind: 'too-much'; availableMicroUsdc: bigint }
  | { kind: 'not-served' };

/** Pays the operator out of float, and out of nothing else. The worker sends it like any other payout. */
export async function withdraw(
  store: Store,
  { network, toAddress, amountMicroUsdc }: Withdrawal,
  command: Command,
  { newPayoutId, nowMs }: { newPayoutId: () => string; nowMs: number },
): Promise<WithdrawResult> {
  const { tables } = store;
  return store.tx(async (db) => {
    const treasury = (await readPayoutSettings(db, tables)).treasuries[network];
    if (treasury === undefined) return { kind: 'not-served' };
    if (!(await floatCovers(db, tables, { network, treasury }, amountMicroUsdc))) {
      const { available } = await readFloat(db, tables, { network, treasury });
      return { kind: 'too-much', availableMicroUsdc: available };
    }
    const payoutId = newPayoutId();
    const place = { network, fromAddress: treasury, toAddress, sourceAccount: accounts.float(network) };
    const transfer = { id: payoutId, purpose: 'operator_withdrawal' as const, ...place, amountMicroUsdc };
    await planTransfer(db, tables, transfer, nowMs);
    await recordAction(db, tables, command, { result: `payout ${payoutId}`, nowMs });
    return { kind: 'queued', payoutId };
  });
}
