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
