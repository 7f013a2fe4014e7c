import { type Hex, keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { encodeTransfer } from '../../../chain/evm/authorization.ts';
import { gasLimitFor } from '../../../chain/evm/rpc/fees.ts';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { encodeBatch } from '../../../chain/evm/rpc/multicall.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { type BatchToSign, createLane } from '../../../chain/signing/evm.ts';
import { localEvmKey } from '../../../chain/signing/keys.ts';
import { randomHash, someAuthorization } from '../evm/authorizations.ts';

const profile = evmProfile('base', 'local');
const laneKey = randomHash();
const { signBatch } = createLane(localEvmKey(laneKey), profile);
const someCall = () => encodeTransfer(someAuthorization(), `0x${'11'.repeat(65)}`);

function someBatch(change: Partial<BatchToSign> = {}): BatchToSign {
  const calls = [someCall(), someCall()];
  return {
    kind: 'inbound',
    step: 'new',
    laneNonce: 7,
    calls,
    gasLimit: gasLimitFor(2),
    fees: { maxFeePerGas: 21n, maxPriorityFeePerGas: 1n },
    ...change,
  };
}

describe('a signed batch', () => {
  test('is a transaction of the lane to Multicall3 and says nothing else', async () => {
    const batch = someBatch();
    const { raw } = await signBatch(batch);
    expect(parseTransaction(raw)).toMatchObject({
      type: 'eip1559',
      chainId: 8453,
      nonce: 7,
      to: profile.multicall.toLowerCase(),
      data: encodeBatch(batch.calls, profile),
      gas: 260_000n,
      maxFeePerGas: 21n,
      maxPriorityFeePerGas: 1n,
    });
    expect(parseTransaction(raw).value).toBeUndefined();
    const serialized = raw as `0x02${string}`;
    expect((await recoverTransactionAddress({ serializedTransaction: serialized })).toLowerCase()).toBe(
      addressOfKey(laneKey),
    );
  });

  test('has the bytes and the hash that viem gives the same transaction', async () => {
    for (const laneNonce of Array.from({ length: 50 }, (_, index) => index)) {
      const batch = someBatch({ laneNonce });
      const { raw, hash } = await signBatch(batch);
      const { to, data, gas, chainId } = parseTransaction(raw);
      const transaction = {
        type: 'eip1559',
        chainId: chainId!,
        nonce: laneNonce,
        to,
        data,
        gas,
        ...batch.fees,
      } as const;
      expect(raw).toBe(await privateKeyToAccount(laneKey).signTransaction(transaction));
      expect(hash).toBe(keccak256(raw));
    }
  });

  test('is the same for the same input', async () => {
    const batch = someBatch();
    const first = await signBatch(batch);
    expect(await signBatch(batch)).toEqual(first);
    expect((await signBatch({ ...batch, laneNonce: 8 })).hash).not.toBe(first.hash);
  });

  test('of one item is a call of the token itself', async () => {
    const batch = someBatch({ calls: [someCall()] });
    const { raw } = await signBatch(batch);
    expect(parseTransaction(raw)).toMatchObject({ to: profile.usdc.toLowerCase(), data: batch.calls[0] });
  });

  test('is refused without calls or above the gas of a transaction', async () => {
    await expect(signBatch(someBatch({ calls: [] }))).rejects.toThrow('at least one');
    await expect(signBatch(someBatch({ gasLimit: 16_777_217n }))).rejects.toThrow('16777216');
  });
});

test.each(['0x', '0x12', `0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, 'f'.repeat(66)])(
  'a wrong key is refused without being shown: %s',
  (key) => {
    expect(() => addressOfKey(key as Hex)).toThrow(/^a private key must be 0x and 64 hex digits, below/);
  },
);
