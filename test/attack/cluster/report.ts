import { CHAINS, CLIENTS, countKills } from './evidence.ts';
import type { Plan, Result } from './run.ts';
import { isSent } from './tippers.ts';

/** What people read at the end of a run. */
export function describe(
  { seed, aim: { named }, lengthMs }: Plan,
  { findings, hits, orders, tips, chains, folder, secondOn }: Result,
): string {
  const counts = (names: readonly string[]) => names.map((name) => `${name} ${hits[name] ?? 0}`).join(', ');
  const byClient = CLIENTS.map((client) => `${client} ${orders.filter((order) => order.client === client).length}`);
  const paid = orders.filter(({ answers }) => answers.some(({ kind }) => kind === 'paid')).length;
  const charged = CHAINS.map((chain) => `${chain} ${chains[chain].charges.length}`);
  const isSound = findings.every(({ wrong, isOdd }) => wrong.length === 0 && isOdd !== true);
  return [
    '',
    `seed ${seed}, ${Math.round(lengthMs / 1_000)} s; ${secondOn} has a second node`,
    `kills      ${countKills(hits)}`,
    `faults     ${counts(named)}`,
    `wishes     ${orders.length}: ${byClient.join(', ')}`,
    `payments   ${charged.join(', ')}; ${paid} wishes have their 200; proofs ${orders.reduce((sum, { proofs }) => sum + proofs.length, 0)}`,
    `tips       ${tips.length}, ${tips.filter(isSent).length} of them sent`,
    ...findings.map(
      ({ rule, wrong, note }) => `${String(wrong.length).padStart(3)} × ${rule}${note ? ` (longest: ${note})` : ''}`,
    ),
    ...findings.flatMap(({ rule, wrong }) => wrong.map((text) => `  ${rule}: ${text}`)),
    ...(isSound ? [] : [`what happened, in order: ${folder}/events.jsonl; the processes' output beside it`]),
  ].join('\n');
}
