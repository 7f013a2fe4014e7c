import { expect, test } from 'vitest';
import { PAYLOAD, proofIn } from '../../../api/a2a/message.ts';
import { PARAMS, rpc, SKILL } from './world.ts';

const payment = { x402Version: 1, scheme: 'exact', network: 'base', payload: { signature: '0x' } };
const message = { metadata: { [PAYLOAD]: payment } };

test.each([
  ['SendMessage', { message }],
  ['message/send', { message }],
  [SKILL, { ...PARAMS, payment }],
])('the payment in a call of %s is seen before it is read', (method, params) => {
  expect(proofIn(rpc(method, params))).not.toBeNull();
});

test.each([
  // Otherwise each would do its work, over any limit, for as long as a caller repeats one payment.
  ['a call of a skill that has one in a message', SKILL, { ...PARAMS, message }],
  ['a message that has one beside it', 'SendMessage', { payment }],
  ['a method that takes none', 'GetTask', { id: 'x', payment, message }],
])('%s brings no payment', (_name, method, params) => {
  expect(proofIn(rpc(method, params))).toBeNull();
});

test.each([null, [], 'text', {}, { method: 1 }, { method: SKILL, params: [] }])('%j brings none either', (body) => {
  expect(proofIn(body)).toBeNull();
});
