/**
 * The whole service as people run it, two processes of each role on PostgreSQL and Redis, while payers of all kinds pay on
 * both networks and everything below and beside them fails. `npm run torture -- cluster <minutes>`.
 */
import { expect, test } from 'vitest';
import { CLUSTER_FAULTS } from '../../scripts/torture/cluster-faults.ts';
import { namedFaults, reportFaults } from '../../scripts/torture/faults.ts';
import type { Least } from './cluster/evidence.ts';
import { describe } from './cluster/report.ts';
import { endure, type Plan } from './cluster/run.ts';

const MINUTES = Number(process.env['CLUSTER_MINUTES'] ?? 60);

/** In an hour; in a shorter run its part. */
const leastIn = (hours: number): Least => ({
  faults: Math.max(1, Math.floor(Math.min(1, hours) * 5)),
  kills: Math.floor(hours * 60),
  payments: Math.floor(hours * 500),
  tips: Math.floor(hours * 100),
});

test('over a storm each wish is charged once, answered once and paid out once', async () => {
  const named = namedFaults();
  const plan: Plan = {
    seed: Number(process.env['CLUSTER_SEED'] ?? 1),
    lengthMs: MINUTES * 60_000,
    aim: { named: named.length === 0 ? CLUSTER_FAULTS : named, least: leastIn(MINUTES / 60) },
    payers: Number(process.env['CLUSTER_PAYERS'] ?? 4),
    patience: Number(process.env['CLUSTER_PATIENCE'] ?? 1),
  };
  const result = await endure(plan);
  reportFaults(result.hits);
  process.stdout.write(`${describe(plan, result)}\n`);
  expect(result.findings.flatMap(({ rule, wrong }) => (wrong.length > 0 ? [rule] : []))).toEqual([]);
});
