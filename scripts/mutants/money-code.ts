/**
 * The code that decides about money, and for each part one or two tests of the whole path through it; the tests of the
 * mirrored folder are added. `path` is a file, or a folder with a trailing slash that includes its inner folders; the
 * first matching row counts.
 */
export type MoneyPart = { path: string; slices: readonly string[] };

const PAY = 'test/flow/payments/pay.test.ts';
const CROSS = 'test/db/transfers/cross.test.ts';
const REFUND = 'test/flow/payments/refund.test.ts';
const RETURNED = 'test/flow/payments/returned.test.ts';
const TASKS = 'test/flow/tasks/tasks.test.ts';
const LIMITS = 'test/flow/payments/limits.test.ts';
const TWO_NETWORKS = 'test/flow/payments/two-networks.test.ts';
const CLAIMS = 'test/attack/claims.torture.test.ts';
const WALLETS = 'test/bot/scenarios/whole-way.test.ts';

export const MONEY_CODE: readonly MoneyPart[] = [
  { path: 'core/money.ts', slices: [PAY] },
  { path: 'core/ledger.ts', slices: [CROSS, REFUND] },
  { path: 'core/states.ts', slices: [REFUND] },
  { path: 'core/payments/x402.ts', slices: [PAY] },
  { path: 'core/wallets/spending-limits.ts', slices: [WALLETS] },
  { path: 'core/wallets/withdrawal-wait.ts', slices: [WALLETS] },
  { path: 'core/rewards/distribution.ts', slices: ['test/flow/rewards/rewards.test.ts'] },
  { path: 'db/ledger/ledger.ts', slices: [REFUND] },
  { path: 'db/store/outbox.ts', slices: [REFUND] },
  { path: 'db/store/move.ts', slices: [REFUND] },
  { path: 'db/carriers/', slices: [REFUND, TWO_NETWORKS] },
  { path: 'db/payments/', slices: [PAY, REFUND] },
  { path: 'db/transfers/', slices: [REFUND] },
  { path: 'db/refunds/', slices: [RETURNED] },
  { path: 'db/withdrawals/', slices: [WALLETS] },
  { path: 'db/scan/', slices: [REFUND] },
  { path: 'db/tasks/', slices: [TASKS] },
  { path: 'db/claims/', slices: [CLAIMS] },
  { path: 'db/limits/', slices: [LIMITS] },
  { path: 'db/solana/', slices: [TWO_NETWORKS] },
  { path: 'chain/evm/', slices: [REFUND] },
  { path: 'chain/solana/', slices: [TWO_NETWORKS] },
  { path: 'worker/evm/', slices: [REFUND] },
  { path: 'worker/solana/', slices: [TWO_NETWORKS] },
  { path: 'worker/tasks.ts', slices: [TASKS] },
  { path: 'worker/resolving.ts', slices: [RETURNED] },
  { path: 'worker/', slices: [REFUND] },
  { path: 'bot/signing/signer.ts', slices: [WALLETS] },
  { path: 'bot/signing/signing.ts', slices: [WALLETS] },
  { path: 'client/', slices: [WALLETS] },
  { path: 'bot/signing/cap-guard.ts', slices: [WALLETS] },
  { path: 'bot/signing/leaving-guard.ts', slices: [WALLETS] },
  { path: 'bot/signing/reward-guard.ts', slices: ['test/bot/scenarios/reward-whole-way.test.ts'] },
  { path: 'bot/signing/treasury-guard.ts', slices: ['test/bot/core/treasury-withdraw.test.ts'] },
  { path: 'bot/signing/undo-guard.ts', slices: [WALLETS] },
  { path: 'bot/signing/withdrawal-guard.ts', slices: [WALLETS] },
  { path: 'api/payments/accept.ts', slices: [PAY] },
  { path: 'api/proofs/proof-check.ts', slices: [PAY] },
  { path: 'api/payments/lines.ts', slices: [PAY] },
  { path: 'api/payments/terms.ts', slices: [PAY] },
];
