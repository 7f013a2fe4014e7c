import { describe, expect, test } from 'vitest';
import { distributionOfOrder, distributionOrderId, distributionState } from '../../../core/rewards/distribution.ts';
import { distributionData, paidLinesOf } from '../../../core/rewards/distribution-answer.ts';
import { ZERO_USDC } from '../../../core/money.ts';
import type { DistributionState, WireStatus } from '../../../core/states.ts';
import { newDistribution } from '../../support/rewards/distributions.ts';

const NOW_MS = 1_800_000_000_000;
const paid = (...statuses: WireStatus[]) => ({ isAnswered: true, statuses });
const ON_ITS_WAY = { isAnswered: false, statuses: [] };

describe('the state of a distribution', () => {
  test.each<[string, { isRejected?: boolean; leftMs?: number }, Parameters<typeof distributionState>[1], string]>([
    ['nobody has done anything', {}, null, 'pending'],
    ['its time is over', { leftMs: 0 }, null, 'expired'],
    ['its time is all but over', { leftMs: 1 }, null, 'pending'],
    ['its owner rejected it', { isRejected: true }, null, 'rejected'],
    ['rejected, and its time is over', { isRejected: true, leftMs: 0 }, null, 'rejected'],
    ['a payment is on its way', {}, ON_ITS_WAY, 'confirming'],
    ['a payment is on its way when its time ends', { leftMs: 0 }, ON_ITS_WAY, 'confirming'],
    ['everybody is being paid', {}, paid('queued', 'queued'), 'confirmed'],
    ['one is still being paid', {}, paid('paid', 'pending_claim', 'queued'), 'confirmed'],
    ['everybody has it', { leftMs: 0 }, paid('paid', 'paid'), 'completed'],
    ['one has yet to collect it', {}, paid('paid', 'pending_claim'), 'partial'],
    ['one sent it back', {}, paid('refunded', 'paid'), 'partial'],
    ['one is held', {}, paid('held'), 'partial'],
  ])('%s', (_case, { isRejected = false, leftMs = 1 }, holder, state) => {
    const times = { rejectedAtMs: isRejected ? NOW_MS - 1 : null, expiresAtMs: NOW_MS + leftMs };
    expect(distributionState(times, holder, NOW_MS)).toBe(state satisfies string);
  });
});

test('an order names its distribution, and no other kind of order does', () => {
  expect(distributionOfOrder(distributionOrderId('dist_1'))).toBe('dist_1');
  for (const order of ['a2a:dist_1', 'mcp:1', 'dist_1']) expect(distributionOfOrder(order)).toBeNull();
});

test('lines belong to recipients by their place', () => {
  const lines = paidLinesOf({
    code: 200,
    data: [
      { txn_id: 1, receipt: 'http://a/receipts/1', status: 'paid', amount: 0.75, username: 'ada' },
      {
        txn_id: 2,
        receipt: 'http://a/receipts/2',
        status: 'pending_claim',
        claim_url: 'http://a/claim',
        expires_at: 'x',
      },
    ],
  });
  const state: DistributionState = 'partial';
  const telling = { baseUrl: 'http://a', state, fee: ZERO_USDC, payment: null, lines };
  const { recipients, counts } = distributionData(newDistribution(NOW_MS), telling);
  expect(recipients).toMatchObject([
    { username: 'ada', txn_id: 1, status: 'paid' },
    { username: 'ben', txn_id: 2, status: 'pending_claim', claim_url: 'http://a/claim' },
  ]);
  expect(counts).toEqual({ paid: 1, queued: 0, pending_claim: 1, refunded: 0, held: 0 });
});

test('an answer of another form is no answer of ours', () => {
  expect(() => paidLinesOf({ code: 200, data: { txn_id: 1 } })).toThrow();
});
