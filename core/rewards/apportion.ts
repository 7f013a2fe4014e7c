/**
 * Shares out a whole number by weight: each gets the whole part of their due, and the rest goes one by one to the
 * largest remainders, the earlier first where they are equal. The parts add up to the total.
 */
export function apportion(total: bigint, weights: readonly bigint[]): bigint[] {
  const weightSum = sum(weights);
  if (weightSum <= 0n) throw new Error(`expected weights above zero, found a sum of ${weightSum}`);
  const parts = weights.map((weight) => (total * weight) / weightSum);
  // All remainders have the same denominator, so they compare as whole numbers.
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (total * weight) % weightSum }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  const left = Number(total - sum(parts));
  const isRaised = new Set(byRemainder.slice(0, left).map(({ index }) => index));
  return parts.map((part, index) => (isRaised.has(index) ? part + 1n : part));
}

/**
 * The same with a largest part: parts above `cap` are cut to it, and the surplus is shared out by weight among the
 * others. Null: the total is too large for all. Weights must be in descending order.
 */
export function apportionCapped(total: bigint, weights: readonly bigint[], cap: bigint): bigint[] | null {
  if (total > cap * BigInt(weights.length)) return null;
  let left = total;
  let weightLeft = sum(weights);
  let capped = 0;
  // A surplus only raises the others' parts: a part above the cap stays above it, so one pass finds them all.
  for (const weight of weights) {
    if (left * weight <= cap * weightLeft) break;
    left -= cap;
    weightLeft -= weight;
    capped += 1;
  }
  return [...Array.from({ length: capped }, () => cap), ...apportion(left, weights.slice(capped))];
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
