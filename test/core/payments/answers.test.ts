import { expect, test } from 'vitest';
import { batchPaymentAnswer, type AnsweredLine } from '../../../core/payments/answers.ts';

const line = (lineStatus: AnsweredLine['lineStatus']): AnsweredLine => ({
  txnId: 1,
  slug: 'slug',
  platform: 'x',
  key: 'alice',
  amountMicroUsdc: 1_000_000n,
  lineStatus,
  payoutStatus: null,
  expiresAtMs: Date.parse('2026-12-20T13:05:00Z'),
});

test.each([
  [['escrowed'], '1 USDC sent successfully to 1 user; they can collect it until 2026-12-20'],
  [['resolving'], '1 USDC sent successfully to 1 user; they are still being looked up'],
  [
    ['escrowed', 'resolving'],
    '2 USDC sent successfully to 2 users; 1 of them can collect it until 2026-12-20; 1 of them is still being looked up',
  ],
] as const)('a batch says of %j what becomes of its lines', (states, msg) => {
  expect(batchPaymentAnswer('https://pay.test', 'id', states.map(line))['msg']).toBe(msg);
});
