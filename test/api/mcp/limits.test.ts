/** On a chain of its own: what a caller over the limit is still answered, and what a fee does to a price. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApi } from '../../../api/app.ts';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { microUsdc } from '../../../core/money.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { call, say } from './caller.ts';

const ALICE = { receiver: 'alice', amount: 1 };
/** With 1 % fee. */
const TOTAL = 1_010_000n;

let chain: BaseChain;
let service: TestService;
let app: ReturnType<typeof createApi>;
let isOver = false;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  let dependencies: ApiDependencies | undefined;
  service = await startTestService({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    feeBps: 100,
    decorate: (plain) => (dependencies = plain),
  });
  if (dependencies === undefined) throw new Error('the test service did not hand out its dependencies');
  app = createApi({ ...dependencies, callerLimiter: { allows: () => !isOver, retryAfterSeconds: () => 17 } }, true);
});
afterAll(async () => {
  await service.assertSound();
  await service.close();
  await chain.close();
});

async function prove(): Promise<string> {
  const account = await chain.createAccount({ usdc: microUsdc(TOTAL), wei: 0n });
  const payTo = service.parts.treasury.address;
  return makeProof({ from: account.address, signer: account, payTo, value: TOTAL });
}

test('the price names its fee', async () => {
  const { error } = await say(app, call('pay_x', ALICE));
  expect(error.message).toBe('Payment required: Send 1 USDC plus 0.01 USDC fee.');
  expect(error.data['accepts']).toMatchObject([{ amount: String(TOTAL) }]);
});

test('a payment that is known already is answered over any limit, wherever it stands; a new one is not', async () => {
  const proof = await prove();
  const meta = { 'x402/payment': proof };
  const paid = await say(app, call('pay_x', ALICE, meta));
  expect(paid.result['structuredContent']).toMatchObject({ amount: 1, status: 'pending_claim' });
  isOver = true;
  try {
    const again = await say(app, call('pay_x', ALICE, meta));
    expect(again.result['structuredContent']).toEqual(paid.result['structuredContent']);
    const byHeader = await say(app, call('pay_x', ALICE), { headers: { 'PAYMENT-SIGNATURE': proof } });
    expect(byHeader.result['structuredContent']).toEqual(paid.result['structuredContent']);
    for (const other of [undefined, { 'x402/payment': await prove() }, { 'x402/payment': 'nothing' }]) {
      const refused = await say(app, call('pay_x', ALICE, other));
      expect([refused.status, refused.error.data['error']]).toEqual([429, 'rate_limited']);
    }
  } finally {
    isOver = false;
  }
});
