import { describe, expect, test } from 'vitest';
import { PLATFORM_NAMES, type Platform } from '../../core/platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import { resolveDiscord } from '../../identity/platforms/discord.ts';
import { resolveTelegram } from '../../identity/platforms/telegram.ts';
import type { MemoryLimits } from '../../identity/memory.ts';
import type { Resolution, Resolver } from '../../identity/port.ts';
import { createResolver, type ResolveOptions } from '../../identity/resolve.ts';
import { createTestLog } from './servers.ts';

const START_MS = 1_800_000_000_000;
const LIMITS: MemoryLimits = { foundMs: 1_000, notFoundMs: 100, max: 3 };

const found = (stableId: string): Resolution => ({ kind: 'found', stableId });
const x = (name: string): Recipient => parseRecipient('x', name);
const none = Object.fromEntries(PLATFORM_NAMES.map((platform) => [platform, null])) as Record<Platform, null>;

/** An answer that comes when the test says so. */
function createPending() {
  let resolve: (resolution: Resolution) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<Resolution>((onAnswer, onFailure) => {
    resolve = onAnswer;
    reject = onFailure;
  });
  return { promise, resolve, reject };
}

/** An identity whose only resolver is `resolver`, for x, on a clock that stands still. */
function create(resolver: Resolver | null, options: Partial<ResolveOptions> = {}) {
  const clock = { nowMs: START_MS };
  const asked: string[] = [];
  const { log, lines } = createTestLog();
  const counted: Resolver = (recipient, signal) => {
    asked.push(recipient.key);
    if (resolver === null) throw new Error('expected no question');
    return resolver(recipient, signal);
  };
  const identity = createResolver({
    resolvers: { ...none, x: resolver === null ? null : counted },
    now: () => clock.nowMs,
    log,
    cache: LIMITS,
    ...options,
  });
  return { ...identity, clock, asked, lines };
}

describe('memory', () => {
  test.each([
    ['found', found('1'), LIMITS.foundMs],
    ['not found', { kind: 'not-found' } as const, LIMITS.notFoundMs],
  ])('%s is remembered for its time and then asked for again', async (_case, resolution, lifeMs) => {
    const { resolve, asked, clock } = create(async () => resolution);
    expect(await resolve(x('alice'))).toEqual(resolution);
    clock.nowMs += lifeMs - 1;
    expect(await resolve(x('alice'))).toEqual(resolution);
    expect(asked).toEqual(['alice']);
    clock.nowMs += 1;
    expect(await resolve(x('alice'))).toEqual(resolution);
    expect(asked).toEqual(['alice', 'alice']);
  });

  test('that a platform did not answer is never remembered', async () => {
    const answers: Resolution[] = [{ kind: 'unavailable' }, found('1')];
    const { resolve, peek, asked } = create(async () => answers.shift() ?? { kind: 'not-found' });
    expect(await resolve(x('alice'))).toEqual({ kind: 'unavailable' });
    expect(peek(x('alice'))).toBeNull();
    expect(await resolve(x('alice'))).toEqual(found('1'));
    expect(asked).toHaveLength(2);
  });

  test('a name is remembered however it was written, and for its own platform only', async () => {
    const { log } = createTestLog();
    const asked: string[] = [];
    const resolver: Resolver = async ({ platform, key }) => {
      asked.push(`${platform}:${key}`);
      return found(platform);
    };
    const { resolve } = createResolver({
      resolvers: { ...none, x: resolver, code: resolver },
      now: () => START_MS,
      log,
    });
    expect(await resolve(x('alice'))).toEqual(found('x'));
    expect(await resolve(x('@ALICE'))).toEqual(found('x'));
    expect(await resolve(parseRecipient('code', 'alice'))).toEqual(found('code'));
    expect(asked).toEqual(['x:alice', 'code:alice']);
  });

  test('beyond the limit the name goes that was asked for longest ago', async () => {
    const { resolve, peek } = create(async ({ key }) => found(key));
    for (const name of ['a', 'b', 'c']) await resolve(x(name));
    await resolve(x('a'));
    await resolve(x('d'));
    expect(['a', 'b', 'c', 'd'].map((name) => peek(x(name)) !== null)).toEqual([true, false, true, true]);
  });

  test("a resolver's newer answer replaces the older one without costing a place", async () => {
    const { resolve, peek, clock } = create(async ({ key }) => found(`${key}${clock.nowMs}`));
    for (const name of ['a', 'b', 'c']) await resolve(x(name));
    clock.nowMs += LIMITS.foundMs;
    for (const name of ['a', 'b', 'c']) await resolve(x(name));
    expect(['a', 'b', 'c'].map((name) => peek(x(name)))).toEqual(
      ['a', 'b', 'c'].map((name) => found(`${name}${START_MS + LIMITS.foundMs}`)),
    );
  });
});

describe('peek', () => {
  test('answers from memory and never asks', async () => {
    const { peek, resolve, asked, clock } = create(async () => found('1'));
    expect(peek(x('alice'))).toBeNull();
    expect(asked).toEqual([]);
    await resolve(x('alice'));
    expect(peek(x('alice'))).toEqual(found('1'));
    clock.nowMs += LIMITS.foundMs;
    expect(peek(x('alice'))).toBeNull();
    expect(asked).toEqual(['alice']);
  });

  test('tells that nobody has a name', async () => {
    const { peek, resolve } = create(async () => ({ kind: 'not-found' }));
    await resolve(x('alice'));
    expect(peek(x('ALICE'))).toEqual({ kind: 'not-found' });
  });
});

describe('single flight', () => {
  test('those who ask for a name at the same time share one question and its answer', async () => {
    const pending = createPending();
    const { resolve, asked } = create(() => pending.promise);
    const answers = Promise.all([resolve(x('alice')), resolve(x('Alice')), resolve(x('alice'))]);
    pending.resolve(found('1'));
    expect(await answers).toEqual([found('1'), found('1'), found('1')]);
    expect(asked).toEqual(['alice']);
  });

  test('different names are different questions, side by side', async () => {
    const pending = createPending();
    const { resolve, asked } = create(() => pending.promise);
    const answers = Promise.all([resolve(x('alice')), resolve(x('bob'))]);
    await Promise.resolve();
    expect(asked).toEqual(['alice', 'bob']);
    pending.resolve(found('1'));
    await answers;
  });

  test.each<[string, Resolver]>([
    ['without an answer', async () => ({ kind: 'unavailable' })],
    [
      'that fails at once',
      () => {
        throw new Error('boom');
      },
    ],
    ['that fails', () => Promise.reject(new Error('boom'))],
  ])('a flight %s ends: the next one asks again', async (_case, resolver) => {
    const { resolve, asked } = create(resolver);
    expect(await resolve(x('alice'))).toEqual({ kind: 'unavailable' });
    expect(await resolve(x('alice'))).toEqual({ kind: 'unavailable' });
    expect(asked).toHaveLength(2);
  });
});

describe('failures', () => {
  test('a resolver that fails is a platform that does not answer, and a line in the log', async () => {
    const { resolve, lines } = create(() => Promise.reject(new Error('boom')));
    expect(await resolve(x('alice'))).toEqual({ kind: 'unavailable' });
    expect(lines).toEqual([
      {
        details: { platform: 'x', err: new Error('boom') },
        text: 'resolver failed; treated as a platform that does not answer',
      },
    ]);
  });

  test('a platform that cannot be asked here does not answer', async () => {
    const { resolve } = create(null);
    expect(await resolve(x('alice'))).toEqual({ kind: 'unavailable' });
    expect(await resolve(x('alice'))).toEqual({ kind: 'unavailable' });
  });
});

describe('the time limit', () => {
  test('ends the wait for a resolver that does not listen, and tells it', async () => {
    let told: AbortSignal | undefined;
    const { resolve } = create(
      (_recipient, signal) => {
        told = signal;
        return new Promise(() => {});
      },
      { timeoutMs: 20 },
    );
    expect(await resolve(x('alice'))).toEqual({ kind: 'unavailable' });
    expect(told?.aborted).toBe(true);
  });

  test('what a resolver says too late is not remembered', async () => {
    const pending = createPending();
    const { resolve, peek } = create(() => pending.promise, { timeoutMs: 20 });
    await resolve(x('alice'));
    pending.resolve(found('1'));
    await pending.promise;
    expect(peek(x('alice'))).toBeNull();
  });

  test('a resolver that fails too late harms nobody', async () => {
    const pending = createPending();
    const { resolve } = create(() => pending.promise, { timeoutMs: 20 });
    expect(await resolve(x('alice'))).toEqual({ kind: 'unavailable' });
    pending.reject(new Error('late'));
    await expect(pending.promise).rejects.toThrow('late');
  });

  test('an answer in time leaves the signal alone, and no timer', async () => {
    const countTimers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = countTimers();
    let told: AbortSignal | undefined;
    const { resolve } = create(async (_recipient, signal) => {
      told = signal;
      return found('1');
    });
    expect(await resolve(x('alice'))).toEqual(found('1'));
    expect(told?.aborted).toBe(false);
    expect(countTimers()).toBe(before);
  });
});

test.each([
  ['discord', '175928847299117063', resolveDiscord, found('175928847299117063')],
  ['telegram', '123456789', resolveTelegram, found('123456789')],
  ['telegram', 'alice_smith', resolveTelegram, { kind: 'unavailable' }],
] as const)('%s:%s', async (platform, name, resolver, expected) => {
  expect(await resolver(parseRecipient(platform, name), new AbortController().signal)).toEqual(expected);
});
