import { ADDRESS_WAIT_MS, AT_ONCE_DAILY_MAX, isKnownAddress } from '../../core/wallets/withdrawal-wait.ts';
import { WITHOUT_PASSKEY_MS } from '../../core/wallets/passkeys.ts';
import { readCounter } from '../../db/store/counters.ts';
import { dayOf } from '../../db/limits/daily.ts';
import type { Store } from '../../db/store/store.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';
import { atOnceCounter } from '../../db/withdrawals/limits.ts';
import { addressStanding } from '../../db/withdrawals/standing.ts';
import { isSigned } from '../../db/wallets/passkeys.ts';
import { refusal } from './signing.ts';

/**
 * Refuses what may not leave a person's wallet yet, whatever its row says. Its address must have stood for a day since
 * the wallet's holders were told, and not be called off; or be the wallet's first on this network, with a small amount
 * that counts on its day. What the passkey of the wallet has not agreed to waits for three days in any case.
 */
export async function checkLeaving(store: Store, row: WithdrawalRow, nowMs: number): Promise<void> {
  const { createdAtMs, notBeforeMs, countedOn, calledOffAtMs } = row;
  if (calledOffAtMs !== null) throw refusal('what nobody has called off', calledOffAtMs);
  // Else a forged time in the future would come out as one long past, once it is reached.
  if (createdAtMs > nowMs) throw refusal('a withdrawal asked for by now', createdAtMs);
  if (notBeforeMs > nowMs) throw refusal(`a withdrawal that may leave at ${nowMs}`, notBeforeMs);
  if (!(await isSigned(store.read, store.tables, row, createdAtMs)) && createdAtMs + WITHOUT_PASSKEY_MS > nowMs)
    throw refusal(`the passkey of the wallet, or ${WITHOUT_PASSKEY_MS} ms without it`, row.passkeyId);
  const standing = await addressStanding(store.read, store.tables, row, createdAtMs);
  if (isKnownAddress(standing, nowMs)) return;
  if (countedOn === null) throw refusal(`an address that has stood for ${ADDRESS_WAIT_MS} ms`, standing.sinceMs);
  if (!standing.isFirst) throw refusal('the first address of this wallet', row.toAddress);
  // Given back by any failure, but never while it may still be signed.
  if (countedOn !== dayOf(createdAtMs)) throw refusal(`a day of ${dayOf(createdAtMs)}`, countedOn);
  const counted = await readCounter(store, atOnceCounter(row.walletId, countedOn));
  if (counted < row.amountMicroUsdc) throw refusal(`at least ${row.amountMicroUsdc} counted`, counted);
  if (counted > AT_ONCE_DAILY_MAX) throw refusal(`at most ${AT_ONCE_DAILY_MAX} on a day`, counted);
}
