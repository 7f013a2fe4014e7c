import type { DropProblem, TakeProblem } from '../../core/drops/drops.ts';
import { microUsdc } from '../../core/money.ts';
import type { DropStage } from '../../texts/drops/en.ts';

const share = { giver: 'zqgiver', share: microUsdc(3_170_000n) };
const facts = { ...share, amount: microUsdc(41_170_000n), people: 37, time: 'zqtime', isTreasury: false };
const ROLES = [null, 'zqrole'];

const STAGES: Record<DropStage, true> = {
  closed: true,
  listed: true,
  unpaid: true,
  called_off: true,
  nobody: true,
  lapsed: true,
};
const TAKE_PROBLEMS: Record<TakeProblem, true> = {
  own: true,
  not_eligible: true,
  other_name: true,
  full: true,
  over: true,
  unknown: true,
  takes_nothing: true,
};
const PROBLEMS: Record<DropProblem, true> = {
  unreadable: true,
  people: true,
  time: true,
  share: true,
  elsewhere: true,
  no_role: true,
  nobody_known: true,
  busy: true,
  none: true,
  not_listed: true,
  empty: true,
  changed: true,
  too_little: true,
  not_decider: true,
  standing_unknown: true,
  small_group: true,
  own: true,
  has_share: true,
  treasury_short: true,
};
const keysOf = <Key extends string>(record: Record<Key, true>) => Object.keys(record) as Key[];

export const DROP_SAMPLES = {
  dropCard: ROLES.flatMap((role) => [true, false].map((isTreasury) => [{ ...facts, role, isTreasury }, 23] as const)),
  dropCommunity: (['start', 'within'] as const).map((place) => [place] as const),
  confirmDrop: [[facts.amount]],
  dropConfirmed: [[]],
  takeShare: [[]],
  callOffDrop: [[]],
  seeDropList: [[]],
  dropStage: keysOf(STAGES).map(
    (stage) => [stage, { ...facts, role: null, taken: 23, hours: 43, confirmed: 57, quorum: 59 }] as const,
  ),
  tookShare: [[{ ...share, role: null }]],
  takeProblem: keysOf(TAKE_PROBLEMS).flatMap((problem) => ROLES.map((role) => [problem, { ...share, role }] as const)),
  dropList: [[37, facts.amount]],
  dropListed: [[37, 'zqname', share.share]],
  dropStrikeHint: [[true], [false]],
  payDrop: [[facts.amount]],
  strikeFromDrop: [[37]],
  explainDrops: [[]],
  dropProblem: keysOf(PROBLEMS).map((problem) => [problem, { least: 37, most: 41 }] as const),
  topTitle: [[]],
  topLine: [1, 37].map((people) => [41, 'zqname', people] as const),
  topHint: [[]],
  topEmpty: [[]],
  topJoined: [[]],
  topLeft: [[]],
  topElsewhere: [[]],
} as const;
