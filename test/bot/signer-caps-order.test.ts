import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseRefused } from '../../bot/paying/caps-release.ts';
import { createSigner } from '../../bot/signing/signer.ts';
import { formatUsdc, microUsdc } from '../../core/money.ts';
import { changeLimit, DEFAULT_LIMITS, RAISE_WAIT_MS } from '../../core/wallets/spending-limits.ts';
import {
  createOrder,
  markAnswered,
  markFailed,
  markPriced,
  markSigned,
  reopenOrder,
  type OrderRow,
} from '../../db/tips/orders.ts';
import { endLocks, lockSpending } from '../../db/wallets/spending-locks.ts';
import { spentOn } from '../../db/wallets/spending.ts';
import { changeWalletLimits } from '../../db/wallets/wallet-limits.ts';
import { dayOf } from '../../db/limits/daily.ts';
import { openMigrated } from '../support/databases/migrated.ts';
import type { Store } from '../../db/store/store.ts';
import { runUntilSeen } from '../support/seen.ts';
import { capsCommand, HOUR_MS, type CapsCommand } from './caps-commands.ts';
import { fakeCheck, fakeWallets, PINNED, START_MS, usdc } from './harness.ts';

/**
 * Two processes on one database do anything in any order to the orders of one wallet. Whatever that is: no header is
 * signed and stored beside which the wallet could spend more on that day than it may, and the counter of a day is what
 * its orders count as.
 */
const folder = mkdtempSync(join(tmpdir(), 'caps-'));
const open = () => openMigrated({ kind: 'sqlite', path: join(folder, 'test.sqlite') });
let stores: [Store, Store];

beforeAll(async () => {
  stores = [await open(), await open()];
});
afterAll(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true });
});

/** For clocks that differ. */
const MARGIN_SECONDS = 30;

let runs = 0;
const seen = { signed: 0, refused: 0, over: 0, released: 0 };

test('caps hold under any order of events', async () => {
  const commands = fc.array(capsCommand, { minLength: 10, maxLength: 60, size: 'max' });
  const property = fc.asyncProperty(commands, async (all) => {
    const world = createWorld(`chat:run-${++runs}`);
    for (const one of all) {
      await world.perform(one);
      await world.check();
    }
  });
  const run = () => fc.assert(property, { numRuns: 12 });
  // Everything that the property is about has happened.
  await runUntilSeen(20, run, () => Object.entries(seen).flatMap(([event, times]) => (times === 0 ? [event] : [])));
}, 300_000);

function createWorld(walletId: string) {
  const { base } = fakeWallets();
  let nowMs = START_MS;
  let limit: { now: bigint; raise: { to: bigint; atMs: number } | null } = { now: DEFAULT_LIMITS.day, raise: null };
  const ids: string[] = [];
  const limitNow = () => (limit.raise !== null && nowMs >= limit.raise.atMs ? limit.raise.to : limit.now);
  const signerOf = (store: Store) => createSigner({ store, base: { ...base, pinned: PINNED }, now: () => nowMs });

  const rows = async (): Promise<OrderRow[]> => {
    const { orders } = stores[0].tables;
    return stores[0].read.select().from(orders).where(eq(orders.walletId, walletId));
  };

  async function tip(store: Store, cents: number, id = `${walletId}-order-${ids.length}`): Promise<string> {
    if (!ids.includes(id)) ids.push(id);
    const amountMicroUsdc = microUsdc(BigInt(cents) * 10_000n);
    await createOrder(store, {
      id,
      transport: 'test',
      eventId: id,
      chatId: 'chat',
      messageId: 'message',
      userId: walletId,
      walletId,
      walletName: null,
      language: null,
      network: 'base',
      payerAddress: base.addressOf(walletId),
      route: '/payments/x/pay',
      body: { receiver: 'alice', amount: formatUsdc(amountMicroUsdc) },
      recipient: 'x:alice',
      amountMicroUsdc,
      createdAtMs: nowMs,
    });
    return id;
  }

  async function price(store: Store, id: string): Promise<void> {
    const order = (await rows()).find((row) => row.id === id);
    const priced = await markPriced(store, id, order?.amountMicroUsdc ?? 0n);
    if (priced === 'over_day_limit') {
      seen.over++;
      await markFailed(store, id, 'unsigned', priced);
    }
  }

  /** What the wallet has lost to headers of this day, or could still lose to them: refused ones live until they are over. */
  async function liveOn(day: string): Promise<bigint> {
    const nowSeconds = Math.floor(nowMs / 1_000) - MARGIN_SECONDS;
    const live = (await rows()).filter(({ status, header, createdAtMs, validBefore }) => {
      const mayLand = status !== 'failed' || (validBefore ?? 0) >= nowSeconds;
      return header !== null && mayLand && dayOf(createdAtMs) === day;
    });
    return live.reduce((sum, { totalMicroUsdc }) => sum + (totalMicroUsdc ?? 0n), 0n);
  }

  async function sign(store: Store, id: string, isStored: boolean): Promise<void> {
    const order = (await rows()).find((row) => row.id === id);
    if (!order) return;
    const validBefore = Math.floor(nowMs / 1_000) + 240;
    const { asset, chainId, name, version, payTo: to } = PINNED;
    const authorization = {
      from: base.addressOf(walletId),
      to,
      value: order.amountMicroUsdc,
      validAfter: 0,
      validBefore,
    };
    try {
      await signerOf(store).signEvm(id, {
        ...authorization,
        nonce: `0x${'5a'.repeat(32)}`,
        asset,
        chainId,
        name,
        version,
      });
    } catch {
      seen.refused++;
      return;
    }
    if (!isStored || !(await markSigned(store, id, `header of ${id} at ${nowMs}`, { validBefore }))) return;
    seen.signed++;
    expect(await liveOn(dayOf(order.createdAtMs))).toBeLessThanOrEqual(limitNow());
  }

  async function setLimit(store: Store, cents: number): Promise<void> {
    const to = microUsdc(BigInt(cents) * 10_000n);
    const by = { walletId, changedBy: walletId, nowMs };
    await changeWalletLimits(store, by, (stored) => changeLimit(stored, 'day', to, nowMs));
    limit =
      to <= limitNow() ? { now: to, raise: null } : { now: limitNow(), raise: { to, atMs: nowMs + RAISE_WAIT_MS } };
  }

  async function release(store: Store): Promise<void> {
    const paying = {
      family: 'evm',
      network: 'base',
      pinned: PINNED,
      addressOf: base.addressOf,
      balanceOf: async () => usdc(0),
    } as const;
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const clock = { now: () => nowMs, sleep: async () => {} };
    const before = (await rows()).filter(({ countedMicroUsdc }) => countedMicroUsdc === null).length;
    await releaseRefused({ store, networks: [{ ...paying, checkAddress: fakeCheck }], clock, log });
    const after = (await rows()).filter(({ countedMicroUsdc }) => countedMicroUsdc === null).length;
    seen.released += after - before;
  }

  async function restart(index: 0 | 1): Promise<void> {
    await stores[index].close();
    stores[index] = await open();
  }

  async function perform(one: CapsCommand): Promise<void> {
    if (one.kind === 'wait') return void (nowMs += one.ms);
    if (one.kind === 'midnight') return void (nowMs = (Math.floor(nowMs / (24 * HOUR_MS)) + 1) * 24 * HOUR_MS - 1);
    if (one.kind === 'storm') return storm(one.cents);
    const store = stores[one.process];
    switch (one.kind) {
      case 'tip': {
        const id = await tip(store, one.cents);
        await price(store, id);
        return sign(store, id, true);
      }
      case 'think':
        return price(store, await tip(store, one.cents));
      case 'regret': {
        const id = await tip(store, one.cents);
        await price(store, id);
        await setLimit(store, one.limitCents);
        return sign(store, id, true);
      }
      case 'limit':
        return setLimit(store, one.cents);
      case 'release':
        return release(store);
      case 'restart':
        return restart(one.process);
      case 'lock':
        return lockSpending(store, [walletId], { lockedBy: walletId, nowMs });
      case 'unlock':
        return void (await endLocks(store, [walletId], { untilMs: nowMs + HOUR_MS, nowMs }));
      case 'price':
      case 'sign':
      case 'lose':
      case 'answer':
      case 'drop':
      case 'refuse':
      case 'reopen':
      case 'redeliver':
        return performOn(store, one.kind, ids.at(-1 - (one.which % Math.max(1, ids.length))));
    }
  }

  async function performOn(store: Store, kind: string, id: string | undefined): Promise<void> {
    if (id === undefined) return;
    const order = (await rows()).find((row) => row.id === id);
    const past = { nowSeconds: Math.floor(nowMs / 1_000) - MARGIN_SECONDS };
    if (kind === 'price') await price(store, id);
    if (kind === 'sign') await sign(store, id, true);
    if (kind === 'lose') await sign(store, id, false);
    if (kind === 'answer') await markAnswered(store, id, { txnId: ids.indexOf(id) + 1, receipt: 'receipt' });
    if (kind === 'drop') await markFailed(store, id, 'unsigned', 'unreachable');
    if (kind === 'refuse') await markFailed(store, id, 'signed', 'insufficient_funds');
    if (kind === 'reopen') await reopenOrder(store, id, order?.header ?? '', past);
    if (kind === 'redeliver') await tip(store, 1, id);
  }

  /** As when a person sends many at once, and both processes take up all of them. */
  async function storm(cents: number): Promise<void> {
    const [first, second] = stores;
    const new_ = await Promise.all([0, 1, 2, 3].map((n) => tip(first, cents, `${walletId}-order-${ids.length + n}`)));
    await Promise.all(new_.flatMap((id) => [price(first, id), price(second, id)]));
    for (const id of new_) await sign(first, id, true);
  }

  async function check(): Promise<void> {
    const orders = await rows();
    for (const day of new Set(orders.map(({ createdAtMs }) => dayOf(createdAtMs)))) {
      const ofDay = orders.filter(({ createdAtMs }) => dayOf(createdAtMs) === day);
      const counted = ofDay.reduce((sum, { countedMicroUsdc }) => sum + (countedMicroUsdc ?? 0n), 0n);
      expect(await spentOn(stores[1], walletId, ofDay[0]?.createdAtMs ?? 0)).toBe(counted);
      expect(await liveOn(day)).toBeLessThanOrEqual(counted);
    }
  }

  return { perform, check };
}
