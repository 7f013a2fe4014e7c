import { expect, test } from 'vitest';
import { answers, aside, conflictLock, counterLock, marks, payerLock, turnNames } from '../../../db/store/locks.ts';

const [ofAll = ''] = turnNames(new Set([conflictLock]));
const some = Array.from({ length: 40 }, (_, index) => counterLock(`0x${index}`));

test('whatever a transaction waits for besides, the lock of all comes last', () => {
  for (const lock of some.filter((one) => turnNames(new Set([one]))[0] !== ofAll)) {
    expect(turnNames(new Set([conflictLock, lock]))).toEqual([...turnNames(new Set([lock])), ofAll]);
  }
});

test('any two are waited for in the same order by all', () => {
  const all = turnNames(new Set([conflictLock, counterLock('a'), ...some]));
  const pairs = some.flatMap((one) => some.map((other) => turnNames(new Set([one, other, conflictLock]))));
  for (const names of pairs) expect(all.filter((name) => names.includes(name))).toEqual(names);
});

test('what shares or stands aside waits for no table', () => {
  const each = [aside, answers, marks, payerLock('0xa'), payerLock('0xb')].map((lock) => turnNames(new Set([lock])));
  expect(each).toEqual([[], ['answers'], ['marks'], ['payers'], ['payers']]);
});
