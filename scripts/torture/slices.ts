import type { Failpoint } from '../../core/failpoints.ts';
import { describeHits, findReasons, killAtPoint } from './faults.ts';
import { GROUP_FAULTS } from './fault-names.ts';
import { TORTURES } from './tortures.ts';

type Slice = {
  torture: keyof typeof TORTURES;
  /** What it runs, for people. */
  runs: string;
  args: readonly string[];
  /** Where it kills; each must fire. */
  points?: readonly Failpoint[];
  /** Which tests of the file: the controls are left to `npm test` and to the whole torture. */
  tests?: string;
  /** The other faults that must fire. */
  faults: readonly string[];
};

/** What only a torture runs (`*.torture.test.ts`) is run here; of the others, seeds that `npm test` has not. */
export const SLICES: readonly Slice[] = [
  {
    torture: 'kills',
    runs: '6 kills',
    args: ['1'],
    points: [
      'accept.after-claim',
      'settle.after-store',
      'settle.after-send',
      'scan.before-apply',
      'payout.after-store',
      'receipt.before-post',
    ],
    faults: [],
  },
  { torture: 'wallet-race', runs: '80 tips', args: ['80'], faults: ['tip without money'] },
  {
    torture: 'chat-kills',
    runs: '12 tips, and 20 events each of drops, bills, lists and blocks',
    args: ['1', '12', '2', '20'],
    points: [
      'order.after-store',
      'order.after-sign',
      'order.after-answer',
      'order.after-end',
      'share.after-store',
      'drop.after-close',
      'bill.after-store',
      'bill.before-agree',
      'block.after-store',
    ],
    // The controls are left to the whole torture.
    tests: 'deaths at each point',
    faults: ['delivered again', ...GROUP_FAULTS],
  },
  {
    torture: 'pay-links',
    runs: '8 links',
    args: ['2', '8'],
    points: ['link.after-keep', 'link.before-present', 'link.after-answer', 'task.after-match'],
    tests: 'links over',
    faults: ['forged signature', 'transfer sent twice', 'paid both ways', 'delivered again'],
  },
  {
    torture: 'rewards',
    runs: '6 rewards',
    args: ['2', '6'],
    points: ['reward.after-confirm', 'reward.after-sign', 'reward.after-answer'],
    tests: 'rewards over',
    faults: ['forged signature', 'confirmed and rejected at once', 'delivered again'],
  },
  {
    torture: 'purses',
    runs: '8 purses',
    args: ['8', '2', '2'],
    points: ['order.after-sign', 'payout.after-store'],
    // The controls are left to the whole torture.
    tests: 'purses over',
    faults: ['killed by chance', 'killed as money leaves', 'spent too early', 'stranger asked', 'copied cookie'],
  },
  {
    torture: 'model',
    runs: '4 lives',
    args: ['4', '7'],
    faults: ['lose_reply', 'drop', 'unavailable', 'reorg', 'restart', 'replay'],
  },
  {
    torture: 'solana',
    runs: '30 payouts',
    args: ['1', '1', '30'],
    points: ['payout.before-store', 'payout.after-store', 'payout.after-send', 'scan.before-apply', 'scan.after-apply'],
    tests: 'of seed',
    faults: ['drop', 'hold', 'late', 'lose_reply', 'unavailable'],
  },
  {
    torture: 'requests',
    runs: '600 requests',
    args: ['600', '15'],
    tests: 'whatever is asked|CONTROL',
    faults: ['chunked', 'slow', 'pipelined', 'aborted', 'forged signature', 'wrong body'],
  },
  {
    torture: 'fuzz',
    runs: '900 requests',
    args: ['900', '16'],
    faults: ['http', 'mcp', 'a2a', 'pages', 'chat', 'webhook'],
  },
  {
    torture: 'storms',
    runs: '6 times',
    args: ['6'],
    faults: [
      'both moderators at once',
      'agents at once',
      'Telegram at once',
      'Discord at once',
      'two ask',
      'contradict',
      'reorg',
      'die',
    ],
  },
  { torture: 'pairs', runs: '5 pairs', args: ['3'], faults: ['waited for a lock', 'ran between two statements'] },
  {
    torture: 'joins',
    runs: '1 a family',
    args: ['1', '200'],
    // The others take as long again, and the whole torture runs all.
    tests: 'retries at another|live callers|whatever happens to processes',
    faults: ['killed', 'stopped', 'missed not written', 'both alive'],
  },
  {
    torture: 'cluster',
    runs: '24 s of storm',
    args: ['0.4', '7', '3'],
    faults: [
      'kill api',
      'kill worker',
      'stop for 12 s',
      'redis killed',
      'postgres immediate',
      'rpc drop',
      'rpc lose_reply',
      'rpc swallow',
      'rpc no_receipt',
      'second node lies',
    ],
  },
  {
    torture: 'leases',
    runs: '48 worlds',
    args: ['48', '1'],
    tests: 'never do two|on base|of two bots',
    faults: [
      'kill',
      'leave',
      'stop',
      'fail',
      'clocks apart',
      'stopped at settle.before-store',
      'stopped at settle.after-store',
    ],
  },
  {
    torture: 'flood',
    runs: '1,000 sockets',
    args: ['1000', '24', '0'],
    tests: 'a flood neither',
    faults: ['half-open socket', 'picture asked for', 'page asked for', 'stream held'],
  },
  {
    torture: 'drain',
    runs: '40 tips',
    args: ['40', '12'],
    faults: ['own network', 'fee asked', 'group carried', 'budget lost', 'no account for a new name'],
  },
  {
    torture: 'restore',
    runs: '12 payments',
    args: ['12', '1'],
    // Controls, and Solana on PostgreSQL, are left to the whole torture.
    tests: '^(on Solana |on PostgreSQL on base )?a backup',
    faults: [
      'restored',
      'equal amounts',
      'partly paid',
      'copied authorization',
      'gathered refund',
      'called off',
      'lock',
      'alias',
      'idempotency key',
      'two primaries',
      'by command',
      'on base',
      'on solana',
    ],
  },
  { torture: 'claims', runs: '30 claims', args: ['30'], faults: ['confirmed again'] },
  {
    torture: 'lockout',
    runs: '2 owners',
    args: ['2', '400'],
    faults: ['no mail for a stranger', 'owner by receipt', 'owner by mail', 'caller used up'],
  },
];

type Row = { slice: string; runs: string; faults: string; reasons: readonly string[]; seconds: number; ending: string };

/** They wait for blocks and for dead processes most of the time. */
const SIDE_BY_SIDE = 3;

/** Several times what the longest takes on a machine of a third of the speed: one that is stuck must not cost an hour. */
const LIMIT_MS = 1_200_000;

/** `npm run torture -- slices [torture ...]`: a short slice of each torture. Red when one of them is. */
export async function runSlices(names: readonly string[]): Promise<boolean> {
  const left = SLICES.filter(({ torture }) => names.length === 0 || names.includes(torture));
  const rows: Row[] = [];
  const startedMs = performance.now();
  const runOn = async () => {
    for (let slice = left.shift(); slice !== undefined; slice = left.shift()) rows.push(await runSlice(slice));
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, runOn));
  // Again, at the end: what a record keeps of a long run is its last lines.
  for (const { slice, ending } of rows.filter((row) => row.reasons.length > 0))
    print(`\n${slice} ended so:\n${ending}`);
  print(describeRows(rows, secondsSince(startedMs)));
  const reasons = rows.flatMap((row) => row.reasons);
  for (const reason of reasons) print(reason);
  return reasons.length === 0 && rows.length > 0;
}

async function runSlice({ torture, runs, args, points, tests, faults }: Slice): Promise<Row> {
  const named = [...(points ?? []).map(killAtPoint), ...faults];
  const startedMs = performance.now();
  const outcome = await TORTURES[torture].run(args, {
    named,
    limitMs: LIMIT_MS,
    isCompiled: true,
    ...(points === undefined ? {} : { points }),
    ...(tests === undefined ? {} : { tests }),
  });
  const reasons = findReasons(torture, named, outcome);
  return {
    slice: torture,
    runs,
    faults: describeHits(named, outcome.hits),
    reasons,
    seconds: secondsSince(startedMs),
    ending: outcome.ending ?? '',
  };
}

const secondsSince = (startedMs: number) => Math.round((performance.now() - startedMs) / 1000);

function describeRows(rows: readonly Row[], seconds: number): string {
  const lines = rows.map(
    ({ slice, runs, faults, reasons, seconds: own }) =>
      `${slice.padEnd(12)} ${runs.padEnd(14)} ${(reasons.length === 0 ? 'exact' : 'RED').padEnd(6)} ${String(own).padStart(4)} s  ${faults}`,
  );
  const head = ['', 'slice        runs           verdict seconds faults with their hits'];
  return [...head, ...lines, `${seconds} s in all`].join('\n');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
