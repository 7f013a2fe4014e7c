import { shownAddress } from '../../../chain/shown-address.ts';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { openingBalance } from '../../../core/ledger.ts';
import type { ObservedTransfer } from '../../../core/observed.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { dailyCounters, dayOf } from '../../../db/limits/daily.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { writeComparison } from '../../../db/audit/solvency.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { openStore } from '../../../db/store/open.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { storeReport } from '../../../db/reports/reports.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { advanceFinality } from '../../../db/scan/finality.ts';
import { signingStops, stopSigning, stopsOn } from '../../../db/store/stops.ts';
import { runOperator } from '../../../service/operator/run.ts';
import { coinText, spentText } from '../../../service/operator/status.ts';
import { startBaseChain } from '../../support/chains/base-chain.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';

const ALICE = { name: 'alice', stableId: '1' };
const PAYER = `0x${'99'.repeat(20)}`;
const MINE = `0x${'ab'.repeat(20)}`;
const HALF_AN_HOUR = 30 * 60_000;

let books: Books;
let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-operator-'));
  books = await openBooks({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
  const dailyMicroUsdc = { payer: 1_000_000n, recipient: null };
  await storePayoutSettings(books.store, { dailyMicroUsdc, treasuries: { base: TREASURY } });
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
  rmSync(dir, { recursive: true, force: true });
});

async function operate(...words: string[]) {
  const env = { DATABASE_URL: `sqlite:${join(dir, 'books.sqlite')}`, DATA_DIR: join(dir, 'data') };
  return runOperator(() => parseConfig(env), words, books.clock.nowMs);
}

const actions = () => books.store.read.select().from(books.store.tables.operatorActions);

async function holdTwo(): Promise<string[]> {
  await books.link(await books.meet('alice', '1'));
  for (let count = 0; count < 3; count += 1) {
    books.clock.nowMs += 1_000;
    await books.pay({ payees: [ALICE] });
  }
  return (await books.payouts()).filter(({ status }) => status === 'held').map(({ id }) => id);
}

/** A plain transfer to the treasury, in a block of its own. */
async function receive(from: string, amount: bigint, transaction = '0xa'): Promise<string> {
  const place = { transaction, logIndex: 0, position: 0, block: 1, blockHash: '0x1' };
  const transfer: ObservedTransfer = { ...place, from, to: TREASURY, value: amount };
  const seen = { network: 'base' as const, transfers: [transfer], ownAddresses: [TREASURY] };
  const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: books.clock.nowMs };
  await applyTransfers(books.store, seen, settle);
  return `base:log:${transaction}:0`;
}

const finality = (finalizedBlock = 1) =>
  books.store.tx((db) =>
    advanceFinality(db, books.store, { network: 'base' as const, safeBlock: 1, finalizedBlock }, books.clock.nowMs),
  );

const NOT_UNDERSTOOD: [string[], number, string][] = [
  [[], 0, 'npm run operator -- status'],
  [['--help'], 0, 'npm run operator -- withdraw'],
  [['release', '--help'], 0, 'release <payout> | --reason <reason>'],
  [['relase'], 2, 'There is no command relase.'],
  [['status', '--now'], 2, 'There is no option --now.'],
  [['status', 'x'], 2, 'found 1'],
  [['release'], 2, 'Name one payout, or --reason'],
  [['release', 'a', '--reason', 'b'], 2, 'Name one payout, or --reason'],
  [['release', '--reason', 'paid_before'], 1, 'one by one'],
  [['resolve'], 2, 'Expected name'],
  [['close-report', 'x'], 2, 'Say with --reason what came of it.'],
  [['close-report', 'x', '--reason', 'seen'], 1, 'No report is open under that id.'],
  [['resolve', 'x'], 1, 'Nothing of that name is held'],
  [['withdraw', 'base', MINE], 2, 'Expected network, address, amount'],
  [['withdraw', 'bass', MINE, '1'], 2, 'base or solana or polygon; found bass'],
  [['withdraw', 'solana', MINE, '1'], 2, 'is an address on base'],
  [['withdraw', 'base', MINE, '1e3'], 2, 'at most six decimals'],
  [['withdraw', 'base', MINE, '0'], 2, 'at most six decimals'],
  [['withdraw', 'base', `0x${'00'.repeat(20)}`, '1'], 1, 'money sent there would be lost'],
];

test('words that are not understood end with a word about it, and do nothing', async () => {
  for (const [words, exitCode, says] of NOT_UNDERSTOOD) {
    const result = await operate(...words);
    expect([words, result.exitCode, result.text]).toEqual([words, exitCode, expect.stringContaining(says)]);
  }
  expect(await actions()).toEqual([]);
});

describe('wind-down', () => {
  test('says what is there and changes nothing without --yes', async () => {
    await books.pay({ payees: [ALICE] });
    const refused = await operate('wind-down');
    expect(refused.exitCode).toBe(1);
    expect(refused.text).toContain('Waits for recipients on Base: 1, 1.00 USDC');
    expect(refused.text).toContain('Nothing was changed.');
    expect(await signingStops(books.store)).toEqual([]);
    expect(await actions()).toEqual([]);
  });

  test('stops the intake, lists the wallets, and may be run again to see how far it is', async () => {
    await books.store.tx((db) =>
      db
        .insert(books.store.tables.chatUsers)
        .values({ id: 'telegram:5', transport: 'telegram', walletAddress: MINE, createdAtMs: 0 }),
    );
    const begun = await operate('wind-down', '--yes', '--reason', 'the company closes');
    expect(begun).toMatchObject({ exitCode: 0 });
    expect(begun.text).toContain('Wallets of people: 1, of which 1 were not looked into yet');
    expect(await signingStops(books.store)).toMatchObject([
      { reason: 'wind_down', network: 'all', detail: 'by unknown: the company closes' },
    ]);
    const again = await operate('wind-down', '--json');
    expect(JSON.parse(again.text)).toMatchObject({
      isDone: false,
      left: { waiting: [], wallets: { listed: 1, notLookedAt: 1, withMoney: 0, foundMicroUsdc: '0' } },
    });
    expect(await actions()).toMatchObject([
      { command: 'wind-down', result: expect.stringContaining('the company closes') },
    ]);
    const { closingWallets } = books.store.tables;
    await books.store.tx((db) => db.update(closingWallets).set({ lookedAtMs: 1, foundMicroUsdc: 0n }));
    expect((await operate('wind-down')).text).toContain('Nothing of others is left.');
    expect((await operate('status')).text).toContain('Payments: STOPPED: wind_down on all networks');
    expect((await operate('resume', 'wind_down', '--yes')).exitCode).toBe(0);
    expect(await signingStops(books.store)).toEqual([]);
  });
});

test('status says what is stopped, held, unexplained, owed and there', async () => {
  await holdTwo();
  await receive(MINE, 5_000_000n);
  const sums = { inBooks: 3_000_000n, onChain: 3_000_000n, unexplained: 0n, float: 0n, reorgLoss: 0n };
  await writeComparison(books.store, { network: 'base', block: 4, ...sums });
  expect((await operate('status')).text).toContain('Base: solvent at block 4, 0 s ago');
  await stopSigning(books.store, { reason: 'operator', network: 'all', detail: 'a look around' }, START_MS);
  const { text } = await operate('status');
  for (const words of [
    'Signing: STOPPED: operator on all networks since 2027-01-15 08:00 UTC: a look around',
    'Held: 2 payouts, 2.00 USDC',
    'payer_limit on base: 2, 2.00 USDC',
    'Base: NOT SHOWN TO BE SOLVENT (signing is stopped until the operator has looked) at block 4, 0 s ago',
    'there 3.00 USDC, by the books 3.00 USDC, owed 3.00 USDC',
    'Solana: books and chain were not compared yet',
    'float 0.00 USDC, of which 0.00 USDC may be spent',
    'suspense: 1 unexplained transfer, 5.00 USDC',
    'Mails today: asked 0, notice 0, holder 0, change 0; without a limit',
  ])
    expect(text).toContain(words);
});

test.each([
  ['base', 4_999_999n, 0n, 10_000_000n, 'Base: cost today 0.004999999 ETH of 0.01 ETH, and rent of accounts 0 ETH'],
  [
    'base',
    5_000_000n,
    0n,
    10_000_000n,
    'Base: cost today 0.005 ETH of 0.01 ETH (MORE THAN HALF), and rent of accounts 0 ETH',
  ],
  [
    'solana',
    20_000n,
    2_039_280n,
    null,
    'Solana: cost today 0.00002 SOL without a limit, and rent of accounts 0.00203928 SOL',
  ],
] as const)('status says what %s has cost today: %i and %i of %i', (network, gas, rent, dailyUnits, text) => {
  expect(spentText({ network, gas, rent }, { dailyUnits, lineMicroUsdc: 0n })).toBe(text);
});

test.each([
  ['base', 400_000n, 'lane 0xaa: 0.0004 ETH (LOW)'],
  ['solana', 12_345_678_901n, 'lane 0xaa: 12.345678901 SOL'],
] as const)('status says what a wallet on %s has: %i', (network, units, text) => {
  expect(coinText(network, { role: 'lane', address: '0xaa', units, leastUnits: 100_000n })).toBe(text);
});

const IN_JSON: [string[], string][] = [
  [['status'], 'networks'],
  [['held'], 'held'],
  [['stops'], 'stops'],
  [['suspense'], 'unexplained'],
  [['screenings'], 'screenings'],
  [['reports'], 'reports'],
  [['events'], 'waiting'],
  [['events', '1'], 'events'],
  [['search', 'x:alice'], 'payments'],
  [['flows'], 'flows'],
  [['audit'], 'actions'],
  [['reconcile'], 'kind'],
  [['stop', 'base'], 'stopped'],
  [['resume', 'base', '--yes'], 'cleared'],
];

test('every command answers a program in one value', async () => {
  for (const [words, key] of IN_JSON) {
    const { exitCode, text } = await operate(...words, '--json');
    const found = [words, exitCode, Object.keys(JSON.parse(text) as object)];
    expect(found).toEqual([words, 0, expect.arrayContaining([key])]);
  }
});

test('reports are listed with what they are about, and closed with a reason that is kept', async () => {
  const { lines } = await books.pay({ payees: [ALICE] });
  const subject = String(lines[0]?.txnId);
  const words = 'look\u001b[2J "here"';
  const report = {
    id: 'report_1',
    kind: 'payment',
    subject,
    reason: 'trick',
    words,
    reporter: 'a',
    share: 'large',
  } as const;
  await storeReport(books.store, report, books.clock.nowMs);
  const { text } = await operate('reports');
  expect(text).toContain(`report_1  2027-01-15 08:00 UTC  payment ${subject}: trick`);
  expect(text).toMatch(/1\.00 USDC for x:alice, paid by 0x[0-9a-f]+: http.*\/receipts\//);
  expect(text).toContain(String.raw`"look\u001b[2J \"here\""`);
  const { reports } = JSON.parse((await operate('reports', '--json')).text) as { reports: unknown[] };
  expect(reports).toMatchObject([
    { id: 'report_1', words, payment: { amountMicroUsdc: '1000000', recipient: 'x:alice' } },
  ]);
  expect((await operate('close-report', 'report_1', '--reason', 'a joke')).text).toBe('Closed report_1.');
  expect((await operate('reports')).text).toBe('Nothing is reported.');
  expect(await actions()).toMatchObject([
    { command: 'close-report', arguments: ['report_1', '--reason', 'a joke'], result: 'closed' },
  ]);
});

test('a program reads sums in full, and why a command was refused', async () => {
  const [first = ''] = await holdTwo();
  const { held } = JSON.parse((await operate('held', '--json')).text) as { held: Record<string, unknown>[] };
  expect(held).toMatchObject([
    { id: first, amountMicroUsdc: '1000000', heldReason: 'payer_limit', recipient: 'alice' },
    {},
  ]);
  expect(JSON.stringify(held)).not.toContain('signature');
  const refused = await operate('release', 'nobody', '--json');
  expect([refused.exitCode, JSON.parse(refused.text)]).toEqual([
    1,
    { error: 'refused', text: 'Nothing is held under that id.' },
  ]);
  const unread = await operate('release', '--json');
  expect([unread.exitCode, JSON.parse(unread.text)]).toMatchObject([2, { error: 'usage' }]);
});

describe('the database', () => {
  const started = { environment: {}, user: 'ada', random: () => new Uint8Array(), now: () => 0 };

  async function operateOn(env: Record<string, string>) {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const host = { ...started, sleep: async () => undefined, terminal: null, readInput: async () => '', say };
    const result = await runOperator(() => parseConfig({ DATA_DIR: join(dir, 'data'), ...env }), ['status'], 0, host);
    return { ...result, said };
  }

  test('is told with mode and networks before anything else', async () => {
    const { exitCode, said } = await operateOn({ DATABASE_URL: `sqlite:${join(dir, 'books.sqlite')}` });
    expect([exitCode, said]).toEqual([
      0,
      [`Mode local; networks Base, Solana; database SQLite ${join(dir, 'books.sqlite')}`],
    ]);
    const url = 'postgres://me:secret@127.0.0.1:1/books';
    expect((await operateOn({ DATABASE_URL: url })).said).toEqual([
      'Mode local; networks Base, Solana; database PostgreSQL 127.0.0.1:1/books',
    ]);
  });

  test.each([
    ['missing', null],
    ['another program’s', ''],
  ])('that is %s is refused in one line, and stays as it is', async (_, content) => {
    const path = join(dir, 'elsewhere', 'books.sqlite');
    if (content !== null) {
      mkdirSync(join(dir, 'elsewhere'));
      writeFileSync(path, content);
    }
    const { exitCode, text } = await operateOn({ DATABASE_URL: `sqlite:${path}` });
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^There is no database of this service in the file .*books\.sqlite\. .*$/);
    expect(existsSync(join(dir, 'elsewhere'))).toBe(content !== null);
    if (content === null) return;
    const store = await openStore({ kind: 'sqlite', path });
    await store.close();
    expect(await operateOn({ DATABASE_URL: `sqlite:${path}` })).toMatchObject({ exitCode: 0 });
  });

  test('of an older version is left to the service', async () => {
    const { store } = books;
    await store.tx((db) => db.run('DELETE FROM migrations'));
    expect(await operate('status')).toMatchObject({ exitCode: 1, text: expect.stringContaining('older version') });
  });
});

describe('held payouts', () => {
  test('are listed with whom they are for and why', async () => {
    const [first = '', second = ''] = await holdTwo();
    const { text } = await operate('held');
    expect(text.split('\n')).toHaveLength(2);
    expect(text).toContain(`${first}  2027-01-15 08:00 UTC  1.00 USDC on base for x:alice: payer_limit`);
    expect(text.indexOf(first)).toBeLessThan(text.indexOf(second));
  });

  test('go one by one, over the limit, and count all the same', async () => {
    const [first = '', second = ''] = await holdTwo();
    expect(await operate('release', first)).toMatchObject({ exitCode: 0 });
    const states = new Map((await books.payouts()).map(({ id, status }) => [id, status]));
    expect([states.get(first), states.get(second)]).toEqual(['queued', 'held']);
    const counter = dailyCounters.payer(dayOf(START_MS), PAYER);
    expect(await readCounter(books.store, counter)).toBe(2_000_000n);
    expect(await operate('release', first)).toMatchObject({ exitCode: 1 });
    expect(await readCounter(books.store, counter)).toBe(2_000_000n);
    expect(await actions()).toMatchObject([{ command: 'release', arguments: [first] }]);
  });

  test('go all for one reason', async () => {
    await holdTwo();
    expect(await operate('release', '--reason', 'recipient_limit')).toMatchObject({ exitCode: 1 });
    expect((await operate('release', '--reason', 'payer_limit')).text).toContain('Released 2 payouts, 2.00 USDC');
    expect((await books.payouts()).map(({ status }) => status)).toEqual(['queued', 'queued', 'queued']);
  });

  test('that are held again for another reason are not counted twice', async () => {
    await books.link(await books.meet('alice', '1'));
    await books.pay({ payees: [ALICE] });
    const { transfers } = books.store.tables;
    const hold = { status: 'held', heldReason: 'recipient_blacklisted' } as const;
    await books.store.tx((db) => db.update(transfers).set(hold));
    await operate('release', '--reason', 'recipient_blacklisted');
    expect(await readCounter(books.store, dailyCounters.payer(dayOf(START_MS), PAYER))).toBe(1_000_000n);
  });
});

describe('a stop of signing', () => {
  test('is shown, and cleared only with --yes', async () => {
    const stop = { reason: 'invariant_broken', network: 'all', detail: 'something is off' } as const;
    await stopSigning(books.store, stop, START_MS);
    expect((await operate('stops')).text).toContain('invariant_broken on all networks since 2027-01-15 08:00 UTC');
    const asked = await operate('resume', 'invariant_broken');
    expect([asked.exitCode, asked.text.includes('something is off')]).toEqual([1, true]);
    expect(await signingStops(books.store)).toHaveLength(1);
    expect((await operate('resume', 'invariant_broken', '--yes')).text).toContain('Signing goes on');
    expect(await signingStops(books.store)).toEqual([]);
    expect(await actions()).toMatchObject([
      { command: 'resume', result: 'cleared invariant_broken on all (something is off): by unknown' },
    ]);
    expect(await operate('resume', 'invariant_broken', '--yes')).toMatchObject({ exitCode: 1 });
  });

  test('is put up by the operator for one network, and cleared for that one', async () => {
    expect(await operate('stop', 'bass')).toMatchObject({ exitCode: 2 });
    expect((await operate('stop', 'base')).text).toContain('Signing is stopped on Base.');
    await operate('stop', 'solana');
    expect(await stopsOn(books.store, 'base')).toMatchObject([{ reason: 'operator', network: 'base' }]);
    expect(await stopsOn(books.store, 'polygon')).toEqual([]);
    const both = await operate('resume', 'operator', '--yes');
    expect([both.exitCode, both.text.split('\n')[0]]).toEqual([1, 'Say which one:']);
    const { text } = await operate('resume', 'operator', 'base', '--yes');
    expect(text).toMatch(/Cleared\. Still stopped:\noperator on Solana/);
    expect(await signingStops(books.store)).toMatchObject([{ network: 'solana' }]);
    expect(await stopsOn(books.store, 'base')).toEqual([]);
    expect((await actions()).map(({ command }) => command)).toEqual(['stop', 'stop', 'resume']);
  });

  test('may halt payments or payouts alone, and tells who wanted it and why', async () => {
    expect(await operate('stop', 'base', 'refunds')).toMatchObject({ exitCode: 2 });
    const stopped = await operate('stop', 'payouts', 'base', '--reason', 'a wallet looks odd');
    expect(stopped.text).toContain('Payouts are stopped on Base. Payments are taken, and their money waits.');
    await operate('stop', 'payments');
    expect((await operate('stops')).text.split('\n')).toEqual([
      expect.stringMatching(/^operator_payouts on Base since .*: by unknown: a wallet looks odd$/),
      expect.stringMatching(/^operator_payments on all networks since .*: by unknown$/),
    ]);
    const status = (await operate('status')).text;
    expect(status).toContain('Payouts: STOPPED: operator_payouts on Base');
    expect(status).toContain('Payments: STOPPED: operator_payments on all networks');
    expect((await operate('resume', '--yes')).text).toContain('Say which one:');
    expect((await operate('resume', 'base', 'payouts', '--reason', 'looked at', '--yes')).exitCode).toBe(0);
    expect((await operate('resume', 'solana', 'payments', '--yes')).exitCode).toBe(1);
    expect((await operate('resume', 'payments', '--yes')).text).toContain('Cleared. New payments are taken.');
    expect(await actions()).toMatchObject([
      { result: 'stopped payouts on base: by unknown: a wallet looks odd' },
      { result: 'stopped payments on all: by unknown' },
      { result: 'cleared operator_payouts on base (by unknown: a wallet looks odd): by unknown: looked at' },
      { result: 'cleared operator_payments on all (by unknown): by unknown' },
    ]);
  });
});

describe('a transfer that nothing explains', () => {
  test('goes back to its sender once, from suspense', async () => {
    const fact = await receive(MINE, 5_000_000n);
    books.clock.nowMs += HALF_AN_HOUR;
    await finality();
    expect((await operate('suspense')).text).toContain(
      `${fact}  2027-01-15 08:00 UTC  5.00 USDC on base from ${shownAddress(MINE)}: in suspense`,
    );
    expect((await operate('return', fact)).exitCode).toBe(1);
    expect(await books.owed('suspense:base')).toBe(5_000_000n);
    expect(await operate('return', fact, '--yes')).toMatchObject({ exitCode: 0 });
    expect(await books.owed('suspense:base')).toBe(0n);
    expect(await operate('return', fact, '--yes')).toMatchObject({
      exitCode: 1,
      text: 'It is on its way back already.',
    });
    expect((await operate('suspense')).text).toBe('Nothing is unexplained.');
    expect(await actions()).toMatchObject([{ command: 'return', result: 'returned', who: 'unknown' }]);
  });

  test('goes back when it is safe, if it is not in suspense yet', async () => {
    const fact = await receive(MINE, 5_000_000n);
    expect((await operate('return', fact, '--yes')).text).toContain('as soon as its block is safe');
    await finality();
    const { refunds } = books.store.tables;
    expect(await books.store.read.select().from(refunds)).toMatchObject([{ payer: MINE, amountMicroUsdc: 5_000_000n }]);
  });

  test('stays when nobody can say who sent it, or when it is explained', async () => {
    const fact = await receive('', 5_000_000n);
    expect(await operate('return', fact, '--yes')).toMatchObject({ exitCode: 1 });
    expect(await operate('return', 'base:log:0xb:0', '--yes')).toMatchObject({ exitCode: 1 });
    await operate('deposit-from', 'base', MINE);
    const mine = await receive(MINE, 1n, '0xc');
    await finality();
    expect((await operate('return', mine, '--yes')).text).toContain('is explained');
  });
});

describe('the operator’s own money', () => {
  test('is float when it comes from a declared address and is final; others’ goes to suspense', async () => {
    expect(await operate('deposit-from', 'base', MINE.toUpperCase().replace('0X', '0x'))).toMatchObject({
      exitCode: 0,
    });
    expect((await operate('deposit-from', 'base', MINE)).text).toBe('It was declared before.');
    await receive(MINE, 5_000_000n);
    await receive(PAYER, 1_000_000n, '0xb');
    books.clock.nowMs += HALF_AN_HOUR;
    await finality(0);
    expect([await books.owed('float:base'), await books.owed('suspense:base')]).toEqual([0n, 1_000_000n]);
    await finality();
    await finality();
    expect([await books.owed('float:base'), await books.owed('suspense:base')]).toEqual([5_000_000n, 1_000_000n]);
    expect(await actions()).toMatchObject([{ command: 'deposit-from', arguments: ['base', MINE] }]);
  });

  test('is withdrawn as a payout, never more than float', async () => {
    const opening = openingBalance({ network: 'base' as const, address: TREASURY, amount: 5_000_000n });
    await books.store.tx((db) => postEntry(db, books.store.tables, opening, START_MS));
    // Money of others lies at the same address.
    await books.pay({ payees: [ALICE] });
    const tooMuch = await operate('withdraw', 'base', MINE, '5.000001');
    expect(tooMuch).toMatchObject({ exitCode: 1, text: expect.stringContaining('Only 5.00 USDC of float') });
    expect(await operate('withdraw', 'base', MINE, '4.5')).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining(`is on its way to ${shownAddress(MINE)} as payout`),
    });
    expect(await books.payouts()).toMatchObject([
      {
        purpose: 'operator_withdrawal',
        sourceAccount: 'float:base',
        toAddress: MINE,
        amountMicroUsdc: 4_500_000n,
        status: 'queued',
      },
    ]);
    expect((await operate('withdraw', 'base', MINE, '0.6')).exitCode).toBe(1);
    expect(await actions()).toMatchObject([{ command: 'withdraw', arguments: ['base', MINE, '4.5'] }]);
  });

  test('stays where no worker serves its network', async () => {
    await storePayoutSettings(books.store, { dailyMicroUsdc: { payer: null, recipient: null }, treasuries: {} });
    expect((await operate('withdraw', 'base', MINE, '1')).text).toContain('No worker serves base');
  });
});

test('link is noted without the name or the address, and works like npm run link', async () => {
  const chain = await startBaseChain();
  onTestFinished(() => chain.close());
  mkdirSync(join(dir, 'data', 'local'), { recursive: true });
  writeFileSync(join(dir, 'data', 'local', 'payers.json'), JSON.stringify({ rpc: { base: chain.rpcUrl }, payers: [] }));
  expect(await operate('link', 'x:bob', MINE)).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining(`x:bob is paid at ${shownAddress(MINE)} from now on`),
  });
  const [action] = await actions();
  expect(action).toMatchObject({ command: 'link', arguments: [expect.stringMatching(/^person_/), 'base'] });
  expect(JSON.stringify(action)).not.toContain(MINE);
  const store = await openMigrated({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
  const wallets = await store.read.select().from(store.tables.wallets);
  await store.close();
  expect(wallets).toMatchObject([{ address: MINE, network: 'base' as const }]);
});
