import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAnnouncer, type Announcer } from '../../queue/announcer.ts';
import { createLogRecorder, type LogLine } from './support/log-recorder.ts';
import { countConnections, startTestRedis, type TestRedis } from './support/redis-server.ts';

const SOON = { timeout: 60_000, interval: 10 };
const CARRIER = '{pay}:announce';

describe('within one process, without Redis', () => {
  let announcer: Announcer;
  let lines: LogLine[];

  beforeEach(() => {
    const recorder = createLogRecorder();
    lines = recorder.lines;
    announcer = createAnnouncer({ target: null, log: recorder.log });
  });

  afterEach(() => announcer.close());

  test('listeners are called before announce returns, and only those of the channel', () => {
    const heard: string[] = [];
    announcer.subscribe('a', () => heard.push('a1'));
    announcer.subscribe('a', () => heard.push('a2'));
    announcer.subscribe('b', () => heard.push('b'));
    announcer.announce('a');
    expect(heard).toEqual(['a1', 'a2']);
  });

  test('the same function may listen twice, and each subscription ends alone', () => {
    let calls = 0;
    const listener = (): number => (calls += 1);
    const end = announcer.subscribe('a', listener);
    announcer.subscribe('a', listener);
    end();
    end();
    announcer.announce('a');
    expect(calls).toBe(1);
  });

  test('a listener that throws is logged and harms nobody', () => {
    let calls = 0;
    announcer.subscribe('a', () => {
      throw new Error('no');
    });
    announcer.subscribe('a', () => (calls += 1));
    announcer.announce('a');
    expect(calls).toBe(1);
    expect(lines).toEqual([{ level: 'warn', fields: { channel: 'a', reason: 'no' }, message: 'a listener failed' }]);
  });

  test('a listener that subscribes again is called once an announcement', () => {
    let calls = 0;
    const again = (): void => {
      calls += 1;
      if (calls < 10) announcer.subscribe('a', again);
    };
    announcer.subscribe('a', again);
    announcer.announce('a');
    expect(calls).toBe(1);
  });

  test('waiting ends with the announcement, the time, the signal or the close, whichever is first', async () => {
    const stop = new AbortController();
    const heard = announcer.waitFor('a', 60_000);
    const late = announcer.waitFor('b', 1);
    const aborted = announcer.waitFor('b', 60_000, stop.signal);
    const left = announcer.waitFor('b', Number.MAX_SAFE_INTEGER);
    announcer.announce('a');
    expect(await heard).toBe('announced');
    expect(await late).toBe('timeout');
    stop.abort();
    expect(await aborted).toBe('aborted');
    expect(await announcer.waitFor('a', 60_000, stop.signal)).toBe('aborted');
    await announcer.close();
    expect(await left).toBe('aborted');
    expect(await announcer.waitFor('a', 60_000)).toBe('aborted');
  });
});

describe('between processes', () => {
  let redis: TestRedis;
  let open: Announcer[];
  let lines: LogLine[];
  let log: ReturnType<typeof createLogRecorder>['log'];

  beforeEach(async () => {
    redis = await startTestRedis();
    ({ log, lines } = createLogRecorder());
    open = [];
  });

  afterEach(async () => {
    redis.thaw();
    await Promise.all(open.map((one) => one.close()));
    await redis.stop();
  });

  function openAnnouncer(): Announcer {
    const announcer = createAnnouncer({ target: redis.target, log });
    open.push(announcer);
    return announcer;
  }

  async function openTwo(): Promise<[Announcer, Announcer]> {
    const pair: [Announcer, Announcer] = [openAnnouncer(), openAnnouncer()];
    await listening(2);
    return pair;
  }

  const listening = (count: number) =>
    vi.waitFor(async () => expect(await redis.admin.pubsub('NUMSUB', CARRIER)).toEqual([CARRIER, count]), SOON);

  /** Two instances have two tokens, as two processes have; the processes themselves are in processes.test.ts. */
  test('an announcement reaches both sides once, the own side without a loop-back', async () => {
    const [one, two] = await openTwo();
    const heard: string[] = [];
    one.subscribe('payment-1', () => heard.push('own'));
    two.subscribe('payment-1', () => heard.push('other'));
    one.announce('payment-1');
    expect(heard).toEqual(['own']);
    await vi.waitFor(() => expect(heard).toEqual(['own', 'other']), SOON);

    // What two says now comes to one behind a loop-back of its own message, if there was any.
    const mark = one.waitFor('mark', 60_000);
    two.announce('mark');
    expect(await mark).toBe('announced');
    expect(heard).toEqual(['own', 'other']);
  });

  test('control: the same message with a foreign token is delivered to the own side too', async () => {
    const [one] = await openTwo();
    const heard: string[] = [];
    one.subscribe('payment-1', () => heard.push('own'));
    one.announce('payment-1');
    await redis.admin.publish(CARRIER, 'somebody-else payment-1');
    await vi.waitFor(() => expect(heard).toEqual(['own', 'own']), SOON);
  });

  test.each(['', 'nospace', ' payment-1', `x ${'y'.repeat(600)}`])(
    'the foreign message %j harms nobody',
    async (text) => {
      const [one, two] = await openTwo();
      await redis.admin.publish(CARRIER, text);
      const mark = two.waitFor('mark', 60_000);
      one.announce('mark');
      expect(await mark).toBe('announced');
      expect(lines).toEqual([]);
    },
  );

  test('1,000 waiters of another instance all hear theirs, over two connections an instance', async () => {
    const [one, two] = await openTwo();
    const warnings: Error[] = [];
    const onWarning = (warning: Error): number => warnings.push(warning);
    process.on('warning', onWarning);
    const stop = new AbortController();
    const waiting = Array.from({ length: 1_000 }, (_, index) => two.waitFor(`payment-${index}`, 20_000, stop.signal));
    const crowd = Array.from({ length: 1_000 }, () => two.waitFor('payment-0', 20_000));
    const others = Array.from({ length: 1_000 }, (_, index) => two.waitFor(`other-${index}`, 60_000));
    expect(await countConnections(redis)).toBe(4);
    for (let index = 0; index < 1_000; index += 1) one.announce(`payment-${index}`);
    expect(new Set(await Promise.all([...waiting, ...crowd]))).toEqual(new Set(['announced']));

    const start = performance.now();
    await two.close();
    expect(new Set(await Promise.all(others))).toEqual(new Set(['aborted']));
    // One that was not ended would wait for a minute.
    expect(performance.now() - start).toBeLessThan(20_000);
    await vi.waitFor(async () => expect(await countConnections(redis)).toBe(2), SOON);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  test('killed and started again, it carries announcements again; without it the process hears itself', async () => {
    const [one, two] = await openTwo();
    for (const round of [1, 2, 3]) {
      await redis.kill();
      const own = one.waitFor(`own-${round}`, 60_000);
      one.announce(`own-${round}`);
      expect(await own).toBe('announced');
      await redis.start();
      await listening(2);
      await vi.waitFor(async () => {
        const heard = two.waitFor(`payment-${round}`, 100);
        one.announce(`payment-${round}`);
        expect(await heard).toBe('announced');
      }, SOON);
    }
  });

  test('hung: announce returns at once, waiting ends in time, close is bounded, and nothing piles up', async () => {
    const [one, two] = await openTwo();
    redis.freeze();
    let slow = 0;
    for (let index = 0; index < 30_000; index += 1) {
      const start = performance.now();
      one.announce(`payment-${index}`);
      if (performance.now() - start > 20) slow += 1;
    }
    // A busy machine interrupts some; a call that waited for anything would be slow each time.
    expect(slow).toBeLessThan(300);
    expect(await two.waitFor('payment-1', 50)).toBe('timeout');
    await vi.waitFor(() => expect(lines).toHaveLength(1), SOON);

    const start = performance.now();
    await Promise.all([one.close(), two.close()]);
    expect(performance.now() - start).toBeLessThan(15_000);
    redis.thaw();
    await vi.waitFor(async () => expect(await countConnections(redis)).toBe(0), SOON);
  });

  test('hung and back: of a burst a bounded part was sent, and it listens and announces again', async () => {
    const [one, two] = await openTwo();
    redis.freeze();
    for (let index = 0; index < 5_000; index += 1) one.announce('burst');
    await vi.waitFor(() => expect(lines).toHaveLength(1), SOON);
    redis.thaw();
    await vi.waitFor(async () => {
      const heard = two.waitFor('mark', 100);
      one.announce('mark');
      expect(await heard).toBe('announced');
    }, SOON);
    const calls = /cmdstat_publish:calls=(\d+)/.exec(await redis.admin.info('commandstats'))?.[1];
    expect(Number(calls)).toBeGreaterThan(1);
    expect(Number(calls)).toBeLessThan(1_500);
  });
});
