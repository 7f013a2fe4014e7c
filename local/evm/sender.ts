/** Sends transactions of one key on the local chain, one after another, each mined at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, Hex, PrivateKeyAccount } from 'viem';
import { z } from 'zod';
import { callRpc } from '../processes/rpc.ts';
import { callHex, hexSchema } from './rpc.ts';

const ATTEMPTS_MAX = 10;
const GAS = 500_000n;
const TIP_WEI = 100_000_000_000n;
/** Above any base fee that the local chain is made to ask for. */
const FEE_MAX_WEI = 10_000n * TIP_WEI;
/** Enough ETH that no run of this program uses it up. */
const BALANCE_WEI = 10n ** 24n;

const receiptSchema = z.object({ status: hexSchema }).nullable();

export type LocalSender = { send: (to: Address, data: Hex) => Promise<Hex> };

/** The key's balance is topped up before each transaction. A transaction that reverts throws. */
export function createLocalSender(rpcUrl: string, account: PrivateKeyAccount, chainId: number): LocalSender {
  let last: Promise<unknown> = Promise.resolve();

  // One at a time, so that two calls in this process never take the same nonce.
  function send(to: Address, data: Hex): Promise<Hex> {
    const mine = last.then(() => sendAndMine(to, data));
    last = mine.catch(() => undefined);
    return mine;
  }

  async function sendAndMine(to: Address, data: Hex): Promise<Hex> {
    await callRpc(rpcUrl, 'anvil_setBalance', [account.address, `0x${BALANCE_WEI.toString(16)}`]);
    const hash = await broadcast(to, data);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      await callRpc(rpcUrl, 'anvil_mine', ['0x1']);
      const receipt = receiptSchema.parse(await callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash]));
      if (receipt?.status === '0x1') return hash;
      if (receipt) throw new Error(`transaction ${hash} to ${to} reverted on the local chain`);
    }
    throw new Error(`transaction ${hash} was not mined by the local chain in ${ATTEMPTS_MAX} blocks`);
  }

  /** Another process may use the same key: the second finds the nonce taken and takes the next one. */
  async function broadcast(to: Address, data: Hex): Promise<Hex> {
    for (let attempt = 1; ; attempt += 1) {
      const nonce = Number(await callHex(rpcUrl, 'eth_getTransactionCount', [account.address, 'pending']));
      const fees = { gas: GAS, maxFeePerGas: FEE_MAX_WEI, maxPriorityFeePerGas: TIP_WEI } as const;
      const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, ...fees });
      try {
        return await callHex(rpcUrl, 'eth_sendRawTransaction', [raw]);
      } catch (error) {
        if (attempt === ATTEMPTS_MAX) throw error;
        await sleep(attempt * 10);
      }
    }
  }

  return { send };
}
