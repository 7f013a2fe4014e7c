/** Whether a withdrawal has landed that our books know nothing of: asked of a real chain, and of nodes that trick us. */
import { createHash, randomBytes } from 'node:crypto';
import { type Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toBase58 } from '../../../../chain/solana/messages/base58.ts';
import { createSolanaPersonalWallets } from '../../../../chain/solana/personal-wallets.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { createSolanaRpc } from '../../../../chain/solana/rpc/rpc.ts';
import { coSignWithdrawal, withdrawalMemo } from '../../../../chain/solana/transactions/withdrawal-transaction.ts';
import { microUsdc } from '../../../../core/money.ts';
import { memo, toTransaction, toWire } from '../../../local/solana/transfers.ts';
import { type SolanaChain, startSolanaChain } from '../../../support/chains/solana-chain.ts';
import { answeringAlone, startFakeNode } from '../../evm/fake-node.ts';
import { feePayerOf } from '../../signing/signers.ts';
import type { SolanaSigner } from '../../../../chain/solana/messages/signer.ts';

const profile = solanaProfile('local');
const wallets = createSolanaPersonalWallets({ seed: randomBytes(32), profile });
const connect = (url: string) => createSolanaRpc({ url, timeoutMs: 5_000, profile, ownAccounts: [] });
const WALLET = 'x:7';
const fromAddress = wallets.addressOf(WALLET);
const sinceMs = Date.now();
const newId = () => randomBytes(16).toString('hex');

describe('on a chain', () => {
  let chain: SolanaChain;
  let rpc: ReturnType<typeof connect>;
  let payer: Keypair;
  let feePayer: SolanaSigner;
  let to: string;
  beforeAll(async () => {
    chain = await startSolanaChain();
    rpc = connect(chain.rpcUrl);
    payer = await chain.createKeypair({ lamports: 10_000_000_000n, usdc: microUsdc(1_000_000n) });
    feePayer = feePayerOf(payer, profile);
    to = (await chain.createKeypair({ usdc: microUsdc(1n) })).publicKey.toBase58();
    await chain.fundUsdc(fromAddress, microUsdc(9_000_000n));
    chain.finalize();
  });
  afterAll(() => chain?.close());

  const find = (id: string, generation = 0) => rpc.findLanding({ id, generation, fromAddress, sinceMs });

  async function land(id: string, generation: number, amount = 1_000_000n): Promise<string> {
    const { blockhash } = await rpc.latestBlockhash();
    const terms = { feePayer: feePayer.address, amountMicroUsdc: amount, blockhash, opensAccount: false };
    const wire = await wallets.signWithdrawal(WALLET, { ...terms, to, memo: withdrawalMemo({ id, generation }) });
    const signed = await coSignWithdrawal(wire, feePayer, profile);
    await rpc.sendRaw(signed.wire);
    chain.mine(2);
    return signed.signature;
  }

  test('what has landed is found, and is final when no fork can take it back', async () => {
    const id = newId();
    expect(await find(id)).toBeNull();
    const transaction = await land(id, 1);
    expect(await find(id)).toEqual({ transaction, isFinal: false });
    chain.finalize();
    expect(await find(id)).toEqual({ transaction, isFinal: true });
    expect(await find(newId())).toBeNull();
  });

  test('a generation before the one that is asked about does not count, nor does one that failed', async () => {
    const id = newId();
    await land(id, 0);
    await land(id, 1, 99_000_000n);
    chain.finalize();
    expect(await find(id, 0)).not.toBeNull();
    expect(await find(id, 1)).toBeNull();
  });

  test('a stranger who writes its name into another transaction keeps nobody from their money', async () => {
    const id = newId();
    const { blockhash } = await rpc.latestBlockhash();
    // It moves something to the wallet's address, and so stands in the wallet's list.
    const place = { fromPubkey: payer.publicKey, toPubkey: new PublicKey(fromAddress), lamports: 1_000_000 };
    const instructions = [SystemProgram.transfer(place), memo(withdrawalMemo({ id, generation: 0 }))];
    await rpc.sendRaw(toWire(toTransaction({ payer, blockhash, instructions })));
    chain.finalize();
    const listed = (await chain.rpc('getSignaturesForAddress', fromAddress)) as { memo: string | null; err: unknown }[];
    expect(listed[0]).toMatchObject({ memo: `[34] ${id}/0`, err: null });
    expect(await find(id)).toBeNull();
  });
});

describe('a list of many pages', () => {
  const named = (number: number) => toBase58(createHash('sha512').update(String(number)).digest());

  /** The wallet's address stands in so many transactions, the newest of them now. */
  async function startNode({ count = 2_300, secondsApart = 0, losesPlace = false } = {}) {
    let pages = 0;
    const all = Array.from({ length: count }, (_, index) => ({
      signature: named(index),
      err: null,
      memo: null,
      blockTime: Math.floor(sinceMs / 1_000) - index * secondsApart,
      confirmationStatus: 'finalized',
    }));
    const node = await startFakeNode(
      answeringAlone(({ method, params }) => {
        if (method === 'getSlot') return 5;
        pages += 1;
        const { before, limit } = params[1] as { before?: string; limit: number };
        if (before !== undefined && losesPlace) return [];
        const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
        return all.slice(start, start + limit);
      }),
    );
    const find = () => connect(node.url).findLanding({ id: newId(), generation: 0, fromAddress, sinceMs });
    return { find, pages: () => pages };
  }

  test.each([
    ['as far back as the withdrawal was asked for, and some minutes more', { secondsApart: 1 }, 1],
    ['to its end, where all of it is younger', { secondsApart: 0 }, 3],
    ['to its end, where that is exactly a page', { count: 1_000 }, 2],
  ])('is read %s', async (_title, options, pages) => {
    const node = await startNode(options);
    expect([await node.find(), node.pages()]).toEqual([null, pages]);
  });

  test('says nothing where a node has lost the place, so that nothing is signed', async () => {
    const node = await startNode({ losesPlace: true });
    await expect(node.find()).rejects.toMatchObject({ fault: 'inconsistent' });
  });
});
