/**
 * What a process of schema 1 does with its database. Built into one file beside this (scripts/schema-fixture.mjs), and kept: a later
 * program runs beside it for the time of an upgrade. So never build it again from a later tree.
 */
export { findViolations } from '../../../db/audit/invariants.ts';
export { ensureIdentity } from '../../../db/identities/identities.ts';
export { findPayment, linesOf } from '../../../db/payments/records/find.ts';
export { reservePayment } from '../../../db/payments/reserve.ts';
export { createRefundPayout, payersOwed } from '../../../db/refunds/create-payouts.ts';
export { expiredLines, refundLine } from '../../../db/refunds/refund-line.ts';
export { applyBlocks } from '../../../db/scan/apply.ts';
export { openPgStore } from '../../../db/store/store-pg.ts';
export { openSqliteStore } from '../../../db/store/store-sqlite.ts';
export { completeItems, dueItems } from '../../../db/store/outbox.ts';
export { linkWallet } from '../../../db/transfers/link-wallet.ts';
export { addHolder } from '../../../db/wallets/holders.ts';
export { requestWithdrawal } from '../../../db/withdrawals/request.ts';
