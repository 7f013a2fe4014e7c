import { type Keypair, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokenAccountOf } from '../../../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { createSolanaRpc, type SolanaRpc } from '../../../../chain/solana/rpc/rpc.ts';
import { signSweepTransaction, type SweepOptions } from '../../../../chain/solana/transactions/sweep-transaction.ts';
import { microUsdc } from '../../../../core/money.ts';
import { memo, toTransaction, usdcTransfer } from '../../../local/solana/transfers.ts';
import { type SolanaChain, startSolanaChain } from '../../../support/chains/solana-chain.ts';
import { signersOf } from '../../signing/signers.ts';

const profile = solanaProfile('local');
const TASK_MEMO = 'ab'.repeat(32);

let chain: SolanaChain;
let rpc: SolanaRpc;
let own: { task: Keypair; treasury: Keypair };
beforeAll(async () => {
  chain = await startSolanaChain();
  own = {
    task: await chain.createKeypair({ usdc: microUsdc(5_000_000n) }),
    treasury: await chain.createKeypair({ usdc: microUsdc(1n), lamports: 1_000_000_000n }),
  };
  const ownAccounts = [own.task, own.treasury].map(({ publicKey }) => {
    const owner = publicKey.toBase58();
    return { account: tokenAccountOf(owner, profile), owner };
  });
  rpc = createSolanaRpc({ url: chain.rpcUrl, timeoutMs: 5_000, profile, ownAccounts });
});
afterAll(() => chain?.close());

const addressOf = (who: 'task' | 'treasury') => own[who].publicKey.toBase58();

async function sweep(change: Partial<SweepOptions> = {}) {
  const { treasury, task } = signersOf(own, profile);
  if (task === null) throw new Error('a task key was given');
  const { blockhash } = await rpc.latestBlockhash();
  const attempt = { carrierId: 'attempt', blockhash, microLamportsPerUnit: 10_000, amount: 2_000_000n };
  return signSweepTransaction({ owner: task, treasury, profile, ...attempt, ...change });
}

/** What the reader makes of a transaction that has landed. */
async function land(wire: string) {
  const options = { encoding: 'base64', skipPreflight: true };
  const signature = String(await chain.rpc('sendTransaction', wire, options));
  chain.mine(2);
  const landed = await rpc.transaction(signature);
  if (landed === null) throw new Error('it has not landed');
  return landed;
}

test('a sweep lands as one transfer between our own addresses, at the cost of the treasury', async () => {
  const signed = await sweep();
  const landed = await land(signed.wire);
  expect(landed).toMatchObject({ failed: false, signature: signed.signature, feePayer: addressOf('treasury') });
  const [from, to] = [addressOf('task'), addressOf('treasury')];
  expect(landed.transfers).toMatchObject([{ from, to, value: 2_000_000n, authorizer: from, nonce: signed.nonce }]);
});

test('its bytes cannot land without both keys', async () => {
  const { wire } = await sweep({ carrierId: 'other' });
  const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(wire, 'base64'));
  expect(message.header.numRequiredSignatures).toBe(2);
  expect(signatures).toHaveLength(2);
  expect(message.staticAccountKeys.slice(0, 2).map(String)).toEqual([addressOf('treasury'), addressOf('task')]);
});

test('two sweeps of one amount are two transactions', async () => {
  expect((await sweep({ carrierId: 'one' })).signature).not.toBe((await sweep({ carrierId: 'two' })).signature);
});

test('one of nothing is refused', async () => {
  await expect(sweep({ amount: 0n })).rejects.toThrow('more than zero');
});

/** By a stranger, to the task address. */
async function transferWith(notes: readonly string[], transfers = 1) {
  const payer = await chain.createKeypair({ usdc: microUsdc(100n), lamports: 1_000_000_000n });
  const { blockhash } = await rpc.latestBlockhash();
  const moves = Array.from({ length: transfers }, () => usdcTransfer(payer.publicKey, own.task.publicKey, 7n));
  const transaction = toTransaction({ payer, instructions: [...moves, ...notes.map(memo)], blockhash });
  return land(Buffer.from(transaction.serialize()).toString('base64'));
}

test('a memo that can name a task is told with the one transfer beside it', async () => {
  expect((await transferWith([TASK_MEMO])).transfers).toMatchObject([{ value: 7n, memo: TASK_MEMO }]);
});

test.each([
  ['another text', ['thanks'], 1],
  ['two of them', [TASK_MEMO, 'cd'.repeat(32)], 1],
  ['two transfers', [TASK_MEMO], 2],
])('with %s it speaks for none', async (_what, notes, transfers) => {
  const landed = await transferWith(notes, transfers);
  expect(landed.transfers).toHaveLength(transfers);
  for (const transfer of landed.transfers) expect(transfer).not.toHaveProperty('memo');
});
