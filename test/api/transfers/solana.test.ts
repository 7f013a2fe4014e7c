import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSolanaTransfers } from '../../../api/transfers/solana.ts';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { createSolanaRpc } from '../../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../../core/money.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startSolanaChain, type SolanaChain } from '../../support/chains/solana-chain.ts';
import { transferOnSolana } from '../../support/tasks/tasks.ts';

const profile = solanaProfile('local');
const MEMO = 'ab'.repeat(32);

let chain: SolanaChain;
let task: string;
beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
  task = (await chain.createKeypair({ usdc: microUsdc(1n) })).publicKey.toBase58();
});
afterAll(() => chain?.close());

function readerAt(url: string) {
  const ownAccounts = [{ account: tokenAccountOf(task, profile), owner: task }];
  return createSolanaTransfers({
    rpc: createSolanaRpc({ url, timeoutMs: 2_000, profile, ownAccounts }),
    address: task,
  });
}

test('tells the head, and what a landed transaction brought us, with its memo', async () => {
  const reader = readerAt(chain.rpcUrl);
  const payer = await chain.createKeypair({ usdc: microUsdc(10n), lamports: 1_000_000_000n });
  const head = (await reader.head()) ?? 0;
  const signature = await transferOnSolana(chain, payer, task, 7n, MEMO);
  await eventually(async () => expect((await reader.transfersOf(signature)).kind).toBe('found'), 10_000);
  const found = await reader.transfersOf(signature);
  const transfers = [{ from: payer.publicKey.toBase58(), to: task, amountMicroUsdc: 7n }];
  expect(found).toMatchObject({ kind: 'found', failed: false, memo: MEMO, transfers });
  // What is sent at once after the head was told may be in the very next slot, but never in that one.
  expect(found.kind === 'found' && found.block > head).toBe(true);
});

test('tells that a transaction failed', async () => {
  const reader = readerAt(chain.rpcUrl);
  const payer = await chain.createKeypair({ usdc: microUsdc(10n), lamports: 1_000_000_000n });
  const signature = await transferOnSolana(chain, payer, task, 11n);
  await eventually(async () => expect((await reader.transfersOf(signature)).kind).toBe('found'), 10_000);
  expect(await reader.transfersOf(signature)).toMatchObject({ failed: true, transfers: [] });
});

test.each(['', 'x', '1'.repeat(64), '1'.repeat(10_000), '0OIl'])('knows nothing of %.20s', async (signature) => {
  expect(await readerAt(chain.rpcUrl).transfersOf(signature)).toEqual({ kind: 'not-found' });
});

test('says so when the chain does not answer', async () => {
  const away = readerAt('http://127.0.0.1:1');
  expect(await away.head()).toBeNull();
  expect(await away.transfersOf('1'.repeat(64))).toEqual({ kind: 'unavailable' });
});
