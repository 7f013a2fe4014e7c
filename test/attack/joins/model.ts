import { and, eq } from 'drizzle-orm';
import type { ProcessLease } from '../../../db/processes/owner.ts';
import type { Store } from '../../../db/store/store.ts';
import { createVirtualBus, type VirtualTime } from './virtual.ts';
import { send, startApi, type Api, type Fault, type Leaving, type Reply } from './world.ts';

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function createChance(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    is: (probability: number) => next() < probability,
    /** In steps, so that many things happen at one moment. */
    ms: (limit: number) => below(limit / 100) * 100,
    of: <T>(all: readonly T[]): T => {
      const one = all[below(all.length)];
      if (one === undefined) throw new Error('there is nothing to choose from');
      return one;
    },
  };
}

export type Chance = ReturnType<typeof createChance>;
export type World = { seed: number; found: readonly string[]; hits: readonly string[]; charged: number };
export type Rules = {
  decorate?: (lease: ProcessLease) => ProcessLease;
  /** Nothing breaks; otherwise chance decides. */
  isFaultless?: boolean;
  /** No process hears what it is asked. */
  isDeaf?: boolean;
  /** No process hears that a connection is over. */
  isEndUnheard?: boolean;
};

const CLOCKS_APART_MS = 600_000;
const STOPPED_MS = [3_000, 12_000, 31_000];
/** Until every caller has given up or has its answer, and every process has heard of it. */
export const WORLD_MS = 260_000;
const SHOPPING_MS = 100_000;

/**
 * One payer's clients ask for the same while API processes are stopped, killed and lied to. Each client signs anew until
 * it has its 200. Resolves with what was wrong.
 */
export async function live(time: VirtualTime, store: Store, seed: number, rules: Rules = {}): Promise<World> {
  const chance = createChance(seed);
  const hits: string[] = [];
  const payer = `payer-${seed}`;
  const isFaultless = rules.isFaultless ?? chance.is(0.2);
  const { apis, judge } = await startApis({ time, store, chance, hits, isFaultless, rules, payer });
  const purchases = chance.is(0.5) ? 2 : 1;
  if (!isFaultless) breakThings(time, chance, apis, hits);
  const found: string[] = [];
  const shoppers = Array.from({ length: purchases }, async (_, index) => {
    // Each acts at moments of its own, so that none happens while an answer of the other is leaving.
    await time.sleep(chance.ms(index * 3_000 + 100) + index * 37);
    return shop(
      time,
      chance,
      { apis, payer, isFaultless },
      async (api, reply) => void found.push(...(await judge(api, reply))),
    );
  });
  const answers = await Promise.all(shoppers);
  const leaving = apis.filter(({ process }) => !process.isDead());
  const leftOrDied = ({ lease, process }: Api) =>
    Promise.race([lease.close(), new Promise<void>((resolve) => process.onDeath(resolve))]);
  await Promise.all(leaving.map(leftOrDied));
  const { payments } = store.tables;
  const rows = await store.read.select().from(payments).where(eq(payments.payer, payer));
  const charged = rows.length;
  if (charged > purchases) found.push(`${purchases} purchases were charged ${charged} times`);
  if (isFaultless && charged !== purchases)
    found.push(`${purchases} callers side by side were charged ${charged} times`);
  if (answers.some((answer) => answer !== null) && charged === 0) found.push('a 200 without a charge');
  return { seed, found, hits, charged };
}

type Setting = {
  time: VirtualTime;
  store: Store;
  chance: Chance;
  hits: string[];
  isFaultless: boolean;
  rules: Rules;
  payer: string;
};

async function startApis({ time, store, chance, hits, isFaultless, rules }: Setting) {
  const bus = createVirtualBus();
  const hasRedis = chance.is(0.5);
  const apis: Api[] = [];
  for (let index = 0; index < 2 + chance.below(2); index += 1) {
    const faults = isFaultless ? 0 : chance.of([0, 0, 0.02, 0.2]);
    const faultsBehind = isFaultless ? 0 : chance.of([0, 0.4]);
    const fault = (): Fault | null => {
      if (!chance.is(faults)) return null;
      const hit = chance.of(['fail', 'fail', 'lose the reply', 'stop after it'] as const);
      hits.push(hit);
      if (hit === 'stop after it') time.after(chance.of(STOPPED_MS), () => apis[index]?.process.resume());
      return hit;
    };
    const skewMs = chance.of([0, 0, CLOCKS_APART_MS, -CLOCKS_APART_MS]);
    if (skewMs !== 0) hits.push('clocks apart');
    let isStarted = false;
    const api = await startApi(time, store, {
      skewMs,
      announcerOf: (process) => {
        const announcer = bus(process, !hasRedis);
        return rules.isDeaf === true ? { ...announcer, subscribe: () => () => undefined } : announcer;
      },
      fault: () => (isStarted ? fault() : null),
      failsBehind: () => {
        const fails = chance.is(faultsBehind);
        if (fails) hits.push('fail behind');
        return fails;
      },
      isEndUnheard: rules.isEndUnheard,
      decorate: rules.decorate,
    });
    isStarted = true;
    apis.push(api);
  }
  return { apis, judge: (api: Api, leaving: Leaving) => judge(store, api, leaving) };
}

/** What is wrong with a 200 at the moment at which its first byte leaves. */
async function judge(store: Store, api: Api, { reply, owner }: Leaving): Promise<string[]> {
  const found: string[] = [];
  if (!(await api.holdsLease(owner))) found.push('a process answered without its lease');
  const { proofs } = store.tables;
  if (reply.isReplayed || reply.paymentId === null) return found;
  const joined = and(eq(proofs.paymentId, reply.paymentId), eq(proofs.alias, true));
  const aliases = await store.read.select().from(proofs).where(joined);
  if (aliases.length > 0) found.push('a first answer left after a retry had joined');
  return found;
}

function breakThings(time: VirtualTime, chance: Chance, apis: readonly Api[], hits: string[]): void {
  const [, ...mortal] = apis;
  for (const { process } of mortal) {
    if (!chance.is(0.4)) continue;
    time.after(chance.ms(12_000), () => {
      process.kill();
      hits.push('kill');
    });
  }
  for (const { process } of apis) {
    if (!chance.is(0.4)) continue;
    time.after(chance.ms(12_000), () => {
      process.stop();
      hits.push('stop');
      time.after(chance.of(STOPPED_MS), process.resume);
    });
  }
}

type Shop = { apis: readonly Api[]; payer: string; isFaultless: boolean };

/** Signs anew until it has its 200. */
async function shop(
  time: VirtualTime,
  chance: Chance,
  { apis, payer, isFaultless }: Shop,
  leaving: (api: Api, leaving: Leaving) => Promise<void>,
): Promise<Reply | null> {
  const endMs = time.nowMs() + SHOPPING_MS;
  while (time.nowMs() < endMs) {
    const api = chance.of(apis.filter(({ process }) => !process.isDead()));
    const patienceMs = isFaultless ? 120_000 : chance.of([8_000, 25_000, 60_000]);
    const reply = await send(time, api, { payer, patienceMs }, (left) => leaving(api, left));
    if (reply !== 'closed' && reply.status === 200) return reply;
    await time.sleep(chance.ms(3_000) + 100);
  }
  return null;
}
