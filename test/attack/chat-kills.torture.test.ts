/**
 * The bot dies at each point on a command's way, everything is delivered three times, and each tip is paid, ended and
 * told once; and each share of a drop, each part of a bill, each block, and each place in a list.
 */
import { expect, test } from 'vitest';
import { DEFAULT_NETWORKS } from '../../core/networks.ts';
import { chosenPoints, reportFaults } from '../../scripts/torture/faults.ts';
import { CHAT_POINTS, GROUP_POINTS } from '../../scripts/torture/points.ts';
import { EVENTS_EACH } from './chat-kills/groups/plan.ts';
import { againOf, runGroupKills } from './chat-kills/groups/run.ts';
import { KINDS } from './chat-kills/groups/screen.ts';
import { runChatKills } from './chat-kills/run.ts';
import { isSpentTwice } from './chat-kills/verdict.ts';

const COUNT = Number(process.env['CHAT_KILLS_TIPS'] ?? 500);
const ROUNDS = Number(process.env['CHAT_KILLS_ROUNDS'] ?? 3);
const SEED = Number(process.env['CHAT_KILLS_SEED'] ?? 1);
/** Of each kind: drops, bills, lists, blocks. */
const EVENTS = Number(process.env['CHAT_KILLS_EVENTS'] ?? 500);
const GROUPS = Math.ceil(EVENTS / EVENTS_EACH);
const ALL_POINTS = chosenPoints(CHAT_POINTS);
const ALL_GROUP_POINTS = chosenPoints(GROUP_POINTS);
const NOTHING_WRONG = { lost: 0, spentTwice: 0, receiptsTwice: 0, wrongPayers: 0, stuck: 0, violations: 0, wrong: [] };

/** The rule: an order is found again by the event that it came from. Without it each delivery is another order. */
const FORGETS_EVENTS = `
  CREATE TRIGGER forgets_events AFTER UPDATE OF status ON orders WHEN NEW.status = 'priced'
  BEGIN UPDATE orders SET event_id = event_id || hex(randomblob(8)) WHERE id = NEW.id; END`;
/** The rule: what Discord has delivered is written down before it is acknowledged. */
const FORGETS_DISCORD = `
  CREATE TRIGGER forgets_discord AFTER INSERT ON chat_events WHEN NEW.transport = 'discord'
  BEGIN DELETE FROM chat_events WHERE transport = NEW.transport AND id = NEW.id; END`;

test('control: without these two rules the same tips are paid twice, and lost', async () => {
  const outcome = await runChatKills({
    count: 8,
    seed: 0,
    networks: ['base'],
    // The first half dies over Discord's, which are lost; the second half lives, and comes twice.
    transports: ['discord', 'discord', 'web', 'web'],
    points: ['order.before-store'],
    settleMs: 20_000,
    sabotage: [FORGETS_EVENTS, FORGETS_DISCORD],
    areOver: (outcomes) => outcomes.slice(4).every(({ isOver, ends }) => isOver && ends > 0),
    areTold: (outcomes) => outcomes.some(isSpentTwice),
  });
  expect(outcome.kills).toBe(1);
  expect(outcome.spentTwice).toBeGreaterThan(0);
  expect(outcome.wrongPayers).toBeGreaterThan(0);
  // Acknowledged, so that its person waits; and nothing ever came of it.
  expect(outcome.outcomes.slice(0, 4).filter(({ orders }) => orders === 0).length).toBeGreaterThan(0);
  expect(outcome.stuck).toBeGreaterThan(0);
}, 900_000);

test(`${COUNT} tips over ${ROUNDS} deaths at each point`, async () => {
  const points = Array.from({ length: ROUNDS }, () => ALL_POINTS).flat();
  const log = (text: string) => process.stdout.write(`${text}\n`);
  const outcome = await runChatKills({
    count: COUNT,
    seed: SEED,
    networks: DEFAULT_NETWORKS,
    points,
    settleMs: 300_000,
    log,
  });
  reportFaults(outcome.hits);
  const { tips, kills, exact, lost, spentTwice, receiptsTwice, retyped, survivors, placeholders } = outcome;
  log(`began in one life and ended in another: ${JSON.stringify(survivors)}`);
  log(
    `told on Discord that nobody answered, and typed again: ${retyped}; placeholders left on Telegram: ${placeholders}`,
  );
  const found = `${exact} exact, ${lost} lost, ${spentTwice} spent twice, ${receiptsTwice} receipts twice`;
  log(`${tips} tips, ${ALL_POINTS.length} points, ${kills} kills: ${found}`);
  expect(outcome).toMatchObject({ exact: COUNT, kills: points.length, ...NOTHING_WRONG });
}, 3_600_000);

/** The rule: the drop leaves the giver's list in the transaction that stores its order; and so does a request its card. */
const FORGETS_AGREEMENT = [
  `CREATE TRIGGER forgets_drops AFTER UPDATE OF status ON drops WHEN NEW.status = 'agreed'
   BEGIN UPDATE drops SET status = 'closed', order_id = NULL WHERE id = NEW.id; END`,
  `CREATE TRIGGER forgets_bills AFTER UPDATE OF status ON money_requests WHEN NEW.status = 'agreed'
   BEGIN UPDATE money_requests SET status = 'open', order_id = NULL WHERE id = NEW.id; END`,
];

test('control: without these two rules the same shares and parts are paid twice', async () => {
  const outcome = await runGroupKills({
    count: 2,
    seed: 0,
    networks: ['base'],
    points: [],
    settleMs: 30_000,
    triesMs: 120_000,
    sabotage: FORGETS_AGREEMENT,
  });
  expect(outcome.sharesTwice).toBeGreaterThan(0);
  expect(outcome.billsTwice).toBeGreaterThan(0);
  expect(outcome.wrongPayers).toBeGreaterThan(0);
}, 900_000);

test(`drops, bills, lists and blocks in ${GROUPS} groups over ${ROUNDS} deaths at each point`, async () => {
  const points = Array.from({ length: ROUNDS }, () => ALL_GROUP_POINTS).flat();
  const log = (text: string) => process.stdout.write(`${text}\n`);
  const outcome = await runGroupKills({
    count: GROUPS,
    seed: SEED,
    networks: DEFAULT_NETWORKS,
    points,
    settleMs: 300_000,
    log,
  });
  reportFaults(outcome.hits);
  const { kills, exact, hits } = outcome;
  const counts = KINDS.map((kind) => [kind, hits[againOf(kind)] ?? 0] as const);
  const events = counts.map(([kind, count]) => `${count} events of ${kind}`).join(', ');
  log(`${GROUPS} groups, ${ALL_GROUP_POINTS.length} points, ${kills} kills, ${events}: ${exact} exact`);
  for (const [, count] of counts) expect(count).toBeGreaterThanOrEqual(EVENTS);
  const nothingWrong = { sharesTwice: 0, billsTwice: 0, wrongPayers: 0, violations: 0, wrong: [] };
  expect(outcome).toMatchObject({ exact: GROUPS, kills: points.length, ...nothingWrong });
}, 3_600_000);
