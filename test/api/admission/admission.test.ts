import { expect, test } from 'vitest';
import { createAdmission, type Admission } from '../../../api/admission/admission.ts';
import type { ApiNetwork } from '../../../api/environment/dependencies.ts';
import { offeredNetworks } from '../../../api/payments/serving.ts';
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
  /** Processes that callers are spread over. */
  processes?: number;
  /** A control: each process thinks that it is alone. */
  isAlone?: boolean;
};

/** A network that takes the oldest payments with each block, and payers who come again when they are told to. */
async function play({ arrivalsMs, perBlock, blockMs, letsAllIn = false, processes = 1, isAlone = false }: Model) {
  let nowMs = 1_000_000;
  const startMs = nowMs;
  let queue: { sinceMs: number; endMs: number }[] = [];
  let [settled, came] = [0, 0];
  const ends = { served: 0, late: 0, refused: 0, lastMs: 0 };
  const backlog = (): Backlog => ({ waiting: queue.length, oldestMs: queue[0]?.sinceMs ?? null, settled });
  const rushed = new Set<number>();
  const admissions = Array.from({ length: processes }, (_, index) =>
    createAdmission({
      now: () => nowMs,
      read: async () => () => backlog(),
      networks: ['base'],
      sharers: async () => (isAlone ? 1 : processes),
      onRush: () => void rushed.add(index),
    }),
  );
  const look = (index: number) => admissions[index]?.look();
  for (const index of admissions.keys()) await look(index);
  let comesMs = arrivalsMs.map((ms) => startMs + ms);

  function come(): void {
    const validBefore = Math.floor(nowMs / 1_000) + PROOF_SECONDS;
    try {
      came += 1;
      if (!letsAllIn) admissions[came % processes]?.enter('base', { id: `${came}`, validBefore }).leave(true);
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
    // Each at a time of its own, and at once where it saw a rush.
    for (const index of admissions.keys()) {
      const isDue = (nowMs - startMs - index * 300) % LOOK_EVERY_MS === 0;
      if (rushed.delete(index) || isDue) await look(index);
    }
  }
  return ends;
}

const atOnce = (count: number) => Array.from({ length: count }, () => 0);
const overTime = (count: number, perSecond: number) =>
  Array.from({ length: count }, (_, index) => Math.floor((index * 1_000) / perSecond));

const RUSHES: readonly [string, Model][] = [
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

test.each(RUSHES)('of %s, each is served in the time of its proof, or refused and served later', async (_, model) => {
  const ends = await play(model);
  expect([ends.served, ends.late]).toEqual([model.arrivalsMs.length, 0]);
  expect(ends.refused).toBeGreaterThan(0);
  // Refused callers come back while there is work: no more than a third of the time is lost by waiting.
  const carried = model.perBlock(0) / (model.blockMs / 1_000);
  expect(ends.lastMs).toBeLessThan((model.arrivalsMs.length / carried) * 1_000 * 1.33 + 80_000);
});

test.each(RUSHES)('of %s over four processes, none is let in that comes too late', async (_, model) => {
  const ends = await play({ ...model, processes: 4 });
  expect([ends.served, ends.late]).toEqual([model.arrivalsMs.length, 0]);
});

test('processes that each think they are alone let in too many: a control', async () => {
  const [, model] = RUSHES[1] ?? [];
  if (model === undefined) throw new Error('no rush');
  expect((await play({ ...model, processes: 4, isAlone: true })).late).toBeGreaterThan(0);
});

test('without admission some of the same rush come too late: a control', async () => {
  const [, model] = RUSHES[2] ?? [];
  if (model === undefined) throw new Error('no rush');
  expect((await play({ ...model, letsAllIn: true })).late).toBeGreaterThan(0);
});

test('a caller who comes while the lanes carry all is never refused, whatever came before', async () => {
  const quiet = { arrivalsMs: overTime(600, 10), perBlock: () => 500, blockMs: 2_000 };
  expect(await play(quiet)).toMatchObject({ served: 600, late: 0, refused: 0 });
  const stalled = { ...quiet, perBlock: (ms: number) => (ms > 10_000 && ms < 30_000 ? 0 : 500) };
  expect(await play({ ...stalled, arrivalsMs: overTime(300, 5) })).toMatchObject({ served: 300, late: 0 });
});

/** A network on which nothing is settled, with places that are taken until it is full. */
function createPlaces() {
  const backlog = { waiting: 0, oldestMs: null, settled: 0 };
  const admission = createAdmission({ now: () => 0, read: async () => () => backlog, networks: ['base'] });
  const places: ReturnType<typeof admission.enter>[] = [];
  let ids = 0;
  const fill = (validBefore = PROOF_SECONDS) => {
    for (let count = 0; ; count += 1) {
      try {
        places.push(admission.enter('base', { id: `${(ids += 1)}`, validBefore }));
      } catch {
        return count;
      }
    }
  };
  return { admission, backlog, places, fill };
}

test('a place is kept from the request to the look that finds its row, and given back where nothing is reserved', async () => {
  const { admission, backlog, places, fill } = createPlaces();
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

test('proofs that hold for longer fill no queue that is closed to others', () => {
  const { places, fill } = createPlaces();
  expect(fill(300)).toBe(createPlaces().fill());
  places.slice(0, 1).forEach(({ leave }) => leave(false));
  expect(fill()).toBe(1);
});

test('a caller who presents a proof beside another request has a place with it, until both have left', () => {
  const { admission, places, fill } = createPlaces();
  const room = fill();
  const again = () => admission.enter('base', { id: '1', validBefore: PROOF_SECONDS });
  again().leave(false);
  const second = again();
  places[0]?.leave(false);
  expect([places.length, fill()]).toEqual([room, 0]);
  second.leave(false);
  expect(fill()).toBe(1);
});

test('new terms name no network whose queue is full, and all that serve where all are full', async () => {
  const full = new Set<string>();
  const networks = (['base', 'solana'] as const).map((network) => ({ terms: { network } })) as unknown as ApiNetwork[];
  const admission = { carries: (network: string) => !full.has(network) } as Admission;
  const offered = () => offeredNetworks({ networks, admission }).map(({ terms }) => terms.network);
  expect(offered()).toEqual(['base', 'solana']);
  full.add('base');
  expect(offered()).toEqual(['solana']);
  full.add('solana');
  expect(offered()).toEqual(['base', 'solana']);
});
