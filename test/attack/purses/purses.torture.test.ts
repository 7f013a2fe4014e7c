/**
 * The service dies while people collect into purses, sign in elsewhere, send, take out and read: what each session ever sees
 * is its own person's alone, and every purse holds what came in less what left, by the chain.
 */
import { expect, test } from 'vitest';
import { DEFAULT_NETWORKS } from '../../../core/networks.ts';
import { chosenPoints, reportFaults } from '../../../scripts/torture/faults.ts';
import { PURSE_POINTS } from '../../../scripts/torture/points.ts';
import { runPurseKills, type Death } from './run.ts';

const COUNT = Number(process.env['PURSES'] ?? 300);
const KILLS = Number(process.env['PURSE_KILLS'] ?? 20);
const SEED = Number(process.env['PURSES_SEED'] ?? 1);
const ALL_POINTS = chosenPoints(PURSE_POINTS);
const log = (text: string) => process.stdout.write(`${text}\n`);

const FEW = { count: 4, seed: 0, networks: ['base'], deaths: [] } as const;
const FIRST_PURSE = `SELECT address FROM wallets WHERE source = 'keep' AND network = NEW.network ORDER BY linked_at_ms LIMIT 1`;
/** The rule: who proves a name is let in to the purse of that name alone. */
const LETS_STRANGERS_IN = `
  CREATE TRIGGER lets_strangers_in AFTER INSERT ON wallet_holders
  BEGIN INSERT OR IGNORE INTO wallet_holders (holder_id, wallet_id, identity_id, name, since_ms, spends_from_ms, looks_from_ms)
    SELECT NEW.holder_id, wallet_id, identity_id, name, since_ms, NEW.since_ms + 86400000, 0
    FROM wallet_holders WHERE wallet_id <> NEW.wallet_id LIMIT 1; END`;
/** The rule: what is collected goes to the purse of who proved the name. */
const CREDITS_THE_FIRST = `
  CREATE TRIGGER credits_the_first AFTER INSERT ON wallets WHEN NEW.source = 'keep'
  BEGIN UPDATE wallets SET address = (${FIRST_PURSE}) WHERE identity_id = NEW.identity_id AND network = NEW.network; END`;

test('control: where a stranger is let in, what they saw is seen', async () => {
  const { leaks, exact } = await runPurseKills({ ...FEW, patienceMs: 60_000, sabotage: LETS_STRANGERS_IN });
  expect(exact).toBe(FEW.count);
  expect(leaks.filter((leak) => leak.includes(' at /purse'))).not.toEqual([]);
}, 900_000);

test('control: where money is put into the purse of another, it is seen to be missing there and too much here', async () => {
  const { leaks, outcomes, wrong } = await runPurseKills({ ...FEW, patienceMs: 15_000, sabotage: CREDITS_THE_FIRST });
  expect(outcomes.filter(({ missing }) => missing > 0n).length).toBeGreaterThan(0);
  expect(wrong.filter((reason) => reason.includes('waits for the money'))).not.toEqual([]);
  expect(leaks).not.toEqual([]);
}, 900_000);

test(`${COUNT} purses over deaths at each point and ${KILLS} by chance`, async () => {
  const deaths = mix(ALL_POINTS, KILLS);
  const plan = { count: COUNT, seed: SEED, networks: DEFAULT_NETWORKS, deaths, patienceMs: 1_200_000, log };
  const { kills, hits, exact, looks, leaks, outcomes, wrong } = await runPurseKills(plan);
  reportFaults(hits);
  for (const one of [...wrong, ...leaks].slice(0, 40)) log(one);
  const missing = outcomes.reduce((sum, outcome) => sum + outcome.missing, 0n);
  log(`${COUNT} purses, ${kills} kills at ${ALL_POINTS.length} points and ${KILLS} by chance: ${exact} exact,`);
  log(`${missing} micro-USDC missing; of ${looks} looks at one's own money ${leaks.length} showed another's`);
  expect({ kills, exact, missing, leaks, wrong }).toEqual({
    kills: deaths.length,
    exact: COUNT,
    missing: 0n,
    leaks: [],
    wrong: [],
  });
}, 7_200_000);

/** Deaths at points, and between them those by chance, every second one while money is taken out. */
function mix(points: typeof ALL_POINTS, kills: number): Death[] {
  const byChance = Array.from({ length: kills }, (_, index) => (index % 2 === 0 ? 'by chance' : 'as money leaves'));
  const placed = [
    ...points.map((death, index) => ({ death, at: index / points.length })),
    ...byChance.map((death, index) => ({ death, at: (index + 0.5) / kills })),
  ];
  return placed.toSorted((a, b) => a.at - b.at).map(({ death }) => death as Death);
}
