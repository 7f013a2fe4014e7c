/** What becomes of a reward's confirmation that comes late, or at the same moment as something else. */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ProofChecker } from '../../../api/proofs/proof-check.ts';
import { microUsdc } from '../../../core/money.ts';
import { findDistribution } from '../../../db/rewards/distributions.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { jsonPost, startInstallation, type Installation, type Reply } from '../../contract/installation.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { CAST } from '../../support/rewards/distributions.ts';
import { makeProof } from '../../support/pay.ts';
import { createListedHub } from '../../support/rewards/reward-hub.ts';

/** 1 USDC and 2.5 % of it. */
const TOTAL = 1_025_000n;

let chain: BaseChain;
let installation: Installation;
/** Happens once, while a proof is being checked. */
let meanwhile: (() => Promise<unknown>) | null = null;

function slowly(checker: ProofChecker): ProofChecker {
  return {
    ...checker,
    check: async (...asked) => {
      const happens = meanwhile;
      meanwhile = null;
      await happens?.();
      return checker.check(...asked);
    },
  };
}

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  const hub = createListedHub([
    { name: 'ada', kinds: ['like', 'comment', 'repost'] },
    { name: 'ben', kinds: ['comment'] },
  ]);
  installation = await startInstallation({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    feeBps: 250,
    decorate: (dependencies) => ({
      ...dependencies,
      rewards: hub.rewards,
      networks: dependencies.networks.map((network) => ({ ...network, checker: slowly(network.checker) })),
    }),
  });
});
afterAll(async () => {
  await installation.close();
  await chain.close();
});
afterEach(async () => {
  meanwhile = null;
  await eventually(() => installation.service.assertSound());
});

type Created = { id: string; order_secret: string };
const errorOf = (reply: Reply) => [reply.status, reply.body['error']];

async function create(): Promise<Created> {
  const body = { budget: 1, content_id: CAST };
  const reply = await installation.send('/rewards/decsocial/create-distribution', jsonPost(body));
  return reply.body['data'] as unknown as Created;
}

const confirm = (id: string, headers: Record<string, string> = {}) =>
  installation.send('/rewards/decsocial/confirm-distribution', jsonPost({ order_id: id }, headers));
const reject = (id: string, token: string) =>
  installation.send(`/rewards/decsocial/distributions/${id}/reject`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });

/** A payer with enough for one distribution, and the proof for it. */
async function newPayer(usdc = TOTAL) {
  const account = await chain.createAccount({ usdc: microUsdc(usdc), wei: 0n });
  const payTo = installation.service.parts.treasury.address;
  const sign = async (signer = account) => ({
    'PAYMENT-SIGNATURE': await makeProof({ from: account.address, signer, payTo, value: TOTAL }),
  });
  return { account, proof: await sign(), sign, balance: () => chain.usdcBalance(account.address) };
}

const paymentOf = async (id: string) => (await findDistribution(installation.service.store, id))?.payment ?? null;

const paymentsNow = async () => {
  const { store } = installation.service;
  return (await store.read.select().from(store.tables.payments)).length;
};

test('a payer who is a moment late is told that it is paid, whatever the proof is worth', async () => {
  for (const isForged of [false, true]) {
    const { id } = await create();
    const [first, late] = [await newPayer(), await newPayer()];
    const before = await paymentsNow();
    const paid: Reply[] = [];
    meanwhile = async () => paid.push(await confirm(id, first.proof));
    const reply = await confirm(id, await late.sign(isForged ? first.account : late.account));
    expect([paid[0]?.status, reply.status, reply.body]).toEqual([200, 200, paid[0]?.body]);
    expect([await paymentsNow(), await late.balance()]).toEqual([before + 1, TOTAL]);
  }
});

test('a payer who tries again with another proof while a payment is on its way joins that', async () => {
  const { id } = await create();
  const { proof, sign, balance } = await newPayer(2n * TOTAL);
  const key = { 'Idempotency-Key': `a-key-of-the-payer-${id}` };
  const before = await paymentsNow();
  const other = { ...(await sign()), ...key };
  const first = confirm(id, { ...proof, ...key });
  await eventually(async () => expect(await paymentOf(id)).not.toBeNull());
  const [paid, joined] = await Promise.all([first, confirm(id, other)]);
  expect([paid.status, joined.status, joined.body]).toEqual([200, 200, paid.body]);
  expect([await paymentsNow(), await balance()]).toEqual([before + 1, TOTAL]);
});

test('whether its payer has the answer is not decided by handing it to others', async () => {
  const { id } = await create();
  const { proof } = await newPayer();
  // On a connection that stays open it would be known only some seconds later that an answer was taken.
  const closing = { connection: 'close' };
  await confirm(id, { ...proof, ...closing });
  const { store } = installation.service;
  const { payments } = store.tables;
  const paymentId = (await paymentOf(id))?.id ?? '';
  await eventually(async () => expect((await paymentOf(id))?.delivery).toBe('handed'));
  await store.tx((db) => db.update(payments).set({ delivery: 'missed' }).where(eq(payments.id, paymentId)));
  await confirm(id, closing);
  await confirm(id, { ...(await newPayer()).proof, ...closing });
  expect((await paymentOf(id))?.delivery).toBe('missed');
  await confirm(id, { ...proof, ...closing });
  await eventually(async () => expect((await paymentOf(id))?.delivery).toBe('handed'));
});

test('what was rejected while a forged proof was looked at asks for no other', async () => {
  const { id, order_secret: secret } = await create();
  const [payer, stranger] = [await newPayer(), await newPayer()];
  meanwhile = () => reject(id, secret);
  const reply = await confirm(id, await payer.sign(stranger.account));
  expect(errorOf(reply)).toEqual([400, 'distribution_rejected']);
});
