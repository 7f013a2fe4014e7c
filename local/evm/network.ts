/** A local EVM chain as the rest of local mode sees it: play USDC at its canonical address, and a tap for it. */
import { join } from 'node:path';
import { type Address, type Hex, encodeFunctionData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { type MicroUsdc, microUsdc } from '../../core/money.ts';
import type { EvmNetwork } from '../../core/networks.ts';
import { callRpc } from '../processes/rpc.ts';
import { createWhole, readIfThere } from '../processes/whole-file.ts';
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts';
import { LOCAL_USDC_ABI, installContracts } from './contracts.ts';
import { privateKeySchema } from './keys.ts';
import { MULTICALL3_ADDRESS } from './multicall.ts';
import { callHex } from './rpc.ts';
import { createLocalSender } from './sender.ts';

export type LocalEvmOptions = Omit<AnvilOptions, 'chainId' | 'baseFeeWei'> & { network: EvmNetwork };

/** As on a usual day, in wei per gas. */
const BASE_FEES = { base: 10_000_000n, polygon: 25_000_000_000n } as const satisfies Record<EvmNetwork, bigint>;

export type LocalEvm = Pick<Anvil, 'rpcUrl' | 'pid' | 'instanceId' | 'origin' | 'close'> & {
  /** Where the chain and its keys are kept. */
  dir: string;
  network: EvmNetwork;
  chainId: number;
  usdcAddress: Address;
  multicallAddress: Address;
  /** What the address has in the newest block. */
  usdcBalance: (address: Address) => Promise<MicroUsdc>;
  /** Mints play USDC, and mines a block for it at once. */
  fundUsdc: (address: Address, micro: MicroUsdc) => Promise<void>;
  /** Adds to what the address has. No transaction, no log. */
  fundEth: (address: Address, wei: bigint) => Promise<void>;
  /** Calls the token (or `to`) as its admin: mint, blacklist, pause. Answers the hash of the mined transaction. */
  sendAsAdmin: (data: Hex, to?: Address) => Promise<Hex>;
};

/** Starts the network, or adopts the one that runs for `dir`; see `startAnvil`. */
export async function startLocalEvm({ network, ...options }: LocalEvmOptions): Promise<LocalEvm> {
  const { chainId, usdc } = evmProfile(network, 'local');
  const { rpcUrl, pid, instanceId, origin, close } = await startAnvil({
    ...options,
    chainId,
    baseFeeWei: BASE_FEES[network],
  });
  const admin = privateKeyToAccount(await ensureAdminKey(options.dir));
  await installContracts(rpcUrl, { usdc, admin: admin.address });
  const sender = createLocalSender(rpcUrl, admin, chainId);
  const sendAsAdmin = (data: Hex, to = usdc) => sender.send(to, data);

  async function usdcBalance(address: Address): Promise<MicroUsdc> {
    const data = encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'balanceOf', args: [address] });
    return microUsdc(BigInt(await callHex(rpcUrl, 'eth_call', [{ to: usdc, data }, 'latest'])));
  }

  async function fundUsdc(address: Address, micro: MicroUsdc): Promise<void> {
    await sendAsAdmin(encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'mint', args: [address, micro] }));
  }

  async function fundEth(address: Address, wei: bigint): Promise<void> {
    const before = BigInt(await callHex(rpcUrl, 'eth_getBalance', [address, 'latest']));
    await callRpc(rpcUrl, 'anvil_setBalance', [address, `0x${(before + wei).toString(16)}`]);
  }

  return {
    dir: options.dir,
    rpcUrl,
    pid,
    instanceId,
    origin,
    close,
    network,
    chainId,
    usdcAddress: usdc,
    multicallAddress: MULTICALL3_ADDRESS,
    usdcBalance,
    fundUsdc,
    fundEth,
    sendAsAdmin,
  };
}

/** Made once per directory; of two processes that make one, both use the one that was written. */
async function ensureAdminKey(dir: string): Promise<Hex> {
  const file = join(dir, 'usdc-admin.key');
  if ((await readIfThere(file)) === null) await createWhole(file, generatePrivateKey());
  return privateKeySchema.parse((await readIfThere(file))?.trim());
}
