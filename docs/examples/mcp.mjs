import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { x402Client } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';

const signer = privateKeyToAccount(process.env.PENNYPOST_BASE_KEY);
const wallet = registerExactEvmScheme(new x402Client(), { signer });
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', process.env.PENNYPOST_URL)));

const call = { name: 'pay_x', arguments: { receiver: 'alice', amount: 0.75 } };
// The first call is refused with the price: error -32402.
const price = await client.callTool(call).catch((error) => error);
if (price.code !== -32402) throw price;
const payment = await wallet.createPaymentPayload(price.data.paymentRequired);
// The same call again, with the payment. After a timeout: exactly this once more, never a new payment.
const paid = await client.callTool({ ...call, _meta: { 'x402/payment': payment, taskId: price.data.taskId } });
console.log(paid.structuredContent);
await client.close();
