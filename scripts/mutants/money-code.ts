/**
 * The code that decides about money, and for each part one test of the whole way through it. The tests of the mirrored
 * folder come by themselves. `path` is a file, or a folder with a slash at its end, its inner folders included; the first
 * row that fits a file is its row.
 */
export type MoneyPart = { path: string; slice: string };

const PAY = 'test/flow/pay.test.ts';
const REFUND = 'test/flow/refund.test.ts';
const RETURNED = 'test/flow/returned.test.ts';
const TASKS = 'test/flow/tasks.test.ts';
const LIMITS = 'test/flow/limits.test.ts';
const TWO_NETWORKS = 'test/flow/two-networks.test.ts';
const CLAIMS = 'test/attack/claims.test.ts';
const WALLETS = 'test/bot/scenarios/whole-way.test.ts';

export const MONEY_CODE: readonly MoneyPart[] = [
  { path: 'core/money.ts', slice: PAY },
  { path: 'core/ledger.ts', slice: REFUND },
  { path: 'core/states.ts', slice: REFUND },
  { path: 'core/x402.ts', slice: PAY },
  { path: 'core/spending-limits.ts', slice: WALLETS },
  { path: 'core/withdrawal-wait.ts', slice: WALLETS },
  { path: 'core/distribution.ts', slice: 'test/flow/rewards.test.ts' },
  { path: 'db/ledger.ts', slice: REFUND },
  { path: 'db/outbox.ts', slice: REFUND },
  { path: 'db/payments/', slice: REFUND },
  { path: 'db/payouts/', slice: REFUND },
  { path: 'db/refunds/', slice: RETURNED },
  { path: 'db/withdrawals/', slice: WALLETS },
  { path: 'db/scan/', slice: REFUND },
  { path: 'db/tasks/', slice: TASKS },
  { path: 'db/claims/', slice: CLAIMS },
  { path: 'db/limits/', slice: LIMITS },
  { path: 'db/solana/', slice: TWO_NETWORKS },
  { path: 'chain/evm/', slice: REFUND },
  { path: 'chain/solana/', slice: TWO_NETWORKS },
  { path: 'worker/evm/', slice: REFUND },
  { path: 'worker/solana/', slice: TWO_NETWORKS },
  { path: 'worker/tasks.ts', slice: TASKS },
  { path: 'worker/resolving.ts', slice: RETURNED },
  { path: 'worker/', slice: REFUND },
  { path: 'bot/signer.ts', slice: WALLETS },
  { path: 'bot/signing.ts', slice: WALLETS },
  { path: 'bot/payer.ts', slice: WALLETS },
  { path: 'bot/cap-guard.ts', slice: WALLETS },
  { path: 'bot/leaving-guard.ts', slice: WALLETS },
  { path: 'bot/reward-guard.ts', slice: 'test/bot/scenarios/reward-whole-way.test.ts' },
  { path: 'bot/treasury-guard.ts', slice: 'test/bot/core/treasury-withdraw.test.ts' },
  { path: 'bot/undo-guard.ts', slice: WALLETS },
  { path: 'bot/withdrawal-guard.ts', slice: WALLETS },
  { path: 'api/accept.ts', slice: PAY },
  { path: 'api/proof-check.ts', slice: PAY },
  { path: 'api/lines.ts', slice: PAY },
  { path: 'api/terms.ts', slice: PAY },
];
