/** Payers with play money, many of them within a second, and what they sign. */
import { randomBytes } from 'node:crypto';
import { encodeAbiParameters, keccak256 } from 'viem';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { callHex } from '../../../local/evm/rpc.ts';
import { callRpc } from '../../../local/processes/rpc.ts';
import { postJson } from '../../../local/processes/post.ts';
import { makeProof, USDC } from '../../support/pay.ts';

export const PRICE_MICRO_USDC = 50_000n;
const MICRO_USDC_EACH = 1_000_000_000n;
/** Where OpenZeppelin's ERC20 keeps its balances. */
const BALANCES_SLOT = 0n;
const AT_ONCE = 500;

/** Their money is written into the token's storage: a transaction each would be a block each. */
export async function createPayers(rpcUrl: string, count: number): Promise<PrivateKeyAccount[]> {
  const payers = Array.from({ length: count }, () => privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`));
  const value = word(MICRO_USDC_EACH);
  for (let from = 0; from < count; from += AT_ONCE) {
    const calls = payers.slice(from, from + AT_ONCE).map(({ address }, id) => {
      const slot = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [address, BALANCES_SLOT]));
      return { jsonrpc: '2.0', id, method: 'anvil_setStorageAt', params: [USDC, slot, value] };
    });
    await postJson(rpcUrl, JSON.stringify(calls));
  }
  // Empty blocks pass beside it, and the newest is what everybody asks about.
  await callRpc(rpcUrl, 'anvil_mine', ['0x1']);
  const last = payers.at(-1)?.address ?? USDC;
  const data = `0x70a08231${last.slice(2).padStart(64, '0')}`;
  const found = BigInt(await callHex(rpcUrl, 'eth_call', [{ to: USDC, data }, 'latest']));
  if (found !== MICRO_USDC_EACH) throw new Error(`a payer has ${found} micro-USDC, expected ${MICRO_USDC_EACH}`);
  return payers;
}

/** A proof for the price, valid until so long after it is presented. */
export function signPayment(signer: PrivateKeyAccount, payTo: `0x${string}`, untilMs: number): Promise<string> {
  const validBefore = Math.floor(untilMs / 1_000);
  return makeProof({ from: signer.address, signer, payTo, value: PRICE_MICRO_USDC, validBefore });
}

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
