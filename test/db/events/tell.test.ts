/** What endpoints are to be told is written with what it tells. */
import { asc, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GATHERING_MS } from '../../../core/events/events.ts';
import { dueEndpoints, endEndpoint, failDelivery, markDelivered, sealDue } from '../../../db/events/deliveries.ts';
import { addEndpoint, findEndpoint, forgetUnusedEndpoints } from '../../../db/events/endpoints.ts';
import { openEvents, repeatEvent } from '../../../db/operator/events.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { createRefundPayout } from '../../../db/refunds/create-payouts.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { assignTransfers, holdTransfer } from '../../../db/transfers/authorize.ts';
import { openBooks, TREASURY, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const PAYER = `0x${'99'.repeat(20)}`;
const ID = 'ep_AAAAAAAAAAAAAAAAAAAAAA';
const URL_TEXT = 'https://agent.example.com/events';
const DAY_MS = 86_400_000;
const people = (...names: string[]) => names.map((name) => ({ name, stableId: name }));

onBothDatabases((fresh, isSqlite) => {
  let books: Books;
  beforeEach(async () => {
    books = await openBooks(await fresh());
    await register(ID);
  });
  afterEach(async () => {
    await books.assertSound();
    await books.close();
  });

  const register = (id: string, payer = PAYER) =>
    addEndpoint(books.store, { id, network: 'base', payer, url: URL_TEXT, nowMs: books.clock.nowMs });
  const endpoint = () => findEndpoint(books.store, ID);
  const told = () => {
    const { eventDeliveries } = books.store.tables;
    return books.store.read.select().from(eventDeliveries).orderBy(asc(eventDeliveries.atMs));
  };
  const types = async () => (await told()).map(({ type, txnIds }) => [type, txnIds.length]);
  const wakeUps = async () => {
    const { outbox } = books.store.tables;
    return (await books.store.read.select().from(outbox).where(eq(outbox.topic, 'event_due'))).length;
  };

  /** Lands all payouts that wait, each with its own transfer. */
  async function land(round = 0): Promise<void> {
    const { store } = books;
    const waiting = (await books.payouts()).filter(({ status }) => status === 'queued');
    const transfers = [];
    for (const [index, payout] of waiting.entries()) {
      const nonce = `0xn${round}${index}`;
      const signed = { ...payout, nonce, validBefore: 1, signature: 's', exposed: false };
      await assignTransfers(store, [signed], { counter: 'c', capMicroUsdc: 0n }, books.clock.nowMs);
      const { fromAddress: from, toAddress: to, amountMicroUsdc: value } = payout;
      const place = { transaction: `0xout${round}${index}`, logIndex: 0, position: 0, block: 1, blockHash: '0x1' };
      transfers.push({ ...place, from, to, value, authorizer: from, nonce });
    }
    const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: books.clock.nowMs };
    await applyTransfers(store, { network: 'base', transfers, ownAddresses: [TREASURY] }, settle);
  }

  describe('a payment that names an endpoint', () => {
    test('is told once it has settled, in one delivery for all its lines, with a wake-up', async () => {
      const { paymentId, lines } = await books.pay({ endpointId: ID, payees: people('a', 'b', 'c') });
      expect(await told()).toMatchObject([
        { type: 'settled', paymentId, endpointId: ID, txnIds: lines.map(({ txnId }) => txnId), isSealed: true },
      ]);
      expect(await wakeUps()).toBe(1);
      expect((await endpoint())?.usedAtMs).toBe(books.clock.nowMs);
    });

    test('is told once for those that are collected together, and apart for one that follows later', async () => {
      for (const name of ['a', 'b']) await books.link(await books.meet(name, name));
      const { lines } = await books.pay({ endpointId: ID, payees: people('a', 'b', 'c') });
      await land();
      expect(await types()).toEqual([
        ['settled', 3],
        ['collected', 2],
      ]);
      await sealDue(books.store, ID, { nowMs: books.clock.nowMs + GATHERING_MS, limit: 10 });
      books.clock.nowMs += DAY_MS;
      await books.link(lines[2]?.identityId ?? '');
      await land(1);
      expect((await types()).slice(1)).toEqual([
        ['collected', 2],
        ['collected', 1],
      ]);
    });

    test('is told of what comes back, also where one refund gathers lines of several payments', async () => {
      const [one, two, silent] = [
        await books.pay({ endpointId: ID, payees: people('a', 'b') }),
        await books.pay({ endpointId: ID, payees: people('a') }),
        await books.pay({ payees: people('a') }),
      ];
      for (const { lines } of [one, two, silent])
        for (const { txnId } of lines) await refundLine(books.store, txnId, books.clock.nowMs);
      const owed = { payer: PAYER, payerAccount: null, network: 'base' as const, minMicroUsdc: 1n };
      await createRefundPayout(books.store, owed, books.transferIdOf, books.clock.nowMs);
      expect((await books.payouts()).length).toBe(1);
      await land();
      const returned = (await told()).filter(({ type }) => type === 'returned');
      const found = returned.map(({ paymentId, txnIds }) => [paymentId, txnIds.length]);
      expect(new Map(found as [string, number][])).toEqual(
        new Map([
          [one.paymentId, 2],
          [two.paymentId, 1],
        ]),
      );
    });

    test('is told of what is held: by a limit from the beginning, and later', async () => {
      await storePayoutSettings(books.store, {
        dailyMicroUsdc: { payer: 1_000_000n, recipient: null },
        treasuries: {},
      });
      await books.link(await books.meet('a', 'a'));
      const first = await books.pay({ endpointId: ID, payees: people('a') });
      await books.pay({ endpointId: ID, payees: people('a') });
      expect(await types()).toEqual(expect.arrayContaining([['held', 1]]));
      const [queued] = (await books.payouts()).filter(({ status }) => status === 'queued');
      expect(await holdTransfer(books.store, queued?.id ?? '', 'screening', books.clock.nowMs)).toBe(true);
      expect((await types()).filter(([type]) => type === 'held')).toHaveLength(2);
      expect((await told()).map(({ paymentId }) => paymentId)).toContain(first.paymentId);
    });

    if (!isSqlite) return;

    test('is not told of again when it settles a second time after a reorganisation', async () => {
      const { paymentId } = await books.pay({ endpointId: ID, payees: people('a') });
      await books.reorganise();
      await books.mine([paymentId]);
      expect(await types()).toEqual([['settled', 1]]);
    });

    test('gathers what follows until it is sealed', async () => {
      const { lines } = await books.pay({ endpointId: ID, payees: people('a', 'b') });
      for (const [index, { identityId }] of lines.entries()) {
        await books.link(identityId);
        await land(index);
      }
      expect((await types()).slice(1)).toEqual([['collected', 2]]);
      const [due] = (await sealDue(books.store, ID, { nowMs: books.clock.nowMs + GATHERING_MS, limit: 10 })).slice(1);
      expect([due?.type, due?.txnIds]).toEqual(['collected', lines.map(({ txnId }) => txnId)]);
    });

    test('and another that names none: nothing is written for that one', async () => {
      await books.link(await books.meet('a', 'a'));
      await books.pay({ payees: people('a') });
      await land();
      expect([await told(), await wakeUps()]).toEqual([[], 0]);
    });
  });

  test('an endpoint ends with a delivery that failed to the end, unless something else has reached it since', async () => {
    const [first] = [await books.pay({ endpointId: ID, payees: people('a') })];
    books.clock.nowMs += 1_000;
    await books.pay({ endpointId: ID, payees: people('a') });
    const [one, two] = await told();
    if (one === undefined || two === undefined) throw new Error('two events were told');
    const nowMs = books.clock.nowMs + DAY_MS;
    await markDelivered(books.store, two, { answer: '204', nowMs });
    expect(await failDelivery(books.store, one, { answer: '500', nowMs })).toBe('failed');
    expect((await endpoint())?.endedAtMs).toBeNull();
    books.clock.nowMs = nowMs + 1_000;
    await books.pay({ endpointId: ID, payees: people('a', 'b') });
    const third = (await told()).at(-1);
    if (third === undefined) throw new Error('a third event was told');
    expect(await failDelivery(books.store, third, { answer: 'timeout', nowMs: books.clock.nowMs })).toBe('unreachable');
    expect(await endpoint()).toMatchObject({ endReason: 'unreachable' });
    expect((await dueEndpoints(books.store, nowMs + 9 * DAY_MS, 10, [], 'payers')).items).toEqual([]);
    expect(first.lines).toHaveLength(1);
  });

  test('an operator sees what was not taken, and repeats it: written down, with the endpoint open again', async () => {
    await books.pay({ endpointId: ID, payees: people('a') });
    const [event] = await told();
    if (event === undefined) throw new Error('an event was told');
    const command = { name: 'repeat-event', arguments: [event.id], who: 'me' };
    await failDelivery(books.store, event, { answer: '500', nowMs: books.clock.nowMs });
    const { lost, waiting } = await openEvents(books.store, 10);
    expect([lost, waiting]).toMatchObject([[{ id: event.id, lastAnswer: '500', endpointEnd: 'unreachable' }], []]);
    expect(await repeatEvent(books.store, event.id, command, books.clock.nowMs)).toBe('repeated');
    expect(await endpoint()).toMatchObject({ endedAtMs: null, endReason: null });
    expect((await dueEndpoints(books.store, books.clock.nowMs, 10, [], 'payers')).items).toEqual([ID]);
    expect((await dueEndpoints(books.store, books.clock.nowMs, 10, [], 'tasks')).items).toEqual([]);
    const { operatorActions } = books.store.tables;
    expect(await books.store.read.select().from(operatorActions)).toMatchObject([{ command: 'repeat-event' }]);
    await endEndpoint(books.store, ID, { reason: 'gone', nowMs: books.clock.nowMs });
    expect(await repeatEvent(books.store, event.id, command, books.clock.nowMs)).toBe('gone');
    expect(await repeatEvent(books.store, 'msg_none', command, books.clock.nowMs)).toBe('unknown');
  });

  test('a payer has ten at most, and those that no payment has named go after thirty days', async () => {
    for (let index = 1; index < 10; index += 1) expect(await register(`ep_${index}`)).toBe(true);
    expect(await register('ep_10')).toBe(false);
    expect(await register('ep_other', `0x${'77'.repeat(20)}`)).toBe(true);
    await books.pay({ endpointId: ID, payees: people('a') });
    expect(await forgetUnusedEndpoints(books.store, books.clock.nowMs + 29 * DAY_MS)).toBe(0);
    expect(await forgetUnusedEndpoints(books.store, books.clock.nowMs + 31 * DAY_MS)).toBe(10);
    expect(await endpoint()).not.toBeNull();
  });

  if (!isSqlite) return;

  test.each([
    ['of another payer', { payer: `0x${'77'.repeat(20)}`, endpointId: ID }],
    ['that nobody registered', { endpointId: 'ep_BBBBBBBBBBBBBBBBBBBBBB' }],
  ])('an endpoint %s refuses the payment, and nothing is reserved', async (_what, named) => {
    expect(await books.claim({ ...named, payees: people('a') })).toEqual({ kind: 'no-endpoint' });
    const { payments, proofs } = books.store.tables;
    expect([await books.store.read.$count(payments), await books.store.read.$count(proofs)]).toEqual([0, 0]);
  });

  test('an endpoint that has ended refuses no payment, and is told nothing', async () => {
    await endEndpoint(books.store, ID, { reason: 'gone', nowMs: books.clock.nowMs });
    await books.pay({ endpointId: ID, payees: people('a') });
    expect(await told()).toEqual([]);
  });
});
