/** A platform that does not answer: the payment is taken all the same, and the name is asked for afterwards. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toReceiptView, type ReceiptView } from '../../../api/receipts/view.ts';
import { nextOf, stateOf } from '../../../texts/receipt-page/letter.ts';
import { cancellationDomain, CANCELLATION_TYPES } from '../../../chain/evm/wallet-forms.ts';
import { microUsdc } from '../../../core/money.ts';
import { PLATFORM_NAMES, type Platform } from '../../../core/platforms/platforms.ts';
import { plainText } from '../../../core/view.ts';
import { createOrder } from '../../../db/tips/orders.ts';
import { takeWithin } from '../../../db/store/counters.ts';
import { findIdentity } from '../../../db/identities/identities.ts';
import { findReceipt } from '../../../db/payments/records/find.ts';
import { counterOf, RESOLVING_MAX } from '../../../db/identities/lookups.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { createGuardedFetch, type GuardedFetch } from '../../../identity/guarded-fetch.ts';
import type { Identity, Resolver } from '../../../identity/port.ts';
import { createResolver } from '../../../identity/resolve.ts';
import { createXResolver } from '../../../identity/platforms/x.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { ChatPost } from '../../../worker/chat/sender.ts';
import { startXStandIn, type StandIn } from '../../identity/stand-ins.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.ts';

type Account = Awaited<ReturnType<BaseChain['createAccount']>>;
/** All share it: each test has a service with keys and payers of its own. */
let chain: BaseChain;
let service: TestService;
let x: StandIn;
let fetcher: GuardedFetch;
/** How far the service's clock is ahead. */
let skewMs: number;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
});
afterAll(async () => {
  await chain.close();
});
beforeEach(async () => {
  skewMs = 0;
  const people: Readonly<Record<string, string>> = { alice: '42', bob: '7' };
  const find = (username: string) => (people[username] === undefined ? null : { id: people[username], username });
  x = await startXStandIn({ appToken: 'app', find });
  fetcher = createGuardedFetch({ timeoutMs: 5_000, bytesMax: 50_000, redirectsMax: 0, allowsAddress: () => true });
});
afterEach(async () => {
  await service.assertSound();
  await service.close();
  await x.close();
  await fetcher.close();
  chain.releaseBlocks();
});

const none = Object.fromEntries(PLATFORM_NAMES.map((platform) => [platform, null])) as Record<Platform, null>;
const byName: Resolver = async ({ key }) => ({ kind: 'found', stableId: key });

function createIdentity(platforms: readonly Platform[]): Identity {
  const lookupUrl = `${x.url}/2/users/by/username/{name}`;
  const resolveX = createXResolver({ lookupUrl, appToken: 'app' }, { fetch: fetcher, report: () => undefined });
  const log = { warn: () => undefined };
  const resolvers = { ...none, x: resolveX, web: byName };
  return { platforms, ...createResolver({ resolvers, now: () => Date.now() + skewMs, log }) };
}

async function start(options: Partial<TestServiceOptions> & { platforms?: readonly Platform[] } = {}): Promise<void> {
  const { platforms = ['x', 'web', 'code'], ...more } = options;
  const shared = { rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, now: () => Date.now() + skewMs };
  service = await startTestService({ ...shared, identity: createIdentity(platforms), ...more });
}

const payer = (usdc = 1_000_000n) => chain.createAccount({ usdc: microUsdc(usdc), wei: 0n });
const proofOf = (account: Account, value: bigint) =>
  makeProof({ from: account.address, signer: account, payTo: service.parts.treasury.address, value });

async function pay(account: Account, receiver: string, headers: Record<string, string> = {}, value = 1_000_000n) {
  const proof = { 'PAYMENT-SIGNATURE': await proofOf(account, value), ...headers };
  const ask = () => post(`${service.url}/payments/x/pay`, { receiver, amount: 1 }, proof);
  return { reply: await ask(), again: ask };
}

const lines = async () =>
  (await service.store.read.select().from(service.store.tables.lines)).toSorted((a, b) => a.position - b.position);
const statuses = async () => (await lines()).map(({ status }) => status);
/** Entries without those of gas, which come when they come. */
const causes = async () =>
  (await service.store.read.select().from(service.store.tables.entries))
    .map(({ cause }) => cause.split(':')[0])
    .filter((cause) => cause !== 'gas');
/** The name is due again, and the loop has looked in. */
const becomes = (status: string) =>
  eventually(async () => expect(await statuses()).toEqual(expect.arrayContaining([status])), 15_000);

async function receiptOf(url: string): Promise<ReceiptView> {
  const row = await findReceipt(service.store, url.split('/').at(-1) ?? '', Date.now());
  const view = row && toReceiptView(row, { baseUrl: service.url, localMode: true, networks: [] });
  if (view === null) throw new Error(`no receipt at ${url}`);
  return view;
}

describe('a platform that does not answer', () => {
  test('the payment is settled; when the platform is back, the person it names can collect it', async () => {
    await start();
    x.setDown(true);
    const account = await payer();
    const { reply, again } = await pay(account, 'Alice');
    expect([reply.status, reply.body.data.status]).toEqual([200, 'queued']);
    expect(reply.body['msg']).toMatch(/^1 USDC sent successfully; x:alice is still being looked up/);
    expect(reply.body.data).not.toHaveProperty('claim_url');
    expect(await chain.usdcBalance(account.address)).toBe(0n);
    expect(await findIdentity(service.store, 'x', '42')).toBeNull();
    const waiting = await receiptOf(reply.body.data.receipt);
    expect([stateOf(waiting), waiting.isFinished]).toEqual(['@alice on X is being looked up', false]);
    await service.assertSound();

    x.setDown(false);
    skewMs += 10_000;
    await becomes('escrowed');
    const asked = await fetch(`${service.url}/payments/validate?txn_id=${reply.body.data.txn_id}`);
    expect(await asked.json()).toMatchObject({ data: { status: 'pending_claim' } });
    expect((await receiptOf(reply.body.data.receipt)).claimPath).toMatch(/^\/claim\/x\/alice\?receipt=/);
    // What the caller was told at the time stays what it was.
    expect((await again()).body).toEqual(reply.body);

    const identity = await findIdentity(service.store, 'x', '42');
    const wallet = `0x${randomBytes(20).toString('hex')}` as const;
    const link = { identityId: identity?.id ?? '', network: 'base' as const, address: wallet, source: 'test' };
    await linkWallet(service.store, link, service.base.transferIdOf, Date.now());
    service.worker?.wake();
    await eventually(async () => expect(await chain.usdcBalance(wallet)).toBe(1_000_000n), 20_000);
  });

  test('a name that nobody has comes back on the chain, fee included, and the receipt says why', async () => {
    await start({ feeBps: 200 });
    x.setDown(true);
    const account = await payer(1_020_000n);
    const { reply } = await pay(account, 'nobody', {}, 1_020_000n);
    expect(reply.status).toBe(200);
    x.setDown(false);
    skewMs += 10_000;
    await eventually(async () => expect(await chain.usdcBalance(account.address)).toBe(1_020_000n), 20_000);
    await eventually(async () =>
      expect(nextOf(await receiptOf(reply.body.data.receipt))).toBe(
        'There is no @nobody on X, so nobody could have collected it. The money went back the way it came.',
      ),
    );
  });

  test('still without an answer after 15 minutes it comes back', async () => {
    await start();
    x.setDown(true);
    const account = await payer();
    const { reply } = await pay(account, 'alice');
    skewMs += 14 * 60_000;
    await eventually(async () => expect(x.requests.length).toBeGreaterThan(1));
    expect(await statuses()).toEqual(['resolving']);
    skewMs += 60_000;
    await eventually(async () => expect(await chain.usdcBalance(account.address)).toBe(1_000_000n), 25_000);
    expect(await lines()).toMatchObject([{ status: 'returning', returnReason: 'no_answer' }]);
    expect(nextOf(await receiptOf(reply.body.data.receipt))).toMatch(/^X gave no answer for 15 minutes/);
  });

  test('its payer can take it back meanwhile', async () => {
    await start();
    x.setDown(true);
    const account = await payer();
    const { reply } = await pay(account, 'alice');
    const txnId = reply.body.data.txn_id;
    const validBefore = Math.floor(Date.now() / 1000) + 120;
    const signature = await account.signTypedData({
      domain: cancellationDomain(service.parts.profile),
      types: CANCELLATION_TYPES,
      primaryType: 'Cancel',
      message: { txnId: BigInt(txnId), validBefore: BigInt(validBefore) },
    });
    const cancelled = await post(`${service.url}/payments/${txnId}/cancel`, { signature, valid_before: validBefore });
    expect(cancelled.status).toBe(200);
    x.setDown(false);
    skewMs += 10_000;
    await eventually(async () => expect(await chain.usdcBalance(account.address)).toBe(1_000_000n), 20_000);
    expect(await causes()).not.toContain('resolve');
  });

  test('the others of a batch are paid at once', async () => {
    await start();
    x.setDown(true);
    const account = await payer(60_000n);
    const receivers = [
      { platform: 'twitter', receiver: 'alice', amount: 0.01 },
      { platform: 'web', receiver: 'example.com', amount: 0.02 },
      { platform: 'x', receiver: 'nobody', amount: 0.03 },
    ];
    const proof = { 'PAYMENT-SIGNATURE': await proofOf(account, 60_000n) };
    const reply = await post(`${service.url}/payments/batch-pay`, { receivers }, proof);
    const data = reply.body['data'] as unknown as { status: string }[];
    expect(data.map(({ status }) => status)).toEqual(['queued', 'pending_claim', 'queued']);
    expect(reply.body['msg']).toMatch(/1 of them can collect it until .*; 2 of them are still being looked up$/);
    x.setDown(false);
    skewMs += 10_000;
    await eventually(async () => expect(await statuses()).toEqual(['escrowed', 'escrowed', 'returning']), 15_000);
  });

  describe('the chat that sent it', () => {
    const id = 'order-of-the-test-0123456789';
    let said: { onceKey: string; text: string }[];
    const texts = () => said.map(({ text }) => text);

    /** A chat's order, by whose id its payment is known. */
    async function order(account: Account): Promise<void> {
      said = [];
      const post = async ({ onceKey, view }: ChatPost) =>
        void said.push({ onceKey, text: plainText(view).split('\n')[0] ?? '' });
      await start({ senders: { web: { post } } });
      const place = {
        transport: 'web',
        eventId: 'e',
        chatId: 'c',
        messageId: 'm',
        userId: 'u',
        walletId: 'w',
        walletName: null,
        language: null,
      };
      const what = {
        network: 'base' as const,
        route: '/payments/x/pay',
        body: {},
        recipient: 'x:alice',
        amountMicroUsdc: 1_000_000n,
      };
      await createOrder(service.store, { id, ...place, ...what, payerAddress: account.address, createdAtMs: 0 });
      x.setDown(true);
    }

    const ofOrder = () => eq(service.store.tables.orders.id, id);

    async function answer(): Promise<void> {
      await service.store.tx((db) =>
        db.update(service.store.tables.orders).set({ status: 'answered', shownAtMs: 1 }).where(ofOrder()),
      );
    }

    async function newsOf(): Promise<number | undefined> {
      const [row] = await service.store.read.select().from(service.store.tables.orders).where(ofOrder());
      return row?.newsCount;
    }

    test('hears of each line of a batch once, and of none that was known from the start', async () => {
      const account = await payer(30_000n);
      await order(account);
      const receivers = ['twitter:alice', 'x:bob', 'web:example.com'].map((name) => {
        const [platform, receiver] = name.split(':');
        return { platform, receiver, amount: 0.01 };
      });
      const headers = { 'PAYMENT-SIGNATURE': await proofOf(account, 30_000n), 'Idempotency-Key': id };
      expect((await post(`${service.url}/payments/batch-pay`, { receivers }, headers)).status).toBe(200);
      await answer();
      x.setDown(false);
      skewMs += 10_000;
      await eventually(async () => expect(await newsOf()).toBe(2), 15_000);
      // Only the payer can tell the recipient, and an edit of the tip's message rings nobody.
      const each = '0.01 USDC is waiting for @alice on X.';
      await eventually(async () => expect(texts()).toEqual([each, each]), 15_000);
      expect(new Set(said.map(({ onceKey }) => onceKey)).size).toBe(2);
    });
  });
});

describe('what is refused before anything moves', () => {
  test('an unknown name with a proof, and then without one, from memory', async () => {
    await start();
    const account = await payer();
    const order = { receiver: 'nobody', amount: 1 };
    expect((await post(`${service.url}/payments/x/pay`, order)).status).toBe(402);
    const { reply } = await pay(account, 'nobody');
    expect([reply.status, reply.body['error'], reply.body['field']]).toEqual([400, 'receiver_not_found', 'receiver']);
    const asked = x.requests.length;
    const unpaid = await post(`${service.url}/payments/x/pay`, order);
    expect([unpaid.status, unpaid.body['error']]).toEqual([400, 'receiver_not_found']);
    const receivers = [
      { receiver: 'alice', amount: 1 },
      { receiver: 'nobody', amount: 1 },
    ];
    const batch = await post(`${service.url}/payments/x/batch-pay`, { receivers });
    expect([batch.status, batch.body['field']]).toEqual([400, 'receivers[1].receiver']);
    expect(x.requests).toHaveLength(asked);
    expect(await lines()).toEqual([]);
  });

  test('another line when a platform has been away for so long that a thousand wait', async () => {
    await start();
    x.setDown(true);
    const account = await payer();
    // The first audit is over: it would call this counter wrong, and the next one comes in 30 s.
    const { read, tables } = service.store;
    await expect.poll(() => read.select().from(tables.auditCheckpoints)).toHaveLength(1);
    const fill = (count: bigint) =>
      service.store.tx((db) => takeWithin(db, service.store, counterOf('x'), count, BigInt(RESOLVING_MAX)));
    await fill(1_000n);
    const { reply } = await pay(account, 'alice');
    expect([reply.status, reply.body['error']]).toEqual([400, 'platform_unavailable']);
    expect([await lines(), await chain.usdcBalance(account.address)]).toEqual([[], 1_000_000n]);
    await fill(-1n);
    expect((await pay(account, 'alice')).reply.status).toBe(200);
    await fill(-999n);
  });

  test.each([
    ['x/pay', { receiver: 'alice', amount: 1 }, 'platform'],
    ['TWITTER/batch-pay', { receivers: [{ receiver: 'alice', amount: 1 }] }, 'platform'],
    ['batch-pay', { receivers: [{ platform: 'x', receiver: 'alice', amount: 1 }] }, 'receivers[0].platform'],
  ])('%s to a platform that is not offered', async (path, body, field) => {
    await start({ platforms: ['web'] });
    const reply = await post(`${service.url}/payments/${path}`, body);
    expect([reply.status, reply.body['error'], reply.body['field']]).toEqual([400, 'platform_unavailable', field]);
    expect(x.requests).toEqual([]);
  });
});

describe('a reorganisation', () => {
  /** Pays in a block of its own, which can be taken away again. */
  async function payInOneBlock(account: Account) {
    await chain.holdBlocks();
    const paying = pay(account, 'alice');
    await eventually(async () => {
      const status = (await chain.rpc('txpool_status')) as { pending: string };
      expect(Number(status.pending)).toBe(1);
    });
    await chain.mine(1);
    expect((await paying).reply.status).toBe(200);
  }

  const settlesAgain = async (account: Account) => {
    chain.releaseBlocks();
    const { payments } = service.store.tables;
    await eventually(async () => {
      expect(await service.store.read.select({ status: payments.status }).from(payments)).toEqual([
        { status: 'final' },
      ]);
    }, 20_000);
    expect(await chain.usdcBalance(account.address)).toBe(0n);
  };

  test('while the name is looked up puts the looking up off until the money is back', async () => {
    await start();
    x.setDown(true);
    const account = await payer();
    await payInOneBlock(account);
    await chain.reorg(1);
    await eventually(async () => expect(await causes()).toEqual(['in', 'un.in']));
    await service.assertSound();
    x.setDown(false);
    skewMs += 10_000;
    await settlesAgain(account);
    await becomes('escrowed');
    expect(await causes()).toEqual(['in', 'un.in', 'in', 'resolve']);
  });

  test('just after it was found leaves it with the person', async () => {
    await start();
    x.setDown(true);
    const account = await payer();
    await payInOneBlock(account);
    x.setDown(false);
    skewMs += 10_000;
    await becomes('escrowed');
    await service.assertSound();
    await chain.reorg(1);
    await eventually(async () => expect(await causes()).toEqual(['in', 'resolve', 'un.in']));
    await service.assertSound();
    await settlesAgain(account);
    expect((await causes()).filter((cause) => cause === 'resolve')).toHaveLength(1);
    expect(await statuses()).toEqual(['escrowed']);
  });
});
