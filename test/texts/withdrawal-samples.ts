import type { withdrawalsEn } from '../../texts/withdrawals/en.ts';
import type { WithdrawProblem } from '../../texts/withdrawals/problem.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { ADDRESS_REFUSALS, type AddressRefusal } from '../../core/payments/payout-address.ts';
import { WITHDRAWAL_FAILURES } from '../../core/states.ts';

const usdc = (cents: number): MicroUsdc => microUsdc(BigInt(cents) * 10_000n);
const at = new Date('2026-11-21T23:59:00Z');
const place = 'zqhere';
const withdrawal = { amount: usdc(3_17), place, address: 'zqaddress' };

const PROBLEMS: WithdrawProblem[] = [
  { code: 'network_off', place },
  { code: 'unreachable', place },
  ...Object.keys(ADDRESS_REFUSALS).map((reason) => ({ code: 'address', reason: reason as AddressRefusal }) as const),
  { code: 'own_address' },
  { code: 'too_little', least: usdc(317) },
  { code: 'not_enough', held: usdc(0), place },
  { code: 'not_enough', held: usdc(317), place },
];

/** As `texts-samples.ts`, of money that leaves for an address. */
export const WITHDRAWAL_SAMPLES: {
  readonly [Key in keyof typeof withdrawalsEn]: readonly Readonly<Parameters<(typeof withdrawalsEn)[Key]>>[];
} = {
  withdrawHelp: [[true], [false]],
  confirmWithdraw: [
    [withdrawal, null],
    [withdrawal, 'x:zqname'],
  ],
  confirmWithdrawButton: [[usdc(317)]],
  withdrawLeaves: [
    [at, true],
    [at, false],
  ],
  withdrawWaits: [[withdrawal, at]],
  withdrawNotYou: [[]],
  cancelWithdraw: [[]],
  withdrawCancelled: [[withdrawal]],
  withdrawBecomesKnown: [[withdrawal, at]],
  withdrawNewAgain: [[withdrawal]],
  noWithdrawWaits: [[]],
  withdrawWaitsForAccount: [[withdrawal, at]],
  withdrawing: [[withdrawal]],
  withdrawn: [[withdrawal]],
  transaction: [['zqtransaction']],
  seeTransaction: [[]],
  withdrawFailed: [...WITHDRAWAL_FAILURES, 'zqreason'].map((failure) => [withdrawal, failure]),
  withdrawProblem: PROBLEMS.map((problem) => [problem]),
  withdrawNotHeld: [[]],
  withdrawLimited: [['zqdetail']],
};
