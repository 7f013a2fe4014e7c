import { keccak256, recoverTypedDataAddress, toBytes } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { payoutNonce, withdrawalNonce } from '../../../chain/evm/nonces.ts';
import { createTreasurySigner, type PayoutOrder } from '../../../chain/signing/evm.ts';
import { localEvmKey } from '../../../chain/signing/keys.ts';
import { randomAddress, randomHash, typedData } from '../evm/authorizations.ts';

const profile = evmProfile('base', 'local');
const key = randomHash();
const lane = randomAddress();
const treasury = createTreasurySigner(localEvmKey(key), profile, [lane]);

function someOrder(change: Partial<PayoutOrder> = {}): PayoutOrder {
  const to = randomAddress();
  return { payoutId: 'a1'.repeat(16), to, value: 10_000n, validAfter: 0, validBefore: 3_600, ...change };
}

describe('the nonce of a payout', () => {
  test('is a function of the payout alone, so every generation has it', async () => {
    const first = await treasury.signPayout(someOrder());
    const again = await treasury.signPayout(someOrder({ value: 5n, validBefore: 9_999 }));
    expect(again.authorization.nonce).toBe(first.authorization.nonce);
    expect(first.authorization.nonce).toBe(keccak256(toBytes(`pennypost/payout/${'a1'.repeat(16)}`)));
  });

  test('differs for another payout', () => {
    expect(new Set([payoutNonce('a'), payoutNonce('a1'), payoutNonce('b')]).size).toBe(3);
  });

  test.each(['', 'a/1', 'a b', 'ä', 'x'.repeat(65)])('the payout id %j is refused', (payoutId) => {
    expect(() => payoutNonce(payoutId)).toThrow('payout id');
  });
});

describe('the nonce of a withdrawal', () => {
  test('is a function of withdrawal and generation, and never that of a payout', () => {
    const nonce = withdrawalNonce({ id: 'a1', generation: 2 });
    expect(nonce).toBe(keccak256(toBytes('pennypost/withdraw/a1/2')));
    const others = [withdrawalNonce({ id: 'a1', generation: 3 }), payoutNonce('a1')];
    expect(new Set([nonce, ...others]).size).toBe(3);
  });

  test('is refused for what could be read in two ways', () => {
    expect(() => withdrawalNonce({ id: 'a/1', generation: 2 })).toThrow('withdraw id');
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 53])('is refused for generation %d', (generation) => {
    expect(() => withdrawalNonce({ id: 'a', generation })).toThrow('generation');
  });
});

describe('a signed payout', () => {
  test('is an authorization of the treasury for exactly the order', async () => {
    const order = someOrder();
    const { authorization, signature } = await treasury.signPayout(order);
    const { payoutId, ...rest } = order;
    expect(authorization).toEqual({ ...rest, from: treasury.address, nonce: payoutNonce(payoutId) });
    const signer = await recoverTypedDataAddress({ ...typedData(profile, authorization), signature });
    expect(signer).toBe(privateKeyToAddress(key));
    expect(signer.toLowerCase()).toBe(treasury.address);
  });

  test('has the same bytes when it is signed again', async () => {
    const order = someOrder();
    expect(await treasury.signPayout(order)).toEqual(await treasury.signPayout(order));
  });

  test.each([
    ['the treasury itself', treasury.address],
    ['a lane', lane],
    ['zero', '0x0000000000000000000000000000000000000000'],
    ['USDC', profile.usdc],
    ['Multicall3', profile.multicall],
  ] as const)('is refused to %s', async (_name, to) => {
    await expect(treasury.signPayout(someOrder({ to }))).rejects.toThrow('may not go');
  });

  test.each([0n, -1n])('is refused for %d micro-USDC', async (value) => {
    await expect(treasury.signPayout(someOrder({ value }))).rejects.toThrow('more than zero');
  });

  test('is refused when it could never land', async () => {
    await expect(treasury.signPayout(someOrder({ validAfter: 10, validBefore: 10 }))).rejects.toThrow('10 to 10');
  });
});
