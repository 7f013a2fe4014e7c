import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DROP_PEOPLE_MAX, DROP_PEOPLE_MIN, payeesAmong, sharesOf, type Taker } from '../../../core/drops/drops.ts';
import { microUsdc, sumUsdc } from '../../../core/money.ts';

const people = fc.integer({ min: DROP_PEOPLE_MIN, max: DROP_PEOPLE_MAX });
const amount = fc.bigInt({ min: 20_000n, max: 200_000_000n }).map(microUsdc);

test('all shares together are the sum, fewer are never more, and what a share is does not depend on who came', () => {
  fc.assert(
    fc.property(amount, people, fc.nat(DROP_PEOPLE_MAX), (sum, count, taken) => {
      const all = sharesOf(sum, { people: count, taken: count });
      expect(sumUsdc(all)).toBe(sum);
      const some = sharesOf(sum, { people: count, taken: Math.min(taken, count) });
      expect(some).toEqual(all.slice(0, some.length));
      expect(Number((all[0] ?? 0n) - (all.at(-1) ?? 0n))).toBeLessThanOrEqual(1);
    }),
  );
});

/** Few people with several accounts each, and few names that link them. */
const takers = fc
  .uniqueArray(
    fc.record({
      userId: fc.integer({ min: 1, max: 12 }).map((id) => `telegram:${id}`),
      names: fc.uniqueArray(fc.constantFrom('n1', 'n2', 'n3', 'n4'), { maxLength: 2 }),
      isStruck: fc.boolean(),
    }),
    { selector: ({ userId }) => userId, maxLength: DROP_PEOPLE_MAX },
  )
  .map((list): Taker[] => list);

test('no two payees share a name, no struck person is paid under another one, and the others keep their order', () => {
  fc.assert(
    fc.property(takers, (list) => {
      const paid = payeesAmong(list);
      const of = (userId: string) => list.find((one) => one.userId === userId);
      const names = paid.flatMap((userId) => of(userId)?.names ?? []);
      expect(new Set(names).size).toBe(names.length);
      const struck = new Set(list.flatMap((one) => (one.isStruck ? [...one.names, one.userId] : [])));
      for (const name of [...names, ...paid]) expect(struck).not.toContain(name);
      expect(paid).toEqual(list.map(({ userId }) => userId).filter((userId) => paid.includes(userId)));
      // Who bears no name with anybody is paid unless struck.
      const alone = list.filter(({ names: own, isStruck }) => own.length === 0 && !isStruck);
      for (const { userId } of alone) expect(paid).toContain(userId);
    }),
  );
});
