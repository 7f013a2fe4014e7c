import { expect, test } from 'vitest';
import { textsEn } from '../../../texts/en.ts';
import { readRefusalWord, refusalText, refusalWord } from '../../../bot/pay/refusal-text.ts';

const said = (reason: string) => refusalText({ texts: textsEn }, reason, { recipient: 'x:alice', rewardFor: null });

test.each([
  ['order_in_progress', 'order_in_progress', 'Somebody is paying this already.'],
  ['receiver_opted_out', 'receiver_opted_out', '@alice on X doesn’t accept tips.'],
  ['payment_expired', 'changed_payment', 'What came back is not what we prepared'],
  ['invalid_exact_svm_payload_unknown_optional_instruction', 'wallet_added', 'Your wallet added something'],
  ['price_not_agreed', 'other', 'That did not work'],
  ['receiver_is_a_liar', 'other', 'That did not work'],
  ['constructor', 'other', 'That did not work'],
])('%s is the word %s, and is said', (reason, word, text) => {
  expect(refusalWord(reason)).toBe(word);
  expect(said(reason)).toContain(text);
  expect(said(word)).toBe(said(reason));
});

test.each(['price_not_agreed', 'receiver_', 'receiver_is_a_liar', '<b>', '', 'toString', 'OTHER'])(
  'an address that says %j says nothing',
  (found) => {
    expect(readRefusalWord(found)).toBeNull();
  },
);

test.each(['other', 'insufficient_funds', 'receiver_not_found'])('an address that says %s is read', (found) => {
  expect(readRefusalWord(found)).toBe(found);
});
