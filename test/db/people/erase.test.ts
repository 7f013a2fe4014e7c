/** A person's data is erased once no money of theirs is here: the books stay sound, and nothing names the person. */
import { distributionOrderId } from '../../../core/rewards/distribution.ts';
import { addDistribution } from '../../../db/rewards/distributions.ts';
import { newDistribution } from '../../support/rewards/distributions.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { ERASED_NAME } from '../../../core/people/erased.ts';
import { exportPerson } from '../../../db/people/export.ts';
import { erasePerson, findObstacle } from '../../../db/people/erase.ts';
import { everyPerson, findBearers, findById } from '../../../db/people/find.ts';
import { createRefundPayout, payersOwed } from '../../../db/refunds/create-payouts.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { blockPayers } from '../../../db/tips/blocks.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { createClaimants, newAddress } from '../claims/claimants.ts';

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const payees = [
  { name: 'zqperson', stableId: '777001777001' },
  { name: 'other', stableId: '2' },
];

async function person() {
  const found = await findById(books.store, 'x', '777001777001');
  if (found === null) throw new Error('the person is not known');
  return found;
}

/** It goes back, and its answer names who should have got it. */
async function end(paymentId: string): Promise<void> {
  const lines = await books.linesFor(paymentId);
  const { erasedAnswers, payments } = books.store.tables;
  for (const line of lines) await refundLine(books.store, line.txnId, books.clock.nowMs);
  await books.store.tx(async (db) => {
    await db.insert(erasedAnswers).values({ paymentId });
    await db.update(payments).set({ answer: answerOf(lines) });
    await db.delete(erasedAnswers);
  });
}

const answerOf = (lines: readonly { txnId: number; recipientKey: string }[]) => ({
  code: 200,
  data: lines.map(({ txnId, recipientKey }) => ({ txn_id: txnId, username: recipientKey })),
});

/** Every text of every table. */
async function dump(): Promise<string> {
  const rows = [];
  for (const table of Object.values(books.store.tables))
    rows.push(await books.store.read.select().from(table as never));
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Into a wallet whose address was shown. */
async function putIn(walletId: string, transaction: string): Promise<void> {
  const { depositWatches, walletDeposits } = books.store.tables;
  const at = { walletId, network: 'base' } as const;
  await books.store.tx(async (db) => {
    await db.insert(depositWatches).values({ ...at, address: `${transaction}aa`, sinceMs: 1, block: 1 });
    await db.insert(walletDeposits).values({ ...at, transaction, place: 0, amountMicroUsdc: 5n, atMs: 1 });
  });
}

test('money that waits, and money on its way, stand before it', async () => {
  const { paymentId } = await books.pay({ payees });
  const [line] = await books.linesFor(paymentId);
  expect(await findObstacle(books.store, await person(), books.clock.nowMs)).toEqual({
    kind: 'waits',
    txnIds: [line?.txnId],
  });
  await refundLine(books.store, line?.txnId ?? 0, books.clock.nowMs, 'declined');
  expect(await findObstacle(books.store, await person(), books.clock.nowMs)).toMatchObject({ kind: 'under_way' });
});

test('what is exported is what the books know of this person, and of no other', async () => {
  await books.pay({ payees });
  const text = JSON.stringify(await exportPerson(books.store, await person()), (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(text).toContain('zqperson');
  expect(text).toContain('"amount_micro_usdc":"1000000"');
  expect(text).not.toContain('other');
});

test('afterwards no table names the person, the other stays, and the same name is a new person', async () => {
  const { paymentId } = await books.pay({ payees });
  const { identities, claims, purchases, wallets, walletWithdrawals } = books.store.tables;
  const found = await person();
  // They were rewarded by it, for a post.
  const [share] = newDistribution(1).shares;
  if (share === undefined) throw new Error('a distribution has shares');
  const shares = [{ ...share, userId: '777001777001', username: 'zqperson' }];
  const rewarded = newDistribution(1, { shares });
  await addDistribution(books.store, rewarded, { secretHash: 'ab'.repeat(32), caller: null });
  await books.store.tx((db) => db.insert(purchases).values({ orderId: distributionOrderId(rewarded.id), paymentId }));
  await end(paymentId);
  await books.store.tx(async (db) => {
    await addHolder(
      db,
      books.store.tables,
      { holderId: 'chat:b', walletId: 'x:777001777001', identityId: found.id, name: 'x:zqperson' },
      1,
    );
    const times = { createdAtMs: 1, notBeforeMs: 1 };
    await db.insert(walletWithdrawals).values({
      id: 'w'.repeat(32),
      holderId: 'chat:b',
      requestKey: 'closing:base:x:777001777001:2027-01-15',
      walletId: 'x:777001777001',
      network: 'base',
      fromAddress: '0x1',
      toAddress: '0x2',
      amountMicroUsdc: 1n,
      status: 'failed',
      ...times,
    });
    await db.insert(wallets).values({
      identityId: found.id,
      network: 'base',
      address: '0x2',
      source: 'claim',
      linkedAtMs: 1,
      usedAtMs: 1,
    });
    await db.insert(claims).values({
      id: 'c',
      platform: 'x',
      key: 'zqperson',
      display: 'zqperson',
      identityId: found.id,
      payout: { base: '0x2' },
      method: 'oauth',
      status: 'confirmed',
      tries: 0,
      createdAtMs: 1,
      expiresAtMs: 2,
    });
  });
  await putIn('x:777001777001', '0x3');
  await putIn('x:2', '0x4');
  expect(await dump()).toContain('zqperson');
  expect(await exportPerson(books.store, found)).toMatchObject({
    purse: { deposits: [{ transaction: '0x3', amount_micro_usdc: 5n }] },
  });
  await erasePerson(books.store, found);
  await erasePerson(books.store, found);
  const left = await dump();
  expect(left).not.toContain('zqperson');
  expect(left).not.toContain('777001777001');
  expect(left).toContain('other');
  expect(left).toContain('0x4');
  const [line] = await books.linesFor(paymentId);
  expect(line).toMatchObject({ recipientKey: ERASED_NAME, display: ERASED_NAME, amountMicroUsdc: 1_000_000n });
  expect((await books.paymentOf(paymentId)).answer).toMatchObject({
    data: [{ username: null }, { username: 'other' }],
  });
  const [row] = await books.store.read.select().from(identities).where(eq(identities.id, found.id));
  expect(row).toMatchObject({ key: ERASED_NAME, optedOutAtMs: null });
  expect(await books.meet('zqperson', '777001777001')).not.toBe(found.id);
});

test('a stored answer changes for no other reason', async () => {
  const { paymentId } = await books.pay({ payees });
  const { payments } = books.store.tables;
  const write = (answer: Record<string, unknown>) =>
    books.store.tx((db) => db.update(payments).set({ answer }).where(eq(payments.id, paymentId)));
  await expect(write({ code: 201 })).rejects.toThrow();
});

test('a name tells everyone who had or proved it here; an id that reads the same is nobody of that name', async () => {
  const former = await books.meet('zqperson', '777001777001');
  const present = await books.meet('zqperson', '3');
  await books.meet('other', 'zqperson');
  const claimants = createClaimants(books);
  const { claimId } = await claimants.ready({ name: 'zqperson', stableId: '3' }, { open: true });
  const found = await findBearers(books.store, 'x', 'zqperson');
  expect(new Map(found.map(({ person: { id }, proof }) => [id, proof?.claimId ?? null]))).toEqual(
    new Map([
      [former, null],
      [present, claimId],
    ]),
  );
  // Paid under the name before, and asked about since: the proof still tells who it was.
  await books.meet('renamed', '3');
  expect((await findBearers(books.store, 'x', 'zqperson')).map(({ person: { id } }) => id)).toContain(present);
});

test('erasing a former owner of a name leaves the claim that its present owner has proved', async () => {
  const former = await books.meet('zqperson', '777001777001');
  const claimants = createClaimants(books);
  const { claimId } = await claimants.ready({ name: 'zqperson', stableId: '3' }, { base: newAddress() });
  const opened = await claimants.open('zqperson', { open: true });
  await erasePerson(books.store, await person());
  const left = (await books.store.read.select().from(books.store.tables.claims)).map(({ id }) => id);
  expect(left).toEqual([claimId]);
  expect(left).not.toContain(opened);
  expect(await findById(books.store, 'x', '777001777001')).toBeNull();
  expect((await findBearers(books.store, 'x', 'zqperson')).map(({ person: { id } }) => id)).not.toContain(former);
});

test('an export shows no wallet of a payer: neither by what went back to it, nor by a block', async () => {
  const { store } = books;
  const id = await books.meet('zqperson', '777001777001');
  const returned = await books.pay({ payees });
  const [line] = await books.linesFor(returned.paymentId);
  await refundLine(store, line?.txnId ?? 0, books.clock.nowMs, 'declined');
  await books.link(id);
  await books.pay({ payees });
  const [owed] = await payersOwed(store, 'base', 1n);
  if (owed === undefined) throw new Error('nothing is owed to the payer');
  await createRefundPayout(store, { ...owed, network: 'base', minMicroUsdc: 1n }, books.transferIdOf, START_MS);
  const { transfers } = store.tables;
  const land = (purpose: 'payout' | 'refund', landedTransaction: string) =>
    store.tx((db) => db.update(transfers).set({ landedTransaction }).where(eq(transfers.purpose, purpose)).returning());
  expect([await land('refund', '0xback'), await land('payout', '0xpaid')]).toMatchObject([[{}], [{}]]);
  await blockPayers(store, { identityIds: [id], payers: ['0xwallet', 'telegram:5'] }, START_MS);
  await blockPayers(store, { identityIds: [id], payers: ['0xsecond'] }, START_MS + 1);
  const found = await exportPerson(store, await person());
  expect(found).toMatchObject({
    received: expect.arrayContaining([
      expect.objectContaining({ status: 'returning', transaction: null }),
      expect.objectContaining({ status: 'paying', transaction: '0xpaid' }),
    ]),
    blocked_payers: { count: 2, since_ms: [START_MS, START_MS + 1] },
  });
  const text = JSON.stringify(found, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  for (const secret of ['0xback', '0xwallet', '0xsecond', 'telegram:5']) expect(text).not.toContain(secret);
});

test('everyone is found, page by page', async () => {
  await books.pay({ payees });
  const found = [];
  for await (const one of everyPerson(books.store)) found.push(one.key);
  expect(found.toSorted()).toEqual(['other', 'zqperson']);
});
