import { countEndedPayouts } from '../../../db/counts/ended.ts';
import type { Network } from '../../../core/networks.ts';
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openingBalance, payoutReserved } from '../../../core/ledger.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { giveBackHeld } from '../../../db/operator/give-back.ts';
import { createRefundPayout } from '../../../db/refunds/create-payouts.ts';
import { assignTransfers, holdTransfer } from '../../../db/transfers/authorize.ts';
import { exposureCounter } from '../../../db/transfers/exposure.ts';
import { queuedTransfers } from '../../../db/transfers/find.ts';
import { renewDead } from '../../../db/transfers/renew.ts';
import { floatCovers, readFloat } from '../../../db/transfers/float.ts';
import { fundingOf, isSafe } from '../../../db/transfers/funding.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { payWaitingLine } from '../../../db/transfers/waiting.ts';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { expiredLines, refundLine } from '../../../db/refunds/refund-line.ts';
import { resolveLine } from '../../../db/resolving/resolve-line.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { startCursor } from '../../../db/scan/cursor.ts';
import { readBooks } from '../../../db/audit/books.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';
import { payableOf } from '../../support/transfers/payable.ts';

const SOLANA_TREASURY = 'TreasuryOnSolana';
const WALLET = 'AliceOnSolana';
const ALICE = { name: 'alice', stableId: '1' };
const SOLANA = { network: 'solana' as const, treasury: SOLANA_TREASURY } as const;
const BASE = { network: 'base' as const, treasury: TREASURY } as const;

/** A finalized block when the window of what `assign` signs is over. */
const OVER = { finalizedTime: 1 };

let books: Books;
let alice: string;
beforeEach(async () => {
  books = await openBooks();
  alice = await books.meet('alice', '1');
  const treasuries = { base: TREASURY, solana: SOLANA_TREASURY };
  await storePayoutSettings(books.store, { dailyMicroUsdc: { payer: null, recipient: null }, treasuries });
});
afterEach(async () => {
  await books.assertSound();
  for (const { network, treasury } of [BASE, SOLANA]) {
    const { float, reorgLoss } = (await readBooks(books.store, network, [treasury])) ?? { float: 0n, reorgLoss: 0n };
    if (float < reorgLoss) throw new Error(`${network} has lost ${reorgLoss}, and ${float} is there for it`);
  }
  await books.close();
});

/** Solana is scanned from slot 1,000,000 on: far above any block of Base. */
async function openSolana(float: bigint): Promise<void> {
  const slot = 1_000_000;
  const cursor = {
    network: 'solana' as const,
    block: slot,
    firstBlock: 0,
    blockHash: '',
    blockTime: 1,
    safeBlock: slot,
    finalizedBlock: slot,
  };
  const opening =
    float === 0n ? [] : [openingBalance({ network: 'solana' as const, address: SOLANA_TREASURY, amount: float })];
  await startCursor(books.store, cursor, opening, START_MS);
}

async function addFloat(amount: bigint): Promise<void> {
  const entry = {
    ...openingBalance({ network: 'solana' as const, address: SOLANA_TREASURY, amount }),
    cause: `more:${amount}`,
  };
  await books.store.tx((db) => postEntry(db, books.store.tables, entry, START_MS));
}

const onSolana = () => books.link(alice, WALLET, 'solana');

async function onlyPayout(): Promise<TransferRow> {
  const payout = (await books.payouts()).at(-1);
  if (payout === undefined) throw new Error('there is no payout');
  return payout;
}

/** Signs it, as the worker of its network does. Answers its nonce. */
async function assign(payout: TransferRow, exposed = false): Promise<string> {
  const nonce = randomBytes(32).toString('hex');
  const signed = { ...payout, nonce, validBefore: 1, signature: 's', exposed };
  const exposure = { counter: exposureCounter(payout.network), capMicroUsdc: 10_000_000n };
  await assignTransfers(books.store, [signed], exposure, books.clock.nowMs);
  return nonce;
}

async function land(payout: TransferRow, nonce: string): Promise<void> {
  const transfer = {
    transaction: nonce,
    logIndex: 0,
    position: 0,
    block: 1_000_010,
    firstBlock: 0,
    blockHash: '',
    from: payout.fromAddress,
    to: payout.toAddress,
    value: payout.amountMicroUsdc,
    authorizer: payout.fromAddress,
    nonce,
  };
  const seen = { network: 'solana' as const, transfers: [transfer], ownAddresses: [SOLANA_TREASURY] };
  const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: books.clock.nowMs };
  await applyTransfers(books.store, seen, settle);
}

const lineOf = async (paymentId: string) => {
  const [line] = await books.linesFor(paymentId);
  if (line === undefined) throw new Error('the line is gone');
  return line;
};

async function payWaiting(): Promise<(string | null)[]> {
  const { store, ids, clock } = books;
  const made = [];
  for (const txnId of await payableOf(books)) made.push(await payWaitingLine(store, txnId, ids.payoutId, clock.nowMs));
  return made;
}

const float = (place: typeof SOLANA | typeof BASE) => readFloat(books.store.read, books.store.tables, place);

describe('money for a person whose only wallet is on another network', () => {
  test('is paid there out of float when it settles, and what came in becomes float here', async () => {
    await openSolana(5_000_000n);
    await onSolana();
    const { paymentId } = await books.pay({ payees: [ALICE] });
    expect(await onlyPayout()).toMatchObject({
      network: 'solana' as const,
      crossFrom: 'base',
      sourceAccount: `escrow:base:${alice}`,
      fromAddress: SOLANA_TREASURY,
      toAddress: WALLET,
      status: 'queued',
    });
    expect((await lineOf(paymentId)).status).toBe('paying');
    expect([await books.owed('float:base'), await books.owed('float:solana')]).toEqual([1_000_000n, 4_000_000n]);
    expect([await books.owed('outflight:solana'), await books.owed('outflight:base')]).toEqual([1_000_000n, 0n]);
    expect(await books.causes()).toEqual(['open', 'in', 'cross']);
  });

  test('lands there like any other payout, and each network balances', async () => {
    await openSolana(5_000_000n);
    await onSolana();
    await books.pay({ payees: [ALICE] });
    const payout = await onlyPayout();
    await land(payout, await assign(payout));
    expect((await onlyPayout()).status).toBe('confirmed');
    expect([await books.owed('outflight:solana'), await books.owed(`chain:solana:${SOLANA_TREASURY}`)]).toEqual([
      0n,
      -4_000_000n,
    ]);
  });

  test('is paid when the wallet is linked', async () => {
    await openSolana(5_000_000n);
    await books.pay({ payees: [ALICE] });
    expect(await onSolana()).toHaveLength(1);
    expect(await onlyPayout()).toMatchObject({ network: 'solana' as const, crossFrom: 'base' });
  });

  test('is paid when its name is resolved later', async () => {
    await openSolana(5_000_000n);
    await onSolana();
    const { lines } = await books.pay({ payees: [{ name: 'alice', stableId: null }] });
    const { ids, clock, store } = books;
    const dependencies = { newIdentityId: ids.identityId, transferIdOf: ids.payoutId, nowMs: clock.nowMs };
    await resolveLine(store, lines[0]?.txnId ?? 0, { stableId: '1' }, dependencies);
    await payWaiting();
    expect(await onlyPayout()).toMatchObject({ network: 'solana' as const, crossFrom: 'base', status: 'queued' });
  });

  test('stays on its own network when there is a wallet there', async () => {
    await openSolana(5_000_000n);
    await onSolana();
    await books.link(alice);
    await books.pay({ payees: [ALICE] });
    expect(await onlyPayout()).toMatchObject({ network: 'base' as const, crossFrom: null });
    expect(await books.owed('float:solana')).toBe(5_000_000n);
  });

  test('waits where nobody serves the other network', async () => {
    await openSolana(5_000_000n);
    await storePayoutSettings(books.store, {
      dailyMicroUsdc: { payer: null, recipient: null },
      treasuries: { base: TREASURY },
    });
    await onSolana();
    const { paymentId } = await books.pay({ payees: [ALICE] });
    expect((await lineOf(paymentId)).status).toBe('escrowed');
    expect(await payWaiting()).toEqual([]);
  });
});

describe('when float is too small', () => {
  test('the line waits, is paid when float has come, and only as much as there is', async () => {
    await openSolana(1_500_000n);
    await onSolana();
    const first = await books.pay({ payees: [ALICE] });
    const second = await books.pay({ payees: [ALICE] });
    expect([(await lineOf(first.paymentId)).status, (await lineOf(second.paymentId)).status]).toEqual([
      'paying',
      'escrowed',
    ]);
    expect(await payWaiting()).toEqual([]);
    await addFloat(500_000n);
    expect(await payWaiting()).toHaveLength(1);
    expect((await lineOf(second.paymentId)).status).toBe('paying');
    expect((await float(SOLANA)).available).toBe(0n);
  });

  test('a small line is not kept waiting by a large one before it', async () => {
    await openSolana(0n);
    await onSolana();
    await books.pay({ payees: [{ ...ALICE, amount: 9_000_000n }] });
    const { paymentId } = await books.pay({ payees: [{ ...ALICE, amount: 10_000n }] });
    await addFloat(10_000n);
    expect(await payWaiting()).toHaveLength(1);
    expect((await lineOf(paymentId)).status).toBe('paying');
  });

  test('it still expires back to its payer', async () => {
    await openSolana(0n);
    await onSolana();
    const { paymentId, lines } = await books.pay({ payees: [ALICE] });
    const laterMs = START_MS + 31 * 86_400_000;
    expect(await expiredLines(books.store, laterMs, 10)).toEqual([lines[0]?.txnId]);
    await refundLine(books.store, lines[0]?.txnId ?? 0, laterMs);
    await addFloat(5_000_000n);
    expect(await payWaiting()).toEqual([]);
    expect((await lineOf(paymentId)).status).toBe('returning');
  });

  test('many at once are never promised more than there is', async () => {
    await openSolana(2_500_000n);
    for (let count = 0; count < 4; count += 1) await books.pay({ payees: [ALICE] });
    await books.store.tx((db) => db.insert(books.store.tables.wallets).values({ identityId: alice, ...WALLET_ROW }));
    const lines = await payableOf(books);
    const { ids, clock, store } = books;
    const pay = (txnId: number) => payWaitingLine(store, txnId, ids.payoutId, clock.nowMs);
    const made = await Promise.all([...lines, ...lines].map(pay));
    expect(made.filter((id) => id !== null)).toHaveLength(2);
    expect(await books.owed('float:solana')).toBe(500_000n);
  });

  test('what lies on addresses that send no payouts does not count', async () => {
    await openSolana(0n);
    const entry = openingBalance({ network: 'solana' as const, address: 'AnotherOfOurs', amount: 7_000_000n });
    await books.store.tx((db) => postEntry(db, books.store.tables, entry, START_MS));
    await onSolana();
    const { paymentId } = await books.pay({ payees: [ALICE] });
    expect((await lineOf(paymentId)).status).toBe('escrowed');
  });
});
const WALLET_ROW = {
  network: 'solana' as const,
  address: WALLET,
  source: 'test',
  linkedAtMs: START_MS,
  usedAtMs: START_MS,
};

describe('a generation that can never land', () => {
  test('is reversed exactly and reserved anew while float covers it', async () => {
    await openSolana(1_000_000n);
    await onSolana();
    await books.pay({ payees: [ALICE] });
    const payout = await onlyPayout();
    await assign(payout);
    expect(await renewDead(books.store, payout, OVER, START_MS)).toBe(true);
    expect(await onlyPayout()).toMatchObject({ status: 'queued', generation: 1 });
    expect(await books.causes()).toEqual(['open', 'in', 'cross', 'out.dead', 'cross']);
    expect([await books.owed('float:base'), await books.owed('float:solana')]).toEqual([1_000_000n, 0n]);
  });

  test('goes back to escrow when there is a wallet where the money is, and is paid there', async () => {
    await openSolana(1_000_000n);
    await onSolana();
    const { paymentId } = await books.pay({ payees: [ALICE] });
    const payout = await onlyPayout();
    await assign(payout);
    await books.link(alice);
    await renewDead(books.store, payout, OVER, START_MS);
    expect((await books.payouts()).map(({ status }) => status)).toEqual(['void']);
    expect(await lineOf(paymentId)).toMatchObject({ status: 'escrowed', payoutId: null });
    expect([await books.owed(`escrow:base:${alice}`), await books.owed('float:solana')]).toEqual([
      1_000_000n,
      1_000_000n,
    ]);
    await books.assertSound();
    expect(await payWaiting()).toHaveLength(1);
    const paid = (await books.payouts()).find(({ status }) => status === 'queued');
    expect(paid).toMatchObject({ network: 'base' as const, crossFrom: null });
  });

  test('goes back to escrow when float is gone', async () => {
    await openSolana(1_000_000n);
    await onSolana();
    const { paymentId } = await books.pay({ payees: [ALICE] });
    const payout = await onlyPayout();
    await assign(payout);
    // A reorganisation there cost what float had.
    const loss = {
      cause: 'a loss',
      postings: [
        { account: 'reorg_loss:solana', unit: 'usdc', side: 'asset', amount: 1_000_000n } as const,
        { account: `chain:solana:${SOLANA_TREASURY}`, unit: 'usdc', side: 'asset', amount: -1_000_000n } as const,
      ],
    };
    await books.store.tx((db) => postEntry(db, books.store.tables, loss, START_MS));
    await renewDead(books.store, payout, OVER, START_MS);
    expect((await onlyPayout()).status).toBe('void');
    expect((await lineOf(paymentId)).status).toBe('escrowed');
    expect(await payWaiting()).toEqual([]);
  });

  test('while a reorganisation has its payment goes on, because nothing is there to wait', async () => {
    await openSolana(1_000_000n);
    await onSolana();
    const { paymentId } = await books.pay({ payees: [ALICE] });
    const payout = await onlyPayout();
    await assign(payout);
    await books.reorganise();
    await books.assertSound();
    await books.link(alice);
    await renewDead(books.store, payout, OVER, START_MS);
    expect(await onlyPayout()).toMatchObject({ status: 'queued', generation: 1, network: 'solana' as const });
    await books.assertSound();
    await books.mine([paymentId]);
  });

  test('can always be reversed: what it brought to float is not spent before it has landed for good', async () => {
    await openSolana(1_000_000n);
    await onSolana();
    await books.pay({ payees: [ALICE] });
    expect(await float(BASE)).toMatchObject({ own: 1_000_000n, promised: 1_000_000n, available: 0n });
    const covers = () => books.store.tx((db) => floatCovers(db, books.store.tables, BASE, 1n));
    expect(await covers()).toBe(false);
    const payout = await onlyPayout();
    await land(payout, await assign(payout));
    expect(await covers()).toBe(false);
    const { transfers } = books.store.tables;
    await books.store.tx(async (db) => {
      const done = await db.update(transfers).set({ status: 'final' }).where(eq(transfers.id, payout.id)).returning();
      await countEndedPayouts(db, books.store, 'final', done);
    });
    // Its payment can still be reorganised away on Base.
    expect(await covers()).toBe(false);
    await books.mine([], books.height());
    expect([await covers(), (await float(BASE)).available]).toEqual([true, 1_000_000n]);
  });
});

describe('what funds it is judged on the network it came in on', () => {
  test('a block of Base is not compared with slots of Solana', async () => {
    await openSolana(5_000_000n);
    await onSolana();
    await books.pay({ payees: [ALICE] });
    const { id } = await onlyPayout();
    const funding = async () => (await fundingOf(books.store.read, books.store, [id])).get(id);
    // Block 2 of Base lies far below the safe slot of Solana, and is not safe.
    expect(isSafe(await funding(), 1_000_000)).toBe(false);
    await books.mine([], books.height());
    expect(isSafe(await funding(), 0)).toBe(true);
  });

  test('it counts against the cap of the network it leaves on until its inbound is safe, and then no more', async () => {
    await openSolana(5_000_000n);
    await onSolana();
    await books.pay({ payees: [ALICE] });
    const payout = await onlyPayout();
    await assign(payout, true);
    expect(await readCounter(books.store, exposureCounter('solana'))).toBe(1_000_000n);
    const finish = async () => {
      const { advanceFinality } = await import('../../../db/scan/finality.ts');
      const step = { network: 'solana' as const, safeBlock: 1_000_000, finalizedBlock: 1_000_000 };
      await books.store.tx((db) => advanceFinality(db, books.store, step, START_MS));
    };
    await finish();
    expect(await readCounter(books.store, exposureCounter('solana'))).toBe(1_000_000n);
    await books.mine([], books.height());
    await finish();
    expect(await readCounter(books.store, exposureCounter('solana'))).toBe(0n);
  });

  test('a reorganisation of its inbound shows as open funding, and as our loss where the money was', async () => {
    await openSolana(5_000_000n);
    await onSolana();
    const { paymentId } = await books.pay({ payees: [ALICE] });
    const { id } = await onlyPayout();
    await books.reorganise();
    expect((await fundingOf(books.store.read, books.store, [id])).get(id)?.isOpen).toBe(true);
    const due = { network: 'solana' as const, kind: 'payout' as const, nowMs: START_MS, limit: 10 };
    expect(await queuedTransfers(books.store, due)).toHaveLength(1);
    expect([await books.owed('reorg_loss:base'), await books.owed('float:base')]).toEqual([-1_000_000n, 1_000_000n]);
    await books.assertSound();
    await books.mine([paymentId]);
    expect(await books.owed('reorg_loss:base')).toBe(0n);
  });
});

describe('CONTROL: what would break is seen to break', () => {
  test('without the guard the account’s own check refuses the reserve', async () => {
    await openSolana(999_999n);
    await books.pay({ payees: [ALICE] });
    const reserve = payoutReserved({
      network: 'solana' as const,
      crossFrom: 'base',
      payoutId: 'p',
      generation: 0,
      sourceAccount: `escrow:base:${alice}`,
      amount: 1_000_000n,
    });
    await expect(books.store.tx((db) => postEntry(db, books.store.tables, reserve, 0))).rejects.toThrow();
  });

  test('a held one that the operator gives back goes to its payer where it came in, and float is as before', async () => {
    const { store, clock } = books;
    await openSolana(5_000_000n);
    await onSolana();
    const { paymentId } = await books.pay({ payees: [ALICE] });
    const { id } = await onlyPayout();
    await holdTransfer(store, id, 'screening', clock.nowMs);
    const command = { name: 'return', arguments: [id], who: 'a test' };
    expect(await giveBackHeld(store, id, command, clock.nowMs)).toMatchObject({ kind: 'given_back' });
    expect([await books.owed('float:base'), await books.owed('float:solana')]).toEqual([0n, 5_000_000n]);
    expect([await books.owed('outflight:solana'), await books.owed(`escrow:base:${alice}`)]).toEqual([0n, 0n]);
    expect((await lineOf(paymentId)).status).toBe('returning');
    const { payer } = await books.paymentOf(paymentId);
    const owed = { payer, payerAccount: null, network: 'base' as const, minMicroUsdc: 1n };
    expect(await createRefundPayout(store, owed, books.transferIdOf, clock.nowMs)).toBe(id);
    expect(await onlyPayout()).toMatchObject({ network: 'base', purpose: 'refund', toAddress: payer, crossFrom: null });
  });

  test('float that was spent although it may have to go back is a violation', async () => {
    await openSolana(1_000_000n);
    await onSolana();
    await books.pay({ payees: [ALICE] });
    const spend = (amount: bigint) => ({
      cause: `spent:${amount}`,
      postings: [
        { account: 'float:base', unit: 'usdc', side: 'liability', amount } as const,
        { account: 'fees:base', unit: 'usdc', side: 'liability', amount: -amount } as const,
      ],
    });
    await books.store.tx((db) => postEntry(db, books.store.tables, spend(1n), 0));
    expect(await findViolations(books.store)).toMatchObject([{ rule: 'float covers what may go back' }]);
    await books.store.tx((db) => postEntry(db, books.store.tables, spend(-1n), 0));
  });

  test('a payout that no reserve stands for is a violation', async () => {
    await openSolana(1_000_000n);
    await onSolana();
    await books.pay({ payees: [ALICE] });
    const { transfers } = books.store.tables;
    const set = (network: Network) => books.store.tx((db) => db.update(transfers).set({ network }));
    await set('base');
    const rules = (await findViolations(books.store)).map(({ rule }) => rule);
    expect(rules).toEqual(['outflight = payouts on their way', 'outflight = payouts on their way']);
    await set('solana');
  });
});
