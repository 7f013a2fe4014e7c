import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';

const signer = privateKeyToAccount(process.env.PENNYPOST_BASE_KEY);
const client = registerExactEvmScheme(new x402Client(), { signer });
// The client refuses more than 1 USDC by default.
client.setSpendControls({ maxAmountPerPayment: '$5' });

const pay = wrapFetchWithPayment(fetch, client);
const response = await pay(`${process.env.PENNYPOST_URL}/payments/x/pay`, {
  method: 'POST',
  // One key for one purchase: repeated as often as you like, it is charged once.
  headers: { 'content-type': 'application/json', 'idempotency-key': process.env.ORDER ?? crypto.randomUUID() },
  body: JSON.stringify({ receiver: 'alice', amount: 1.5, description: 'for the talk' }),
});
console.log(response.status, await response.json());
