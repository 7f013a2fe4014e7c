import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DROP_PEOPLE_MAX, sharesOf } from '../../../core/drops/drops.ts';
import { listHashOf } from '../../../db/drops/list-hash.ts';
import { microUsdc } from '../../../core/money.ts';

/** Few sums and names, so that two lists are often the same. */
const list = fc.record({
  amountMicroUsdc: fc.constantFrom(1_000_000n, 1_000_001n, 2_000_000n),
  people: fc.constantFrom(4, 8, DROP_PEOPLE_MAX),
  payees: fc.uniqueArray(fc.constantFrom('telegram:1', 'telegram:2', 'telegram:12', 'telegram:1,2'), { minLength: 1 }),
});

test('two lists have one hash only where they pay the same people the same, in the same order', () => {
  fc.assert(
    fc.property(list, list, (one, other) => {
      const linesOf = ({ amountMicroUsdc, people, payees }: typeof one) => {
        const shares = sharesOf(microUsdc(amountMicroUsdc), { people, taken: payees.length });
        return payees.map((userId, index) => `${userId} gets ${shares[index]}`);
      };
      const isSame = linesOf(one).join('\n') === linesOf(other).join('\n');
      expect(listHashOf(one, one.payees) === listHashOf(other, other.payees)).toBe(isSame);
    }),
    { numRuns: 2_000 },
  );
});
