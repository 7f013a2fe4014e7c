import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenAccountOf } from '../../../../chain/solana/messages/addresses.ts';
import {
  checkSolanaPayment,
  coSign,
  FEE_CAPS,
  readSolanaPayment,
  type SolanaPayment,
  type SolanaTerms,
} from '../../../../chain/solana/transactions/inbound.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { createSolanaRpc } from '../../../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../../../core/money.ts';
import { type SolanaChain, startSolanaChain } from '../../../support/chains/solana-chain.ts';
import { memo } from '../../../local/solana/transfers.ts';
import { paymentInstructions, stockPayload, toPartlySigned, toPayload } from '../payments.ts';
import { feePayerOf } from '../../signing/signers.ts';

const profile = solanaProfile('local');
const PRICE = 10_000n;

let chain: SolanaChain;
let payer: Keypair;
let feePayer: Keypair;
let treasury: Keypair;
let terms: SolanaTerms;

beforeAll(async () => {
  chain = await startSolanaChain();
  payer = await chain.createKeypair({ usdc: microUsdc(1_000_000n) });
  feePayer = await chain.createKeypair({ lamports: 1_000_000_000n });
  treasury = await chain.createKeypair({ usdc: microUsdc(1n) });
  terms = { profile, payTo: treasury.publicKey.toBase58(), feePayer: feePayer.publicKey.toBase58(), amount: PRICE };
});
afterAll(() => chain?.close());

function readGood(payload: unknown): SolanaPayment {
  const payment = readSolanaPayment(payload);
  if (!payment) throw new Error('the payment could not be read');
  return payment;
}

const feeKey = () => feePayerOf(feePayer, profile);

function connect() {
  const ownAccounts = [{ account: tokenAccountOf(terms.payTo, profile), owner: terms.payTo }];
  return createSolanaRpc({ url: chain.rpcUrl, timeoutMs: 5_000, profile, ownAccounts });
}

describe.each([1, 2] as const)('a payment of the stock client of generation %s', (generation) => {
  test('is read, passes the check, and lands once it is co-signed', async () => {
    const payment = readGood(await stockPayload(chain, payer, terms, generation));
    expect(payment).toMatchObject({
      payer: payer.publicKey.toBase58(),
      feePayer: terms.feePayer,
      source: tokenAccountOf(payer.publicKey.toBase58(), profile),
      destination: tokenAccountOf(terms.payTo, profile),
      mint: profile.usdc,
      amount: PRICE,
    });
    expect(await checkSolanaPayment(payment, terms)).toBe('ok');

    const rpc = connect();
    expect(await rpc.simulate(payment.wire)).toMatchObject({ ok: true });
    const before = await chain.usdcBalance(treasury.publicKey);
    const { wire, signature } = await coSign(payment.wire, feeKey());
    await rpc.sendRaw(wire);
    chain.mine();
    expect(await chain.usdcBalance(treasury.publicKey)).toBe(before + PRICE);
    expect(await rpc.transaction(signature)).toMatchObject({
      signature,
      messageHash: payment.messageHash,
      memos: payment.memos,
      // Two signatures, and 20,000 units at a millionth of a lamport.
      lamportsSpent: 10_001n,
      transfers: [
        {
          authorizer: payment.payer,
          nonce: payment.messageHash,
          from: payment.payer,
          to: terms.payTo,
          value: PRICE,
          position: 0,
        },
      ],
    });
  });

  test('has one memo, which makes two payments of the same amount differ', async () => {
    const [one, other] = [
      await stockPayload(chain, payer, terms, generation),
      await stockPayload(chain, payer, terms, generation),
    ];
    expect(readGood(one).memos).toHaveLength(1);
    expect(readGood(one).messageHash).not.toBe(readGood(other).messageHash);
  });
});

test('a payment at both fee caps costs us 15,000 lamports, and no payment more', async () => {
  const { blockhash } = await connect().latestBlockhash();
  const parts = { payer, feePayer: feePayer.publicKey, payTo: treasury.publicKey, amount: PRICE, blockhash };
  const { limit, price, transfer } = paymentInstructions(parts);
  limit.data.writeUInt32LE(FEE_CAPS.units, 1);
  price.data.writeBigUInt64LE(BigInt(FEE_CAPS.microLamportsPerUnit), 1);
  const payment = readGood(toPayload(toPartlySigned(parts, [limit, price, transfer, memo('caps')], [payer])));
  expect(await checkSolanaPayment(payment, terms)).toBe('ok');
  const before = await chain.lamports(feePayer.publicKey);
  await connect().sendRaw((await coSign(payment.wire, feeKey())).wire);
  expect(before - (await chain.lamports(feePayer.publicKey))).toBe(15_000n);
});

describe('co-signing', () => {
  test('changes nothing but the fee payer’s signature', async () => {
    const { wire } = readGood(await stockPayload(chain, payer, terms, 2));
    const [before, after] = [wire, (await coSign(wire, feeKey())).wire].map((text) =>
      VersionedTransaction.deserialize(Buffer.from(text, 'base64')),
    );
    expect(after?.message.serialize()).toEqual(before?.message.serialize());
    expect(after?.signatures[1]).toEqual(before?.signatures[1]);
    expect(before?.signatures[0]).toEqual(new Uint8Array(64));
  });

  test('overwrites whatever stood in the fee payer’s place', async () => {
    const { wire } = readGood(await stockPayload(chain, payer, terms, 2));
    const garbled = Buffer.from(wire, 'base64').fill(7, 1, 65).toString('base64');
    expect(await coSign(garbled, feeKey())).toEqual(await coSign(wire, feeKey()));
    expect(readGood({ transaction: garbled }).messageHash).toBe(readGood({ transaction: wire }).messageHash);
  });

  test('never signs as another service’s fee payer', async () => {
    const { wire } = readGood(await stockPayload(chain, payer, terms, 2));
    const other = feePayerOf(Keypair.generate(), profile);
    await expect(coSign(wire, other)).rejects.toThrow('fee payer');
  });

  test('never signs what moves the fee payer’s own money', async () => {
    const { blockhash } = await connect().latestBlockhash();
    const parts = { payer: feePayer, feePayer: feePayer.publicKey, payTo: treasury.publicKey, amount: 1n, blockhash };
    const { limit, price, transfer } = paymentInstructions(parts);
    const { transaction } = toPayload(toPartlySigned(parts, [limit, price, transfer], []));
    await expect(coSign(transaction, feeKey())).rejects.toThrow('nowhere else');
  });
});
