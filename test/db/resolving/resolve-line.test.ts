import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inboundUndone, lineResolved } from '../../../core/ledger.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import type { LineRow } from '../../../db/payments/records/find.ts';
import { expiredLines, refundLine } from '../../../db/refunds/refund-line.ts';
import { counterOf, RESOLVING_MAX } from '../../../db/identities/lookups.ts';
import { resolveLine, returnUnresolved, type FoundPerson } from '../../../db/resolving/resolve-line.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  await books.close();
});

const ALICE = { name: 'alice', stableId: null };
const escrow = (identityId: string) => `escrow:base:${identityId}`;

async function payAlice(fee = 0n): Promise<{ paymentId: string; line: LineRow }> {
  const { paymentId, lines } = await books.pay({ payees: [ALICE], fee });
  const [line] = lines;
  if (line === undefined) throw new Error('the payment has no line');
  return { paymentId, line };
}

const resolve = (txnId: number, person: FoundPerson = { stableId: '42' }) => {
  const { ids, clock } = books;
  const dependencies = { newIdentityId: ids.identityId, transferIdOf: ids.payoutId, nowMs: clock.nowMs };
  return resolveLine(books.store, txnId, person, dependencies);
};

async function lineNow(paymentId: string): Promise<LineRow> {
  const [line] = await books.linesFor(paymentId);
  if (line === undefined) throw new Error('the line is gone');
  return line;
}

const lookups = () => books.store.read.select().from(books.store.tables.lookups);
const counter = async (platform = 'x') => {
  const { counters } = books.store.tables;
  const [row] = await books.store.read
    .select()
    .from(counters)
    .where(eq(counters.name, counterOf(platform)));
  return row?.used ?? 0n;
};

describe('a line whose platform did not answer', () => {
  test('settles like any other and waits in an account that is nobody’s', async () => {
    const { line } = await payAlice();
    expect(line.status).toBe('resolving');
    expect(await books.owed(escrow(line.identityId))).toBe(1_000_000n);
    expect(await books.store.read.select().from(books.store.tables.identities)).toEqual([]);
    expect([await lookups(), await counter()]).toMatchObject([[{ txnId: line.txnId, tries: 0 }], 1n]);
    await books.assertSound();
  });

  test('is the person’s in one entry when they are found, and the chat is told', async () => {
    const { paymentId, line } = await payAlice();
    expect(await resolve(line.txnId)).toBe('escrowed');
    const found = await lineNow(paymentId);
    const { identities, outbox } = books.store.tables;
    expect(await books.store.read.select().from(identities)).toMatchObject([{ id: found.identityId, stableId: '42' }]);
    expect([found.status, await books.causes()]).toEqual(['escrowed', ['in', 'resolve']]);
    expect([await books.owed(escrow(line.identityId)), await books.owed(escrow(found.identityId))]).toEqual([
      0n,
      1_000_000n,
    ]);
    expect([await lookups(), await counter()]).toEqual([[], 0n]);
    const keys = (await books.store.read.select().from(outbox)).map(({ topic, key }) => `${topic} ${key}`);
    expect(keys).toContain(`line_resolved {"paymentId":"${paymentId}","txnId":${line.txnId}}`);
    await books.assertSound();
  });

  test('goes on to the wallet of a person who has one', async () => {
    const identityId = await books.meet('alice', '42');
    await books.link(identityId);
    const { paymentId, line } = await payAlice();
    expect(await resolve(line.txnId)).toBe('paying');
    expect(await books.store.read.select().from(books.store.tables.transfers)).toMatchObject([
      { sourceAccount: escrow(identityId), amountMicroUsdc: 1_000_000n, status: 'queued' },
    ]);
    expect((await lineNow(paymentId)).identityId).toBe(identityId);
    expect(await books.owed('outflight:base')).toBe(1_000_000n);
    await books.assertSound();
  });

  test('is resolved once, however many say so at the same time', async () => {
    const { line } = await payAlice();
    const results = await Promise.all(Array.from({ length: 8 }, () => resolve(line.txnId)));
    expect(results.toSorted()).toEqual(['escrowed', ...Array.from({ length: 7 }, () => 'not-waiting')]);
    expect(await books.causes()).toEqual(['in', 'resolve']);
    await books.assertSound();
  });

  test('is found or refunded, never both', async () => {
    const { line } = await payAlice();
    const { nowMs } = books.clock;
    await Promise.all([
      resolve(line.txnId),
      returnUnresolved(books.store, line.txnId, 'not_found', nowMs),
      returnUnresolved(books.store, line.txnId, 'no_answer', nowMs),
      resolve(line.txnId),
    ]);
    const { refunds } = books.store.tables;
    const refunded = (await books.store.read.select().from(refunds)).length;
    const resolved = (await books.causes()).filter((cause) => cause === 'resolve').length;
    expect(refunded + resolved).toBe(1);
    await books.assertSound();
  });

  test('comes back with its fee and the reason when nobody has the name', async () => {
    const { paymentId, line } = await payAlice(20_000n);
    expect(await returnUnresolved(books.store, line.txnId, 'not_found', books.clock.nowMs)).toBe('refunded');
    expect(await lineNow(paymentId)).toMatchObject({ status: 'returning', returnReason: 'not_found' });
    const { refunds } = books.store.tables;
    expect(await books.store.read.select().from(refunds)).toMatchObject([{ amountMicroUsdc: 1_020_000n }]);
    expect([await books.owed(escrow(line.identityId)), await books.owed('fees:base')]).toEqual([0n, 0n]);
    expect([await lookups(), await counter()]).toEqual([[], 0n]);
    await books.assertSound();
  });

  test('can be cancelled by its payer, and is then not looked up any more', async () => {
    const { paymentId, line } = await payAlice();
    expect(await refundLine(books.store, line.txnId, books.clock.nowMs)).toBe('refunded');
    expect(await lineNow(paymentId)).toMatchObject({ status: 'returning', returnReason: null });
    expect([await lookups(), await counter()]).toEqual([[], 0n]);
    expect(await resolve(line.txnId)).toBe('not-waiting');
    await books.assertSound();
  });

  test('does not expire while it is looked up', async () => {
    const { line } = await payAlice();
    const later = books.clock.nowMs + 31 * 86_400_000;
    expect(await expiredLines(books.store, later, 10)).toEqual([]);
    await resolve(line.txnId);
    expect(await expiredLines(books.store, later, 10)).toEqual([line.txnId]);
  });

  test('that was found already is not taken back because another lookup got no answer', async () => {
    const { paymentId, line } = await payAlice();
    await resolve(line.txnId);
    expect(await returnUnresolved(books.store, line.txnId, 'no_answer', books.clock.nowMs)).toBe('not-waiting');
    expect((await lineNow(paymentId)).status).toBe('escrowed');
  });

  test('goes back alone: the others of its batch stay, and the fee with them', async () => {
    const payees = [ALICE, { name: 'bob', stableId: '7' }];
    const { paymentId, lines } = await books.pay({ payees, fee: 30_000n });
    await returnUnresolved(books.store, lines[0]?.txnId ?? 0, 'not_found', books.clock.nowMs);
    expect((await books.linesFor(paymentId)).map(({ status }) => status)).toEqual(['returning', 'escrowed']);
    expect(await books.owed('fees:base')).toBe(30_000n);
    await books.assertSound();
  });
});

describe('the present owner of the name may not be the person who was meant', () => {
  const reason = async (paymentId: string) => (await lineNow(paymentId)).returnReason;

  test('another person is known under the name: it goes back', async () => {
    await books.meet('alice', '41');
    const { paymentId, line } = await payAlice();
    expect(await resolve(line.txnId)).toBe('returned');
    expect(await reason(paymentId)).toBe('had_another_owner');
    await books.assertSound();
  });

  test('another person was paid under the name and goes by another since: it goes back', async () => {
    await books.pay({ payees: [{ name: 'alice', stableId: '41' }] });
    await books.meet('alice_old', '41');
    const { paymentId, line } = await payAlice();
    expect(await resolve(line.txnId)).toBe('returned');
    expect(await reason(paymentId)).toBe('had_another_owner');
  });

  test('the same person was known before, also under another name: it is theirs', async () => {
    await books.pay({ payees: [{ name: 'alice', stableId: '42' }] });
    await books.meet('alice_old', '42');
    const { line } = await payAlice();
    expect(await resolve(line.txnId)).toBe('escrowed');
  });

  test('the same name on another platform says nothing', async () => {
    await books.meet('alice', '41', 'code');
    const { line } = await payAlice();
    expect(await resolve(line.txnId)).toBe('escrowed');
  });

  test.each([
    ['a moment older than the payment', START_MS - 1, 'escrowed'],
    ['of the payment’s own moment', START_MS, 'escrowed'],
    ['a moment newer than the payment', START_MS + 1, 'returned'],
    ['of unknown age', undefined, 'escrowed'],
  ] as const)('an account %s', async (_case, sinceMs, result) => {
    const { paymentId, line } = await payAlice();
    books.clock.nowMs += 60_000;
    const person = sinceMs === undefined ? { stableId: '42' } : { stableId: '42', sinceMs };
    expect(await resolve(line.txnId, person)).toBe(result);
    expect(await reason(paymentId)).toBe(result === 'returned' ? 'newer_than_payment' : null);
    await books.assertSound();
  });
});

describe('a reorganisation', () => {
  test('while it is looked up takes the money away and brings it back; only then it is decided', async () => {
    const { paymentId, line } = await payAlice();
    expect(await books.reorganise()).toEqual([paymentId]);
    expect(await books.owed(escrow(line.identityId))).toBe(0n);
    expect(await resolve(line.txnId)).toBe('not-waiting');
    expect(await returnUnresolved(books.store, line.txnId, 'not_found', 0)).toBe('not-waiting');
    expect(await refundLine(books.store, line.txnId, 0)).toBe('not-waiting');
    expect((await lineNow(paymentId)).status).toBe('resolving');
    await books.assertSound();
    await books.mine([paymentId]);
    expect(await books.owed(escrow(line.identityId))).toBe(1_000_000n);
    expect(await resolve(line.txnId)).toBe('escrowed');
    expect(await books.causes()).toEqual(['in', 'un.in', 'in', 'resolve']);
    await books.assertSound();
  });

  test('just after takes it from the person, who gets it when it lands again', async () => {
    const { paymentId, line } = await payAlice();
    await resolve(line.txnId);
    const { identityId } = await lineNow(paymentId);
    await books.reorganise();
    expect([await books.owed(escrow(identityId)), await books.owed(escrow(line.identityId))]).toEqual([0n, 0n]);
    await books.assertSound();
    await books.mine([paymentId]);
    expect([await books.owed(escrow(identityId)), await books.owed(escrow(line.identityId))]).toEqual([1_000_000n, 0n]);
    expect(await books.causes()).toEqual(['in', 'resolve', 'un.in', 'in']);
    await books.assertSound();
  });

  test('after it was sent on is our loss until the payment lands again', async () => {
    await books.link(await books.meet('alice', '42'));
    const { paymentId, line } = await payAlice();
    await resolve(line.txnId);
    await books.reorganise();
    expect(await books.owed('reorg_loss:base')).toBe(-1_000_000n);
    await books.assertSound();
    await books.mine([paymentId]);
    expect(await books.owed('reorg_loss:base')).toBe(0n);
    expect(await books.store.read.select().from(books.store.tables.transfers)).toHaveLength(1);
    await books.assertSound();
  });

  test('after it was refunded with its fee is our loss, fee included, until the payment lands again', async () => {
    const { paymentId, line } = await payAlice(20_000n);
    await returnUnresolved(books.store, line.txnId, 'not_found', books.clock.nowMs);
    await books.reorganise();
    expect(await books.owed('reorg_loss:base')).toBe(-1_020_000n);
    await books.assertSound();
    await books.mine([paymentId]);
    expect([await books.owed('reorg_loss:base'), await books.owed('fees:base')]).toEqual([0n, 0n]);
    await books.assertSound();
  });

  test('that the payment does not survive ends the looking up', async () => {
    const { paymentId } = await payAlice();
    await books.reorganise();
    expect(await books.bury(paymentId)).toBe(true);
    expect((await lineNow(paymentId)).status).toBe('void');
    expect([await lookups(), await counter()]).toEqual([[], 0n]);
    await books.assertSound();
  });
});

describe('an outage does not collect money without end', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => ({ name: `n${index}`, stableId: null, amount: 10_000n }));
  const fill = async () => {
    for (let count = 0; count < RESOLVING_MAX; count += hundred.length) {
      expect((await books.claim({ payer: `0x${count}`, payees: hundred })).kind).toBe('reserved');
    }
  };

  test('one line more than fits is refused, and nothing of it is kept', async () => {
    await fill();
    const claimed = await books.claim({ payees: [{ name: 'bob', stableId: '7' }, ALICE] });
    expect(claimed).toEqual({ kind: 'too-many-resolving', platform: 'x' });
    const { payments, proofs, payerLoads } = books.store.tables;
    const [rows, claims] = [
      await books.store.read.select().from(payments),
      await books.store.read.select().from(proofs),
    ];
    expect([rows.length, claims.length]).toEqual([10, 10]);
    const loads = await books.store.read.select().from(payerLoads);
    expect(loads.map(({ payer }) => payer)).not.toContain(`0x${'99'.repeat(20)}`);
    await books.assertSound();
  });

  test('names that are known, and other platforms, still pass', async () => {
    await fill();
    expect((await books.claim({ payees: [{ name: 'bob', stableId: '7' }] })).kind).toBe('reserved');
    expect((await books.claim({ payees: [{ ...ALICE, platform: 'code' }] })).kind).toBe('reserved');
    await books.assertSound();
  });

  test('there is room again for each line that is decided', async () => {
    const first = await payAlice();
    const full = hundred.slice(0, 99);
    await books.claim({ payer: '0xfirst', payees: full });
    for (let count = 100; count < RESOLVING_MAX; count += hundred.length) {
      await books.claim({ payer: `0x${count}`, payees: hundred });
    }
    expect((await books.claim({ payees: [ALICE] })).kind).toBe('too-many-resolving');
    await resolve(first.line.txnId);
    expect((await books.claim({ payees: [ALICE] })).kind).toBe('reserved');
    expect((await books.claim({ payees: [ALICE] })).kind).toBe('too-many-resolving');
    await books.assertSound();
  });
});

describe('CONTROL: what would break is seen to break', () => {
  const rules = async () => (await findViolations(books.store)).map(({ rule }) => rule);
  const run = (work: Parameters<Books['store']['tx']>[0]) => books.store.tx(work);
  const { network, amount } = { network: 'base' as const, amount: 1_000_000n };

  async function resolved() {
    const { paymentId, line } = await payAlice();
    await resolve(line.txnId);
    const { identityId, txnId } = await lineNow(paymentId);
    return { network, paymentId, txnId, placeholderId: line.identityId, identityId, amount };
  }

  test('resolving posted twice is refused: by its cause, and under another cause by the account', async () => {
    const event = await resolved();
    const { tables } = books.store;
    await expect(run((db) => postEntry(db, tables, lineResolved(event), 0))).rejects.toThrow('was posted before');
    const other = lineResolved({ ...event, txnId: 1 });
    await expect(run((db) => postEntry(db, tables, other, 0))).rejects.toThrow();
    await books.assertSound();
  });

  test('money that is posted back to the placeholder, or a line that names it again, is a violation', async () => {
    const event = await resolved();
    const { tables } = books.store;
    const { placeholderId, identityId } = event;
    const back = lineResolved({ ...event, txnId: 1, placeholderId: identityId, identityId: placeholderId });
    await run((db) => postEntry(db, tables, back, 0));
    expect(await rules()).toEqual(['escrow = waiting lines', 'escrow = waiting lines']);
  });

  test('a line that nobody is asked for, one that is asked for in vain, and a wrong counter are violations', async () => {
    const { line } = await payAlice();
    const { tables } = books.store;
    await run((db) => db.delete(tables.lookups));
    expect(await rules()).toEqual(['lookups = resolving lines', 'lookups = resolving lines']);
    await run((db) => db.update(tables.lines).set({ status: 'escrowed' }).where(eq(tables.lines.txnId, line.txnId)));
    await run((db) => db.update(tables.counters).set({ used: 0n }));
    expect(await rules()).toEqual([]);
    const row = { txnId: line.txnId, paymentId: line.paymentId, platform: 'x', nextTryAtMs: 0, tries: 0 };
    await run((db) => db.insert(tables.lookups).values(row));
    expect(await rules()).toEqual(['lookups = resolving lines', 'lookups = resolving lines']);
  });

  test('a placeholder that a person could collect is a violation', async () => {
    const { line } = await payAlice();
    const { tables } = books.store;
    const person = { id: line.identityId, platform: 'x', stableId: '1', key: 'mallory', display: 'mallory' };
    await run((db) => db.insert(tables.identities).values({ ...person, createdAtMs: 0 }));
    expect(await rules()).toEqual(['placeholders name nobody']);
  });

  test('undoing a landing without saying that its fee went back is refused by the fees’ account', async () => {
    const { line } = await payAlice(20_000n);
    await returnUnresolved(books.store, line.txnId, 'not_found', 0);
    const credits = [{ identityId: line.identityId, amount, left: true }];
    const event = { network, address: TREASURY, fact: 'fact', landing: 1, fee: 20_000n, credits };
    const undo = (feeReturned: bigint) =>
      run((db) => postEntry(db, books.store.tables, inboundUndone({ ...event, feeReturned }), 0));
    await expect(undo(0n)).rejects.toThrow();
    await undo(20_000n);
  });
});
