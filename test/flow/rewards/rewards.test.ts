/** Rewards are confirmed over HTTP and MCP on a real chain: once, no matter who pays, and exactly as previewed. */
import { eq } from 'drizzle-orm';
import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiNetwork } from '../../../api/environment/dependencies.ts';
import type { ProofChecker } from '../../../api/proofs/proof-check.ts';
import { microUsdc } from '../../../core/money.ts';
import { CATALOG, type OperationId } from '../../../core/catalog/operations.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { call, say } from '../../api/mcp/caller.ts';
import { jsonPost, startInstallation, type Installation, type Reply } from '../../contract/installation.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { CAST } from '../../support/rewards/distributions.ts';
import { makeProof, type TestSigner } from '../../support/pay.ts';
import { createListedHub, fidOf } from '../../support/rewards/reward-hub.ts';

const BOT = { Authorization: 'Bearer the-bot-token-of-the-test-0123456789' };
const CONFIRM = '/rewards/decsocial/confirm-distribution';
/** 1 USDC and 2.5 % of it. */
const TOTAL = 1_025_000n;

let chain: BaseChain;
let installation: Installation;
/** What a look at the chain before a payment takes a distribution says; null: what it really finds. */
let found: 'ok' | null = null;
const withTrials = (network: ApiNetwork): ApiNetwork => {
  const tryOut: ProofChecker['tryOut'] = async (proof) => found ?? network.checker.tryOut(proof);
  return { ...network, checker: { ...network.checker, tryOut } };
};
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
      networks: dependencies.networks.map(withTrials),
    }),
  });
});
afterAll(async () => {
  await installation.close();
  await chain.close();
});
afterEach(async () => {
  found = null;
  await eventually(() => installation.service.assertSound());
});

type Data = Record<string, unknown> & {
  id: string;
  status: string;
  order_secret: string;
  recipients: { username: string; amount: number; txn_id: number; status: string; receipt: string }[];
};
const dataOf = (reply: Reply): Data => reply.body['data'] as unknown as Data;
const errorOf = (reply: Reply) => [reply.status, reply.body['error']];

async function create(): Promise<Data> {
  const body = { budget: 1, content_id: CAST };
  return dataOf(await installation.send('/rewards/decsocial/create-distribution', jsonPost(body)));
}

const confirm = (id: string, headers: Record<string, string> = {}) =>
  installation.send(CONFIRM, jsonPost({ order_id: id }, headers));
const confirmById = (id: string, headers: Record<string, string> = {}) =>
  installation.send(`${CONFIRM}/${id}`, { method: 'POST', headers, body: 'no JSON at all' });
const read = async (id: string) => dataOf(await installation.send(`/rewards/decsocial/distributions/${id}`));
const reject = (id: string, token: string) =>
  installation.send(`/rewards/decsocial/distributions/${id}/reject`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });

/** A payer with enough for one distribution, and the proof for it. */
async function newPayer(usdc = TOTAL) {
  const account = await chain.createAccount({ usdc: microUsdc(usdc), wei: 0n });
  const proof = await proofOf(account.address, account);
  return { account, proof, balance: () => chain.usdcBalance(account.address) };
}

async function proofOf(from: `0x${string}`, signer: TestSigner) {
  const payTo = installation.service.parts.treasury.address;
  return { 'PAYMENT-SIGNATURE': await makeProof({ from, signer, payTo, value: TOTAL }) };
}

function expectDocumented(operation: OperationId, reply: Reply): void {
  const { path, method } = CATALOG[operation];
  expect(installation.violations(path, method, reply.status, reply.body)).toEqual([]);
}

const paymentsNow = async () => {
  const { store } = installation.service;
  return (await store.read.select().from(store.tables.payments)).length;
};

describe('a distribution is confirmed', () => {
  test('for its budget and the fee, paid out as previewed, and told the same for ever', async () => {
    await giveWallet('ada');
    const created = await create();
    const price = await confirm(created.id);
    expect([price.status, price.body['accepts'][0]?.['maxAmountRequired']]).toEqual([402, String(TOTAL)]);
    expect(price.text).not.toMatch(/\b(?:ada|ben)\b/);
    expectDocumented('confirmDistribution', price);

    const { proof, balance } = await newPayer();
    const paid = await confirm(created.id, proof);
    expect(paid.status).toBe(200);
    expectDocumented('confirmDistribution', paid);
    const data = dataOf(paid);
    expect(data).toMatchObject({ id: created.id, status: 'confirmed', budget: 1, fee: 0.025, total: 1.025 });
    expect(data.recipients.map(({ username, amount }) => [username, amount])).toEqual(
      created.recipients.map(({ username, amount }) => [username, amount]),
    );
    expect(data.recipients.map(({ status }) => status)).toEqual(['queued', 'pending_claim']);
    expect(await balance()).toBe(0n);

    await eventually(async () => expect((await read(created.id)).status).toBe('partial'));
    const now = await read(created.id);
    expect(now['counts']).toEqual({ paid: 1, queued: 0, pending_claim: 1, refunded: 0, held: 0 });
    expect(now.recipients.map(({ txn_id }) => txn_id)).toEqual(data.recipients.map(({ txn_id }) => txn_id));
    expect(await chain.usdcBalance(walletOf('ada'))).toBe(750_000n);

    const again = [await confirm(created.id, proof), await confirmById(created.id, proof), await confirm(created.id)];
    for (const reply of again) {
      expect([reply.status, reply.body, reply.headers.get('Idempotent-Replayed')]).toEqual([200, paid.body, 'true']);
    }
    const receipt = await installation.send(new URL(data.recipients[0]?.receipt ?? '').pathname, {
      headers: { Accept: 'application/json' },
    });
    expect(receipt.body['data']).toMatchObject({ recipient: 'decsocial:ada', amount: 0.75, status: 'paid' });
  });

  test('named in the address, whatever the body', async () => {
    const { id } = await create();
    expectDocumented('confirmDistributionById', await confirmById(id));
    // By a wallet with code.
    const owner = await chain.createAccount();
    const from = await chain.deploySmartWallet(owner.address);
    await chain.fundUsdc(from, microUsdc(TOTAL));
    const paid = await confirmById(id, await proofOf(from, owner));
    expect([paid.status, dataOf(paid).status]).toEqual([200, 'confirmed']);
    expect(await chain.usdcBalance(from)).toBe(0n);
  });

  test('once: a later payer gets the same answer and pays nothing', async () => {
    const { id } = await create();
    const paid = await confirm(id, (await newPayer()).proof);
    const second = await newPayer();
    const before = await paymentsNow();
    // Even when a recipient has opted out since.
    const restore = await optOut('ben');
    const replies = [await confirm(id), await confirm(id, second.proof)];
    await restore();
    for (const reply of replies) expect([reply.status, reply.body]).toEqual([200, paid.body]);
    expect([await paymentsNow(), await second.balance()]).toEqual([before, TOTAL]);
  });

  test('once: of payers at the same moment one pays', async () => {
    const { id } = await create();
    const before = await paymentsNow();
    const payers = await Promise.all([newPayer(), newPayer(), newPayer()]);
    const replies = await Promise.all(payers.map(({ proof }) => confirm(id, proof)));
    // Who is late by a moment may find it paid already, and is told so.
    const words = replies.map((reply) => reply.body['error'] ?? reply.status);
    expect(words.filter((word) => word !== 'order_in_progress' && word !== 200)).toEqual([]);
    expect(words).toContain(200);
    expect(await paymentsNow()).toBe(before + 1);
    const balances = await Promise.all(payers.map(({ balance }) => balance()));
    expect(balances.filter((balance) => balance === TOTAL)).toHaveLength(2);
    expect(balances.filter((balance) => balance === 0n)).toHaveLength(1);
  });

  test('nobody has to wait for a payment that would fail: it takes nothing', async () => {
    const { id } = await create();
    const before = await paymentsNow();
    const poor = await newPayer(TOTAL - 1n);
    const barred = await newPayer();
    const abi = parseAbi(['function blacklist(address account)', 'function pause()', 'function unpause()']);
    await chain.sendAsAdmin(encodeFunctionData({ abi, functionName: 'blacklist', args: [barred.account.address] }));
    expect(errorOf(await confirm(id, poor.proof))).toEqual([402, 'insufficient_funds']);
    expect(errorOf(await confirm(id, barred.proof))).toEqual([400, 'payer_barred']);
    const early = await newPayer();
    await chain.sendAsAdmin(encodeFunctionData({ abi, functionName: 'pause' }));
    try {
      expect(errorOf(await confirm(id, early.proof))).toEqual([500, 'service_paused']);
    } finally {
      await chain.sendAsAdmin(encodeFunctionData({ abi, functionName: 'unpause' }));
    }
    expect(await paymentsNow()).toBe(before);
    expect((await confirm(id, (await newPayer()).proof)).status).toBe(200);
  });

  test('after a payment that was refused it waits again, and another payer confirms it', async () => {
    found = 'ok';
    const { id } = await create();
    const poor = await newPayer(TOTAL - 1n);
    const anew = () => proofOf(poor.account.address, poor.account);
    for (const proof of [poor.proof, await anew(), await anew()]) {
      expect(errorOf(await confirm(id, proof))).toEqual([402, 'insufficient_funds']);
      expect((await read(id)).status).toBe('pending');
    }
    // Whose payments die again and again has to pause, and nobody else.
    const before = await paymentsNow();
    const refused = await confirm(id, await anew());
    expect(errorOf(refused)).toEqual([429, 'rate_limited']);
    expectDocumented('confirmDistribution', refused);
    const seconds = Number(refused.headers.get('Retry-After'));
    expect(seconds > 0 && seconds <= 900).toBe(true);
    expect(await paymentsNow()).toBe(before);
    const other = await create();
    expect(errorOf(await confirm(other.id, await anew()))).toEqual([402, 'insufficient_funds']);
    expect((await confirm(id, (await newPayer()).proof)).status).toBe(200);
    expect(errorOf(await confirm(id, poor.proof))).toEqual([200, undefined]);
  });

  test('by an agent, with the tools, and what REST has paid is paid there too', async () => {
    const created = await say(installation.url, call('create_reward_distribution', { budget: 1, content_id: CAST }));
    const { id } = created.result['structuredContent'] as Data;
    const price = await say(installation.url, call('confirm_reward_distribution', { order_id: id }));
    expect([price.error.code, price.error.data['accepts']]).toEqual([
      -32402,
      [expect.objectContaining({ amount: String(TOTAL) })],
    ]);
    const { proof } = await newPayer();
    const meta = { 'x402/payment': proof['PAYMENT-SIGNATURE'], taskId: price.error.data['taskId'] };
    const paid = await say(installation.url, call('confirm_reward_distribution', { order_id: id }, meta));
    expect(paid.result['structuredContent']).toMatchObject({ id, status: 'confirmed', total: 1.025 });
    const before = await paymentsNow();
    const again = await say(installation.url, call('confirm_reward_distribution', { order_id: id }));
    expect(again.result['structuredContent']).toEqual(paid.result['structuredContent']);
    const overRest = await confirm(id, (await newPayer()).proof);
    expect([overRest.status, dataOf(overRest).recipients]).toEqual([
      200,
      (paid.result['structuredContent'] as Data).recipients,
    ]);
    expect(await paymentsNow()).toBe(before);
  });
});

describe('a distribution is refused, and nothing has moved', () => {
  test('an unknown one', async () => {
    const unknown = 'dist_AAAAAAAAAAAAAAAAAAAAAA';
    const replies = [await confirm(unknown), await confirmById(unknown), await confirmById('dist_short')];
    for (const reply of replies) expect(errorOf(reply)).toEqual([404, 'distribution_not_found']);
    expect(errorOf(await confirm('dist_short'))).toEqual([400, 'validation_failed']);
  });

  test('a rejected one, with and without a payment', async () => {
    const { id, order_secret: secret } = await create();
    const other = await create();
    expect(errorOf(await reject(id, other.order_secret))).toEqual([403, 'wrong_order_secret']);
    const rejected = await reject(id, secret);
    expect([rejected.status, dataOf(rejected).status]).toEqual([200, 'rejected']);
    expectDocumented('rejectDistribution', rejected);
    expect((await reject(id, secret)).status).toBe(200);
    const { proof, balance } = await newPayer();
    const before = await paymentsNow();
    for (const reply of [await confirm(id), await confirm(id, proof)]) {
      expect(errorOf(reply)).toEqual([400, 'distribution_rejected']);
      expectDocumented('confirmDistribution', reply);
    }
    expect([await paymentsNow(), await balance()]).toEqual([before, TOTAL]);
  });

  test('the bot rejects without the secret; nobody does without either', async () => {
    const { id } = await create();
    expect(errorOf(await installation.send(`/rewards/fc/distributions/${id}/reject`, { method: 'POST' }))).toEqual([
      403,
      'wrong_order_secret',
    ]);
    const reply = await installation.send(`/rewards/fc/distributions/${id}/reject`, { method: 'POST', headers: BOT });
    expect([reply.status, dataOf(reply).status]).toEqual([200, 'rejected']);
  });

  test('the rejection of one that is being paid, which may still fail, and of one that is paid', async () => {
    const { id, order_secret: secret } = await create();
    const payer = await newPayer();
    await chain.holdBlocks();
    const paying = confirm(id, payer.proof);
    await eventually(async () => expect((await read(id)).status).toBe('confirming'));
    const early = await reject(id, secret);
    chain.releaseBlocks();
    expect([...errorOf(early), early.body['retryable']]).toEqual([409, 'distribution_confirming', true]);
    expect(early.headers.get('Retry-After')).toBe('5');
    expectDocumented('rejectDistribution', early);
    expect((await paying).status).toBe(200);
    const reply = await reject(id, secret);
    expect([...errorOf(reply), reply.body['retryable']]).toEqual([409, 'distribution_confirmed', false]);
    expectDocumented('rejectDistribution', reply);
  });

  test('one whose day is over, at the press', async () => {
    const { id, order_secret: secret } = await create();
    const { store } = installation.service;
    const { distributions } = store.tables;
    await store.tx((db) => db.update(distributions).set({ expiresAtMs: Date.now() }).where(eq(distributions.id, id)));
    const { proof, balance } = await newPayer();
    for (const reply of [await confirm(id), await confirm(id, proof), await reject(id, secret)]) {
      expect(errorOf(reply)).toEqual([400, 'distribution_expired']);
    }
    expect([(await read(id)).status, await balance()]).toEqual(['expired', TOTAL]);
  });

  test('one with a recipient who has opted out since', async () => {
    const { id } = await create();
    const restore = await optOut('ben');
    const { proof, balance } = await newPayer();
    const reply = await confirm(id, proof);
    await restore();
    expect([...errorOf(reply), reply.body['field']]).toEqual([400, 'receiver_opted_out', 'recipients[1]']);
    expect([(await read(id)).status, await balance()]).toEqual(['pending', TOTAL]);
  });

  test('a proof that has paid for something else, even where another payer has paid since', async () => {
    const [first, second] = [await create(), await create()];
    const { proof } = await newPayer();
    expect((await confirm(first.id, proof)).status).toBe(200);
    expect(errorOf(await confirm(second.id, proof))).toEqual([400, 'payment_already_used']);
    expect((await read(second.id)).status).toBe('pending');
    expect((await confirm(second.id, (await newPayer()).proof)).status).toBe(200);
    expect(errorOf(await confirm(second.id, proof))).toEqual([400, 'payment_already_used']);
  });
});

const walletOf = (name: string): `0x${string}` => `0x${Buffer.from(name.padEnd(20, '-')).toString('hex')}`;

async function meet(name: string): Promise<string> {
  const { store, base } = installation.service;
  const person = { platform: 'decsocial', stableId: fidOf(name), key: name, display: name };
  return store.tx((db) => ensureIdentity(db, store.tables, person, base.ids.identityId(), Date.now()));
}

/** Answers how that ends. */
async function optOut(name: string): Promise<() => Promise<unknown>> {
  const personId = await meet(name);
  const { store } = installation.service;
  const { identities } = store.tables;
  const set = (optedOutAtMs: number | null) =>
    store.tx((db) => db.update(identities).set({ optedOutAtMs }).where(eq(identities.id, personId)));
  await set(1);
  return () => set(null);
}

async function giveWallet(name: string): Promise<void> {
  const { store, base } = installation.service;
  const link = { identityId: await meet(name), network: 'base' as const, address: walletOf(name), source: 'test' };
  await linkWallet(store, link, base.transferIdOf, Date.now());
}
