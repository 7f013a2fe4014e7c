/** The control of the torture of a cluster: each rule of its judge is broken once, and must be what is found. */
import { expect, test } from 'vitest';
import type { Evidence, Movement, Order } from './evidence.ts';
import { findLongestSilence, judge } from './judge.ts';

const PAID = { proof: 0, askedAtMs: 100, atMs: 900, kind: 'paid', txnIds: '7', answer: '{"txn_id":7}' } as const;
const CHARGE: Movement = { payer: '0xaa', amount: 50n, atMs: 500, proof: '0x01' };
const ORDER: Order = {
  id: 'order 1',
  client: 'fetch v2',
  chain: 'base',
  payer: '0xaa',
  receivers: [{ wallet: '0xbb', amount: 50n }],
  total: 50n,
  proofs: ['0x01', '0x02'],
  answers: [PAID, { ...PAID, askedAtMs: 2_000, atMs: 2_100 }],
  isCancelled: false,
};

type Change = { order?: Partial<Order>; charges?: Movement[]; returns?: Movement[]; received?: bigint };

function evidence({ order, charges = [CHARGE], returns = [], received = 50n }: Change = {}, more = {}): Evidence {
  return {
    orders: [{ ...ORDER, ...order }],
    tips: [],
    chains: {
      base: { charges, returns, received: new Map([['0xbb', received]]) },
      solana: { charges: [], returns: [], received: new Map() },
    },
    selfExits: [],
    storm: { fromMs: 0, toMs: 3_000 },
    troubles: { base: [], solana: [] },
    silenceMaxMs: 60_000,
    aim: { named: ['kill api', 'rpc drop'], least: { faults: 2, kills: 2, payments: 0, tips: 0 } },
    hits: { 'kill api': 2, 'rpc drop': 2 },
    ...more,
  };
}

const brokenIn = (given: Evidence) => judge(given).flatMap(({ rule, wrong }) => (wrong.length > 0 ? [rule] : []));

test('a wish that was charged once, answered once and paid out once is exact', () => {
  expect(brokenIn(evidence())).toEqual([]);
});

const SECOND: Movement = { ...CHARGE, proof: '0x02', atMs: 800 };
const CHALLENGE = { proof: 0, askedAtMs: 600, atMs: 700, kind: 'challenge', error: 'expired' } as const;

test.each<[string, Change, string[]]>([
  ['charged twice by two proofs', { charges: [CHARGE, SECOND] }, ['doubled']],
  ['paid out twice', { received: 100n }, ['recipients']],
  ['charged and paid out to nobody', { received: 0n }, ['recipients']],
  ['charged another sum', { charges: [{ ...CHARGE, amount: 51n }] }, ['doubled']],
  ['answered 200 and not charged', { charges: [], received: 0n }, ['doubled']],
  ['charged without a 200', { order: { answers: [] } }, ['lost']],
  [
    'charged without a 200, half of it back',
    { order: { answers: [] }, returns: [{ ...CHARGE, amount: 25n }] },
    ['lost'],
  ],
  ['called off, and kept', { order: { isCancelled: true }, received: 0n }, ['lost']],
  ['answered 200, and given back', { returns: [CHARGE] }, ['lost']],
  ['answered with two txn_ids', { order: { answers: [PAID, { ...PAID, txnIds: '8' }] } }, ['changed answers']],
  ['answered with two bodies', { order: { answers: [PAID, { ...PAID, answer: '{}' }] } }, ['changed answers']],
  ['told 402 after its charge', { order: { answers: [CHALLENGE, PAID] } }, ['402 after a broadcast']],
  [
    'told 402 for good, and charged later',
    {
      order: {
        answers: [
          { ...CHALLENGE, askedAtMs: 100, atMs: 200 },
          { ...PAID, proof: 1 },
        ],
      },
    },
    ['402 after a broadcast'],
  ],
])('CONTROL: a wish that was %s is found', (_, change, rules) => {
  expect(brokenIn(evidence(change))).toEqual(rules);
});

test('CONTROL: a process that ended by itself is found', () => {
  expect(brokenIn(evidence({}, { selfExits: ['api1 with 1'] }))).toEqual(['processes that ended themselves']);
});

test('CONTROL: a network without a 200 for too long is found; while a fault concerns it, it may be silent', () => {
  const storm = { fromMs: 0, toMs: 100_000 };
  const solana = [{ fromMs: 0, toMs: 90_000 }];
  expect(brokenIn(evidence({}, { storm, troubles: { base: [], solana } }))).toEqual(['silence without a fault']);
  const base = [{ fromMs: 50_000, toMs: 60_000 }];
  expect(brokenIn(evidence({}, { storm, troubles: { base, solana } }))).toEqual([]);
  expect(findLongestSilence(storm, base, [900])).toEqual({ fromMs: 900, toMs: 50_000 });
});

const TIP = { handle: 'tip1', wallet: '0xcc', amount: 5n, said: ['Sent 0.000005 USDC to @tip1 on X.'] };
const withTip = (said: readonly string[], received: bigint) => {
  const { chains } = evidence();
  const base = { ...chains.base, received: new Map([...chains.base.received, [TIP.wallet, received]]) };
  return brokenIn(evidence({}, { tips: [{ ...TIP, said }], chains: { ...chains, base } }));
};

test('a tip that was sent has arrived, and one that was refused has not', () => {
  expect(withTip(TIP.said, 5n)).toEqual([]);
  expect(withTip(['x:tip1 was not paid.'], 0n)).toEqual([]);
});

test.each<[string, readonly string[], bigint, string]>([
  ['sent and did not arrive', TIP.said, 0n, 'recipients'],
  ['sent and arrived twice', TIP.said, 10n, 'recipients'],
  ['refused and arrived', ['x:tip1 was not paid.'], 5n, 'recipients'],
  ['never answered', [], 0n, 'tips without an end'],
  ['tried for ever', ['Paying 0.000005 USDC to @tip1 on X…'], 0n, 'tips without an end'],
])('CONTROL: a tip that was %s is found', (_, said, received, rule) => {
  expect(withTip(said, received)).toEqual([rule]);
});

test.each<[string, object]>([
  ['a fault that hit once', { hits: { 'kill api': 2, 'rpc drop': 1 } }],
  ['one kill', { hits: { 'kill api': 1, 'rpc drop': 2 } }],
  ['no tip', { aim: { named: [], least: { faults: 1, kills: 0, payments: 0, tips: 1 } } }],
  ['one payment', { aim: { named: [], least: { faults: 1, kills: 0, payments: 2, tips: 0 } } }],
])('CONTROL: %s where more is wanted is found', (_, more) => {
  expect(brokenIn(evidence({}, more))).toEqual(['too little happened']);
});
