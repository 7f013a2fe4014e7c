/** A platform that does not answer: the payment is taken all the same, and the name is asked for afterwards. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
import { refundRound } from '../../../worker/refunds.ts';
import { startXStandIn, type StandIn } from '../../identity/stand-ins.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post, type Reply } from '../../support/pay.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.ts';

type Account = Awaited<ReturnType<BaseChain['createAccount']>>;
/** 1 USDC and 2 % of it. */
const TOTAL = 1_020_000n;

let chain: BaseChain;
let service: TestService;
let x: StandIn;
let fetcher: GuardedFetch;
/** How far the service's clock is ahead. */
let skewMs = 0;
/** How often a platform was asked that never answers. */
let askedInVain = 0;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  const people: Readonly<Record<string, string>> = { alice: '42', bob: '7', carol: '9' };
  const find = (username: string) => (people[username] === undefined ? null : { id: people[username], username });
  x = await startXStandIn({ appToken: 'app', find });
  fetcher = createGuardedFetch({ timeoutMs: 5_000, bytesMax: 50_000, redirectsMax: 0, allowsAddress: () => true });
});
afterAll(async () => {
  await x.close();
  await fetcher.close();
  await chain.close();
});
afterEach(() => service.assertSound());

const none = Object.fromEntries(PLATFORM_NAMES.map((platform) => [platform, null])) as Record<Platform, null>;
const byName: Resolver = async ({ key }) => ({ kind: 'found', stableId: key });
const silent: Resolver = async () => {
  askedInVain += 1;
  return { kind: 'unavailable' };
};

function createIdentity(): Identity {
  const lookupUrl = `${x.url}/2/users/by/username/{name}`;
  const resolveX = createXResolver({ lookupUrl, appToken: 'app' }, { fetch: fetcher, report: () => undefined });
  const log = { warn: () => undefined };
  const resolvers = { ...none, x: resolveX, web: byName, code: silent, decsocial: silent };
  return { platforms: ['x', 'web', 'code'], ...createResolver({ resolvers, now: () => Date.now() + skewMs, log }) };
}

async function start(options: Partial<TestServiceOptions> = {}): Promise<void> {
  skewMs = 0;
  const shared = { rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, now: () => Date.now() + skewMs, feeBps: 200 };
  service = await startTestService({ ...shared, identity: createIdentity(), ...options });
}

const payer = (usdc: bigint) => chain.createAccount({ usdc: microUsdc(usdc), wei: 0n });
const proofOf = async (account: Account, value: bigint) => ({
  'PAYMENT-SIGNATURE': await makeProof({
    from: account.address,
    signer: account,
    payTo: service.parts.treasury.address,
    value,
  }),
});

/** 1 USDC by a payer of its own, unless one is given. */
async function pay(receiver: string, platform: Platform = 'x', given: Account | null = null) {
  const account = given ?? (await payer(TOTAL));
  const proof = await proofOf(account, TOTAL);
  const ask = () => post(`${service.url}/payments/${platform}/pay`, { receiver, amount: 1 }, proof);
  return { account, reply: await ask(), again: ask };
}
type Paid = Awaited<ReturnType<typeof pay>>;

const lines = async () =>
  (await service.store.read.select().from(service.store.tables.lines)).toSorted((a, b) => a.position - b.position);
const lineOf = async ({ reply }: Paid) => (await lines()).find(({ txnId }) => txnId === reply.body.data.txn_id);
const allCauses = async () =>
  (await service.store.read.select().from(service.store.tables.entries)).map(({ cause }) => cause);
/** Entries without those of gas, which come when they come. */
const causes = async () => (await allCauses()).map((cause) => cause.split(':')[0]).filter((cause) => cause !== 'gas');

async function receiptOf({ reply }: Paid): Promise<ReceiptView> {
  const row = await findReceipt(service.store, reply.body.data.receipt.split('/').at(-1) ?? '', Date.now());
  const view = row && toReceiptView(row, { baseUrl: service.url, localMode: true, networks: [] });
  if (view === null) throw new Error(`no receipt at ${reply.body.data.receipt}`);
  return view;
}

/** What a chat was told. */
const said: { onceKey: string; text: string }[] = [];
const sayInChat = async ({ onceKey, view }: ChatPost) =>
  void said.push({ onceKey, text: plainText(view).split('\n')[0] ?? '' });

describe('one service', () => {
  beforeAll(() => start({ senders: { web: { post: sayInChat } } }));
  afterAll(() => service.close());

  // The first ones: the audit must not look while they spoil a counter.
  describe('what is refused before anything moves', () => {
    test('another line when a platform has been away for so long that a thousand wait', async () => {
      x.setDown(true);
      // The first audit is over: it would call this counter wrong, and the next one comes in 30 s.
      const { read, tables } = service.store;
      await expect.poll(() => read.select().from(tables.auditCheckpoints)).toHaveLength(1);
      const fill = (count: bigint) =>
        service.store.tx((db) => takeWithin(db, service.store, counterOf('x'), count, BigInt(RESOLVING_MAX)));
      await fill(1_000n);
      const { account, reply } = await pay('carol');
      expect([reply.status, reply.body['error']]).toEqual([400, 'platform_unavailable']);
      expect([await lines(), await chain.usdcBalance(account.address)]).toEqual([[], TOTAL]);
      await fill(-1n);
      expect((await pay('carol')).reply.status).toBe(200);
      await fill(-999n);
    });

    test('an unknown name with a proof, and then without one, from memory', async () => {
      x.setDown(false);
      const order = { receiver: 'nowhere', amount: 1 };
      expect((await post(`${service.url}/payments/x/pay`, order)).status).toBe(402);
      const { account, reply } = await pay('nowhere');
      expect([reply.status, reply.body['error'], reply.body['field']]).toEqual([400, 'receiver_not_found', 'receiver']);
      // The worker may ask for the one above meanwhile.
      const requests = () => x.requests.filter((path) => !path.includes('/carol'));
      const asked = requests().length;
      const unpaid = await post(`${service.url}/payments/x/pay`, order);
      expect([unpaid.status, unpaid.body['error']]).toEqual([400, 'receiver_not_found']);
      const receivers = [
        { receiver: 'alice', amount: 1 },
        { receiver: 'nowhere', amount: 1 },
      ];
      const batch = await post(`${service.url}/payments/x/batch-pay`, { receivers });
      expect([batch.status, batch.body['field']]).toEqual([400, 'receivers[1].receiver']);
      expect(requests()).toHaveLength(asked);
      expect((await lines()).map(({ recipientKey }) => recipientKey)).toEqual(['carol']);
      expect(await chain.usdcBalance(account.address)).toBe(TOTAL);
    });

    test.each([
      ['decsocial/pay', { receiver: 'alice', amount: 1 }, 'platform'],
      ['FARCASTER/batch-pay', { receivers: [{ receiver: 'alice', amount: 1 }] }, 'platform'],
      ['batch-pay', { receivers: [{ platform: 'fc', receiver: 'alice', amount: 1 }] }, 'receivers[0].platform'],
    ])('%s to a platform that is not offered', async (path, body, field) => {
      const reply = await post(`${service.url}/payments/${path}`, body);
      expect([reply.status, reply.body['error'], reply.body['field']]).toEqual([400, 'platform_unavailable', field]);
      expect(askedInVain).toBe(0);
    });
  });

  describe('a platform that does not answer', () => {
    let found: Paid;
    let unknown: Paid;
    let taken: Paid;
    let unanswered: Paid;
    let batch: Reply;
    /** When all of them had settled. */
    let paidAtMs: number;
    /** By which a chat's payment is known. */
    const orderId = 'order-of-the-test-0123456789';
    const ofOrder = () => eq(service.store.tables.orders.id, orderId);

    beforeAll(async () => {
      x.setDown(true);
      [found, unknown, taken, unanswered, batch] = await Promise.all([
        pay('Alice'),
        pay('nobody'),
        pay('alice'),
        pay('octocat', 'code'),
        payFromChat(),
      ]);
      paidAtMs = Date.now();
    });

    async function payFromChat(): Promise<Reply> {
      const account = await payer(30_600n);
      const place = { transport: 'web', eventId: 'e', chatId: 'c', messageId: 'm', userId: 'u', walletId: 'w' };
      const what = { network: 'base' as const, route: '/payments/x/pay', body: {}, recipient: 'x:alice' };
      await createOrder(service.store, {
        id: orderId,
        ...place,
        ...what,
        walletName: null,
        language: null,
        amountMicroUsdc: 1_000_000n,
        payerAddress: account.address,
        createdAtMs: 0,
      });
      const receivers = ['twitter:alice', 'x:bob', 'web:example.com'].map((name) => {
        const [platform, receiver] = name.split(':');
        return { platform, receiver, amount: 0.01 };
      });
      const headers = { ...(await proofOf(account, 30_600n)), 'Idempotency-Key': orderId };
      const reply = await post(`${service.url}/payments/batch-pay`, { receivers }, headers);
      await service.store.tx((db) =>
        db.update(service.store.tables.orders).set({ status: 'answered', shownAtMs: 1 }).where(ofOrder()),
      );
      return reply;
    }

    test('nobody has the payment yet', async () => {
      const { reply, account } = found;
      expect([reply.status, reply.body.data.status]).toEqual([200, 'queued']);
      expect(reply.body['msg']).toMatch(/^1 USDC sent successfully; x:alice is still being looked up/);
      expect(reply.body.data).not.toHaveProperty('claim_url');
      expect(await chain.usdcBalance(account.address)).toBe(0n);
      expect(await findIdentity(service.store, 'x', '42')).toBeNull();
      const waiting = await receiptOf(found);
      expect([stateOf(waiting), waiting.isFinished]).toEqual(['@alice on X is being looked up', false]);
    });

    test('the others of a batch are paid at once', () => {
      expect(batch.status).toBe(200);
      const data = batch.body['data'] as unknown as { status: string }[];
      expect(data.map(({ status }) => status)).toEqual(['queued', 'queued', 'pending_claim']);
      expect(batch.body['msg']).toMatch(/1 of them can collect it until .*; 2 of them are still being looked up$/);
    });

    test('its payer can take it back meanwhile', async () => {
      const { account, reply } = taken;
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
      expect((await lineOf(taken))?.status).toBe('returning');
    });

    describe('when it is back', () => {
      beforeAll(() => {
        x.setDown(false);
        // The names are due again.
        skewMs += 10_000;
      });

      test('the chat that sent a batch hears of each line once, and of none that was known from the start', async () => {
        const { orders } = service.store.tables;
        await eventually(async () => {
          const [row] = await service.store.read.select().from(orders).where(ofOrder());
          expect(row?.newsCount).toBe(2);
        }, 15_000);
        // Only the payer can tell the recipient, and an edit of the tip's message rings nobody.
        const each = '0.01 USDC is waiting for @alice on X.';
        await eventually(async () => expect(said.map(({ text }) => text)).toEqual([each, each]), 15_000);
        expect(new Set(said.map(({ onceKey }) => onceKey)).size).toBe(2);
      });

      test('the payment is settled; when the platform is back, the person it names can collect it', async () => {
        const { reply, again } = found;
        await eventually(async () => expect((await lineOf(found))?.status).toBe('escrowed'), 15_000);
        const asked = await fetch(`${service.url}/payments/validate?txn_id=${reply.body.data.txn_id}`);
        expect(await asked.json()).toMatchObject({ data: { status: 'pending_claim' } });
        expect((await receiptOf(found)).claimPath).toMatch(/^\/claim\/x\/alice\?receipt=/);
        // What the caller was told at the time stays what it was.
        expect((await again()).body).toEqual(reply.body);

        const identity = await findIdentity(service.store, 'x', '42');
        const wallet = `0x${randomBytes(20).toString('hex')}` as const;
        const link = { identityId: identity?.id ?? '', network: 'base' as const, address: wallet, source: 'test' };
        await linkWallet(service.store, link, service.base.transferIdOf, Date.now());
        service.worker?.wake();
        // With what the batch has for the same person.
        await eventually(async () => expect(await chain.usdcBalance(wallet)).toBe(1_010_000n), 20_000);
      });

      test('a name that nobody has comes back on the chain, fee included, and the receipt says why', async () => {
        await eventually(async () => expect(await chain.usdcBalance(unknown.account.address)).toBe(TOTAL), 20_000);
        await eventually(async () =>
          expect(nextOf(await receiptOf(unknown))).toBe(
            'There is no @nobody on X, so nobody could have collected it. The money went back the way it came.',
          ),
        );
      });

      test('what its payer took back is on the chain, and is nobody else’s', async () => {
        await eventually(async () => expect(await chain.usdcBalance(taken.account.address)).toBe(TOTAL), 20_000);
        const resolved = (await allCauses()).filter((cause) => cause.startsWith('resolve:'));
        const txnIds = resolved.map((cause) => Number(cause.split(':').at(-1)));
        expect(txnIds).toContain(found.reply.body.data.txn_id);
        expect(txnIds).not.toContain(taken.reply.body.data.txn_id);
      });
    });

    test('still without an answer after 15 minutes it comes back', async () => {
      const asked = askedInVain;
      skewMs = paidAtMs + 14 * 60_000 - Date.now();
      await eventually(async () => expect(askedInVain).toBeGreaterThan(asked));
      expect((await lineOf(unanswered))?.status).toBe('resolving');
      skewMs += 60_000;
      await eventually(async () => {
        expect(await lineOf(unanswered)).toMatchObject({ status: 'returning', returnReason: 'no_answer' });
      }, 25_000);
      // The worker looks for what comes back every 5 s.
      await refundRound(service.base, ['base']);
      service.worker?.wake();
      await eventually(async () => expect(await chain.usdcBalance(unanswered.account.address)).toBe(TOTAL), 25_000);
      expect(nextOf(await receiptOf(unanswered))).toMatch(/^GitHub gave no answer for 15 minutes/);
    });
  });
});

describe('a reorganisation', () => {
  beforeAll(() => start());
  afterAll(async () => {
    chain.releaseBlocks();
    await service.close();
  });

  /** What was sent comes into a block of its own, which can be taken away again. */
  async function mineWhatWasSent(): Promise<void> {
    await eventually(async () => {
      const status = (await chain.rpc('txpool_status')) as { pending: string };
      expect(Number(status.pending)).toBe(1);
    });
    await chain.mine(1);
  }

  const comesTo = (wanted: readonly string[]) => eventually(async () => expect(await causes()).toEqual(wanted), 15_000);

  test('while the name is looked up puts that off until the money is back, and just after leaves it with the person', async () => {
    x.setDown(true);
    const account = await payer(TOTAL);
    await chain.holdBlocks();
    const paying = pay('alice', 'x', account);
    await mineWhatWasSent();
    expect((await paying).reply.status).toBe(200);
    await chain.reorg(1);
    await comesTo(['in', 'un.in']);
    await service.assertSound();

    x.setDown(false);
    skewMs += 10_000;
    await mineWhatWasSent();
    await comesTo(['in', 'un.in', 'in', 'resolve']);
    await service.assertSound();

    await chain.reorg(1);
    await comesTo(['in', 'un.in', 'in', 'resolve', 'un.in']);
    await service.assertSound();
    chain.releaseBlocks();
    const { payments } = service.store.tables;
    await eventually(async () => {
      expect(await service.store.read.select({ status: payments.status }).from(payments)).toEqual([
        { status: 'final' },
      ]);
    }, 20_000);
    expect(await chain.usdcBalance(account.address)).toBe(0n);
    expect(await causes()).toEqual(['in', 'un.in', 'in', 'resolve', 'un.in', 'in']);
    expect((await lines()).map(({ status }) => status)).toEqual(['escrowed']);
  });
});
