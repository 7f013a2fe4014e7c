import { Keypair } from '@solana/web3.js';
import { type Address, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../chain/evm/rpc/rpc.ts';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../chain/solana/messages/profile.ts';
import { createSolanaRpc } from '../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../core/money.ts';
import type { Network } from '../../core/networks.ts';
import { LOCAL_USDC_ABI } from '../../local/evm/contracts.ts';
import { createPublishedChecks } from '../../worker/published-checks.ts';
import { randomAddress } from '../chain/evm/authorizations.ts';
import { type BaseChain, startBaseChain } from '../support/chains/base-chain.ts';
import { type SolanaChain, startSolanaChain } from '../support/chains/solana-chain.ts';

const own = randomAddress();
const ownOnSolana = Keypair.generate().publicKey.toBase58();
const NOWHERE = 'http://127.0.0.1:1';

let base: BaseChain;
let solana: SolanaChain;

beforeAll(async () => {
  base = await startBaseChain({ blockTimeMs: 0 });
  solana = await startSolanaChain();
});
afterAll(async () => {
  await base?.close();
  await solana?.close();
});

function check(network: Network, address: string, { isProvenHere = false, isAway = false } = {}) {
  const [onBase, onSolana] = [evmProfile('base', 'local'), solanaProfile('local')];
  const node = { timeoutMs: 5_000 };
  const checks = createPublishedChecks([
    {
      family: 'evm',
      rpc: createEvmRpc({ ...node, url: isAway ? NOWHERE : base.rpcUrl, profile: onBase }),
      profile: onBase,
      ownAddresses: [own],
    },
    {
      family: 'svm',
      rpc: createSolanaRpc({ ...node, url: isAway ? NOWHERE : solana.rpcUrl, profile: onSolana, ownAccounts: [] }),
      profile: onSolana,
      ownAddresses: [ownOnSolana],
    },
  ]);
  return checks[network]?.({ network, address, isProvenHere });
}

async function barred(): Promise<Address> {
  const address = randomAddress();
  const args = [address] as const;
  await base.sendAsAdmin(encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'blacklist', args }));
  return address;
}

describe('on Base', () => {
  test('an address without code is used', async () => {
    const address = randomAddress();
    expect(await check('base', address)).toEqual({ kind: 'fine', address: address.toLowerCase() });
  });

  test('one with code is used where its owner proved it there, and nowhere else', async () => {
    const wallet = await base.deploySmartWallet(randomAddress());
    expect(await check('base', wallet)).toEqual({ kind: 'refused', reason: 'program' });
    expect(await check('base', wallet, { isProvenHere: true })).toMatchObject({ kind: 'fine' });
  });

  test.each<[string, string, () => string | Promise<string>]>([
    ['ours', 'ours', () => own],
    ['USDC itself', 'token', () => evmProfile('base', 'local').usdc],
    ['barred by USDC', 'blacklisted', barred],
  ])('one that is %s is refused, proven there or not', async (_what, reason, address) => {
    const found = await address();
    expect(await check('base', found)).toEqual({ kind: 'refused', reason });
    expect(await check('base', found, { isProvenHere: true })).toEqual({ kind: 'refused', reason });
  });
});

test.each<[string, string, () => string | Promise<string>]>([
  ['ours', 'ours', () => ownOnSolana],
  [
    'a token account',
    'token_account',
    async () => {
      const owner = await solana.createKeypair({ usdc: microUsdc(1n) });
      return tokenAccountOf(owner.publicKey.toBase58(), solanaProfile('local'));
    },
  ],
])('on Solana one that is %s is refused', async (_what, reason, address) => {
  expect(await check('solana', await address())).toEqual({ kind: 'refused', reason });
});

test('a wallet on Solana is used before it was ever there', async () => {
  const address = Keypair.generate().publicKey.toBase58();
  expect(await check('solana', address)).toEqual({ kind: 'fine', address });
});

test.each<[Network, () => string]>([
  ['base', randomAddress],
  ['solana', () => Keypair.generate().publicKey.toBase58()],
])('nothing is said while the node of %s is away', async (network, address) => {
  expect(await check(network, address(), { isAway: true })).toEqual({ kind: 'unavailable' });
});
