import { createKeyPairSignerFromBytes } from '@solana/kit';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { toBase58 } from '../../../../chain/solana/messages/base58.ts';
import { readSolanaKey } from '../../../../chain/solana/messages/key.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { isCancelledBySolana } from '../../../../chain/solana/transactions/cancellation.ts';
import { signPayment } from '../../../../chain/solana/transactions/payment-transaction.ts';
import { createSolanaSigner } from '../../../../chain/solana/transactions/wallet-signer.ts';

const pair = Keypair.generate();
const key = readSolanaKey(toBase58(pair.secretKey));
const other = () => Keypair.generate().publicKey.toBase58();
const [payTo, feePayer, blockhash] = [other(), other(), other()];
const reads = (height: number | null = null) => ({
  latestBlockhash: async () => ({ blockhash, lastValidHeight: 100 }),
  finalizedHeight: async () => height,
});
const transfer = { payTo, feePayer, amountMicroUsdc: 10_000n, binding: 'ab'.repeat(32) };
const profile = solanaProfile('mainnet');
const wallet = {
  address: key.address,
  signMessage: async (message: Uint8Array) => key.sign(message),
  async signTransaction(bytes: Uint8Array) {
    const transaction = VersionedTransaction.deserialize(bytes);
    transaction.sign([pair]);
    return transaction.serialize();
  },
};

test('a key of kit and a wallet sign the same payment that our own key signs', async () => {
  const terms = { payTo, feePayer, amountMicroUsdc: 10_000n, blockhash, memo: transfer.binding };
  const wanted = { payload: { transaction: signPayment(key, terms, profile) }, end: { lastValidHeight: 100 } };
  for (const owner of [await createKeyPairSignerFromBytes(pair.secretKey), wallet]) {
    expect(await createSolanaSigner(owner, { reads: reads() }).sign(transfer, 0)).toEqual(wanted);
  }
});

test('both sign that a payment is taken back', async () => {
  for (const owner of [await createKeyPairSignerFromBytes(pair.secretKey), wallet]) {
    const signature = await createSolanaSigner(owner, { reads: reads() }).signCancellation({
      txnId: 7,
      validBefore: 9,
    });
    const cancellation = { network: profile.caip2, txnId: 7, validBefore: 9 };
    expect(isCancelledBySolana(key.address, cancellation, signature)).toBe(true);
  }
});

test.each([
  ['without a fee payer', { feePayer: null }, 'fee payer'],
  ['to where money is lost', { payTo: profile.usdc }, 'may not go'],
])('no payment is signed %s', async (_title, wrong, why) => {
  const signer = createSolanaSigner(wallet, { reads: reads() });
  await expect(signer.sign({ ...transfer, ...wrong }, 0)).rejects.toThrow(why);
});

test('a wallet that puts another blockhash into it is refused, since its end would be another', async () => {
  const changing = {
    ...wallet,
    async signTransaction(bytes: Uint8Array) {
      const transaction = VersionedTransaction.deserialize(bytes);
      transaction.message.recentBlockhash = other();
      return transaction.serialize();
    },
  };
  const signer = createSolanaSigner(changing, { reads: reads() });
  await expect(signer.sign(transfer, 0)).rejects.toThrow('blockhash');
});

test.each([
  [null, false],
  [100, false],
  [101, true],
])('with a finalized height of %s a header is over: %s', async (height, isOver) => {
  const signer = createSolanaSigner(wallet, { reads: reads(height) });
  expect(await signer.isOver({ lastValidHeight: 100 }, 0)).toBe(isOver);
  expect(await signer.isOver({ validBefore: 1 }, 1e15)).toBe(false);
});
