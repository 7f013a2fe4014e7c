import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openWallet } from './wallets.mjs';

/** Both SDKs are used alike: price, payment, the same call again. */
export async function payWith(client, transport, given) {
  await client.connect(transport);
  const call = { name: 'pay_x', arguments: given.order };
  const price = await client.callTool(call).catch((error) => error);
  if (price.code !== -32402) throw new Error(`expected a price, found ${JSON.stringify(price).slice(0, 200)}`);
  const payment = await (await openWallet(given)).createPaymentPayload(price.data.paymentRequired);
  const paid = await client.callTool({ ...call, _meta: { 'x402/payment': payment, taskId: price.data.taskId } });
  await client.close();
  return paid.structuredContent.amount;
}

export const pay = (given) =>
  payWith(
    new Client({ name: 'torture', version: '1.0.0' }),
    new StreamableHTTPClientTransport(new URL('/mcp', given.url)),
    given,
  );
