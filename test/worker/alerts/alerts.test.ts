import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BEGINS_AFTER_MS, ENDS_AFTER_MS, nextAlert } from '../../../core/processes/alerts.ts';
import { plainText } from '../../../core/view.ts';
import { writeStanding } from '../../../db/networks/standing.ts';
import { readAlerts } from '../../../db/operator/alerts.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { CONDITIONS, type AlertFacts } from '../../../worker/alerts/conditions.ts';
import { alertsRound, type AlertsWorker } from '../../../worker/alerts/round.ts';
import { openBooks, type Books } from '../../support/books.ts';

const QUIET: AlertFacts = {
  nowMs: 1_000_000,
  standings: [{ network: 'base', outage: null, second: 'compared' }],
  solvencies: [],
  stops: [],
  held: [],
  unexplained: 0,
  formers: [],
  unscreened: 0,
  reportedAtMs: [],
  oldestDueAtMs: null,
  isMailReachable: true,
  listeners: [{ name: 'listener:telegram:1', process: 'a' }],
  refusedBots: [],
};
const solvency = {
  network: 'base',
  block: 1,
  assets: 0n,
  onChain: 0n,
  liabilities: 0n,
  unexplained: 0n,
  float: 0n,
  reorgLoss: 0n,
  comparedAtMs: 0,
  ageMs: 0,
  doubt: null,
};
const open = { held: 0n, unexplained: 0n, signed: 0, planned: 0, payments: 0, tasks: 0, waiting: 0, taken: 0n };
const former = { network: 'base' as const, address: '0xaa', sinceMs: 1, ...open, isRetired: false };
const lane = (units: bigint, address = '0xaa') => ({ role: 'lane', address, units, leastUnits: 1_000n });
const namesOf = (facts: Partial<AlertFacts>) =>
  Object.values(CONDITIONS).flatMap((find) => find({ ...QUIET, ...facts }).map(({ name }) => name));

test('nothing rings while all is well, nor for what the operator did', () => {
  expect(namesOf({})).toEqual([]);
  expect(namesOf({ isMailReachable: null, oldestDueAtMs: QUIET.nowMs - 1_000 })).toEqual([]);
  expect(namesOf({ stops: [{ reason: 'operator_payouts', network: 'base', detail: 'by ada', sinceMs: 1 }] })).toEqual(
    [],
  );
  expect(namesOf({ standings: [{ network: 'base', outage: 'payments_stopped', second: null }] })).toEqual([]);
});

test.each([
  ['a report', { reportedAtMs: [1_000, 2_000] }, 'reports:1970-01-01'],
  ['gas', { standings: [{ network: 'base', outage: 'no_gas', second: null }] }, 'gas:base'],
  [
    'a wallet that will soon have too little gas',
    { standings: [{ network: 'base', outage: null, second: null, coins: [lane(19_999n), lane(20_000n, '0xbb')] }] },
    'gas:base:0xaa',
  ],
  ['a network', { standings: [{ network: 'base', outage: 'no_answer', second: null }] }, 'network:base'],
  ['a second node', { standings: [{ network: 'base', outage: null, second: 'left_out' }] }, 'second_node:base'],
  [
    'a stop',
    { stops: [{ reason: 'invariant_broken', network: 'all', detail: 'x', sinceMs: 1 }] },
    'stop:invariant_broken:all',
  ],
  ['drift', { solvencies: [{ ...solvency, doubt: 'differs' }] }, 'drift:base'],
  ['float', { solvencies: [{ ...solvency, float: -1n }] }, 'float:base'],
  [
    'held payouts',
    { held: [{ reason: 'payer_limit', network: 'base', count: 2, amountMicroUsdc: 5n }] },
    'held:payer_limit:base',
  ],
  ['unexplained money', { unexplained: 1 }, 'unexplained'],
  ['money taken from a former address', { formers: [{ ...former, taken: 5n }] }, 'taken:base:0xaa'],
  ['a screening without answers', { unscreened: 1 }, 'screening'],
  ['a silent bot', { listeners: [{ name: 'listener:telegram:1', process: null }] }, 'bots:telegram'],
  ['a token that its platform refuses', { refusedBots: ['telegram'] }, 'bots:telegram'],
  ['failing mail', { isMailReachable: false }, 'mail'],
  ['an old outbox', { oldestDueAtMs: QUIET.nowMs - 400_000 }, 'outbox'],
])('%s rings', (_what, facts, name) => {
  expect(namesOf(facts as Partial<AlertFacts>)).toEqual([name]);
});

test('what comes and goes is one alert', () => {
  const ringing = { name: 'mail', text: 'x' };
  const begun = { ...ringing, sinceMs: 0, toldAtMs: BEGINS_AFTER_MS, goneSinceMs: null, doubtAtMs: null };
  expect(nextAlert(null, ringing, 0)).toMatchObject({ tell: null, state: { toldAtMs: null } });
  // Over before it was told: nobody hears of it.
  expect(nextAlert({ ...begun, toldAtMs: null }, null, 1)).toEqual({ state: null, tell: null });
  expect(nextAlert({ ...begun, toldAtMs: null }, ringing, BEGINS_AFTER_MS)).toMatchObject({ tell: 'begins' });
  const gone = nextAlert(begun, null, 1_000_000);
  expect(gone).toMatchObject({ tell: null, state: { goneSinceMs: 1_000_000 } });
  expect(nextAlert(gone.state, ringing, 1_000_001)).toMatchObject({ tell: null, state: { goneSinceMs: null } });
  expect(nextAlert(gone.state, null, 1_000_000 + ENDS_AFTER_MS - 1).tell).toBeNull();
  expect(nextAlert(gone.state, null, 1_000_000 + ENDS_AFTER_MS)).toEqual({ state: null, tell: 'ends' });
});

let books: Books;
let said: string[];
let isChatAway: boolean;
beforeEach(async () => {
  books = await openBooks();
  [said, isChatAway] = [[], false];
});
afterEach(() => books.close());

function worker(options: Partial<AlertsWorker> = {}): AlertsWorker {
  const sender: NonNullable<AlertsWorker['chat']>['sender'] = {
    post: async () => undefined,
    tell: async ({ userId, view }) => {
      if (isChatAway) throw new Error('the chat is away');
      said.push(`${userId} ${plainText(view)}`);
      return 'told';
    },
  };
  const mail: NonNullable<AlertsWorker['mail']> = {
    isReachable: async () => true,
    sendAlert: async ({ to, subject }) => {
      said.push(`${to} ${subject}`);
      return { kind: 'sent' };
    },
  };
  const chat = { userId: 'telegram:7', sender };
  const ways = { chat, mail, mailTo: 'ops@example.com' };
  return {
    store: books.store,
    now: () => books.clock.nowMs,
    log: pino({ level: 'silent' }),
    networks: ['base'],
    ...ways,
    ...options,
  };
}

async function pass(minutes: number, options?: Partial<AlertsWorker>): Promise<string[]> {
  const told: string[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    books.clock.nowMs += 60_000;
    // A worker is there, so that its network rings for nothing else.
    const atMs = books.clock.nowMs;
    await writeStanding(books.store, 'base', { outage: null, second: null, sinceMs: atMs, atMs });
    told.push(...(await alertsRound(worker(options))));
  }
  return told;
}

test('a stop of the service is reported in the chat and by mail, once, and once when it is over', async () => {
  await stopSigning(books.store, { reason: 'invariant_broken', network: 'base', detail: 'a test' }, 1);
  expect(await pass(30)).toEqual(['begins stop:invariant_broken:base']);
  expect(said).toEqual([
    'telegram:7 Alert: Signing is stopped on base: invariant_broken: a test',
    'ops@example.com Alert: stop:invariant_broken:base',
  ]);
  expect(await readAlerts(books.store)).toHaveLength(1);
  await books.store.tx((db) => db.delete(books.store.tables.signingStops));
  expect(await pass(30)).toEqual(['ends stop:invariant_broken:base']);
  expect(said.slice(2)).toEqual([
    expect.stringContaining('telegram:7 Over: '),
    expect.stringContaining('ops@example.com Over: '),
  ]);
  expect(await readAlerts(books.store)).toEqual([]);
});

test('an alert that no way takes is reported as soon as one does', async () => {
  await stopSigning(books.store, { reason: 'invariant_broken', network: 'base', detail: 'a test' }, 1);
  isChatAway = true;
  expect(await pass(10, { mailTo: null })).toEqual([]);
  isChatAway = false;
  expect(await pass(10, { mailTo: null })).toEqual(['begins stop:invariant_broken:base']);
  expect(said).toHaveLength(1);
});

test('mail of which nobody knows whether it arrived is sent once more after a pause, and then counts as told', async () => {
  await stopSigning(books.store, { reason: 'invariant_broken', network: 'base', detail: 'a test' }, 1);
  let sent = 0;
  const mail: AlertsWorker['mail'] = {
    isReachable: async () => true,
    sendAlert: async () => {
      sent += 1;
      return { kind: 'unknown' };
    },
  };
  const options = { chat: null, mail };
  expect([await pass(6, options), sent]).toEqual([[], 1]);
  expect([await pass(30, options), sent]).toEqual([['begins stop:invariant_broken:base'], 2]);
  await books.store.tx((db) => db.delete(books.store.tables.signingStops));
  expect([await pass(30, options), sent]).toEqual([['ends stop:invariant_broken:base'], 4]);
  expect(await readAlerts(books.store)).toEqual([]);
});
