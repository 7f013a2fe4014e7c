import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { HttpBindings } from '@hono/node-server';
import Database from 'better-sqlite3';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { ApiDependencies, ApiNetwork } from '../../../api/environment/dependencies.ts';
import { createRateLimiter } from '../../../queue/rate-limiter.ts';
import { createResponses, type CallerConnection, type ResponsesOptions } from '../../../api/responses/responses.ts';
import { createRestApp } from '../../../api/rest/app.ts';
import { createIds } from '../../../core/ids.ts';
import { ZERO_USDC } from '../../../core/money.ts';
import { toHeader } from '../../../core/payments/x402.ts';
import { isAlive, type Owner, type ProcessLease } from '../../../db/processes/owner.ts';
import type { Store } from '../../../db/store/store.ts';
import { createLocalIdentity } from '../../../local/identity.ts';
import { startProcess } from '../../../service/readiness/process.ts';
import { createTestCollecting } from '../../support/claims/collecting.ts';
import { createVirtualProcess, type VirtualProcess, type VirtualTime } from './virtual.ts';

export type Fault = 'fail' | 'lose the reply' | 'stop after it';

/** What a process lives with. */
export type Conditions = {
  /** Of its own clock, against the database's. */
  skewMs: number;
  /** How it hears of other processes, or of itself alone. */
  announcerOf: (process: VirtualProcess) => ResponsesOptions['announcer'];
  /** Asked at each transaction. */
  fault: () => Fault | null;
  /** Asked when an answer is about to leave: whether something fails that has nothing to do with its payment. */
  failsBehind: () => boolean;
  /** For a control: nobody hears that a connection is over. */
  isEndUnheard?: boolean;
  /** For controls, which take a rule away. */
  decorate?: (lease: ProcessLease) => ProcessLease;
};

const SETTLEMENT_WAIT_MS = 20_000;
const TREASURY = `0x${'11'.repeat(20)}`;
const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
const ids = createIds(randomBytes);

/** A proof is who pays and a number: signatures are not what this is about. */
const NETWORK: ApiNetwork = {
  terms: {
    network: 'base',
    v1Name: 'base',
    caip2: 'eip155:8453',
    aliases: [],
    asset: `0x${'22'.repeat(20)}`,
    payTo: TREASURY,
    extra: { name: 'USD Coin', version: '2' },
  },
  checker: {
    read: (payload) => {
      const { from, nonce } = payload as { from: string; nonce: string };
      const terms = { to: TREASURY, value: 1_000_000n, validAfter: 0, validBefore: 4e9, payerAccount: null };
      return { authorization: { ...terms, from, nonce }, signature: nonce };
    },
    check: async () => 'ok',
    isCancelledBy: async () => false,
    isEndpointOf: async () => false,
    endpointWords: () => '',
    isUsed: async () => false,
    lookUp: async () => 'unused',
    tryOut: async () => 'ok',
    isBound: () => false,
  },
};

/** Under which epoch a request is taken. */
type Taken = { owner: Owner };

/** One for all processes of all cases: each that was ever used makes every promise slower. */
const taking = new AsyncLocalStorage<Taken>();

export type Api = Awaited<ReturnType<typeof startApi>>;

/** The real API over a real database, in a process that can be stopped, killed and lied to. */
export async function startApi(time: VirtualTime, shared: Store, conditions: Conditions) {
  const process = createVirtualProcess(time);
  const store: Store = {
    ...shared,
    // The database's clock is the virtual one, at the moment at which a statement is made.
    get clock() {
      return sql<number>`${time.nowMs()}`;
    },
    tx: (work, locks) => transact(time, process, conditions, () => shared.tx(work, locks)),
  };
  const address = ids.slug();
  const lease = await startProcess({ store, roles: ['api'], address, log, timer: process.timer });
  const announcer = conditions.announcerOf(process);
  const own = { store, lease: conditions.decorate?.(lease) ?? lease, log, announcer, timer: process.timer };
  const responses = createResponses(own);
  const now = () => time.nowMs() + conditions.skewMs;
  const common = { store, ids, now, log, notify: () => undefined, identity: createLocalIdentity('configured') };
  const dependencies: ApiDependencies = {
    ...common,
    responses: {
      ...responses,
      async hold(connection) {
        const heard = conditions.isEndUnheard === true ? withoutEnd(connection) : connection;
        const held = await responses.hold(heard);
        const taken = taking.getStore();
        if (taken !== undefined) taken.owner = held;
        return held;
      },
      async hand(connection, paymentId) {
        if (conditions.failsBehind()) throw new Error('something failed after the settlement');
        await responses.hand(connection, paymentId);
      },
    },
    networks: [NETWORK],
    waitForChange: async (id, ms, signal) => {
      const isAnnounced = await announcer.waitFor(`payment:${id}`, ms, signal);
      return isAnnounced === true;
    },
    collecting: createTestCollecting(common),
    startedAtMs: 0,
    queueAnswers: async () => true,
    failpoint: () => undefined,
    callerLimiter: createRateLimiter(0, now),
    payerLimiter: createRateLimiter(0, now),
    settings: {
      baseUrl: 'http://x',
      feeBps: 0,
      feeFlat: ZERO_USDC,
      claimTtlMs: 1e9,
      settlementWaitMs: SETTLEMENT_WAIT_MS,
      localMode: true,
      reservationsMax: null,
      picturesDir: null,
      botApiToken: null,
      isTrustedProxy: () => true,
      operator: { name: '', supportUrl: '', termsUrl: '' },
    },
  };
  const app = createRestApp(dependencies);
  /** Whether the database says so now. */
  const holdsLease = async ({ process: id, epoch }: Owner): Promise<boolean> => {
    const { processes } = store.tables;
    const mine = and(eq(processes.id, id), eq(processes.epoch, epoch), isAlive(store));
    return (await store.read.select().from(processes).where(mine)).length > 0;
  };
  return { app, process, lease, holdsLease };
}

const withoutEnd = (connection: CallerConnection): CallerConnection =>
  Object.create(connection, { whenOver: { value: undefined } }) as CallerConnection;

async function transact<T>(
  time: VirtualTime,
  process: VirtualProcess,
  { fault }: Conditions,
  transaction: () => Promise<T>,
): Promise<T> {
  await process.gate();
  const hit = fault();
  if (hit === 'fail') throw new Error('the database went away');
  const value = await time.during(transaction);
  if (hit === 'stop after it') process.stop();
  await process.gate();
  if (hit === 'lose the reply') throw new Error('the reply of COMMIT was lost');
  return value;
}

export type Reply = { status: number; isReplayed: boolean; paymentId: string | null } | 'closed';

/** A 200 before its first byte leaves, and under which epoch its request was taken. */
export type Leaving = { reply: Exclude<Reply, 'closed'>; owner: Owner };

/** What a caller's side of a connection looks like to the server. */
class Outgoing extends EventEmitter {
  destroyed = false;
  closed = false;
  writableFinished = false;
  /** It stays open after an answer. */
  readonly socket = Object.assign(new EventEmitter(), { destroyed: false, writable: true, write: () => true });
  finish(): void {
    this.writableFinished = this.closed = true;
    for (const event of ['prefinish', 'finish', 'close']) this.emit(event);
  }
  /** The caller goes. An answer that is written all the same is turned away. */
  leave(): void {
    if (this.writableFinished) this.socket.emit('error', new Error('ECONNRESET'));
    this.destroy();
  }
  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = this.closed = this.socket.destroyed = true;
    this.emit('close');
    this.socket.emit('close', false);
    return this;
  }
}

/** One request over a connection of its own, with a new proof; `leaving` is called before the first byte of a 200. */
export async function send(
  time: VirtualTime,
  { app, process, lease }: Api,
  request: { payer: string; patienceMs: number },
  leaving: (leaving: Leaving) => Promise<void>,
): Promise<Reply> {
  if (process.isDead()) return 'closed';
  const outgoing = new Outgoing();
  const closed = new Promise<'closed'>((resolve) => {
    outgoing.once('close', () => outgoing.writableFinished || resolve('closed'));
    process.onDeath(() => resolve('closed'));
    time.after(request.patienceMs, () => {
      resolve('closed');
      // Who has the answer keeps the connection for the next one.
      if (!outgoing.writableFinished) process.whenRunning(() => outgoing.leave());
    });
  });
  const payload = { from: request.payer, nonce: ids.slug() };
  const header = toHeader({ x402Version: 1, scheme: 'exact', network: 'base', payload });
  const answered = async (): Promise<Reply> => {
    await process.gate();
    // What comes to a process that has just woken is taken under its next epoch.
    const taken: Taken = { owner: lease.owner() };
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-PAYMENT': header },
      body: '{"receiver":"alice","amount":1}',
    };
    const env = { outgoing, incoming: { socket: outgoing.socket } } as unknown as HttpBindings;
    const response = await taking.run(taken, async () => app.request('/payments/x/pay', init, env));
    await process.gate();
    if (outgoing.destroyed) return 'closed';
    const { payment = null } = (await response.json()) as { payment?: string };
    const isReplayed = response.headers.get('Idempotent-Replayed') !== null;
    const reply = { status: response.status, isReplayed, paymentId: payment };
    if (reply.status === 200) await leaving({ reply, owner: taken.owner });
    outgoing.finish();
    return reply;
  };
  return Promise.race([closed, answered()]);
}

/** For controls: what waits is never closed. */
export function keepWaiting(path: string): void {
  const database = new Database(path);
  database.exec(
    `CREATE TRIGGER keep_waiting BEFORE DELETE ON waiting_responses WHEN old.state = 'waiting' BEGIN SELECT RAISE(IGNORE); END`,
  );
  database.close();
}

/** Settles what has been received for so long, as the workers would. */
export function startSettling(
  time: VirtualTime,
  { tx, read, tables: { payments } }: Store,
  delayOf: (paymentId: string) => number,
) {
  const dueAt = new Map<string, number>();
  async function look(): Promise<void> {
    const open = await read
      .select({ id: payments.id, payer: payments.payer })
      .from(payments)
      .where(eq(payments.status, 'received'));
    for (const { id, payer } of open) if (!dueAt.has(id)) dueAt.set(id, time.nowMs() + delayOf(payer));
    const due = open.filter(({ id }) => (dueAt.get(id) ?? 0) <= time.nowMs()).map(({ id }) => id);
    if (due.length > 0) {
      const set = { status: 'settled', answer: sql`json_object('payment', ${payments.id})` } as const;
      await time.during(() => tx((db) => db.update(payments).set(set).where(inArray(payments.id, due))));
    }
    time.after(500, () => void look());
  }
  void look();
}
