import { expect, test } from 'vitest';
import { checkTerms } from '../../../bot/shared/terms.ts';
import { PINNED, usdc } from '../harness.ts';

const pinned = { ...PINNED, costLine: usdc(0.01) };

function priced(amount: bigint) {
  const terms = {
    scheme: 'exact',
    network: PINNED.caip2,
    amount: amount.toString(),
    asset: PINNED.asset,
    payTo: PINNED.payTo,
    maxTimeoutSeconds: 60,
    extra: { name: PINNED.name, version: PINNED.version, requestHash: 'ab'.repeat(32) },
  };
  return { x402Version: 2 as const, accepts: [terms] };
}

test.each([
  ['the price', 1_000_000n, 1, 'agreed'],
  ['the price with its cost', 1_010_000n, 1, 'agreed'],
  ['a micro-USDC more than that', 1_010_001n, 1, 'refused'],
  ['less than the price', 999_999n, 1, 'refused'],
  ['the cost of a payment to three, for three', 1_020_000n, 3, 'agreed'],
  ['the cost of a payment to three, for one', 1_020_000n, 1, 'refused'],
] as const)('%s: %d to %i is %s', (_what, amount, recipients, kind) => {
  const check = checkTerms(priced(amount), usdc(1), pinned, recipients);
  expect(check.kind).toBe(kind);
  if (check.kind === 'agreed') expect(check.total).toBe(amount);
});

test('where no cost is ever asked, only the price is agreed to', () => {
  expect(checkTerms(priced(1_010_000n), usdc(1), PINNED).kind).toBe('refused');
});
