import { keccak256, recoverTypedDataAddress, toBytes } from 'viem';
import { describe, expect, test } from 'vitest';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { payoutNonce, sweepNonce, withdrawalNonce } from '../../../chain/evm/nonces.ts';
import { createSweepSigner } from '../../../chain/signing/evm.ts';
import { localEvmKey } from '../../../chain/signing/keys.ts';
import { randomAddress, randomHash, typedData } from '../evm/authorizations.ts';

const profile = evmProfile('base', 'local');
const treasury = randomAddress();
const key = randomHash();
const signer = createSweepSigner(localEvmKey(key), profile, treasury);
const order = { sweepId: 'a1'.repeat(16), value: 10_000n, validBefore: 3_600 };

describe('a signed sweep', () => {
  test('is an authorization of the task address for the treasury and nobody else', async () => {
    const { authorization, signature } = await signer.signSweep(order);
    const nonce = keccak256(toBytes(`pennypost/sweep/${order.sweepId}`));
    expect(authorization).toEqual({
      from: addressOfKey(key),
      to: treasury,
      value: 10_000n,
      validAfter: 0,
      validBefore: 3_600,
      nonce,
    });
    const signedBy = await recoverTypedDataAddress({ ...typedData(profile, authorization), signature });
    expect(signedBy.toLowerCase()).toBe(signer.address);
  });

  test('of nothing is refused', async () => {
    await expect(signer.signSweep({ ...order, value: 0n })).rejects.toThrow('more than zero');
  });
});

test('the nonce of a sweep is never that of a payout or a withdrawal', () => {
  const nonces = [sweepNonce('a'), sweepNonce('b'), payoutNonce('a'), withdrawalNonce({ id: 'a', generation: 0 })];
  expect(new Set(nonces).size).toBe(4);
});

test('the treasury cannot be its own task address', () => {
  expect(() => createSweepSigner(localEvmKey(key), profile, addressOfKey(key))).toThrow(
    'must be another key than the treasury',
  );
});
