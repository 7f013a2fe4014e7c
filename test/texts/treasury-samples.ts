import type { OwnTreasuryProblem, treasuryEn } from '../../texts/treasury/en.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';

const usdc = (cents: number): MicroUsdc => microUsdc(BigInt(cents) * 10_000n);
const at = new Date('2026-11-21T23:59:00Z');
const [place, address, by] = ['zqplace', 'zqaddress', 'zqby'];
const card = { amount: usdc(317), place, address, by };

const PROBLEMS: OwnTreasuryProblem[] = [
  { code: 'elsewhere' },
  { code: 'small_group' },
  { code: 'unreadable', found: 'zqfound' },
  { code: 'not_owner' },
  { code: 'not_moderator' },
  { code: 'no_owner' },
  { code: 'standing_unknown' },
  { code: 'which_network' },
  { code: 'no_address', place },
  { code: 'address_waits', place, at },
  { code: 'busy' },
  { code: 'address_over' },
  { code: 'card_over' },
  { code: 'limited' },
];

/** As `texts-samples.ts`, of the money of communities. */
export const TREASURY_SAMPLES: {
  readonly [Key in keyof typeof treasuryEn]: readonly Readonly<Parameters<(typeof treasuryEn)[Key]>>[];
} = {
  treasuryTitle: [[]],
  treasuryHolds: [[{ place, amount: null }], [{ place, amount: usdc(317) }]],
  treasuryAddress: [null, 'zqactive'].flatMap((active) =>
    [null, { address, at }].map((waiting) => [{ place, active, waiting }] as const),
  ),
  treasuryHow: [[]],
  treasuryDeposit: [[[{ place, address }]]],
  treasuryGive: [[usdc(317), place]],
  treasuryGiveNow: [[usdc(317)]],
  treasuryStatement: [[]],
  treasuryStatementSays: [[]],
  treasuryAddressSet: [[{ place, address, by, at }]],
  cancelTreasuryAddress: [[place]],
  treasuryAddressCancelled: [[{ place, address, by }]],
  treasuryAddressDropped: [[place]],
  treasuryAsk: [
    [card, []],
    [card, ['zqfirst', 'zqsecond']],
  ],
  treasuryConfirm: [[usdc(317)]],
  treasuryReject: [[]],
  treasuryRejected: [[card, 'zqother']],
  treasuryExpired: [[card]],
  treasuryProblem: PROBLEMS.map((problem) => [problem]),
};
