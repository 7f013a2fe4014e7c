/**
 * The signer remembers nothing: that it has signed is written down by its caller. So what happens in between must lead
 * neither to two headers that anybody could use, nor to more than a day allows.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findOrderByEvent } from '../../../db/tips/orders.ts';
import { spentOn } from '../../../db/wallets/spending.ts';
import type { Store } from '../../../db/store/store.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, openTestStore, START_MS, textEvent, usdc, type Harness } from '../harness.ts';

const USER = 'chat:user-1';
let api: FakeApi;
let store: Store;
const started: Harness[] = [];

beforeEach(async () => {
  api = await startFakeApi();
  store = await openTestStore();
});
afterEach(async () => {
  for (const { closing, bot } of started.splice(0)) {
    closing.abort();
    await bot.idle();
  }
  await api.close();
  await store.close();
});

/** A process, on the books that all share. */
async function start(): Promise<Harness> {
  const harness = await createHarness({ apiUrl: api.url, store });
  started.push(harness);
  return harness;
}

/** It signs, and the signature goes no further before `wake`. */
function stopAfterSigning({ deps, closing }: Harness): { wake: () => void } {
  const { signer } = deps;
  let wake = () => {};
  const isAwake = new Promise<void>((resolve, reject) => {
    wake = resolve;
    closing.signal.addEventListener('abort', () => reject(new Error('killed')));
  });
  deps.signer = {
    ...signer,
    signEvm: async (orderId, authorization) => {
      const signature = await signer.signEvm(orderId, authorization);
      await isAwake;
      return signature;
    },
  };
  return { wake: () => wake() };
}

const orderOf = (eventId = 'event-1') => findOrderByEvent(store, 'test', eventId);
const nonces = () => new Set(api.seen.flatMap(({ authorization }) => (authorization ? [authorization.nonce] : [])));

test('of two signatures for one order, because a process died with the first, one ever leaves', async () => {
  const dead = await start();
  stopAfterSigning(dead);
  await dead.bot.handle(textEvent('/tip x:alice 1'));
  await expect.poll(() => dead.signed.length).toBe(1);
  expect(await orderOf()).toMatchObject({ status: 'priced', header: null });

  const next = await start();
  await next.bot.resume();
  expect(next.signed).toHaveLength(1);
  expect([api.headers().length, nonces().size]).toEqual([1, 1]);
  expect(await orderOf()).toMatchObject({ status: 'answered', countedMicroUsdc: usdc(1) });
  expect(await spentOn(store, USER, START_MS)).toBe(usdc(1));
});

test('a process that wakes up with its signature long after another has paid sends nothing of its own', async () => {
  const slow = await start();
  const { wake } = stopAfterSigning(slow);
  await slow.bot.handle(textEvent('/tip x:alice 1'));
  await expect.poll(() => slow.signed.length).toBe(1);
  const next = await start();
  await next.bot.resume();
  const paid = await orderOf();
  const before = api.seen.length;
  wake();
  await slow.bot.idle();
  expect([api.headers().length, api.seen.length]).toEqual([1, before]);
  expect(await orderOf()).toEqual(paid);
});

test('what a signature nobody stored could have taken counts on, so that another order finds no room for it', async () => {
  const dead = await start();
  await dead.bot.handle(textEvent('/limits day 1.5', 'limits'));
  stopAfterSigning(dead);
  await dead.bot.handle(textEvent('/tip x:alice 1'));
  await expect.poll(() => dead.signed.length).toBe(1);
  const next = await start();
  await next.bot.handle(textEvent('/tip x:bob 1', 'event-2'));
  await next.bot.idle();
  expect(next.chat.textOf('event-2')).toContain('over your 1.50 USDC a day');
  expect(api.headers()).toEqual([]);
});
