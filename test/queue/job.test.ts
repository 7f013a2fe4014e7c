import { afterEach, expect, test } from 'vitest';
import { createJob, type Job, type JobOptions } from '../../queue/job.ts';
import { eventually } from '../../scripts/torture/eventually.ts';

const opened: Job[] = [];
afterEach(() => Promise.all(opened.splice(0).map((job) => job.close())));

function open(options: Partial<JobOptions>) {
  const logged: string[] = [];
  const log = (_: Record<string, unknown>, message: string) => void logged.push(message);
  const job = createJob({
    name: 'a job',
    everyMs: 60_000,
    step: async () => undefined,
    log: { info: log, warn: log },
    ...options,
  });
  opened.push(job);
  return { job, logged };
}

test('it begins at once, and again so long after its end', async () => {
  const begunMs: number[] = [];
  const { job } = open({ everyMs: 30, step: async () => void begunMs.push(performance.now()) });
  job.start();
  await eventually(async () => expect(begunMs.length).toBeGreaterThan(3));
  const pauses = begunMs.slice(1).map((ms, index) => ms - (begunMs[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(28);
});

test('woken many times in one turn it runs once, and woken during a step once more', async () => {
  let steps = 0;
  let end = () => {};
  const { job } = open({
    step: async () => {
      steps++;
      await new Promise<void>((resolve) => (end = resolve));
    },
  });
  for (let times = 0; times < 3; times++) job.wake();
  await eventually(async () => expect(steps).toBe(1));
  for (let times = 0; times < 3; times++) job.wake();
  end();
  await eventually(async () => expect(steps).toBe(2));
  end();
  await job.idle();
  expect(steps).toBe(2);
});

test('while it fails a wake-up does not hurry it, and one line is written when that begins and when it is over', async () => {
  let steps = 0;
  const { job, logged } = open({
    everyMs: 20,
    step: async () => {
      if (++steps < 3) throw new Error('not now');
    },
  });
  await job.run();
  for (let times = 0; times < 10; times++) await job.run();
  expect(steps).toBe(1);
  job.start();
  await eventually(async () => expect(logged).toEqual(['step failed; it is tried again', 'works again']));
  expect(steps).toBeGreaterThanOrEqual(3);
});

test('its close waits for the step under way, and nothing begins after it', async () => {
  const closing = new AbortController();
  let steps = 0;
  let hasEnded = false;
  let end = () => {};
  const step = async () => {
    steps++;
    await new Promise<void>((resolve) => (end = resolve));
    hasEnded = true;
  };
  const { job } = open({ step, everyMs: 1, closing: closing.signal });
  job.start();
  await eventually(async () => expect(steps).toBe(1));
  job.wake();
  const closed = job.close();
  end();
  await closed;
  await job.run();
  expect([steps, hasEnded]).toEqual([1, true]);
});

test('what another process holds is not done here, even when woken, and is begun as soon as it is taken', async () => {
  const hold = { isMine: false, take: () => {} };
  let steps = 0;
  const { job } = open({
    step: async () => void (steps += 1),
    hold: { isHeld: () => hold.isMine, onTaken: (listener) => (hold.take = listener) },
  });
  job.start();
  await job.run();
  expect(steps).toBe(0);
  hold.isMine = true;
  hold.take();
  await eventually(async () => expect(steps).toBe(1));
});
