/** Endpoints are told, at least once each event, by a worker that may end anywhere. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EVENT_FAILPOINTS } from '../../../core/failpoints.ts';
import { isGlobalAddress } from '../../../identity/addresses.ts';
import { createGuardedFetch } from '../../../identity/guarded-fetch.ts';
import { addEndpoint, findEndpoint } from '../../../db/events/endpoints.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startEvents, type EventTools, type RunningEvents } from '../../../worker/events/events.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { compileProgram } from '../../support/compiled-program.ts';
import { createTestEvents, testEventSecrets } from '../../support/events/event-parts.ts';
import { startEventReceiver, type EventReceiver, type ReceivedEvent } from '../../support/events/event-receiver.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { createLoneHolder } from '../lone-holder.ts';

const PAYER = `0x${'99'.repeat(20)}`;
const ID = 'ep_AAAAAAAAAAAAAAAAAAAAAA';
const DAY_MS = 86_400_000;
const CHILD = await compileProgram(join(import.meta.dirname, 'child.ts'));

onBothDatabases((fresh, isSqlite) => {
  let database: DatabaseAddress;
  let folder: string;
  let books: Books;
  let receivers: EventReceiver[];
  let parts: ReturnType<typeof createTestEvents>;
  let running: RunningEvents[];
  let nowMs: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pennypost-events-'));
    database = (await fresh()) ?? { kind: 'sqlite', path: join(folder, 'books.sqlite') };
    books = await openBooks(database);
    parts = createTestEvents();
    [receivers, running, nowMs] = [[], [], Date.now()];
    books.clock.nowMs = nowMs;
  });
  afterEach(async () => {
    for (const one of running) await one.close();
    for (const receiver of receivers) await receiver.close();
    await parts.close();
    await books.assertSound();
    await books.close();
    rmSync(folder, { recursive: true, force: true });
  });

  type Registered = {
    id?: string;
    payer?: string;
    location?: string;
    answerOf?: (event: ReceivedEvent) => number;
    /** Time passes by the test's clock. */
    passes?: boolean;
  };

  async function register({
    id = ID,
    payer = PAYER,
    passes = false,
    ...options
  }: Registered = {}): Promise<EventReceiver> {
    const receiver = await startEventReceiver({ ...options, ...(passes && { now: () => nowMs }) });
    receivers.push(receiver);
    receiver.expect(testEventSecrets.secretOf('base', id) ?? '');
    await addEndpoint(books.store, { id, network: 'base', payer, url: receiver.url, nowMs });
    return receiver;
  }

  function start(tools: Partial<EventTools> = {}): RunningEvents {
    const { store } = books;
    const log = pino({ level: 'silent' });
    const context = { store, now: () => nowMs, log, failpoint: () => undefined, holder: createLoneHolder() };
    const one = startEvents({ ...context, ...parts.worker, ...tools });
    running.push(one);
    return one;
  }

  const pay = (endpointId = ID, payer = PAYER) =>
    books.pay({ endpointId, payer, payees: [{ name: 'alice', stableId: '1' }] });
  const deliveries = async () => books.store.read.select().from(books.store.tables.eventDeliveries);
  const outcomes = async () => (await deliveries()).map(({ outcome }) => outcome);

  test('what is due is told in the order in which it happened', async () => {
    const receiver = await register();
    const txnIds = [];
    for (let index = 0; index < 3; index += 1) {
      books.clock.nowMs = nowMs - 1_000 + index;
      txnIds.push((await pay()).lines[0]?.txnId);
    }
    start();
    await eventually(async () => expect(await outcomes()).toEqual(['delivered', 'delivered', 'delivered']));
    expect(receiver.received.map((event) => event.txnIds[0])).toEqual(txnIds);
  });

  test('what fails is told again under the same id, after pauses that grow, and then no more: three days', async () => {
    const receiver = await register({ answerOf: () => 500, passes: true });
    await pay();
    const events = start();
    const times: number[] = [];
    for (let failures = 1; failures <= 10; failures += 1) {
      events.wake();
      const [delivery] = await eventually(async () => {
        const rows = await deliveries();
        expect(rows[0]?.failures).toBe(failures);
        return rows;
      });
      times.push(nowMs);
      nowMs = delivery?.nextAtMs ?? nowMs;
    }
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    expect(Math.round(((times.at(-1) ?? 0) - (times[0] ?? 0)) / DAY_MS)).toBe(3);
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(await deliveries()).toMatchObject([{ outcome: 'failed', lastAnswer: '500', nextAtMs: null }]);
    expect(await findEndpoint(books.store, ID)).toMatchObject({ endReason: 'unreachable' });
    // And nothing more is written for it.
    await pay();
    expect(await deliveries()).toHaveLength(1);
  });

  test('410 ends the endpoint at once, with all that waits for it', async () => {
    const receiver = await register({ answerOf: () => 410 });
    await pay();
    await pay();
    start();
    await eventually(async () => expect(await findEndpoint(books.store, ID)).toMatchObject({ endReason: 'gone' }));
    expect(receiver.received).toHaveLength(1);
    expect(await outcomes()).toEqual(['endpoint_ended', 'endpoint_ended']);
  });

  test('an endpoint that hangs or fails keeps no other from its events', async () => {
    const other = `0x${'88'.repeat(20)}`;
    const broken = await register({ answerOf: () => 500 });
    const works = await register({ id: 'ep_BBBBBBBBBBBBBBBBBBBBBB', payer: other });
    for (let count = 0; count < 3; count += 1) await pay();
    await pay('ep_BBBBBBBBBBBBBBBBBBBBBB', other);
    start();
    await eventually(async () => expect(works.received).toHaveLength(1));
    await eventually(async () => expect(broken.received).toHaveLength(1));
    // It rests after a failure: what waits there is not tried one after the other.
    await eventually(async () => {
      const rows = (await deliveries()).filter(({ endpointId }) => endpointId === ID);
      expect(rows.map(({ nextAtMs }) => (nextAtMs ?? 0) > nowMs)).toEqual([true, true, true]);
    });
    expect(broken.received).toHaveLength(1);
  });

  const limiters: readonly ('hostLimiter' | 'payerLimiter')[] = ['hostLimiter', 'payerLimiter'];
  test.each(isSqlite ? limiters : limiters.slice(0, 1))(
    'what is over the minute of %s waits, and has not failed',
    async (name) => {
      const receiver = await register();
      for (let count = 0; count < 4; count += 1) await pay();
      const events = start({ [name]: createRateLimits(() => nowMs).perMinute('', 3) });
      await eventually(async () => expect(receiver.received).toHaveLength(3));
      const [waiting] = await eventually(async () => {
        const rows = (await deliveries()).filter(({ outcome }) => outcome === null);
        expect(rows[0]?.nextAtMs).toBeGreaterThan(nowMs);
        return rows;
      });
      expect(waiting).toMatchObject({ failures: 0, lastAnswer: null });
      nowMs = waiting?.nextAtMs ?? nowMs;
      events.wake();
      await eventually(async () => expect(receiver.received).toHaveLength(4));
    },
  );

  describe('a worker that is killed', () => {
    test.each(EVENT_FAILPOINTS)('at %s loses no event', async (point) => {
      const receiver = await register();
      await pay();
      nowMs = Date.now();
      const child = spawn(process.execPath, [CHILD, JSON.stringify(database), point], { stdio: 'ignore' });
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
      expect(signal).toBe('SIGKILL');
      expect(receiver.received).toHaveLength(point === 'event.after-send' ? 1 : 0);
      expect(await outcomes()).toEqual([null]);
      start();
      await eventually(async () => expect(await outcomes()).toEqual(['delivered']));
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
      expect(receiver.received).toHaveLength(point === 'event.after-send' ? 2 : 1);
    });
  });

  // Below no statement is asked that those above do not ask of both.
  if (!isSqlite) return;

  test('200 and 299 are taken; a redirect and 400 are not, and lead nowhere', async () => {
    const other = await startEventReceiver();
    receivers.push(other);
    const ends = new Map<string, unknown>();
    for (const [index, status] of [200, 299, 302, 308, 400].entries()) {
      const digit = String(index + 3);
      const [id, payer] = [`ep_${digit.repeat(22)}`, `0x${digit.repeat(40)}`];
      await register({ id, payer, answerOf: () => status, location: other.url });
      await pay(id, payer);
      ends.set(id, status < 300 ? ['delivered', 0] : [null, 1]);
    }
    start();
    await eventually(async () => {
      const rows = await deliveries();
      expect(new Map(rows.map(({ endpointId, outcome, failures }) => [endpointId, [outcome, failures]]))).toEqual(ends);
    });
    expect([other.received, other.challenges()]).toEqual([[], 0]);
  });

  test('a name that leads to a private address by now is not connected to', async () => {
    const receiver = await register();
    await pay();
    const fetch = createGuardedFetch({
      timeoutMs: 5_000,
      bytesMax: 1_000,
      redirectsMax: 0,
      allowsAddress: isGlobalAddress,
    });
    start({ fetch });
    await eventually(async () => expect((await deliveries())[0]?.lastAnswer).toBe('forbidden-address'));
    expect(receiver.received).toEqual([]);
    await fetch.close();
  });
});
