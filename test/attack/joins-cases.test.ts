/** What happens to a caller's answer and to its retry, one case after the other: the real API in virtual time. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import type { ProcessLease } from '../../db/processes/owner.ts';
import { openMigrated } from '../support/databases/migrated.ts';
import type { Store } from '../../db/store/store.ts';
import { createVirtualBus, createVirtualTime, type VirtualTime } from './joins/virtual.ts';
import {
  keepWaiting,
  send,
  startApi,
  startSettling,
  type Api,
  type Fault,
  type Leaving,
  type Reply,
} from './joins/world.ts';

const SETTLED_AFTER_MS = 15_000;
const PATIENCE_MS = 60_000;

let dir: string;
let path: string;
let store: Store;
let time: VirtualTime;
let bus: ReturnType<typeof createVirtualBus>;
let payer: string;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-joins-'));
  path = join(dir, 'joins.sqlite');
  store = await openMigrated({ kind: 'sqlite', path });
  time = createVirtualTime();
  bus = createVirtualBus();
  payer = randomBytes(6).toString('hex');
  startSettling(time, store, () => SETTLED_AFTER_MS);
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

type How = { hasRedis?: boolean; decorate?: (lease: ProcessLease) => ProcessLease; fault?: () => Fault | null };

const start = ({ hasRedis = false, decorate, fault = () => null }: How = {}): Promise<Api> =>
  startApi(time, store, {
    skewMs: 0,
    announcerOf: (process) => bus(process, !hasRedis),
    fault,
    failsBehind: () => false,
    decorate,
  });

/** A request under way. `tookMs` is the time until it ended. */
function ask(api: Api, patienceMs = PATIENCE_MS) {
  const startedMs = time.nowMs();
  const asked = { reply: null as Reply | null, tookMs: 0, isLeaseHeld: null as boolean | null };
  const leaving = async ({ owner }: Leaving) => void (asked.isLeaseHeld = await api.holdsLease(owner));
  void send(time, api, { payer, patienceMs }, leaving).then((reply) => {
    Object.assign(asked, { reply, tookMs: time.nowMs() - startedMs });
  });
  return asked;
}

async function payments() {
  const { payments: rows } = store.tables;
  return store.read.select().from(rows).where(eq(rows.payer, payer));
}

const charged = async () => (await payments()).length;
const paid = (paymentId: string | undefined, isReplayed: boolean) => ({ status: 200, isReplayed, paymentId });

test('the process is killed: a retry at another one joins once its lease is over, and says so', async () => {
  const [first, second] = [await start(), await start()];
  ask(first);
  await time.pass(1_000);
  first.process.kill();
  const retry = ask(second);
  await time.pass(7_000);
  expect(await charged()).toBe(1);
  await time.pass(30_000);
  expect(retry.reply).toEqual(paid((await payments())[0]?.id, true));
  expect(await charged()).toBe(1);
});

test.each([
  ['without Redis after its next heartbeat', false, 2_300],
  ['with Redis at once', true, 300],
])(
  'two callers side by side at two processes are two payments: the second is known %s',
  async (_, hasRedis, withinMs) => {
    const [first, second] = [await start({ hasRedis }), await start({ hasRedis })];
    const [one, other] = [ask(first), ask(second)];
    await time.pass(withinMs + 500);
    expect(await charged()).toBe(2);
    await time.pass(30_000);
    const answered = [one.reply, other.reply].map((reply) => (reply === 'closed' ? null : reply?.paymentId));
    expect(new Set(answered)).toEqual(new Set((await payments()).map(({ id }) => id)));
  },
);

test('two callers side by side at one process are two payments at once', async () => {
  const api = await start();
  ask(api);
  await time.pass(0);
  ask(api);
  await time.pass(0);
  expect(await charged()).toBe(2);
});

test('a caller that hung up is joined at the next heartbeat, also when that could not be noted', async () => {
  let isDown = false;
  const [first, second] = [await start({ fault: () => (isDown ? 'fail' : null) }), await start()];
  ask(first, 1_000);
  await time.pass(900);
  isDown = true;
  await time.pass(200);
  expect((await payments())[0]?.delivery).toBe('waiting');
  isDown = false;
  const retry = ask(second);
  await time.pass(SETTLED_AFTER_MS + 2_000);
  expect(retry.reply).toEqual(paid((await payments())[0]?.id, true));
  expect(await charged()).toBe(1);
});

test('a caller that leaves while its reservation is written leaves no waiting row, and its retry joins', async () => {
  let fault: Fault | null = null;
  const api = await start({ fault: () => fault });
  fault = 'stop after it';
  ask(api, 1_000);
  await time.pass(0);
  fault = null;
  await time.pass(2_000);
  api.process.resume();
  await time.pass(1_000);
  expect(await store.read.select().from(store.tables.waitingResponses)).toEqual([]);
  expect(await payments()).toMatchObject([{ delivery: 'missed' }]);
  const retry = ask(api);
  await time.pass(SETTLED_AFTER_MS + 2_000);
  expect(retry.reply).toEqual(paid((await payments())[0]?.id, true));
});

test('a reservation whose COMMIT lost its reply is joined by the retry', async () => {
  let fault: Fault | null = null;
  const api = await start({ fault: () => fault });
  fault = 'lose the reply';
  const lost = ask(api);
  await time.pass(100);
  expect(lost.reply).toMatchObject({ status: 500 });
  fault = null;
  const retry = ask(api);
  await time.pass(SETTLED_AFTER_MS + 2_000);
  expect(retry.reply).toEqual(paid((await payments())[0]?.id, true));
  expect(await charged()).toBe(1);
});

/** Its process is stopped while it waits, and let go three leases later, when the payment has settled. */
async function stopped(how: How) {
  const [first, second] = [await start(how), await start()];
  const asked = ask(first, 120_000);
  await time.pass(1_000);
  first.process.stop();
  await time.pass(30_000);
  return { first, second, asked };
}

test('a process that was stopped for three leases answers nothing when it goes on, and then serves again', async () => {
  const { first, asked } = await stopped({});
  first.process.resume();
  await time.pass(1_000);
  expect(asked.reply).toBe('closed');
  const again = ask(first);
  await time.pass(1_000);
  expect(again.reply).toEqual(paid((await payments())[0]?.id, true));
  expect(again.isLeaseHeld).toBe(true);
  expect(await charged()).toBe(1);
});

test('CONTROL: one that drops nothing answers when its lease is over', async () => {
  keepWaiting(path);
  const { first, asked } = await stopped({
    decorate: (lease) => ({ ...lease, holds: () => true, onLost: () => undefined }),
  });
  first.process.resume();
  await time.pass(0);
  expect(asked).toMatchObject({ reply: { status: 200 }, isLeaseHeld: false });
});

test('what was joined while its process was stopped is answered once', async () => {
  const { first, second, asked } = await stopped({});
  const retry = ask(second);
  await time.pass(1_000);
  first.process.resume();
  await time.pass(1_000);
  expect([asked.reply, retry.reply]).toEqual(['closed', paid((await payments())[0]?.id, true)]);
  expect(await charged()).toBe(1);
});

test('two callers that lost their process find the answer of one payment each', async () => {
  const [first, second] = [await start(), await start()];
  ask(first);
  ask(first);
  await time.pass(1_000);
  first.process.kill();
  const retries = [ask(second), ask(second)];
  await time.pass(40_000);
  const answered = retries.map(({ reply }) => (reply === 'closed' ? null : reply?.paymentId));
  expect(new Set(answered)).toEqual(new Set((await payments()).map(({ id }) => id)));
  expect(await charged()).toBe(2);
});

test('a process that was stopped takes a caller again in the moment in which it wakes', async () => {
  const api = await start();
  api.process.stop();
  await time.pass(20_000);
  const asked = ask(api);
  api.process.resume();
  await time.pass(30_000);
  expect(asked.reply).toEqual(paid((await payments())[0]?.id, false));
  expect(asked.isLeaseHeld).toBe(true);
});

test('a process that wakes takes nothing of a caller that has left meanwhile', async () => {
  const api = await start();
  api.process.stop();
  await time.pass(20_000);
  const asked = ask(api, 500);
  await time.pass(1_000);
  api.process.resume();
  await time.pass(30_000);
  expect(asked.reply).toBe('closed');
  expect(await charged()).toBe(0);
});

test('a retry that finds no answer in time gets a 500, and the next one joins', async () => {
  const [first, second] = [await start(), await start()];
  ask(first);
  await time.pass(1_000);
  first.process.kill();
  const { payments: rows } = store.tables;
  await store.tx((db) => db.update(rows).set({ status: 'settling' }));
  const retry = ask(second);
  await time.pass(40_000);
  expect(retry.reply).toMatchObject({ status: 500 });
  await store.tx((db) => db.update(rows).set({ status: 'received' }));
  const next = ask(second);
  await time.pass(20_000);
  expect(next.reply).toEqual(paid((await payments())[0]?.id, true));
  expect(await charged()).toBe(1);
});
