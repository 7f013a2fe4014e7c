import { expect, test } from 'vitest';
import { readTags, tagMemo, transferTag } from '../../../../chain/solana/messages/tags.ts';

const CARRIER = 'AAAAAAAAAAAAAAAAAAAAAA';

test('a memo names its transfers, in their order', () => {
  const ids = ['a1', 'b2', 'c3'];
  expect(readTags(tagMemo(CARRIER, ids))).toEqual(ids.map(transferTag));
});

test('the memos of two transactions differ even when they carry the same', () => {
  expect(tagMemo(CARRIER, ['a1'])).not.toBe(tagMemo('BBBBBBBBBBBBBBBBBBBBBB', ['a1']));
});

test.each(['', 'AAAAAAAA:', 'AAAAAAAA:1234567', 'AAAAAAAA:12345678 ', CARRIER, `${'a'.repeat(64)}`])(
  'the memo %j names none',
  (memo) => {
    expect(readTags(memo)).toEqual([]);
  },
);
