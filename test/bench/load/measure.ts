/** What a crowd cost, and what each of it waited. */
import type { PrivateKeyAccount } from 'viem/accounts';
import { quantile, type Sample } from '../../../scripts/bench/figures.ts';
import { minedOf, watchBlocks } from './blocks.ts';
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
    gasEach: Number([...mined.values()].reduce((sum, { gas }) => sum + gas, 0n)) / paid.length,
    cpuMs: after.own - before.own,
    nodeCpuMs: after.node - before.node,
    calls: reports.reduce((sum, report) => sum + callsOf(report), 0),
    loopMaxMs: Math.max(...reports.map(({ loopMaxMs }) => loopMaxMs)),
    rssMb: reports.reduce((sum, { rssBytes }) => sum + rssBytes, 0) / 2 ** 20,
  };
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

/** What each payment cost whom. */
export function costSamples(pair: Pair, { rpcGate }: { rpcGate: number | null }): Sample[] {
  const each = (total: (measured: Measured) => number) => (measured: Measured) => total(measured) / paidOf(measured);
  const less = { better: 'less' } as const;
  return [
    sampleOf(
      pair,
      { what: 'CPU a payment', unit: 'ms', ...less, gate: { of: 'ours', at: 4 } },
      each(({ cpuMs }) => cpuMs),
    ),
    sampleOf(
      pair,
      { what: 'CPU of the chain’s node a payment', unit: 'ms', ...less, gate: { of: 'ours', at: 1.5 } },
      each(({ nodeCpuMs }) => nodeCpuMs),
    ),
    sampleOf(
      pair,
      {
        what: 'RPC calls a payment',
        unit: '',
        ...less,
        ...(rpcGate === null ? {} : { gate: { of: 'ours', at: rpcGate } }),
      },
      each(({ calls }) => calls),
    ),
    sampleOf(pair, { what: 'gas a payment', unit: '', ...less }, ({ gasEach }) => gasEach),
    sampleOf(pair, { what: 'longest block of the event loop', unit: 'ms', ...less }, ({ loopMaxMs }) => loopMaxMs),
    sampleOf(pair, { what: 'memory afterwards', unit: 'MB', ...less }, ({ rssMb }) => rssMb),
  ];
}

/** How long after its block each is answered. */
export function latencySamples(pair: Pair, gateMs: number | null): Sample[] {
  const at = (share: number) => (measured: Measured) => quantile(measured.overBlockMs, share);
  const gate = gateMs === null ? {} : { gate: { of: 'ours' as const, at: gateMs } };
  return [
    sampleOf(pair, { what: '200 after its block, p50', unit: 'ms', better: 'less' }, at(0.5)),
    sampleOf(pair, { what: '200 after its block, p95', unit: 'ms', better: 'less', ...gate }, at(0.95)),
  ];
}
