import { expect, test } from 'vitest';
import { createAdmission } from '../../../api/admission/admission.ts';
import { AppError } from '../../../core/errors.ts';
import type { Backlog } from '../../../db/payments/backlog.ts';

const STEP_MS = 100;
const LOOK_EVERY_MS = 1_000;
const PROOF_SECONDS = 60;
const HOUR_MS = 3_600_000;

type Model = {
  /** When each payer first comes. */
  arrivalsMs: readonly number[];
  /** How many a block takes. */
  perBlock: (nowMs: number) => number;
  blockMs: number;
  /** A control lets everyone in. */
  letsAllIn?: boolean;
};

/** A network that takes the oldest payments with each block, and payers who come again when they are told to. */
async function play({ arrivalsMs, perBlock, blockMs, letsAllIn = false }: Model) {
  let nowMs = 1_000_000;
  const startMs = nowMs;
  let queue: { sinceMs: number; endMs: number }[] = [];
  let settled = 0;
  const ends = { served: 0, late: 0, refused: 0, lastMs: 0 };
  const backlog = (): Backlog => ({ waiting: queue.length, oldestMs: queue[0]?.sinceMs ?? null, settled });
  const admission = createAdmission({ now: () => nowMs, read: async () => () => backlog(), networks: ['base'] });
  let comesMs = arrivalsMs.map((ms) => startMs + ms);

  function come(): void {
    const validBefore = Math.floor(nowMs / 1_000) + PROOF_SECONDS;
    try {
      if (!letsAllIn) admission.enter('base', validBefore).leave(true);
      queue.push({ sinceMs: nowMs, endMs: validBefore * 1_000 });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'overloaded') throw error;
      ends.refused += 1;
      comesMs.push(nowMs + (error.context.retryAfterSeconds ?? 0) * 1_000);
    }
  }

  function seal(): void {
    const taken = queue.slice(0, perBlock(nowMs - startMs));
    queue = queue.slice(taken.length);
    settled += taken.length;
    for (const { endMs } of taken) ends[nowMs < endMs ? 'served' : 'late'] += 1;
    ends.lastMs = nowMs - startMs;
  }

  for (; ends.served + ends.late < arrivalsMs.length && nowMs < startMs + HOUR_MS; nowMs += STEP_MS) {
    const due = comesMs.filter((ms) => ms <= nowMs);
    comesMs = comesMs.filter((ms) => ms > nowMs);
    for (const _ of due) come();
    if ((nowMs - startMs) % blockMs === 0) seal();
    if ((nowMs - startMs) % LOOK_EVERY_MS === 0) await admission.look();
  }
  return ends;
}

const atOnce = (count: number) => Array.from({ length: count }, () => 0);
const overTime = (count: number, perSecond: number) =>
  Array.from({ length: count }, (_, index) => Math.floor((index * 1_000) / perSecond));

const CROWDS: readonly [string, Model][] = [
  ['2,000 at once', { arrivalsMs: atOnce(2_000), perBlock: () => 80, blockMs: 2_000 }],
  ['10,000 at once', { arrivalsMs: atOnce(10_000), perBlock: () => 240, blockMs: 2_000 }],
  ['4 times what is carried', { arrivalsMs: overTime(2_400, 20), perBlock: () => 10, blockMs: 2_000 }],
  ['4 times, with a slow chain', { arrivalsMs: overTime(1_200, 20), perBlock: () => 20, blockMs: 4_000 }],
  [
    'an outage of 20 s in the middle',
    {
      arrivalsMs: overTime(3_000, 30),
      perBlock: (ms) => (ms > 30_000 && ms < 50_000 ? 0 : 50),
      blockMs: 2_000,
    },
  ],
];

test.each(CROWDS)('of %s, each is served in the time of its proof, or refused and served later', async (_, model) => {
  const ends = await play(model);
  expect([ends.served, ends.late]).toEqual([model.arrivalsMs.length, 0]);
  expect(ends.refused).toBeGreaterThan(0);
  // Refused callers come back while there is work: no more than a third of the time is lost by waiting.
  const carried = model.perBlock(0) / (model.blockMs / 1_000);
  expect(ends.lastMs).toBeLessThan((model.arrivalsMs.length / carried) * 1_000 * 1.33 + 80_000);
});

test('without admission some of the same crowd come too late: a control', async () => {
  const [, model] = CROWDS[2] ?? [];
  if (model === undefined) throw new Error('no crowd');
  expect((await play({ ...model, letsAllIn: true })).late).toBeGreaterThan(0);
});

test('who comes while the lanes carry all is never refused, whatever came before', async () => {
  const quiet = { arrivalsMs: overTime(600, 10), perBlock: () => 500, blockMs: 2_000 };
  expect(await play(quiet)).toMatchObject({ served: 600, late: 0, refused: 0 });
  const stalled = { ...quiet, perBlock: (ms: number) => (ms > 10_000 && ms < 30_000 ? 0 : 500) };
  expect(await play({ ...stalled, arrivalsMs: overTime(300, 5) })).toMatchObject({ served: 300, late: 0 });
});

test('a place is kept from the request to the look that finds its row, and given back where nothing is reserved', async () => {
  const nowMs = 0;
  const backlog = { waiting: 0, oldestMs: null, settled: 0 };
  const admission = createAdmission({ now: () => nowMs, read: async () => () => backlog, networks: ['base'] });
  const places: ReturnType<typeof admission.enter>[] = [];
  const fill = () => {
    for (let count = 0; ; count += 1) {
      try {
        places.push(admission.enter('base', PROOF_SECONDS));
      } catch {
        return count;
      }
    }
  };
  const room = fill();
  expect(room).toBeGreaterThan(1_000);
  places.slice(0, 10).forEach(({ leave }) => leave(false));
  expect(fill()).toBe(10);
  // Reserved, but no look has found the rows yet.
  places.slice(10, 30).forEach(({ leave }) => leave(true));
  expect(fill()).toBe(0);
  backlog.waiting = 20;
  await admission.look();
  expect(fill()).toBe(0);
  backlog.waiting = 0;
  await admission.look();
  expect(fill()).toBe(20);
});
