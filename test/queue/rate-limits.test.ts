import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Timer } from '../../queue/alarm.ts';
import { startRateExchange } from '../../queue/rate-exchange.ts';
import { createRateLimiter, createRateLimits } from '../../queue/rate-limiter.ts';
import { createLogRecorder } from './support/log-recorder.ts';
import { startTestRedis, type TestRedis } from './support/redis-server.ts';

const SOON = { timeout: 60_000, interval: 5 };
const MINUTE_MS = 60_000;

describe('one process', () => {
  test('gives each key its minute back, and zero switches it off', () => {
    let nowMs = 0;
    const limiter = createRateLimiter(2, () => nowMs);
    const ask = (...keys: string[]) => keys.map((key) => limiter.allows(key));
    expect(ask('a', 'a', 'a', 'b')).toEqual([true, true, false, true]);
    nowMs = 90_000;
    expect(ask('a', 'a')).toEqual([true, false]);
    nowMs = 240_000;
    expect(ask('a')).toEqual([true]);
    const off = createRateLimiter(0, () => 0);
    expect(Array.from({ length: 1_000 }, () => off.allows('a')).every(Boolean)).toBe(true);
  });

  test('counts each limit for itself, and forgets the oldest keys before it grows without end', () => {
    const limits = createRateLimits(() => 0);
    const [one, other] = [limits.perMinute('one', 1), limits.perMinute('other', 1)];
    expect([one.allows('a'), one.allows('a'), other.allows('a')]).toEqual([true, false, true]);
    for (let index = 0; index < 100_001; index += 1) one.allows(`key ${index}`);
    expect([one.allows('a'), other.allows('a')]).toEqual([true, false]);
    expect(limits.takeUnsent(1_000_000).length).toBeLessThanOrEqual(100_000);
  });
});

/** One clock for all; only `tick` lets a time pass, to the next exchange of each process. */
function createWorld(redis: TestRedis) {
  let nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const { log, lines } = createLogRecorder();
  const closers: (() => Promise<void>)[] = [];

  function open({ isExchanging = true } = {}) {
    const limits = createRateLimits(() => nowMs);
    let due: (() => void) | null = null;
    let exchanges = 0;
    const timer: Timer = {
      nowMs: () => nowMs,
      after: (_ms, then) => {
        due = then;
        exchanges += 1;
        return () => (due = null);
      },
    };
    const exchange = isExchanging ? startRateExchange({ target: redis.target, limits, log, timer }) : null;
    if (exchange !== null) closers.push(exchange.close);
    const tick = async (): Promise<void> => {
      if (exchange === null) return;
      const before = exchanges;
      due?.();
      await vi.waitFor(() => expect(exchanges).toBeGreaterThan(before), SOON);
    };
    return { limits, tick };
  }

  return {
    lines,
    open,
    pass: (ms: number) => void (nowMs += ms),
    close: () => Promise.all(closers.map((close) => close())),
  };
}

type Process = ReturnType<ReturnType<typeof createWorld>['open']>;

/** Each process is asked in turn, `perRound` times before the next exchange; how many were let through in all. */
async function flood(
  processes: readonly Process[],
  { name = 'calls', countMax = 100, perRound = 5, rounds = 60 } = {},
) {
  const limiters = processes.map(({ limits }) => limits.perMinute(name, countMax));
  let passed = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const limiter of limiters)
      for (let index = 0; index < perRound; index += 1) passed += limiter.allows('203.0.113.1') ? 1 : 0;
    for (const { tick } of processes) await tick();
  }
  return passed;
}

describe('several processes on one Redis', () => {
  let redis: TestRedis;
  let world: ReturnType<typeof createWorld>;
  beforeAll(async () => {
    redis = await startTestRedis();
  });
  beforeEach(async () => {
    await redis.admin.flushall();
    world = createWorld(redis);
    return async () => void (await world.close());
  });
  afterAll(() => redis.stop());

  /** Each is connected: what it counts arrives. */
  const openAll = async (count: number): Promise<Process[]> => {
    const all = Array.from({ length: count }, () => world.open());
    for (const [index, { limits }] of all.entries()) limits.perMinute('probe', 1).allows(String(index));
    await vi.waitFor(async () => {
      for (const { tick } of all) await tick();
      const [key = ''] = await redis.admin.keys('{pay}:limits:*');
      expect(await redis.admin.hlen(key)).toBe(count);
    }, SOON);
    await redis.admin.flushall();
    return all;
  };

  test.each([2, 4])('%i let through the limit, and at most what they take within one exchange', async (count) => {
    const processes = await openAll(count);
    const passed = await flood(processes);
    expect(passed).toBeGreaterThanOrEqual(100);
    expect(passed).toBeLessThanOrEqual(100 + 5 * count);
  });

  test('CONTROL: without an exchange two let through twice as much', async () => {
    expect(await flood([world.open({ isExchanging: false }), world.open({ isExchanging: false })])).toBe(200);
  });

  test('what the others counted in the last minute counts in this one as well', async () => {
    const [one, other] = (await openAll(2)) as [Process, Process];
    world.pass(30_000);
    expect(await flood([one], { perRound: 100, rounds: 1 })).toBe(100);
    world.pass(31_000);
    // Its first request of this minute tells it what the others did; 59 of the last sixty seconds still count.
    expect(await flood([other], { perRound: 1, rounds: 20 })).toBeLessThanOrEqual(3);
  });

  test('without Redis each counts alone and nothing waits; when it is back they count together', async () => {
    const processes = await openAll(2);
    await redis.kill();
    await vi.waitFor(() => expect(world.lines).toHaveLength(2), SOON);
    expect(await flood(processes, { perRound: 50, rounds: 4 })).toBe(200);
    await redis.start();
    world.pass(5 * MINUTE_MS);
    await vi.waitFor(() => expect(world.lines.filter(({ level }) => level === 'info')).toHaveLength(2), SOON);
    const passed = await flood(processes);
    expect(passed).toBeLessThanOrEqual(110);
    expect(world.lines.map(({ level }) => level).sort()).toEqual(['info', 'info', 'warn', 'warn']);
  });

  test('what is in Redis has one hash a minute, names nobody, and ends by itself', async () => {
    const [one] = (await openAll(1)) as [Process];
    const limiter = one.limits.perMinute('calls', 1_000_000);
    for (let index = 0; index < 5_000; index += 1) limiter.allows(`visitor ${index}${'x'.repeat(100)}`);
    await one.tick();
    const keys = await redis.admin.keys('{pay}:limits:*');
    expect(keys).toHaveLength(1);
    const [key = ''] = keys;
    expect(await redis.admin.hlen(key)).toBe(1_000);
    for (const field of await redis.admin.hkeys(key)) expect(field).toMatch(/^[\w-]{22}$/);
    expect(await redis.admin.ttl(key)).toBeGreaterThan(100);
    expect(await redis.admin.ttl(key)).toBeLessThanOrEqual(180);
    for (let round = 0; round < 4; round += 1) await one.tick();
    expect(await redis.admin.hlen(key)).toBe(5_000);
  });
});
