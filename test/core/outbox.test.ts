import { expect, expectTypeOf, test } from 'vitest';
import { handleEvent, outboxKey, type ChatTopic, type OutboxHandlers } from '../../core/outbox.ts';

test('the same event has the same key, in whatever order its fields were written', () => {
  const one = outboxKey('line_settled', { paymentId: 'payment', txnId: 7 });
  expect(outboxKey('line_settled', { txnId: 7, paymentId: 'payment' })).toBe(one);
  expect(outboxKey('line_settled', { paymentId: 'payment', txnId: 8 })).not.toBe(one);
});

test('a consumer gets the payload that was written, whatever characters are in it', async () => {
  const fact = 'base:0xab:"1"';
  const seen: string[] = [];
  const handlers = { link_paid_twice: async (payload: { fact: string }) => void seen.push(payload.fact) };
  await handleEvent(handlers, { topic: 'link_paid_twice', key: outboxKey('link_paid_twice', { fact }) });
  expect(seen).toEqual([fact]);
});

test('a row whose key is not a payload of its topic fails, and no consumer sees it', async () => {
  const seen: unknown[] = [];
  const handlers = { line_paid: async (payload: object) => void seen.push(payload) };
  const key = outboxKey('line_settled', { paymentId: 'payment', txnId: 7 });
  await expect(handleEvent(handlers, { topic: 'line_paid', key })).rejects.toThrow('payoutId');
  expect(seen).toEqual([]);
});

test('the compiler names a missing consumer, and one of another payload', () => {
  expectTypeOf<Omit<OutboxHandlers, 'line_paid'>>().not.toExtend<OutboxHandlers>();
  expectTypeOf<OutboxHandlers<ChatTopic>>().not.toExtend<OutboxHandlers>();
  expectTypeOf<OutboxHandlers['line_paid']>().parameter(0).toEqualTypeOf<{ payoutId: string; txnId: number }>();
});
