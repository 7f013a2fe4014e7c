import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEvmTransfers } from '../../../api/transfers/evm.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../../chain/evm/rpc/rpc.ts';
import { microUsdc } from '../../../core/money.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { transferOnBase } from '../../support/tasks/tasks.ts';

const profile = evmProfile('base', 'local');
const TASK = `0x${'22'.repeat(20)}`;

let chain: BaseChain;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 100 });
});
afterAll(() => chain?.close());

const readerAt = (url: string) =>
  createEvmTransfers({ profile, rpc: createEvmRpc({ url, timeoutMs: 2_000, profile }), address: TASK });

test('tells the head, and what a landed transaction moved to whom', async () => {
  const reader = readerAt(chain.rpcUrl);
  const head = (await reader.head()) ?? 0;
  const payer = await chain.createAccount({ usdc: microUsdc(10n) });
  const hash = await transferOnBase(chain, payer, TASK, 7n);
  const found = await reader.transfersOf(hash.toUpperCase().replace('0X', '0x'));
  const transfers = [{ from: payer.address.toLowerCase(), to: TASK, amountMicroUsdc: 7n }];
  expect(found).toMatchObject({ kind: 'found', failed: false, memo: null, transfers });
  expect(found.kind === 'found' && found.block > head).toBe(true);
});

test.each(['', 'x', '0x12', `0x${'ab'.repeat(32)}`, 'a'.repeat(10_000)])('knows nothing of %.20s', async (hash) => {
  expect(await readerAt(chain.rpcUrl).transfersOf(hash)).toEqual({ kind: 'not-found' });
});

test('says so when the chain does not answer', async () => {
  const away = readerAt('http://127.0.0.1:1');
  expect(await away.head()).toBeNull();
  expect(await away.transfersOf(`0x${'ab'.repeat(32)}`)).toEqual({ kind: 'unavailable' });
});
