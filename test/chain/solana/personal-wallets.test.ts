import { hkdfSync, randomBytes } from 'node:crypto';
import { Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { checkSolanaPayment, coSign, readSolanaPayment } from '../../../chain/solana/transactions/inbound.ts';
import { createSolanaPersonalWallets } from '../../../chain/solana/personal-wallets.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { createSolanaRpc, type SolanaRpc } from '../../../chain/solana/rpc/rpc.ts';
import {
  coSignWithdrawal,
  isWithdrawalFor,
  readWithdrawal,
  withdrawalMemo,
} from '../../../chain/solana/transactions/withdrawal-transaction.ts';
import { microUsdc } from '../../../core/money.ts';
import { boundNonce, isBoundNonce } from '../../../core/request-hash.ts';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';
import { feePayerOf } from '../signing/signers.ts';
import type { SolanaSigner } from '../../../chain/solana/messages/signer.ts';

const profile = solanaProfile('local');
const wallets = createSolanaPersonalWallets({ seed: Buffer.alloc(32, 7), profile });
const ALICE = 'x:44196397';
const REQUEST_HASH = 'ab'.repeat(32);

let chain: SolanaChain;
let rpc: SolanaRpc;
let feePayer: SolanaSigner;
let treasury: string;

beforeAll(async () => {
  chain = await startSolanaChain();
  feePayer = feePayerOf(await chain.createKeypair({ lamports: 1_000_000_000n }), profile);
  treasury = (await chain.createKeypair({ usdc: microUsdc(1n) })).publicKey.toBase58();
  await chain.fundUsdc(wallets.addressOf(ALICE), microUsdc(5_000_000n));
  rpc = createSolanaRpc({ url: chain.rpcUrl, timeoutMs: 5_000, profile, ownAccounts: [] });
});
afterAll(() => chain?.close());

async function terms(change: Partial<{ feePayer: string; amountMicroUsdc: bigint; memo: string }> = {}) {
  const { blockhash } = await rpc.latestBlockhash();
  return { feePayer: feePayer.address, amountMicroUsdc: 10_000n, blockhash, memo: 'note', ...change };
}

async function land({ wire, signature }: { wire: string; signature: string }) {
  expect(await rpc.simulate(wire)).toMatchObject({ ok: true });
  await rpc.sendRaw(wire);
  chain.mine();
  const { statuses } = await rpc.statuses([signature]);
  expect(statuses[0]).toMatchObject({ failed: false });
}

describe('addresses', () => {
  test('the same seed and wallet id give the same address for ever', () => {
    expect(wallets.addressOf('web:1')).toBe('HT1zJ4WogVzP5WbK7GWJUgTyXm81xWkw3HBc3PtKM1mp');
    expect(wallets.addressOf('discord:81384788765712384')).toBe('Ayv6sQgEghmBE9tTatt4B4d3MzFAMkqnCfijxTks87zu');
  });

  test('ids that agree in their first 31 bits, or as numbers, have different wallets', () => {
    const ids = ['telegram:1', 'telegram:2147483649', 'telegram:01', 'discord:1'];
    expect(new Set(ids.map(wallets.addressOf)).size).toBe(ids.length);
  });

  test('the key is the one that web3.js makes of the derived bytes', () => {
    const info = 'pennypost/wallet/v1/solana/web:1';
    const bytes = new Uint8Array(hkdfSync('sha256', Buffer.alloc(32, 7), '', info, 32));
    expect(wallets.addressOf('web:1')).toBe(Keypair.fromSeed(bytes).publicKey.toBase58());
  });

  test.each(['', 'a b', 'web:ä', 'x'.repeat(301)])('the wallet id %j is refused', (walletId) => {
    expect(() => wallets.addressOf(walletId)).toThrow('wallet id');
  });
});

describe('a payment', () => {
  test('passes the check for strangers’ payments, and lands once it is co-signed', async () => {
    const memo = boundNonce(REQUEST_HASH, randomBytes(16).toString('hex'));
    const wire = await wallets.signPayment(ALICE, { ...(await terms({ memo })), payTo: treasury });
    const payment = readSolanaPayment({ transaction: wire });
    if (!payment) throw new Error('the payment could not be read');
    const asked = { profile, payTo: treasury, feePayer: feePayer.address, amount: 10_000n };
    expect(await checkSolanaPayment(payment, asked)).toBe('ok');
    expect(payment.memos.map((text) => isBoundNonce(text, REQUEST_HASH))).toEqual([true]);
    const before = await chain.usdcBalance(treasury);
    await land(await coSign(wire, feePayer));
    expect((await chain.usdcBalance(treasury)) - before).toBe(10_000n);
  });

  test('is signed by the wallet alone, so that nobody can land it without us', async () => {
    const wire = await wallets.signPayment(ALICE, { ...(await terms()), payTo: treasury });
    const { signatures } = VersionedTransaction.deserialize(Buffer.from(wire, 'base64'));
    expect(signatures.map((signature) => signature.some((byte) => byte !== 0))).toEqual([false, true]);
  });

  test.each([
    ['a mint', () => profile.usdc],
    ['a token account', () => tokenAccountOf(treasury, profile)],
    ['the wallet itself', () => wallets.addressOf(ALICE)],
    ['the fee payer', () => feePayer.address],
  ])('to %s is never signed', async (_name, payTo) => {
    const asked = { ...(await terms()), payTo: payTo() };
    await expect(wallets.signPayment(ALICE, asked)).rejects.toThrow('may not pay');
    await expect(wallets.signWithdrawal(ALICE, { ...asked, to: payTo(), opensAccount: true })).rejects.toThrow(
      'may not pay',
    );
  });

  test.each([0n, -1n, 2n ** 64n])('of %d micro-USDC is never signed', async (amountMicroUsdc) => {
    const asked = { ...(await terms({ amountMicroUsdc })), payTo: treasury };
    await expect(wallets.signPayment(ALICE, asked)).rejects.toThrow('micro-USDC');
  });

  test.each(['', 'two words', 'ä', 'x'.repeat(129)])('with the memo %j is never signed', async (memo) => {
    const asked = { ...(await terms({ memo })), payTo: treasury };
    await expect(wallets.signPayment(ALICE, asked)).rejects.toThrow('memo');
  });

  test('whose fee the wallet would pay itself is never signed', async () => {
    const asked = { ...(await terms({ feePayer: wallets.addressOf(ALICE) })), payTo: treasury };
    await expect(wallets.signPayment(ALICE, asked)).rejects.toThrow('must sign');
  });
});

describe('a withdrawal', () => {
  test.each([
    ['to a person with a token account', false],
    ['to a person without one, which is opened at our cost', true],
  ])('%s lands once it is co-signed', async (_name, opensAccount) => {
    const keypair = await chain.createKeypair(opensAccount ? {} : { usdc: microUsdc(1n) });
    const to = keypair.publicKey.toBase58();
    const name = { id: randomBytes(16).toString('hex'), generation: 3 };
    const before = [await chain.usdcBalance(to), await chain.lamports(feePayer.address)] as const;
    const asked = { ...(await terms({ memo: withdrawalMemo(name) })), to, opensAccount };
    const wire = await wallets.signWithdrawal(ALICE, asked);
    const found = readWithdrawal(wire, profile);
    if (!found) throw new Error('the withdrawal could not be read');
    const wanted = { ...name, from: wallets.addressOf(ALICE), to, amount: 10_000n, feePayer: feePayer.address };
    expect(isWithdrawalFor(found, wanted, profile)).toBe(true);
    expect(found.opensFor).toBe(opensAccount ? to : null);
    await land(await coSignWithdrawal(wire, feePayer, profile));
    expect((await chain.usdcBalance(to)) - before[0]).toBe(10_000n);
    const rent = opensAccount ? await rpc.tokenAccountRent() : 0n;
    const cost = before[1] - (await chain.lamports(feePayer.address));
    expect(cost - rent).toBeLessThan(10_200n);
  });

  test('whose account was opened meanwhile lands all the same', async () => {
    const to = (await chain.createKeypair({ usdc: microUsdc(1n) })).publicKey.toBase58();
    const asked = { ...(await terms({ memo: 'a/0' })), to, opensAccount: true };
    await land(await coSignWithdrawal(await wallets.signWithdrawal(ALICE, asked), feePayer, profile));
    expect(await chain.usdcBalance(to)).toBe(10_001n);
  });

  test.each(['note', 'a/01', 'a/-1', '/0', 'a/0/0'])('is never signed under the name %j', async (memo) => {
    const asked = { ...(await terms({ memo })), to: treasury, opensAccount: false };
    await expect(wallets.signWithdrawal(ALICE, asked)).rejects.toThrow('memo');
  });

  test('to what only a program could spend is never signed', async () => {
    const [vault] = PublicKey.findProgramAddressSync([Buffer.from('vault')], Keypair.generate().publicKey);
    const asked = { ...(await terms({ memo: 'a/0' })), to: vault.toBase58(), opensAccount: true };
    await expect(wallets.signWithdrawal(ALICE, asked)).rejects.toThrow('may not pay');
  });
});
