import type { limitsEn, SpendingProblem } from '../../texts/limits/en.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { LIMIT_NAMES } from '../../core/wallets/spending-limits.ts';

const usdc = (cents: number): MicroUsdc => microUsdc(BigInt(cents) * 10_000n);
const at = new Date('2026-11-21T23:59:00Z');
const VALUES = [usdc(0), usdc(317)];
const one = {
  recipient: 'x:zqrecipient',
  amount: usdc(317),
  fee: usdc(0),
  note: null,
  walletName: null,
};

const PROBLEMS: SpendingProblem[] = [
  { code: 'wallet_locked', until: null },
  { code: 'wallet_locked', until: at },
  { code: 'passkey_needed' },
  { code: 'over_tip_limit', limit: usdc(317) },
  { code: 'over_day_limit', limit: usdc(641), left: usdc(317) },
];

/** As `texts-samples.ts`, of what tips may take out of a wallet. */
export const LIMITS_SAMPLES: {
  readonly [Key in keyof typeof limitsEn]: readonly Readonly<Parameters<(typeof limitsEn)[Key]>>[];
} = {
  limitsTitle: [[null], ['x:zqname']],
  limit: LIMIT_NAMES.flatMap((name) =>
    VALUES.flatMap((value) => [null, { to: usdc(641), at }].map((raise) => [{ name, value, raise }] as const)),
  ),
  spentToday: [[usdc(317)]],
  limitsHint: [[]],
  limitLowered: [[]],
  limitWillRise: [[]],
  limitTooLarge: [[usdc(317)]],
  limitTooSmall: [[usdc(317)]],
  limitsUnreadable: [['zqfound']],
  limitsInDirectChat: [[]],
  cancelRaises: [[]],
  raisesCancelled: [[]],
  noRaises: [[]],
  spendingProblem: PROBLEMS.map((problem) => [problem]),
  spendingWasOver: [[]],
  askOne: [[one], [{ ...one, fee: usdc(23), note: 'zqnote', walletName: 'x:zqname' }]],
  neverTipped: [[]],
  openProfile: [['x:zqname']],
  holdsMuch: [[usdc(317)]],
  locked: [[]],
  unlocksAt: [[at]],
  notLocked: [[]],
  isLocked: [[null], [at]],
  undo: [[]],
  undone: [[usdc(317), 'x:zqrecipient']],
  undoTooLate: [['x:zqrecipient']],
  undoLater: [[]],
};
