/**
 * Stock x402 for comparison: one paid route behind unmodified `@x402/hono`, with its facilitator in the same process. A
 * child process of a bench: it is told the chain, and tells its address.
 */
import { serve } from '@hono/node-server';
import type { FacilitatorClient } from '@x402/core/server';
import { ExactEvmScheme as ExactServer } from '@x402/evm/exact/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/hono';
import { Hono } from 'hono';
import { createFacilitator, NETWORK } from './facilitator.ts';

const [rpcUrl = '', key = '', payTo = '', asset = ''] = process.argv.slice(2);
const facilitator = createFacilitator(rpcUrl, key as `0x${string}`);
const inProcess: FacilitatorClient = {
  verify: (payload, requirements) => facilitator.verify(payload, requirements),
  settle: (payload, requirements) => facilitator.settle(payload, requirements),
  getSupported: () => Promise.resolve(facilitator.getSupported() as never),
};
const server = new x402ResourceServer(inProcess).register(NETWORK, new ExactServer());
const app = new Hono();
app.use(
  paymentMiddleware(
    {
      'POST /pay': {
        accepts: {
          scheme: 'exact',
          network: NETWORK,
          payTo,
          maxTimeoutSeconds: 60,
          price: { amount: '50000', asset, extra: { name: 'USD Coin', version: '2' } },
        },
        description: 'Send 0.05 USDC',
      },
    },
    server,
  ),
);
app.post('/pay', async (c) => c.json({ received: await c.req.json<unknown>() }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
