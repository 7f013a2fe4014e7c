/**
 * The service dies at points on the way of rewards that two moderators decide about in the same moment: each is paid
 * once, or clearly not at all.
 */
import { expect, test } from 'vitest';
import { DEFAULT_NETWORKS } from '../../core/networks.ts';
import { chosenPoints, reportFaults } from '../../scripts/torture/faults.ts';
import { REWARD_POINTS } from '../../scripts/torture/points.ts';
import { runRewardKills } from './rewards/run.ts';

const COUNT = Number(process.env['REWARD_KILLS'] ?? 200);
const SEED = Number(process.env['REWARD_KILLS_SEED'] ?? 1);
const ALL_POINTS = chosenPoints(REWARD_POINTS);
const NOTHING_WRONG = { spentTwice: 0, stuck: 0, wrongPeople: [], wrong: [], violations: [] };

/** The rules: a card remembers that it was paid, and the API that this order was. Once for each card both forget it. */
const FORGETS_PAID = `
  CREATE TRIGGER forgets_paid AFTER UPDATE OF status ON reward_cards WHEN NEW.status = 'paid' AND NEW.failure IS NULL
  BEGIN
    UPDATE reward_cards SET status = 'confirmed', header = NULL, valid_before = NULL, failure = 'forgotten'
      WHERE id = NEW.id;
    DELETE FROM purchases WHERE payment_id IN (SELECT payment_id FROM idempotency_keys WHERE key = NEW.id);
    DELETE FROM idempotency_keys WHERE key = NEW.id;
  END`;

test('control: without the memory of what was paid, rewards are seen to be paid twice', async () => {
  const outcome = await runRewardKills({
    count: 3,
    seed: 0,
    networks: ['base'],
    points: [],
    settleMs: 20_000,
    sabotage: FORGETS_PAID,
    areOver: (outcomes) => outcomes.every(({ payments, isOpen }) => payments > 1 && !isOpen),
  });
  expect(outcome.spentTwice).toBe(3);
  expect(outcome.exact).toBe(0);
  expect(outcome.wrongPeople.length).toBeGreaterThan(0);
}, 180_000);

test(`${COUNT} rewards over a death at each point`, async () => {
  const log = (text: string) => process.stdout.write(`${text}\n`);
  const plan = { count: COUNT, seed: SEED, networks: DEFAULT_NETWORKS, points: ALL_POINTS, settleMs: 120_000 };
  const outcome = await runRewardKills({ ...plan, endsAnew: true, log });
  reportFaults(outcome.hits);
  const { kills, exact, paid, notPaid, spentTwice, stuck, wrong, wrongPeople, violations } = outcome;
  for (const one of [...wrong, ...wrongPeople, ...violations]) log(one);
  const found = `${exact} exact (${paid} paid once, ${notPaid} rejected), ${spentTwice} paid twice, ${stuck} stuck`;
  log(`${COUNT} rewards, ${ALL_POINTS.length} points, ${kills} kills: ${found}, ${violations.length} violations`);
  expect(outcome).toMatchObject({ exact: COUNT, kills: ALL_POINTS.length, ...NOTHING_WRONG });
  // The control: a millionth too much, on the chain alone, is seen with each payer and with the one who has it.
  expect([outcome.meddled.exact, outcome.meddled.wrongPeople.length]).toEqual([0, 1]);
}, 3_600_000);
