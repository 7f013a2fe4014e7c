import { evm, Mppx } from 'mppx/client';
import { privateKeyToAccount } from 'viem/accounts';

const account = privateKeyToAccount(process.env.PENNYPOST_BASE_KEY);
const currencies = [evm.assets.base.USDC];
const { fetch: pay } = Mppx.create({ polyfill: false, methods: [evm({ account, currencies, maxAmount: '5' })] });

const response = await pay(`${process.env.PENNYPOST_URL}/payments/x/pay`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': process.env.ORDER ?? crypto.randomUUID() },
  body: JSON.stringify({ receiver: 'alice', amount: 1.5 }),
});
console.log(response.status, await response.json());
