import { createHash } from 'node:crypto';
import { sharesOf } from '../../core/drops/drops.ts';
import { microUsdc } from '../../core/money.ts';

/**
 * Stands for one list of a drop: whom it pays, in this order, and how much each. Who presses a button below a list, or has
 * confirmed one, has said yes to that list and to no other.
 */
export function listHashOf(
  { amountMicroUsdc, people }: { amountMicroUsdc: bigint; people: number },
  payees: readonly string[],
): string {
  const shares = sharesOf(microUsdc(amountMicroUsdc), { people, taken: payees.length });
  const lines = payees.map((userId, index) => [userId, String(shares[index])]);
  return createHash('sha256').update(JSON.stringify(lines)).digest('hex');
}
