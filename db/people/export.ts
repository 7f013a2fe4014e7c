import { and, asc, eq } from 'drizzle-orm';
import { walletIdOf } from '../../core/claims/claims.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import type { Store } from '../store/store.ts';
import type { Person } from './find.ts';

/** For a person with more of a kind, the oldest. */
const ROWS_MAX = 50_000;

/**
 * All that the books know of a person by this name, for the person: no secret, and nothing of payers but what they sent. What
 * a chat knows of its own user, `/privacy` hands out there.
 */
export async function exportPerson(store: Store, person: Person): Promise<Record<string, unknown>> {
  const { platform, stableId, key, display, language, optedOutAtMs, noticesOffAtMs, createdAtMs } = person;
  return {
    platform,
    user_id: stableId,
    name: key,
    written: display,
    language,
    opted_out_at_ms: optedOutAtMs,
    no_mails_since_ms: noticesOffAtMs,
    known_since_ms: createdAtMs,
    received: await receivedBy(store, person),
    purse: await purseOf(store, person),
    ...(await proofsOf(store, person)),
  };
}

async function receivedBy({ read, tables }: Store, person: Person) {
  const { lines, payments, transfers } = tables;
  return (
    read
      .select({
        txn_id: lines.txnId,
        network: payments.network,
        amount_micro_usdc: lines.amountMicroUsdc,
        name: lines.display,
        note: lines.note,
        status: lines.status,
        returned_because: lines.returnReason,
        paid_at_ms: payments.createdAtMs,
        transaction: transfers.landedTransaction,
      })
      .from(lines)
      .innerJoin(payments, eq(payments.id, lines.paymentId))
      // What went back to its payer names the payer's wallet.
      .leftJoin(
        transfers,
        and(eq(transfers.id, lines.payoutId), eq(lines.status, 'paying'), eq(transfers.purpose, 'payout')),
      )
      .where(eq(lines.identityId, person.id))
      .orderBy(asc(payments.createdAtMs))
      .limit(ROWS_MAX)
  );
}

async function purseOf({ read, tables }: Store, { platform: name, stableId }: Person) {
  const { passkeys, walletDeposits, walletHolders, walletWithdrawals } = tables;
  const platform = findPlatform(name);
  const walletId = platform === null ? '' : walletIdOf(platform, stableId);
  const { network, toAddress, amountMicroUsdc, status, createdAtMs } = walletWithdrawals;
  return {
    open_in: await read
      .select({ since_ms: walletHolders.sinceMs, name: walletHolders.name })
      .from(walletHolders)
      .where(eq(walletHolders.walletId, walletId)),
    withdrawals: await read
      .select({ network, to: toAddress, amount_micro_usdc: amountMicroUsdc, status, asked_at_ms: createdAtMs })
      .from(walletWithdrawals)
      .where(eq(walletWithdrawals.walletId, walletId))
      .limit(ROWS_MAX),
    deposits: await read
      .select({
        network: walletDeposits.network,
        transaction: walletDeposits.transaction,
        amount_micro_usdc: walletDeposits.amountMicroUsdc,
        at_ms: walletDeposits.atMs,
      })
      .from(walletDeposits)
      .where(eq(walletDeposits.walletId, walletId))
      .limit(ROWS_MAX),
    passkeys: await read
      .select({ added_at_ms: passkeys.createdAtMs })
      .from(passkeys)
      .where(eq(passkeys.walletId, walletId)),
  };
}

async function proofsOf(store: Store, { id }: Person) {
  const { read, tables } = store;
  const { claims, notices, wallets, walletChanges } = tables;
  const { createdAtMs, method, payout, status, endedAtMs } = claims;
  return {
    addresses: await read.select().from(wallets).where(eq(wallets.identityId, id)),
    address_changes: await read.select().from(walletChanges).where(eq(walletChanges.identityId, id)),
    proofs: await read
      .select({ opened_at_ms: createdAtMs, method, payout, status, ended_at_ms: endedAtMs })
      .from(claims)
      .where(eq(claims.identityId, id)),
    notices: await read
      .select({ kind: notices.kind, sent_at_ms: notices.sentAtMs })
      .from(notices)
      .where(eq(notices.identityId, id)),
    blocked_payers: await blocksOf(store, id),
  };
}

/** Only when: a block is a row for each wallet of the payer and for their chat, which are not this person's to see. */
async function blocksOf({ read, tables: { blockedPayers } }: Store, identityId: string) {
  const rows = await read
    .selectDistinct({ since_ms: blockedPayers.createdAtMs })
    .from(blockedPayers)
    .where(eq(blockedPayers.identityId, identityId))
    .orderBy(asc(blockedPayers.createdAtMs));
  return { count: rows.length, since_ms: rows.map((row) => row.since_ms) };
}
