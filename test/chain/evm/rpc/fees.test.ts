import { describe, expect, test } from 'vitest';
import {
  BATCH_ITEMS_MAX,
  bumpFees,
  CONTRACT_PAYER_GAS,
  feesFor,
  gasLimitFor,
  TIGHT_ITEMS_MAX,
  tightGasFor,
} from '../../../../chain/evm/rpc/fees.ts';
import { evmProfile } from '../../../../chain/evm/rpc/profile.ts';

const RULES = { tip: 3n, feeMax: 10n ** 20n };

describe('gas', () => {
  test.each(['base', 'polygon'] as const)(
    'a full batch fits one transaction on %s and one more item would not',
    (network) => {
      const { gasMax } = evmProfile(network, 'mainnet').rules;
      expect(BATCH_ITEMS_MAX).toBe(167);
      expect(gasLimitFor(BATCH_ITEMS_MAX)).toBeLessThanOrEqual(gasMax);
      expect(gasLimitFor(BATCH_ITEMS_MAX) + 100_000n).toBeGreaterThan(gasMax);
      expect(TIGHT_ITEMS_MAX).toBe(283);
      expect(tightGasFor(TIGHT_ITEMS_MAX).limit).toBeLessThanOrEqual(gasMax);
    },
  );

  test.each([0, -1, 1.5, 168, Number.NaN])('a batch of %d items is refused', (count) => {
    expect(() => gasLimitFor(count)).toThrow('1 to 167');
  });

  test.each([0, 1.5, 284])('a batch of %d items has no tight limit', (count) => {
    expect(() => tightGasFor(count)).toThrow('1 to 283');
  });

  test('a tight limit is used only where a simulation with an eighth less works', () => {
    const { limit, proof } = tightGasFor(200);
    expect(proof * 8n).toBe(limit * 7n);
  });

  test('each count leaves room above what was measured', () => {
    expect(gasLimitFor(1)).toBeGreaterThan(85_700n + 20_000n);
    expect(gasLimitFor(100)).toBeGreaterThan(100n * (43_000n + 20_000n) + 40_000n);
    expect(CONTRACT_PAYER_GAS).toBeGreaterThan(gasLimitFor(1));
  });
});

describe('fees', () => {
  test('the base fee may double before a transaction is stuck', () => {
    expect(feesFor(10n, RULES)).toEqual({ maxFeePerGas: 23n, maxPriorityFeePerGas: 3n });
  });

  test.each([0n, 1n, 7n, 8n, 9n, 1_000_001n, 10n ** 18n])(
    '%d wei rise by an eighth at least, on both numbers',
    (fee) => {
      const bumped = bumpFees({ maxFeePerGas: fee, maxPriorityFeePerGas: fee }, 0n, RULES);
      for (const raised of Object.values(bumped ?? {})) {
        expect(raised).toBeGreaterThan(fee);
        expect(raised * 8n).toBeGreaterThanOrEqual(fee * 9n);
      }
    },
  );

  test('a replacement follows a base fee that ran away', () => {
    const bumped = bumpFees({ maxFeePerGas: 100n, maxPriorityFeePerGas: 8n }, 1_000n, RULES);
    expect(bumped).toEqual({ maxFeePerGas: 2_009n, maxPriorityFeePerGas: 9n });
  });

  test('room for a rising base fee ends at the highest fee of the chain, and what is dearer waits', () => {
    const rules = { tip: 30n, feeMax: 100n };
    expect(feesFor(50n, rules)).toEqual({ maxFeePerGas: 100n, maxPriorityFeePerGas: 30n });
    expect(feesFor(70n, rules)).toEqual({ maxFeePerGas: 100n, maxPriorityFeePerGas: 30n });
    expect(feesFor(71n, rules)).toBeNull();
  });

  test('a replacement is never dearer than the highest fee of the chain', () => {
    const rules = { feeMax: 100n };
    expect(bumpFees({ maxFeePerGas: 80n, maxPriorityFeePerGas: 8n }, 90n, rules)?.maxFeePerGas).toBe(100n);
    expect(bumpFees({ maxFeePerGas: 90n, maxPriorityFeePerGas: 8n }, 10n, rules)).toBeNull();
  });
});
