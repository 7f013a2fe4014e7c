import type { Network } from '../../core/networks.ts';
/** Kept money, out to an address: requested in the chat or on the page, and carried by the real worker. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChatClaims } from '../../bot/requests/chat-claims.ts';
import { createClock } from '../../bot/shared/clock.ts';
import { createClosing } from '../../bot/wallets/closing.ts';
import { createBot } from '../../bot/commands/bot.ts';
import type { CoreDeps } from '../../bot/conversation/dependencies.ts';
import { textsEn } from '../../texts/en.ts';
import { createPayments } from '../../client/payments.ts';
import { createSigner } from '../../bot/signing/signer.ts';
import type { SignerDeps } from '../../bot/signing/signing.ts';
import { createWalletPages } from '../../bot/wallet/app.ts';
import type { MicroUsdc } from '../../core/money.ts';
import { CLOSING_FAILPOINTS, type Failpoint } from '../../core/failpoints.ts';
import { ADDRESS_WAIT_MS } from '../../core/wallets/withdrawal-wait.ts';
import { beginClosing, listClosingWallets } from '../../db/closing/begin.ts';
import { addHolder } from '../../db/wallets/holders.ts';
import { findWithdrawal } from '../../db/withdrawals/find.ts';
import { stopSigning } from '../../db/store/stops.ts';
import type { Store } from '../../db/store/store.ts';
import { browserIdOf, newBrowserSecret } from '../../identity/browsers.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { payFromEvm, payFromSolana } from '../../service/bot-networks.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSolanaChain, type SolanaChain } from '../support/chains/solana-chain.ts';
import { startSolanaService, type SolanaService } from '../support/solana-service.ts';
import { hurryOpen } from './hurry-open.ts';
import { writeWithdrawal } from './withdrawal-rows.ts';
import { fakeMessenger, OPERATOR, textEvent, usdc } from './harness.ts';
import { createRateLimits } from '../../queue/rate-limiter.ts';

const WALLET = 'x:7';
const NO_FEES = { bps: 0, flatMicroUsdc: usdc(0) };

type World = {
  store: Store;
  url: string;
  paying: CoreDeps['networks'][0];
  signing: Pick<SignerDeps, 'base' | 'solana'>;
  closing: AbortController;
};

/** The browser of a person who proved to be x:7, and the bot that it talks to. */
async function openBrowser({ store, url, paying, signing, closing }: World) {
  const clock = createClock(closing.signal);
  const chat = fakeMessenger();
  const logged: string[] = [];
  const log = (facts: Record<string, unknown>, message: string) =>
    void logged.push(`${message} ${String(facts['error'])}`);
  const deps: CoreDeps = {
    store,
    clock,
    closing: closing.signal,
    networks: [paying],
    payments: createPayments({ baseUrl: url, fetch, closing: closing.signal }),
    claims: createChatClaims({ baseUrl: url, fetch, closing: closing.signal }),
    publicUrl: url,
    signer: createSigner({ store, now: clock.now, ...signing }),
    messengers: { test: chat.messenger },
    texts: textsEn,
    claimDays: 30,
    random: (count) => randomBytes(count),
    log: { info: log, warn: log, error: log },
  };
  const bot = createBot(deps);
  const pages = createWalletPages({
    ...deps,
    limits: createRateLimits(deps.clock.now),
    orders: bot.orders,
    withdrawals: bot.withdrawals,
    signInPlatforms: [],
    passkeys: null,
    isSecure: false,
    operator: OPERATOR,
  });
  const secret = newBrowserSecret(deps.random);
  const holderId = browserIdOf(secret) ?? '';
  const holder = { holderId, walletId: WALLET, identityId: 'person_7', name: 'x:alice' };
  await store.tx((db) => addHolder(db, store.tables, holder, clock.now()));
  const post = (path: string, fields: Record<string, string>) =>
    pages.request(`http://localhost${path}`, {
      method: 'POST',
      headers: { cookie: `pennypost=${secret}`, origin: deps.publicUrl },
      body: new URLSearchParams(fields),
    });
  const get = (path: string) =>
    pages.request(`http://localhost${path}`, { headers: { cookie: `pennypost=${secret}` } });
  return { bot, chat, holderId, post, get, logged, deps };
}

/** As if it had been asked for a day ago and had waited, so that nothing waits for it any more. */
async function makeKnown(store: Store, place: { network: Network; fromAddress: string; toAddress: string }) {
  const id = randomBytes(16).toString('hex');
  const createdAtMs = Date.now() - ADDRESS_WAIT_MS;
  const asked = { id, holderId: WALLET, requestKey: id, walletId: WALLET, amountMicroUsdc: usdc(1), ...place };
  const ended = { status: 'failed', failure: 'gave_up' } as const;
  const times = { createdAtMs, notifiedAtMs: createdAtMs, notBeforeMs: createdAtMs + ADDRESS_WAIT_MS };
  const row = { ...asked, ...ended, ...times };
  await writeWithdrawal(store, row);
}

type Chain = {
  world: () => World;
  /** Brings what a withdrawal under way waits for: a round of the worker, or the blocks that make it final. */
  hurry: () => Promise<void>;
  balanceOf: (address: string) => Promise<MicroUsdc>;
  newAddress: () => string;
  fund: (address: string, amount: MicroUsdc) => Promise<unknown>;
  assertSound: () => Promise<void>;
};

/** What must hold on every network. */
function suite(network: 'base' | 'solana', place: string, chain: Chain): void {
  test('asked in the chat, pressed twice, it arrives once, and the message says so; one that a backup shows as asked for, though a later generation has landed, moves nothing again', async () => {
    const world = chain.world();
    const { bot, chat, holderId, logged } = await openBrowser(world);
    const fromAddress = await world.paying.addressOf(WALLET);
    await chain.fund(fromAddress, usdc(7));
    const [id, toAddress, to] = [randomBytes(16).toString('hex'), chain.newAddress(), chain.newAddress()];
    await chain.fund(toAddress, usdc(0.5));
    const event = { ...textEvent(`/withdraw 1.25 ${to}`, 'ask', holderId), walletId: WALLET };
    await bot.handle(event);
    const button = chat.last('ask')?.actions[0];
    if (button?.kind !== 'button') throw new Error(`no button under: ${chat.textOf('ask')}`);
    const press = { ...event, eventId: 'press', buttonId: button.id };
    await Promise.all([bot.press(press), bot.press(press), bot.press({ ...press, eventId: 'other' })]);
    const asked = { id, holderId, requestKey: id, walletId: WALLET, network, fromAddress, toAddress, toTreasury: null };
    const createdAtMs = Date.now() - ADDRESS_WAIT_MS;
    const times = { createdAtMs, notifiedAtMs: createdAtMs, notBeforeMs: Date.now() };
    const row = { ...asked, ...times, amountMicroUsdc: usdc(1), generation: 1, status: 'dead' } as const;
    const arrived = () =>
      expect([chat.textOf('press'), chat.textOf('other')].join()).toContain(`1.25 USDC arrived on ${place}`);
    // By itself, without another look.
    await eventually(async () => {
      await chain.hurry();
      arrived();
    }, 60_000);
    await writeWithdrawal(world.store, row);
    const isPaid = () =>
      eventually(async () => {
        await bot.resume();
        await chain.hurry();
        expect(await findWithdrawal(world.store, id)).toMatchObject({ status: 'paid' });
        arrived();
      }, 60_000);
    const expectOnce = async () =>
      expect(await Promise.all([to, toAddress, fromAddress].map(chain.balanceOf))).toEqual([1.25, 1.5, 4.75].map(usdc));
    await isPaid();
    expect(await findWithdrawal(world.store, id)).toMatchObject({ generation: 1 });
    await expectOnce();
    expect(logged).toEqual([]);
    await chain.assertSound();
    const { transfers, walletWithdrawals } = world.store.tables;
    const unsigned = { nonce: null, signature: null, carrierId: null, landedTransaction: null, tries: 0 };
    const restored = { ...unsigned, generation: 0, status: 'queued' } as const;
    await world.store.tx(async (db) => {
      const own = { status: 'requested', endedAtMs: null } as const;
      await db.update(walletWithdrawals).set(own).where(eq(walletWithdrawals.id, id));
      await db.update(transfers).set(restored).where(eq(transfers.id, id));
    });
    await isPaid();
    await expectOnce();
    expect(await findWithdrawal(world.store, id)).toMatchObject({ generation: 0, signature: null });
    expect(logged).toEqual(['withdrawal was paid before these books knew of it undefined']);
  });

  test('asked on the page while payments are stopped, and confirmed twice, everything arrives once', async () => {
    const world = chain.world();
    const { post, get, bot } = await openBrowser(world);
    const from = await world.paying.addressOf(WALLET);
    await chain.fund(from, usdc(1));
    const all = await chain.balanceOf(from);
    await stopSigning(world.store, { reason: 'operator', network: 'all', detail: 'a test' }, Date.now());
    const to = chain.newAddress();
    // It holds USDC already: on Solana we have opened an account for this person above, and open no second one.
    await chain.fund(to, usdc(1));
    await makeKnown(world.store, { network, fromAddress: from, toAddress: to });
    const review = await post('/review', { wallet: WALLET, network, address: to, amount: 'all' });
    const token = /name="token" value="([^"]+)"/.exec(await review.text())?.[1] ?? '';
    const answers = await Promise.all([post('/send', { token }), post('/send', { token })]);
    const [path] = new Set(answers.map((one) => one.headers.get('location')));
    await eventually(async () => {
      await bot.resume();
      await chain.hurry();
      const page = await get((path ?? '').replace('/purse', ''));
      expect(await page.text()).toContain('It has arrived');
    }, 30_000);
    expect([await chain.balanceOf(to), await chain.balanceOf(from)]).toEqual([all + usdc(1), 0n]);
  });

  test('when the service ends, everything goes once to the address that it went to before, whatever is killed', async () => {
    const world = chain.world();
    const { bot, deps, holderId } = await openBrowser(world);
    const { store } = world;
    await store.tx((db) => db.delete(store.tables.signingStops));
    // Of its own, because the newest address that counts is the one.
    const walletId = 'x:9';
    const holder = { holderId, walletId, identityId: 'person_9', name: 'x:nine' };
    await store.tx((db) => addHolder(db, store.tables, holder, Date.now()));
    const from = await world.paying.addressOf(walletId);
    await chain.fund(from, usdc(2));
    const all = await chain.balanceOf(from);
    const to = chain.newAddress();
    await chain.fund(to, usdc(1));
    const asked = { id: randomBytes(16).toString('hex'), holderId, requestKey: 'before', walletId, network };
    const beforeMs = Date.now() - ADDRESS_WAIT_MS;
    const times = { createdAtMs: beforeMs, notifiedAtMs: beforeMs, notBeforeMs: beforeMs };
    const place = { fromAddress: from, toAddress: to, toTreasury: null, amountMicroUsdc: usdc(1) };
    await writeWithdrawal(store, { ...asked, ...place, ...times, status: 'paid' });
    await beginClosing(store, { name: 'wind-down', arguments: [], who: 'the test' }, 'a test', Date.now());
    await listClosingWallets(store, Date.now());
    for (const at of CLOSING_FAILPOINTS) {
      const failpoint = (name: Failpoint) => {
        if (name === at) throw new Error('killed here');
      };
      await createClosing({ ...deps, failpoint }).look();
      await store.tx((db) => db.update(store.tables.closingWallets).set({ nextLookAtMs: 0 }));
    }
    await eventually(async () => {
      await bot.resume();
      await chain.hurry();
      expect([await chain.balanceOf(to), await chain.balanceOf(from)]).toEqual([all + usdc(1), 0n]);
    }, 60_000);
    await createClosing(deps).look();
    const withdrawals = await store.read.select().from(store.tables.walletWithdrawals);
    expect(withdrawals.filter(({ requestKey }) => requestKey.startsWith('closing:'))).toHaveLength(1);
    await store.tx((db) => db.delete(store.tables.signingStops));
  });
}

describe('on Base', () => {
  let chain: BaseChain;
  let service: TestService;
  const closing = new AbortController();
  const seed = randomBytes(32);
  beforeAll(async () => {
    chain = await startBaseChain({ blockTimeMs: 200 });
    service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
  });
  afterAll(async () => {
    closing.abort();
    await service.close();
    await chain.close();
  });
  const hex = (text: string) => text as `0x${string}`;
  suite('base', 'Base', {
    world: () => {
      const { paying, signing } = payFromEvm(service.parts, seed, NO_FEES);
      return { store: service.store, url: service.url, paying, signing: { base: signing }, closing };
    },
    hurry: async () => service.worker?.wake(),
    balanceOf: async (address) => usdc(Number(await chain.usdcBalance(hex(address))) / 1e6),
    newAddress: () => `0x${randomBytes(20).toString('hex')}`,
    fund: (address, amount) => chain.fundUsdc(hex(address), amount),
    assertSound: () => service.assertSound(),
  });
});

describe('on Solana', () => {
  let chain: SolanaChain;
  let service: SolanaService;
  const closing = new AbortController();
  const seed = randomBytes(32);
  beforeAll(async () => {
    chain = await startSolanaChain({ slotMs: 50 });
    service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol });
  });
  afterAll(async () => {
    closing.abort();
    await service.close();
    await chain.close();
  });
  suite('solana', 'Solana', {
    world: () => {
      const { paying, signing } = payFromSolana(service.parts, seed, NO_FEES);
      return { store: service.store, url: service.url, paying, signing: { solana: signing }, closing };
    },
    hurry: () => hurryOpen(chain, service),
    balanceOf: async (address) => usdc(Number(await chain.usdcBalance(address)) / 1e6),
    newAddress: () => Keypair.generate().publicKey.toBase58(),
    fund: (address, amount) => chain.fundUsdc(address, amount),
    assertSound: () => service.assertSound(),
  });
});
