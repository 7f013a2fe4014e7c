/**
 * A USDC whose calls cost at least what Circle's cost: 84.0k gas for a lone settlement of the local token, 93.5k behind
 * Circle's proxy, 56.0k each for eight in one transaction. The local token moves to another address, and in its place stands
 * a proxy that first counts down, for the slots that Circle's reads and ours does not have.
 */
import { callHex } from '../../../local/evm/rpc.ts';
import { callRpc } from '../../../local/processes/rpc.ts';
import { USDC } from '../../support/pay.ts';

const TOKEN = '0x00000000000000000000000000000000c0ffee01';
/** 26 gas each. */
const COUNTS = 0x012c;

export async function makeTokenDear(rpcUrl: string): Promise<void> {
  const code = await callHex(rpcUrl, 'eth_getCode', [USDC, 'latest']);
  const countDown = `61${COUNTS.toString(16).padStart(4, '0')}5b600190038060035750`;
  // EIP-1167, with its jump moved by the thirteen bytes before it.
  const proxy = `363d3d373d3d3d363d73${TOKEN.slice(2)}5af43d82803e903d91603857fd5bf3`;
  await callRpc(rpcUrl, 'anvil_setCode', [TOKEN, code]);
  await callRpc(rpcUrl, 'anvil_setCode', [USDC, `0x${countDown}${proxy}`]);
}
