/**
 * The service dies at points on the way of pay links that are paid by wallets, by transfers and by both: each is paid
 * once, told once, and what came twice is back.
 */
import { expect, test } from 'vitest';
import { DEFAULT_NETWORKS } from '../../core/networks.ts';
import { chosenPoints, reportFaults } from '../../scripts/torture/faults.ts';
import { LINK_POINTS } from '../../scripts/torture/points.ts';
import { runLinkKills } from './pay-links/run.ts';
import { isMoneyThere } from './pay-links/verdict.ts';

const COUNT = Number(process.env['PAY_LINKS'] ?? 120);
const SEED = Number(process.env['PAY_LINKS_SEED'] ?? 1);
const ALL_POINTS = chosenPoints(LINK_POINTS);
/** The rule: a task says where money goes back to. Without it what came twice is kept for the operator. */
const FORGETS_ADDRESSES = `
  CREATE TRIGGER forgets_addresses AFTER INSERT ON tasks
  BEGIN UPDATE tasks SET refund_addresses = '[]' WHERE id = NEW.id; END`;

test('control: without the address for it, what came twice is seen to be missing', async () => {
  const outcome = await runLinkKills({
    count: 5,
    seed: 0,
    networks: ['base'],
    points: [],
    settleMs: 20_000,
    sabotage: FORGETS_ADDRESSES,
    areOver: (outcomes) => outcomes.every(({ ends, receipts }) => ends === 1 && receipts === 1),
  });
  expect(outcome.paidTwice).toBe(0);
  expect(outcome.outcomes.filter((one) => !isMoneyThere(one)).length).toBeGreaterThan(0);
}, 180_000);

test(`${COUNT} links over a death at each point`, async () => {
  const log = (text: string) => process.stdout.write(`${text}\n`);
  const plan = { count: COUNT, seed: SEED, networks: DEFAULT_NETWORKS, points: ALL_POINTS, settleMs: 240_000 };
  const outcome = await runLinkKills({ ...plan, endsAnew: true, log });
  reportFaults(outcome.hits);
  const { kills, exact, paidTwice, violations, wrong } = outcome;
  for (const one of wrong) log(one);
  log(`${COUNT} links, ${ALL_POINTS.length} points, ${kills} kills: ${exact} exact, ${wrong.length} wrong,`);
  log(`${paidTwice} paid twice and given back, ${violations.length} violations`);
  expect(outcome).toMatchObject({ exact: COUNT, kills: ALL_POINTS.length, wrong: [], violations: [] });
}, 3_600_000);
