/** While the service ends: purses are emptied to addresses that their owners gave, once, and those are told who keep something. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClosing } from '../../../bot/wallets/closing.ts';
import type { CoreDeps } from '../../../bot/conversation/dependencies.ts';
import { CLOSING_FAILPOINTS, type Failpoint } from '../../../core/failpoints.ts';
import { ADDRESS_WAIT_MS } from '../../../core/wallets/withdrawal-wait.ts';
import { beginClosing, listClosingWallets } from '../../../db/closing/begin.ts';
import { readClosingLeft } from '../../../db/closing/left.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { dueItems } from '../../../db/store/outbox.ts';
import { clearStop, listStops } from '../../../db/operator/stops.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { createHarness, START_MS, usdc, type Harness } from '../harness.ts';
import { ASKED_MS, HOLDER, STRANGER, writeWithdrawal } from '../withdrawal-rows.ts';

const KEPT = 'x:7';
const COMMAND = { name: 'wind-down', arguments: [], who: 'the test' };

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness({ apiUrl: 'http://127.0.0.1:1', balance: usdc(0) });
  await hold('telegram:5', KEPT);
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await harness.store.close();
});

const hold = (holderId: string, walletId: string, identityId = 'person_7') =>
  harness.store.tx((db) =>
    addHolder(db, harness.store.tables, { holderId, walletId, identityId, name: 'x:alice' }, START_MS),
  );

const addressOf = (walletId: string) => `0x${Buffer.from(walletId).toString('hex').padEnd(40, '0').slice(0, 40)}`;
const fill = (walletId: string, amount: number) => void harness.state.balances.set(addressOf(walletId), usdc(amount));

/** As if this money had gone there a day ago. */
const paidBefore = (walletId: string, holderId: string, change: object = {}) =>
  writeWithdrawal(harness.store, {
    id: walletId.replace(/\W/g, '').padStart(32, '0'),
    holderId,
    requestKey: 'before',
    walletId,
    network: 'base',
    fromAddress: addressOf(walletId),
    toAddress: STRANGER,
    amountMicroUsdc: usdc(1),
    status: 'paid',
    createdAtMs: ASKED_MS,
    notBeforeMs: ASKED_MS,
    notifiedAtMs: ASKED_MS,
    ...change,
  });

async function begin(): Promise<void> {
  await beginClosing(harness.store, COMMAND, 'by the test', harness.clock.now());
  await listClosingWallets(harness.store, harness.clock.now());
}

const look = (change: Partial<CoreDeps> = {}) => createClosing({ ...harness.deps, ...change }).look();

const requested = async () =>
  (await harness.store.read.select().from(harness.store.tables.walletWithdrawals)).filter(
    ({ requestKey }) => requestKey !== 'before',
  );
const told = async () =>
  (await dueItems(harness.store, Number.MAX_SAFE_INTEGER, 100)).filter(({ topic }) => topic === 'closing_notice');

test('nothing is looked at before the end is ordered', async () => {
  fill(KEPT, 3);
  await listClosingWallets(harness.store, harness.clock.now());
  await look();
  expect((await readClosingLeft(harness.store)).wallets).toMatchObject({ listed: 1, notLookedAt: 1 });
});

test('a purse goes to the address that its money went to before, all of it, and nobody has to be told', async () => {
  fill(KEPT, 3);
  await paidBefore(KEPT, 'telegram:5');
  await begin();
  await look();
  const rows = await requested();
  expect(rows).toMatchObject([
    { walletId: KEPT, holderId: 'telegram:5', toAddress: STRANGER, amountMicroUsdc: usdc(3), status: 'requested' },
  ]);
  expect(rows[0]?.notBeforeMs).toBe(rows[0]?.createdAtMs);
  expect(await told()).toEqual([]);
  expect((await readClosingLeft(harness.store)).wallets).toMatchObject({
    notLookedAt: 0,
    withMoney: 1,
    leaving: 1,
    told: 0,
  });
});

test('without such an address its chats and its mailbox are told, once', async () => {
  fill(KEPT, 3);
  await begin();
  await look();
  expect(await requested()).toEqual([]);
  expect(await told()).toHaveLength(2);
  harness.clock.pass(2 * 3_600_000);
  await look();
  expect(await told()).toHaveLength(2);
  expect((await readClosingLeft(harness.store)).wallets).toMatchObject({
    withMoney: 1,
    told: 1,
    foundMicroUsdc: usdc(3),
  });
});

test('the address that a person collects to is asked for in the usual way, with its wait and its notice', async () => {
  const { store } = harness;
  const person = { platform: 'x', stableId: '7', key: 'alice', display: 'alice' };
  const id = await store.tx(async (db) => {
    const found = await ensureIdentity(db, store.tables, person, 'person_7', START_MS);
    const place = { identityId: 'person_7', network: 'base', address: STRANGER, source: 'claim' } as const;
    await db.insert(store.tables.wallets).values({ ...place, linkedAtMs: START_MS, usedAtMs: START_MS });
    return found;
  });
  expect(id).toBeTruthy();
  fill(KEPT, 30);
  await begin();
  await look();
  const [row] = await requested();
  expect(row).toMatchObject({ toAddress: STRANGER, holderId: 'telegram:5', amountMicroUsdc: usdc(30) });
  expect(row?.notBeforeMs).toBe((row?.createdAtMs ?? 0) + ADDRESS_WAIT_MS);
  const topics = (await dueItems(store, Number.MAX_SAFE_INTEGER, 100)).map(({ topic }) => topic);
  expect(topics).toEqual(['withdrawal_requested']);
});

describe('money is not sent', () => {
  test.each([
    ['to an address that was called off', { calledOffAtMs: START_MS }],
    ['to an address that nobody was told of', { notifiedAtMs: null }],
    ['to an address of a withdrawal that failed', { status: 'failed' }],
    ['to a community', { toTreasury: 'tg:1' }],
    ['to one of our own addresses', { toAddress: `0x${'ab'.repeat(20)}` }],
  ] as const)('%s', async (_why, change) => {
    fill(KEPT, 3);
    await paidBefore(KEPT, 'telegram:5', change);
    await begin();
    await look();
    expect(await requested()).toEqual([]);
    expect(await told()).toHaveLength(2);
  });

  test('beside a withdrawal of its owner that has not ended', async () => {
    fill(KEPT, 3);
    await paidBefore(KEPT, 'telegram:5');
    await paidBefore('x:70', 'telegram:5', { walletId: KEPT, status: 'requested', requestKey: 'own' });
    await begin();
    await look();
    expect(await requested()).toMatchObject([{ requestKey: 'own' }]);
  });

  test('less than a withdrawal may be', async () => {
    fill(KEPT, 0.009_999);
    await paidBefore(KEPT, 'telegram:5');
    await begin();
    await look();
    expect(await requested()).toEqual([]);
    expect((await readClosingLeft(harness.store)).wallets.withMoney).toBe(0);
  });
});

test('a browser’s own wallet is emptied in its own name', async () => {
  fill(HOLDER, 2);
  await paidBefore(HOLDER, HOLDER);
  await begin();
  await look();
  expect(await requested()).toMatchObject([{ walletId: HOLDER, holderId: HOLDER, amountMicroUsdc: usdc(2) }]);
});

test.each(CLOSING_FAILPOINTS)('killed at %s, money leaves once', async (at) => {
  const { clock, bot, signed } = harness;
  fill(KEPT, 3);
  await paidBefore(KEPT, 'telegram:5');
  await begin();
  const fired: Failpoint[] = [];
  const failpoint = (name: Failpoint) => {
    if (name !== at || fired.length > 0) return;
    fired.push(name);
    throw new Error('killed here');
  };
  await look({ failpoint });
  expect(fired).toEqual([at]);
  // Another process goes on, and one that believes that it is alone.
  clock.pass(61_000);
  await Promise.all([look(), look()]);
  await bot.withdrawals.look();
  for (let round = 0; round < 2; round += 1) {
    clock.pass(2 * 3_600_000);
    await Promise.all([look(), look()]);
    await bot.withdrawals.look();
  }
  expect(await requested()).toHaveLength(1);
  expect(signed.map(({ authorization }) => [authorization.to, authorization.value])).toEqual([[STRANGER, usdc(3)]]);
});

test('a network that does not answer is asked again, and nobody is told that there is nothing', async () => {
  fill(KEPT, 3);
  harness.state.down.add('base');
  await begin();
  await look();
  expect((await readClosingLeft(harness.store)).wallets).toMatchObject({ notLookedAt: 1 });
  harness.state.down.clear();
  harness.clock.pass(60_000);
  await look();
  expect(await told()).toHaveLength(2);
});

test('an end that is taken back and ordered again tells anew', async () => {
  fill(KEPT, 3);
  await begin();
  await look();
  const [stop] = await listStops(harness.store);
  if (stop === undefined) throw new Error('nothing is stopped');
  await clearStop(harness.store, stop, { command: COMMAND, detail: 'by the test' }, START_MS);
  await look();
  harness.clock.pass(1);
  await begin();
  await look();
  expect(await told()).toHaveLength(4);
});
