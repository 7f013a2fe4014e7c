/** What the whole service costs with nobody there: questions to each chain's node, and its own CPU time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { runRow } from '../../scripts/bench/row.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { sidesCpuSeconds } from './load/measure.ts';
import { openOurs } from './load/sides.ts';
import { askReport } from './load/watched.ts';
import { BLOCK_MS } from './load/world.ts';

const settings = readSettings(process.argv.slice(2));
const roundMs = settings.number('roundMs', 20_000);
const WARM_UP_MS = 15_000;

await runRow({
  name: settings.row,
  about: `${BLOCK_MS / 1_000} s blocks on Base, 400 ms slots on Solana, ${roundMs / 1_000} s a round, SQLite`,
  read: 'Questions that share a request count each.',
  rounds: settings.number('rounds', 3),
  async open() {
    const opened = await openOurs({ blockMs: BLOCK_MS });
    await sleep(WARM_UP_MS);
    return opened;
  },
  async round({ side }) {
    const [child] = side.processes;
    if (child === undefined) throw new Error('the service has no process');
    await askReport(child);
    const before = sidesCpuSeconds(side);
    await sleep(roundMs);
    const seconds = roundMs / 1_000;
    const share = ((sidesCpuSeconds(side) - before) / seconds) * 100;
    const { calls } = await askReport(child);
    const base = new URL(side.chain.rpcUrl).host;
    const perSecond = (methods: Record<string, number>) =>
      Object.values(methods).reduce((sum, n) => sum + n, 0) / seconds;
    const others = Object.entries(calls).filter(([host]) => host !== base);
    const solana = others.toSorted(([, one], [, other]) => perSecond(other) - perSecond(one))[0]?.[1] ?? {};
    for (const [name, methods] of [
      ['Base', calls[base] ?? {}],
      ['Solana', solana],
    ] as const)
      console.log(
        `  ${name}: ${Object.entries(methods)
          .map(([method, n]) => `${method} ${(n / seconds).toFixed(2)}`)
          .join(', ')}`,
      );
    const gate = { of: 'ours', at: 1 } as const;
    return [
      { what: 'CPU', unit: '% of a core', better: 'less', ours: share, gate: { of: 'ours', at: 2 } },
      { what: 'questions to Base', unit: '/s', better: 'less', ours: perSecond(calls[base] ?? {}), gate },
      { what: 'questions to Solana', unit: '/s', better: 'less', ours: perSecond(solana), gate },
    ];
  },
  close: ({ close }) => close(),
});
process.exit();
