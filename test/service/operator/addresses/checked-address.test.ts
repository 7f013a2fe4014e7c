/** The operator's `link` asks the chain about an address, as a claim page does. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../../../core/config/config.ts';
import { microUsdc } from '../../../../core/money.ts';
import { readCheckedAddress } from '../../../../service/operator/addresses/checked-address.ts';
import { startBaseChain, type BaseChain } from '../../../support/chains/base-chain.ts';
import { USDC } from '../../../support/pay.ts';
import { startSolanaChain, type SolanaChain } from '../../../support/chains/solana-chain.ts';

const dir = mkdtempSync(join(tmpdir(), 'pennypost-link-'));
const ALICE = getAddress(`0x${'ab'.repeat(20)}`);
let base: BaseChain;
let solana: SolanaChain;
beforeAll(async () => {
  [base, solana] = await Promise.all([startBaseChain(), startSolanaChain()]);
  publish(dir, { base: base.rpcUrl, solana: solana.rpcUrl });
});
afterAll(async () => {
  await Promise.all([base.close(), solana.close()]);
  rmSync(dir, { recursive: true, force: true });
});

/** As local mode does. */
function publish(dataDir: string, rpc: Record<string, string>): void {
  mkdirSync(join(dataDir, 'local'), { recursive: true });
  writeFileSync(join(dataDir, 'local', 'payers.json'), JSON.stringify({ rpc, payers: [] }));
}

const read = (text: string, dataDir = dir) => readCheckedAddress(parseConfig({ DATA_DIR: dataDir }), text);

test('a person’s address comes back as the books write it', async () => {
  expect(await read(ALICE)).toEqual({ network: 'base', address: ALICE.toLowerCase() });
  const bob = (await solana.createKeypair({ usdc: microUsdc(1n) })).publicKey.toBase58();
  expect(await read(bob)).toEqual({ network: 'solana', address: bob });
});

test.each([
  ['a typing mistake', () => ALICE.slice(0, -1) + (ALICE.endsWith('b') ? 'B' : 'b')],
  ['a token that the network does not list', deployToken],
  ['an account that was barred', barred],
])('%s is refused in words', async (_title, make) => {
  await expect(read(await make())).rejects.toThrow('is refused: ');
});

test('a chain that does not answer, or was never started, changes nothing', async () => {
  const silent = join(dir, 'silent');
  publish(silent, { base: 'http://127.0.0.1:9' });
  await expect(read(ALICE, silent)).rejects.toThrow('does not answer');
  await expect(read(ALICE, join(dir, 'fresh'))).rejects.toThrow('npm start');
});

/** The code of the local USDC, at an address that nobody has heard of. */
async function deployToken(): Promise<string> {
  const address = `0x${'17'.repeat(20)}`;
  await base.rpc('anvil_setCode', address, await base.rpc('eth_getCode', USDC, 'latest'));
  return address;
}

async function barred(): Promise<string> {
  const { publicKey } = await solana.createKeypair({ usdc: microUsdc(1n) });
  await solana.freezeUsdc(publicKey);
  solana.finalize();
  return publicKey.toBase58();
}
