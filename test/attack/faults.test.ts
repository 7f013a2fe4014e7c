import { expect, test } from 'vitest';
import { addHits, countHits, findReasons } from '../../scripts/torture/faults.ts';
import { SLICES } from '../../scripts/torture/slices.ts';
import { TORTURES } from '../../scripts/torture/tortures.ts';

const NAMED = ['kill at settle.after-send', 'drop'];

test('a torture is green when its verdict is exact and every fault that it names has fired', () => {
  const hits = { 'kill at settle.after-send': 1, drop: 3 };
  expect(findReasons('solana', NAMED, { isExact: true, hits })).toEqual([]);
});

test.each([
  ['was never counted', {}],
  ['was armed and hit nothing', { drop: 0 }],
])('a torture in which a fault %s is red, with a line that names the fault', (_, silent) => {
  const hits = { 'kill at settle.after-send': 1, ...silent };
  expect(findReasons('solana', NAMED, { isExact: true, hits })).toEqual(['solana: the fault "drop" never fired']);
});

test('a torture whose verdict is not exact is red, whatever has fired', () => {
  const hits = { 'kill at settle.after-send': 1, drop: 1 };
  expect(findReasons('kills', NAMED, { isExact: false, hits })).toEqual(['kills: the verdict is not exact']);
});

test('hits of several reports add up by name', () => {
  expect(addHits(countHits(['drop', 'late', 'drop']), { late: 2 })).toEqual({ drop: 2, late: 3 });
});

test.each(SLICES)('the slice of $torture names faults, and none that the whole torture does not name', (slice) => {
  const whole: readonly string[] = TORTURES[slice.torture].faults;
  const named = [...(slice.points ?? []).map((point) => `kill at ${point}`), ...slice.faults];
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((fault) => !whole.includes(fault))).toEqual([]);
});

test('every torture has a slice', () => {
  expect(SLICES.map(({ torture }) => torture).toSorted()).toEqual(Object.keys(TORTURES).toSorted());
});
