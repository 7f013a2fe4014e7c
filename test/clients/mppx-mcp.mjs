import { evm, Mppx } from 'mppx/client';
import { privateKeyToAccount } from 'viem/accounts';
import { jsonPost } from './answers.mjs';

export async function pay({ url, key, order }) {
  const account = privateKeyToAccount(key);
  const methods = [evm({ account, currencies: [evm.assets.base.USDC], maxAmount: '5' })];
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay_x', arguments: order } };
  const accept = { accept: 'application/json, text/event-stream' };
  const client = Mppx.create({ polyfill: false, methods });
  const response = await client.fetch(`${url}/mcp?payment=result`, jsonPost(call, accept));
  const { result } = await response.json();
  if (result?._meta?.['org.paymentauth/receipt'] === undefined) throw new Error(JSON.stringify(result).slice(0, 200));
  return result.structuredContent.amount;
}
