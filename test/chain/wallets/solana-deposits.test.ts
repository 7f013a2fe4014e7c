import type { Keypair, TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSolanaDeposits } from '../../../chain/wallets/solana-deposits.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { createSolanaRpc } from '../../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../../core/money.ts';
import {
  createUsdcAccount,
  memo,
  randomAddress,
  toTransaction,
  toWire,
  usdcTransfer,
} from '../../local/solana/transfers.ts';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';

const profile = solanaProfile('local');

let chain: SolanaChain;
let stranger: Keypair;
let ours: Keypair;
beforeAll(async () => {
  chain = await startSolanaChain();
  const money = { usdc: microUsdc(90_000_000n), lamports: 10_000_000_000n };
  [stranger, ours] = [await chain.createKeypair(money), await chain.createKeypair(money)];
});
afterAll(() => chain?.close());

const connect = () => createSolanaRpc({ url: chain.rpcUrl, timeoutMs: 5_000, profile, ownAccounts: [] });
const readsOf = (atOnce?: number) => createSolanaDeposits(connect(), profile, [ours.publicKey.toBase58()], atOnce);

async function land(payer: Keypair, ...instructions: TransactionInstruction[]): Promise<string> {
  const { blockhash } = await connect().latestBlockhash();
  const transaction = toTransaction({ payer, blockhash, instructions });
  const options = { encoding: 'base64', skipPreflight: true };
  const signature = (await chain.rpc('sendTransaction', toWire(transaction), options)) as string;
  chain.mine();
  return signature;
}

test('what strangers send is found once it is final, each wallet’s part, and nothing that we sent', async () => {
  const [alice, bob] = [randomAddress(), randomAddress()];
  const to = stranger.publicKey;
  // One transaction that pays both: each has a first transfer.
  const both = await land(
    stranger,
    createUsdcAccount(to, alice),
    createUsdcAccount(to, bob),
    usdcTransfer(to, alice, 3_200_000n),
    usdcTransfer(to, bob, 5n),
  );
  await land(ours, usdcTransfer(ours.publicKey, alice, 1_000_000n));
  // More than there is: it fails, and is listed all the same.
  await land(stranger, usdcTransfer(to, alice, 900_000_000n));
  const second = await land(stranger, usdcTransfer(to, alice, 7n), memo('again'));
  const reads = readsOf();
  expect(await reads.blockBefore(Date.now())).toBe(0);
  chain.finalize();
  const newest = await reads.newestBlock();
  const place = { place: 0, atMs: expect.any(Number) as number };
  const ofAlice = { ...place, to: alice.toBase58() };
  expect(await reads.depositsTo([alice.toBase58()], 1, newest)).toEqual({
    upTo: newest,
    found: [
      { ...ofAlice, transaction: both, amount: 3_200_000n },
      { ...ofAlice, transaction: second, amount: 7n },
    ],
  });
  const { found } = await reads.depositsTo([bob.toBase58()], 1, newest);
  expect(found).toEqual([{ ...place, to: bob.toBase58(), transaction: both, amount: 5n }]);
});

test('more than are read at once come with the next looks, each once', async () => {
  const alice = randomAddress();
  const from = stranger.publicKey;
  await land(stranger, createUsdcAccount(from, alice));
  const sent: string[] = [];
  for (let number = 1; number <= 4; number += 1) {
    sent.push(await land(stranger, usdcTransfer(from, alice, BigInt(number)), memo(`${number}`)));
  }
  chain.finalize();
  const reads = readsOf(3);
  const newest = await reads.newestBlock();
  const first = await reads.depositsTo([alice.toBase58()], 1, newest);
  expect(first.upTo).toBeLessThan(newest);
  const second = await reads.depositsTo([alice.toBase58()], first.upTo + 1, newest);
  expect(second.upTo).toBe(newest);
  expect([...first.found, ...second.found].map(({ transaction }) => transaction)).toEqual(sent);
});
