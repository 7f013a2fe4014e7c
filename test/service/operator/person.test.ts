/** A person's data is handed out or erased by the id of one person: names change hands. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { runOperator } from '../../../service/operator/run.ts';
import { erasedName, personName } from '../../../service/readiness/erasure-list.ts';
import { openBooks, TREASURY, type Books } from '../../support/books.ts';
import { createClaimants, newAddress } from '../../db/claims/claimants.ts';

const ALICE = { name: 'alice', stableId: '1' };

let books: Books;
let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-operator-'));
  mkdirSync(join(dir, 'data'));
  books = await openBooks({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
  await storePayoutSettings(books.store, {
    dailyMicroUsdc: { payer: 1_000_000n, recipient: null },
    treasuries: { base: TREASURY },
  });
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
  rmSync(dir, { recursive: true, force: true });
});

async function operate(...words: string[]) {
  const env = { DATABASE_URL: `sqlite:${join(dir, 'books.sqlite')}`, DATA_DIR: join(dir, 'data') };
  return runOperator(() => parseConfig(env), ['person', ...words], books.clock.nowMs);
}

const actions = () => books.store.read.select().from(books.store.tables.operatorActions);

test.each([
  [[], 2, 'Expected export or erase'],
  [['erase', 'alice'], 2, 'Name the person as platform:#id'],
  [['export', 'x:nobody'], 1, 'Nothing is known of x:nobody.'],
  [['export', 'x:#7'], 1, 'Nothing is known of x:#7.'],
])('%j ends with %i and says %j', async (words, exitCode, says) => {
  const result = await operate(...words);
  expect(result.exitCode).toBe(exitCode);
  expect(result.text).toContain(says);
});

test('waiting money goes back before anything is erased, and nothing is without --yes', async () => {
  await books.pay({ payees: [ALICE] });
  const asked = (await operate('erase', 'x:#1')).text;
  expect(asked).toContain('This is x:#1 (alice).');
  expect(asked).toContain('Nothing was changed');
  const first = await operate('erase', 'x:#1', '--yes');
  expect([first.exitCode, first.text]).toEqual([1, expect.stringContaining('is on its way back to its payers')]);
  const again = await operate('erase', 'x:#1', '--yes');
  expect([again.exitCode, again.text]).toEqual([1, expect.stringContaining('are not final yet')]);
  expect(await actions()).toEqual([]);
});

test('somebody of whom no money is here is handed what is known, and erased; the record names nobody', async () => {
  const id = await books.meet('alice', '1');
  const handedOut = await operate('export', 'x:#1', '--json');
  expect(JSON.parse(handedOut.text)).toMatchObject({ person: { name: 'alice', user_id: '1', received: [] } });
  const erased = await operate('erase', 'x:#1', '--yes');
  expect(erased).toMatchObject({ exitCode: 0 });
  expect(erased.text).toContain('What cannot be erased: transactions on the chains');
  expect((await actions()).map(({ command, arguments: words }) => [command, words])).toEqual([
    ['person export', [id]],
    ['person erase', [id]],
  ]);
  expect((await operate('export', 'x:#1')).exitCode).toBe(1);
  const kept = readFileSync(join(dir, 'data', 'erasures.jsonl'), 'utf8');
  expect(kept).toContain(erasedName(personName({ platform: 'x', stableId: '1' })));
  expect(kept).not.toContain('alice');
});

test('a name that changed hands does nothing with anyone, and tells who proved it', async () => {
  const { lines } = await books.pay({ payees: [ALICE] });
  const { claimId } = await createClaimants(books).ready({ name: 'alice', stableId: '2' }, { base: newAddress() });
  for (const words of [
    ['export', 'x:Alice'],
    ['erase', 'x:alice', '--yes'],
  ]) {
    const { exitCode, text } = await operate(...words);
    expect(exitCode).toBe(1);
    expect(text).toContain('x:#1 (alice)  no claim here proved x:alice');
    expect(text).toMatch(new RegExp(`x:#2 \\(alice\\)  proved x:alice at .* UTC by claim ${claimId}`));
    expect(text).not.toContain('1000000');
  }
  const [line] = await books.linesFor(lines[0]?.paymentId ?? '');
  expect(line).toMatchObject({ status: 'escrowed', recipientKey: 'alice' });
  expect(await actions()).toEqual([]);
  const own = JSON.parse((await operate('export', 'x:#2', '--json')).text);
  expect(own).toMatchObject({ person: { user_id: '2', received: [] } });
});

test('a name of which one person is known is not theirs for sure either', async () => {
  await books.pay({ payees: [ALICE] });
  const { exitCode, text } = await operate('export', 'x:alice');
  expect([exitCode, text]).toEqual([1, expect.stringContaining('x:#1 (alice)  no claim here proved x:alice')]);
  expect(await actions()).toEqual([]);
});

test('a name of digits alone is not the person whose id reads the same', async () => {
  await books.pay({ payees: [{ name: 'victim', stableId: '4711', platform: 'code' }] });
  expect(await operate('export', 'code:4711')).toMatchObject({ exitCode: 1 });
  await books.meet('4711', '9', 'code');
  const { exitCode, text } = await operate('export', 'code:4711');
  expect([exitCode, text]).toEqual([1, expect.stringContaining('code:#9 (4711)')]);
  expect(text).not.toContain('victim');
});

test('an address is the person, also where it begins with the mark of an id', async () => {
  for (const address of ['alice@example.com', '#alice@example.com']) await books.meet(address, address, 'email');
  const exported = async (word: string) => JSON.parse((await operate('export', word, '--json')).text);
  expect(await exported('email:Alice@example.com')).toMatchObject({ person: { user_id: 'alice@example.com' } });
  expect(await exported('email:#alice@example.com')).toMatchObject({ person: { user_id: '#alice@example.com' } });
});
