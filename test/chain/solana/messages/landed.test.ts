/** What the reader makes of transactions that landed on the local chain, and of answers that no node should give. */
import {
  AddressLookupTableProgram,
  type Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tokenAccountOf } from '../../../../chain/solana/messages/addresses.ts';
import { hashMessage } from '../../../../chain/solana/messages/message.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { createSolanaRpc, type SolanaRpc } from '../../../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../../../core/money.ts';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../../../local/solana/ground/addresses.ts';
import { type SolanaChain, startSolanaChain } from '../../../support/chains/solana-chain.ts';
import {
  createUsdcAccount,
  memo,
  randomAddress,
  toTransaction,
  toWire,
  usdcAccount,
  usdcTransfer,
} from '../../../local/solana/transfers.ts';
import { answeringAlone, startFakeNode } from '../../evm/fake-node.ts';
import { toVersion1 } from '../version-1.ts';

const profile = solanaProfile('local');

let chain: SolanaChain;
let rpc: SolanaRpc;
let treasury: Keypair;
let alice: Keypair;
let us: string;

function connect(url: string): SolanaRpc {
  const ownAccounts = [{ account: tokenAccountOf(us, profile), owner: us }];
  return createSolanaRpc({ url, timeoutMs: 5_000, profile, ownAccounts });
}

beforeAll(async () => {
  chain = await startSolanaChain();
  treasury = await chain.createKeypair({ usdc: microUsdc(1_000n), lamports: 1_000_000_000n });
  us = treasury.publicKey.toBase58();
  rpc = connect(chain.rpcUrl);
});
afterAll(() => chain?.close());
beforeEach(async () => {
  alice = await chain.createKeypair({ usdc: microUsdc(100n), lamports: 1_000_000_000n });
});

async function land(instructions: TransactionInstruction[], payer = alice, signers = [payer]) {
  const { blockhash } = await rpc.latestBlockhash();
  return send(toWire(toTransaction({ payer, instructions, blockhash, signers })));
}

async function send(wire: string) {
  const options = { encoding: 'base64', skipPreflight: true };
  const signature = (await chain.rpc('sendTransaction', wire, options)) as string;
  chain.mine();
  const landed = await rpc.transaction(signature);
  if (!landed) throw new Error('it has not landed');
  return landed;
}

test('a transfer from a wallet is read with its fee and its memo', async () => {
  const slot = await rpc.slot('processed');
  const landed = await land([usdcTransfer(alice.publicKey, treasury.publicKey, 7n), memo('hällo')]);
  expect(landed).toMatchObject({
    slot,
    failed: false,
    feePayer: alice.publicKey.toBase58(),
    lamportsSpent: 5_000n,
    memos: ['hällo'],
  });
  expect(landed.transfers).toEqual([
    {
      transaction: landed.signature,
      block: slot,
      blockHash: '',
      logIndex: 0,
      position: 0,
      from: alice.publicKey.toBase58(),
      to: us,
      value: 7n,
      authorizer: alice.publicKey.toBase58(),
      nonce: landed.messageHash,
    },
  ]);
});

test('the hash is that of the signed message, no matter who signed it', async () => {
  const { blockhash } = await rpc.latestBlockhash();
  const instructions = [usdcTransfer(alice.publicKey, treasury.publicKey, 7n)];
  const transaction = toTransaction({ payer: treasury, instructions, blockhash, signers: [treasury, alice] });
  const landed = await send(toWire(transaction));
  expect(landed.messageHash).toBe(hashMessage(transaction.message.serialize()));
  expect(landed.feePayer).toBe(us);
});

test('what opening an account costs is part of what the fee payer spent', async () => {
  const rent = await rpc.tokenAccountRent();
  const owner = randomAddress();
  const { lamportsSpent, opened } = await land([createUsdcAccount(alice.publicKey, owner)]);
  expect(lamportsSpent).toBe(5_000n + rent);
  expect(opened).toEqual([{ owner: owner.toBase58(), amount: rent }]);
});

test('a payer who gains by a transaction has spent less than nothing', async () => {
  const gift = { fromPubkey: treasury.publicKey, toPubkey: alice.publicKey, lamports: 12_345 };
  const { lamportsSpent } = await land([SystemProgram.transfer(gift)], alice, [alice, treasury]);
  expect(lamportsSpent).toBe(10_000n - 12_345n);
});

test('a transaction that failed has paid its fee and moved nothing', async () => {
  const landed = await land([
    usdcTransfer(alice.publicKey, treasury.publicKey, 7n),
    usdcTransfer(alice.publicKey, treasury.publicKey, 1_000_000n),
  ]);
  expect(landed).toMatchObject({ failed: true, lamportsSpent: 5_000n, transfers: [] });
});

test('accounts that come from a lookup table are named all the same', async () => {
  const authority = alice.publicKey;
  const recentSlot = (await rpc.slot('processed')) - 1;
  const [create, table] = AddressLookupTableProgram.createLookupTable({ authority, payer: authority, recentSlot });
  const addresses = [usdcAccount(treasury.publicKey), new PublicKey(profile.usdc)];
  await land([create]);
  await land([
    AddressLookupTableProgram.extendLookupTable({ lookupTable: table, authority, payer: authority, addresses }),
  ]);
  chain.mine(2);
  const { value: found } = await chain.connection().getAddressLookupTable(table);
  if (!found) throw new Error('the table is not there');
  const { blockhash } = await rpc.latestBlockhash();
  const instructions = [usdcTransfer(alice.publicKey, treasury.publicKey, 7n)];
  const transaction = toTransaction({ payer: alice, instructions, blockhash, tables: [found] });
  expect(transaction.message.addressTableLookups).toHaveLength(1);
  expect((await send(toWire(transaction))).transfers).toMatchObject([
    { from: alice.publicKey.toBase58(), to: us, value: 7n, authorizer: alice.publicKey.toBase58() },
  ]);
});

test('a transaction of version 1 is read like any other', async () => {
  const { blockhash } = await rpc.latestBlockhash();
  const instructions = [usdcTransfer(alice.publicKey, treasury.publicKey, 7n)];
  const landed = await send(toVersion1(alice, blockhash, instructions).toString('base64'));
  expect(landed.lamportsSpent).toBe(5_007n);
  expect(landed.transfers).toMatchObject([{ from: alice.publicKey.toBase58(), value: 7n, nonce: landed.messageHash }]);
});

test('what a program moves to us is its net change, and nobody’s signature proves it', async () => {
  // An account of our account, from which only the program can take the money back.
  const ours = usdcAccount(treasury.publicKey);
  await chain.fundUsdc(ours, microUsdc(30n));
  const recovered = await land([recoverNested(treasury.publicKey)], treasury);
  expect(recovered.transfers).toEqual([
    {
      transaction: recovered.signature,
      block: recovered.slot,
      blockHash: '',
      logIndex: 0,
      position: 0,
      from: ours.toBase58(),
      to: us,
      value: 30n,
    },
  ]);
});

test('what the issuer mints to us comes from nobody', async () => {
  const until = (await rpc.newestSignature(tokenAccountOf(us, profile)))?.signature ?? null;
  await chain.fundUsdc(treasury.publicKey, microUsdc(11n));
  chain.mine();
  const list = await rpc.signaturesFor(tokenAccountOf(us, profile), { until, minContextSlot: 0, max: 100 });
  const minted = await rpc.transaction(list.found.at(-1)?.signature ?? '');
  expect(minted?.transfers).toMatchObject([{ from: '', to: us, value: 11n }]);
  expect(minted?.transfers[0]).not.toHaveProperty('authorizer');
});

test('a transaction is not shown before it is confirmed', async () => {
  const { blockhash } = await rpc.latestBlockhash();
  const wire = toWire(toTransaction({ payer: alice, instructions: [memo('soon')], blockhash }));
  const signature = (await chain.rpc('sendTransaction', wire, { encoding: 'base64', skipPreflight: true })) as string;
  expect(await rpc.transaction(signature)).toBe(null);
  chain.mine();
  expect(await rpc.transaction(signature)).toMatchObject({ signature });
});

describe('an answer', () => {
  type Answer = { meta: Record<string, unknown>; transaction: unknown };

  /** What the local chain answers about a transfer to us, changed on the way. */
  async function readChanged(change: (answer: Answer) => unknown) {
    const { signature } = await land([usdcTransfer(alice.publicKey, treasury.publicKey, 7n)]);
    const config = { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 1 };
    const answer = (await chain.rpc('getTransaction', signature, config)) as Answer;
    const node = await startFakeNode(answeringAlone(() => change(answer)));
    return connect(node.url).transaction(signature);
  }

  test.each<[string, (answer: Answer) => unknown]>([
    ['without lookup tables', ({ meta: { loadedAddresses: _none, ...meta }, ...rest }) => ({ ...rest, meta })],
    [
      'that names an account with more lamports than a number can say',
      ({ meta, ...rest }) => ({ ...rest, meta: { ...meta, postBalances: [1, 18_446_744_073_709_552_000] } }),
    ],
    [
      'about a fee payer with more lamports than a number can say',
      ({ meta, ...rest }) => ({ ...rest, meta: { ...meta, preBalances: [10_000_000_000_000_000] } }),
    ],
  ])('%s is good', async (_name, change) => {
    expect(await readChanged(change)).toMatchObject({ transfers: [{ value: 7n }] });
  });

  test.each<[string, (answer: Answer) => unknown]>([
    ['without balances of tokens', ({ meta, ...rest }) => ({ ...rest, meta: { ...meta, preTokenBalances: null } })],
    ['without anything about what happened', (answer) => ({ ...answer, meta: null })],
    ['without a word about success', ({ meta: { err: _none, ...meta }, ...rest }) => ({ ...rest, meta })],
    ['without balances', ({ meta, ...rest }) => ({ ...rest, meta: { ...meta, postBalances: [] } })],
    ['that is no transaction', (answer) => ({ ...answer, transaction: ['AAAA', 'base64'] })],
    ['in another encoding', (answer) => ({ ...answer, transaction: {} })],
    [
      'with a token balance of nobody',
      ({ meta, ...rest }) => {
        const [balance] = meta.postTokenBalances as object[];
        return { ...rest, meta: { ...meta, postTokenBalances: [{ ...balance, accountIndex: 99 }] } };
      },
    ],
  ])('%s is none', async (_name, change) => {
    await expect(readChanged(change)).rejects.toMatchObject({ name: 'ChainUnavailable', fault: 'malformed' });
  });

  test('about money of another mint reports nothing of ours', async () => {
    const ofAnotherMint = (balances: unknown) => (balances as object[]).map((balance) => ({ ...balance, mint: us }));
    const landed = await readChanged(({ meta, ...rest }) => {
      const { preTokenBalances, postTokenBalances } = meta;
      const changed = {
        preTokenBalances: ofAnotherMint(preTokenBalances),
        postTokenBalances: ofAnotherMint(postTokenBalances),
      };
      return { ...rest, meta: { ...meta, ...changed } };
    });
    expect(landed?.transfers).toEqual([]);
  });

  test('about another transaction is none', async () => {
    const { signature } = await land([memo('other')]);
    const config = { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 1 };
    const answer = await chain.rpc('getTransaction', signature, config);
    const wanted = (await land([memo('wanted')])).signature;
    const node = await startFakeNode(answeringAlone(() => answer));
    await expect(connect(node.url).transaction(wanted)).rejects.toMatchObject({ fault: 'malformed' });
  });
});

/** The associated token program's instruction 2: takes what lies in the account of an account to the wallet. */
function recoverNested(wallet: PublicKey): TransactionInstruction {
  const ours = usdcAccount(wallet);
  const keys = [usdcAccount(ours), new PublicKey(profile.usdc), ours, ours, new PublicKey(profile.usdc), wallet];
  return new TransactionInstruction({
    programId: new PublicKey(ASSOCIATED_TOKEN_PROGRAM),
    keys: [
      ...keys.map((pubkey, index) => ({
        pubkey,
        isSigner: index === 5,
        isWritable: index === 0 || index === 2 || index === 5,
      })),
      { pubkey: new PublicKey(TOKEN_PROGRAM), isSigner: false, isWritable: false },
    ],
    data: Buffer.from([2]),
  });
}
