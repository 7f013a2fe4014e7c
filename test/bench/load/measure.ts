/** What a crowd cost, and what each of it waited. */
import type { PrivateKeyAccount } from 'viem/accounts';
import { quantile, type Sample } from '../../../scripts/bench/figures.ts';
import { minedOf, watchBlocks, type Mined } from './blocks.ts';
import { presentAll, signCrowd, type Presented } from './present.ts';
import type { Side } from './sides.ts';
import { askReport, cpuSecondsOf, keepProfile, startProfile } from './watched.ts';

export type Measured = {
  presented: readonly Presented[];
  /** From the first that was due to the last answer. */
  seconds: number;
  beginMs: number;
  /** Of each that was paid: from when its block could be seen. */
  overBlockMs: readonly number[];
  /** How many were paid in each transaction of each block, the oldest block first. */
  blocks: readonly (readonly number[])[];
  gasEach: number;
  cpuMs: number;
  nodeCpuMs: number;
  calls: number;
  loopMaxMs: number;
  rssMb: number;
};

type Crowd = {
  count: number;
  dueMs: (index: number) => number;
  comesBack: boolean;
  /**
   * Begins with a block. Two sides on chains of their own meet their blocks at other moments, and a crowd that is paid
   * within one or two of them takes longer or shorter for that alone.
   */
  withBlock?: boolean;
  /** Keeps what each process of ours did, for a look with the developer tools of a browser. */
  profileTo: string | null;
};

export async function measureCrowd(side: Side, payers: readonly PrivateKeyAccount[], crowd: Crowd): Promise<Measured> {
  const blocks = await watchBlocks(side.chain.rpcUrl);
  const untilBegin = crowd.withBlock === true ? blocks.next : () => Promise.resolve();
  const { payments, beginMs } = await signCrowd(side, payers, { ...crowd, untilBegin });
  const isProfiled = crowd.profileTo !== null && side.name !== 'stock';
  for (const child of isProfiled ? side.processes : []) await startProfile(child);
  await Promise.all(side.processes.map(askReport));
  const before = cpuOf(side);
  const presented = await presentAll(side, payments, crowd.comesBack);
  const after = cpuOf(side);
  const reports = await Promise.all(side.processes.map(askReport));
  for (const child of isProfiled ? side.processes : []) await keepProfile(child, crowd.profileTo ?? '');
  blocks.close();
  const paid = presented.filter(({ status }) => status === 200);
  const mined = await minedOf(
    side.chain.rpcUrl,
    paid.flatMap(({ transaction }) => transaction ?? []),
  );
  const overBlockMs = paid.flatMap(({ transaction, answeredMs }) => {
    const seenMs = blocks.seenMs.get(mined.get(transaction ?? '')?.block ?? -1);
    return seenMs === undefined ? [] : [answeredMs - seenMs];
  });
  const host = new URL(side.chain.rpcUrl).host;
  const callsOf = ({ calls }: (typeof reports)[number]) =>
    Object.values(calls[host] ?? {}).reduce((sum, n) => sum + n, 0);
  return {
    presented,
    seconds: (Math.max(...presented.map(({ answeredMs }) => answeredMs)) - beginMs) / 1_000,
    beginMs,
    overBlockMs,
    blocks: sharesOf(paid, mined),
    gasEach: Number([...mined.values()].reduce((sum, { gas }) => sum + gas, 0n)) / paid.length,
    cpuMs: after.own - before.own,
    nodeCpuMs: after.node - before.node,
    calls: reports.reduce((sum, report) => sum + callsOf(report), 0),
    loopMaxMs: Math.max(...reports.map(({ loopMaxMs }) => loopMaxMs)),
    rssMb: reports.reduce((sum, { rssBytes }) => sum + rssBytes, 0) / 2 ** 20,
  };
}

function sharesOf(paid: readonly Presented[], mined: ReadonlyMap<string, Mined>): number[][] {
  const shares = new Map<string, number>();
  for (const { transaction } of paid)
    if (transaction !== null) shares.set(transaction, (shares.get(transaction) ?? 0) + 1);
  const blocks = new Map<number, number[]>();
  for (const [transaction, share] of shares) {
    const block = mined.get(transaction)?.block ?? -1;
    blocks.set(block, [...(blocks.get(block) ?? []), share]);
  }
  return [...blocks].toSorted(([one], [other]) => one - other).map(([, inBlock]) => inBlock);
}

export const sidesCpuSeconds = ({ processes }: Side): number =>
  processes.reduce((sum, { pid }) => sum + cpuSecondsOf(pid ?? 0), 0);

function cpuOf(side: Side): { own: number; node: number } {
  return { own: sidesCpuSeconds(side) * 1_000, node: cpuSecondsOf(side.chain.pid) * 1_000 };
}

export type Pair = { name: string; ours: Measured; other: Measured };

export function sampleOf(
  { name, ours, other }: Pair,
  figure: Pick<Sample, 'what' | 'unit' | 'better' | 'gate'>,
  value: (measured: Measured) => number,
): Sample {
  return { ...figure, ours: value(ours), beside: { name, value: value(other) } };
}

export const paidOf = ({ presented }: Measured): number => presented.filter(({ status }) => status === 200).length;

type Gated = Pick<Sample, 'gate'>;
export type Gates = { p95: Gated; cpu: Gated; node: Gated; rpc: Gated };

const ours = (at: number): Gated => ({ gate: { of: 'ours', at } });
/** Many stored payments beside few. */
const asFew: Gated = { gate: { of: 'ratio', at: 1.2 } };
/** Of the milliseconds after a block, by how many pay at once. */
const P95: Record<number, Gated> = { 1: ours(100), 50: ours(150), 500: ours(400) };

/** What is asked of a row. What one payment costs alone is what runs beside it; where history is measured the ratio counts. */
export function gatesOf({ payers, stored }: { payers: number | null; stored: number }): Gates {
  if (stored > 0) return { p95: asFew, cpu: asFew, node: {}, rpc: {} };
  const p95 = payers === null ? {} : (P95[payers] ?? {});
  if (payers === 1) return { p95, cpu: {}, node: {}, rpc: {} };
  return { p95, cpu: ours(4), node: ours(1.5), rpc: ours(0.5) };
}

/** What each payment cost whom. */
export function costSamples(pair: Pair, gates: Gates): Sample[] {
  const each = (total: (measured: Measured) => number) => (measured: Measured) => total(measured) / paidOf(measured);
  const less = { better: 'less' } as const;
  return [
    sampleOf(
      pair,
      { what: 'CPU a payment', unit: 'ms', ...less, ...gates.cpu },
      each(({ cpuMs }) => cpuMs),
    ),
    sampleOf(
      pair,
      { what: 'CPU of the chain’s node a payment', unit: 'ms', ...less, ...gates.node },
      each(({ nodeCpuMs }) => nodeCpuMs),
    ),
    sampleOf(
      pair,
      { what: 'RPC calls a payment', unit: '', ...less, ...gates.rpc },
      each(({ calls }) => calls),
    ),
    sampleOf(pair, { what: 'gas a payment', unit: '', ...less }, ({ gasEach }) => gasEach),
    sampleOf(pair, { what: 'longest block of the event loop', unit: 'ms', ...less }, ({ loopMaxMs }) => loopMaxMs),
    sampleOf(pair, { what: 'memory afterwards', unit: 'MB', ...less }, ({ rssMb }) => rssMb),
  ];
}

/** How long after its block each is answered. */
export function latencySamples(pair: Pair, { p95 }: Gates): Sample[] {
  const at = (share: number) => (measured: Measured) => quantile(measured.overBlockMs, share);
  return [
    sampleOf(pair, { what: '200 after its block, p50', unit: 'ms', better: 'less' }, at(0.5)),
    sampleOf(pair, { what: '200 after its block, p95', unit: 'ms', better: 'less', ...p95 }, at(0.95)),
  ];
}
