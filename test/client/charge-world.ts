/**
 * One thing to be paid, a service that may lose, refuse or settle, a chain, and a thief who lands whatever header was sent:
 * all in memory, by a seed. Any call may lose its answer, take its time, or end the process.
 */
import { prepareCharge, presentCharge, type OwnPayable, type SignedHeader } from '../../client/charge.ts';
import type { Price, Sent } from '../../client/channel.ts';
import type { Refused } from '../../client/refusal.ts';
import { isFresh, type ChargeRules } from '../../core/payments/charge.ts';
import { refusedBy } from './refused-by.ts';

type Paid = { kind: 'paid' };
type Row = { status: 'unsigned' | 'signed' | 'paid' | 'failed'; header: string | null; validBeforeMs: number };

export type Faults = {
  /** A rule that is removed, to see that the model notices. */
  without?: 'proof' | 'fresh refusal' | 'conditional writes' | 'freshness';
};

/** For clocks that differ; how far they do in this world. */
const MARGIN_MS = 30_000;
const SKEW_MS = 20_000;
const PAYS_ON = 'eip155:1';
const LIFE_MS = 240_000;
/** The service refuses what is about to end. */
const ABOUT_TO_END_MS = 6_000;

class Killed extends Error {}

export function createChargeWorld(seed: number, rules: ChargeRules, { without }: Faults = {}) {
  const random = randomOf(seed);
  const chance = (share: number) => random() < share;
  let nowMs = 1_000_000;
  const chainSkewMs = (random() - 0.5) * 2 * SKEW_MS;
  const serviceSkewMs = (random() - 0.5) * 2 * SKEW_MS;
  let isWild = true;
  /** How this world is, beyond single events: no one rate shows everything. */
  const rate = {
    jump: random() * 0.2,
    pauseMs: chance(0.5) ? 2_000 : 300_000,
    theft: random() * 0.3,
    deafness: random(),
    noPrice: chance(0.3) ? 0.95 : 0.1,
  };
  let isBroke = chance(0.2);
  const row: Row = { status: 'unsigned', header: null, validBeforeMs: 0 };
  const sinceMs = nowMs;
  const ends = new Map<string, number>();
  const kept = new Set<string>();
  const sent = new Set<string>();
  const claimed = new Set<string>();
  const landed = new Set<string>();
  const faults: string[] = [];
  const seen = new Set<string>();

  const canLand = (header: string) => (ends.get(header) ?? 0) >= nowMs + chainSkewMs;
  const land = (header: string) => {
    if (canLand(header)) landed.add(header);
  };

  /** Others get their turn, time passes, thieves steal, and the process may end here. */
  async function pass(): Promise<void> {
    for (let turns = Math.floor(random() * 4); turns > 0; turns--) await Promise.resolve();
    if (!isWild) return;
    for (const header of sent) if (chance(rate.theft)) steal(header);
    if (chance(rate.jump)) nowMs += random() * 60_000;
    if (chance(0.03)) throw new Killed();
  }

  function steal(header: string): void {
    if (canLand(header) && !landed.has(header)) seen.add('stolen');
    land(header);
  }

  function answer(header: string): Sent<Paid> {
    if (landed.has(header)) return { kind: 'paid' };
    const endMs = ends.get(header) ?? 0;
    if (claimed.has(header)) {
      if (chance(0.4)) land(header);
      if (landed.has(header)) return { kind: 'paid' };
      return canLand(header) ? { kind: 'pending', waitMs: 2_000 } : refusedBy('payment_expired');
    }
    if (nowMs + serviceSkewMs >= endMs - ABOUT_TO_END_MS) {
      seen.add('expired');
      return refusedBy('invalid_exact_evm_payload_authorization_valid_before');
    }
    if (isWild && chance(rate.deafness)) return { kind: 'pending', waitMs: null };
    if (isBroke) return refusedBy('insufficient_funds');
    claimed.add(header);
    return { kind: 'pending', waitMs: 2_000 };
  }

  async function send(header: string): Promise<Sent<Paid>> {
    if (!kept.has(header)) faults.push('a header was sent that was not kept');
    await pass();
    if (isWild && chance(0.1)) return { kind: 'pending', waitMs: null };
    sent.add(header);
    const said = answer(header);
    await pass();
    if (isWild && chance(0.1)) return { kind: 'pending', waitMs: null };
    return said;
  }

  /** Without a price it is the service that is away, or, in every fifth world, the network. */
  async function askPrice(): Promise<Price<Paid>> {
    await pass();
    const isWithout = isWild && chance(rate.noPrice);
    if (isWithout && seed % 5 !== 0) return { kind: 'unreachable', refusal: null };
    if (isWithout) seen.add('out');
    return { kind: 'price', challenge: { x402Version: 2, accepts: [{ network: isWithout ? 'eip155:10' : PAYS_ON }] } };
  }

  /** Signed counts from where it is kept: before that nobody sends it. */
  function keep(added: string): void {
    for (const header of kept) {
      if (landed.has(header)) faults.push('signed beside a header that has landed');
      else if (canLand(header)) faults.push('signed beside a header that can land');
    }
    kept.add(added);
  }

  /** Names what was read, as the statements of the real stores do. */
  async function move(read: Row, change: Partial<Row>, onMoved?: () => void): Promise<boolean> {
    await pass();
    const isStill = row.status === read.status && row.header === read.header;
    if (!isStill && without !== 'conditional writes') return false;
    onMoved?.();
    Object.assign(row, change);
    return true;
  }

  function payableOf(read: Row): OwnPayable<Paid, string> {
    let last: Refused | null = null;
    const sendOrRepeat = async (header: string): Promise<Sent<Paid>> => {
      if (last !== null && without === 'fresh refusal') return last;
      const said = await send(header);
      last = said.kind === 'refused' ? said : null;
      return said;
    };
    return {
      rules: without === 'freshness' ? { ...rules, freshMs: null } : rules,
      sinceMs,
      clock: { now: () => nowMs, sleep: async (ms) => void (nowMs += ms) },
      sendLimitMs: 60_000,
      channel: { askPrice, send: sendOrRepeat },
      obstacle: null,
      isOffered: ({ accepts }) => accepts.some(({ network }) => network === PAYS_ON),
      agree: () => 'agreed',
      allow: async (_agreed, sign) => {
        await pass();
        await sign();
      },
      sign: async () => {
        if (!isFresh(rules, sinceMs, nowMs)) faults.push('signed when stale');
        await pass();
        const header = `header ${String(ends.size + 1)}`;
        ends.set(header, nowMs + LIFE_MS);
        return { header, end: { validBefore: nowMs + LIFE_MS } };
      },
      keep: async ({ header }: SignedHeader) => {
        const change: Partial<Row> = { status: 'signed', header, validBeforeMs: ends.get(header) ?? 0 };
        await move(read, change, () => keep(header));
      },
      isOver: async () => {
        await pass();
        return without === 'proof' || nowMs > read.validBeforeMs + MARGIN_MS;
      },
      settle: async () => {
        await pass();
        Object.assign(row, { status: 'paid' });
      },
      fail: async ({ reason }) => {
        seen.add(reason);
        // The command line keeps a refused header as its only one.
        if (rules.headerEndsBy !== 'proof' || read.status !== 'signed') await move(read, { status: 'failed' });
      },
      giveUp: async () => {
        seen.add('given up');
        await move(read, { status: 'unsigned', header: null });
      },
      wait: async () => pass(),
    };
  }

  /** As a process takes it up, over and over; a killed one is followed by another. */
  async function live(runs: number): Promise<void> {
    for (let run = 0; run < runs; run++) {
      try {
        const read = { ...row };
        if (read.status === 'paid' || read.status === 'failed') return;
        if (read.header === null) await prepareCharge(payableOf(read));
        else await presentCharge(payableOf(read), read.header);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        seen.add('killed');
      }
      nowMs += random() * rate.pauseMs;
    }
  }

  return {
    faults,
    seen,
    /** Two processes at once, while anything may happen; then one, undisturbed. */
    async run() {
      await Promise.all([live(15), live(15)]);
      isWild = false;
      isBroke = false;
      await live(60);
      if (row.status !== 'paid' && row.status !== 'failed') faults.push('it has not ended');
      if (landed.size > 1) faults.push('paid more than once');
      if (row.status === 'paid' && landed.size === 0) faults.push('paid by nothing');
      seen.add(row.status);
    },
  };
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
