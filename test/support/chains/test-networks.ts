/**
 * Local chains that pass for the test networks (Base Sepolia, Solana devnet), for a service in `testnet` mode: with their
 * ids, and with play USDC at the addresses that USDC has there. Nothing of them outlives `close`.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address as toAddress, createNoopSigner } from '@solana/kit';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getMintSize,
  getMintToInstruction,
} from '@solana-program/token';
import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi, toBytes } from 'viem';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import type { MicroUsdc } from '../../../core/money.ts';
import { USDC_ON_BASE } from '../../../chain/evm/rpc/known-addresses.ts';
import { startLocalEvm } from '../../../local/evm/network.ts';
import { callRpc } from '../../../local/processes/rpc.ts';
import { GENESIS_HASH } from '../../../local/solana/ground/addresses.ts';
import { usdcMintAccount } from '../../../local/solana/chain/faucet.ts';
import { postJson } from '../../../local/processes/post.ts';
import { startSolanaChain } from './solana-chain.ts';

const sepolia = evmProfile('base', 'testnet');
const devnet = solanaProfile('testnet');
const MINT_ABI = parseAbi(['function mint(address to, uint256 amount) returns (bool)']);
const hashOf = (text: string) => keccak256(toBytes(text)).slice(2);

/** Whom to fund must be said at the start: afterwards the chain has another id, and its admin signs for the first one. */
export async function startTestBase(funded: { usdc: [Address, MicroUsdc][]; eth: Address[] }) {
  const dir = await mkdtemp(join(tmpdir(), 'pennypost-sepolia-'));
  const base = await startLocalEvm({ network: 'base', dir, blockTimeMs: 500 });
  const { rpcUrl } = base;
  const code = (await callRpc(rpcUrl, 'eth_getCode', [USDC_ON_BASE, 'latest'])) as Hex;
  // The token has another name there, and its hash is part of the code. The domain is made anew from it at each call.
  const named = code.replaceAll(hashOf('USD Coin'), hashOf(sepolia.eip712Name));
  if (named === code) throw new Error('the name of the token is not in its code');
  await callRpc(rpcUrl, 'anvil_setCode', [sepolia.usdc, named]);
  for (const [to, amount] of funded.usdc) {
    const data = encodeFunctionData({ abi: MINT_ABI, functionName: 'mint', args: [to, amount] });
    await base.sendAsAdmin(data, sepolia.usdc);
  }
  for (const to of funded.eth) await base.fundEth(to, 10n ** 18n);
  await callRpc(rpcUrl, 'anvil_setChainId', [sepolia.chainId]);
  return {
    rpcUrl,
    async close() {
      await base.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export async function startTestSolana() {
  const solana = await startSolanaChain({ slotMs: 200 });
  const { chain } = solana;
  const mint = toAddress(devnet.usdc);
  chain.setAccount(mint, usdcMintAccount(chain.faucet.address, chain.rentFor(getMintSize())));
  const proxy = await startGenesisProxy(solana.rpcUrl);
  return {
    rpcUrl: proxy.url,
    fundSol: solana.fundSol,
    fundUsdc(owner: string, amount: MicroUsdc): void {
      const faucet = createNoopSigner(chain.faucet.address);
      const token = toAddress(tokenAccountOf(owner, devnet));
      chain.act([
        getCreateAssociatedTokenIdempotentInstruction({ payer: faucet, ata: token, owner: toAddress(owner), mint }),
        getMintToInstruction({ mint, token, mintAuthority: faucet, amount }),
      ]);
    },
    async close() {
      await proxy.close();
      await solana.close();
    },
  };
}

/** The same node, which says that it is of devnet. */
async function startGenesisProxy(target: string) {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = { 'content-type': 'application/json' };
    const answer = await postJson(target, Buffer.concat(chunks).toString('utf8'));
    response.writeHead(answer.status, headers).end(answer.text.replaceAll(GENESIS_HASH, devnet.genesisHash));
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const randomHexKey = (): Hex => `0x${randomBytes(32).toString('hex')}`;
