import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import { dueLookups, takeLookups } from '../../db/identities/lookups.ts';
import type { Resolution } from '../../identity/port.ts';
import { ASK_FOR_MS } from '../../core/lookups.ts';
import { resolvingRound, type ResolvingWorker } from '../../worker/resolving.ts';
import { openBooks, START_MS, type Books } from '../support/books.ts';

const AWAY: Resolution = { kind: 'unavailable' };
const FOUND: Resolution = { kind: 'found', stableId: '42' };

let books: Books;
/** Names that were asked for, and when, in seconds after the payment. */
let asked: string[];
let announced: string[];
let answer: (recipient: Recipient) => Resolution | Promise<Resolution>;

beforeEach(async () => {
  books = await openBooks();
  asked = [];
  announced = [];
  answer = () => AWAY;
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const worker = (): ResolvingWorker => ({
  store: books.store,
  ids: books.ids,
  transferIdOf: books.transferIdOf,
  now: () => books.clock.nowMs,
  log: pino({ level: 'silent' }),
  announce: (paymentIds) => void announced.push(...paymentIds),
  identity: {
    resolve: async (recipient) => {
      asked.push(`${formatRecipient(recipient)} ${(books.clock.nowMs - START_MS) / 1_000}`);
      return answer(recipient);
    },
  },
});

const unknown = (name: string) => ({ name, stableId: null });
const statuses = async (paymentId: string) =>
  (await books.linesFor(paymentId)).map(({ status, returnReason }) => [status, returnReason].filter(Boolean).join(' '));

/** Looks in every second for so long, as the loop does. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    books.clock.nowMs += 1_000;
    await resolvingRound(worker());
  }
}

test('a platform that stays away is asked ever more rarely, a last time after 15 minutes, and then it goes back', async () => {
  const { paymentId } = await books.pay({ payees: [unknown('alice')] });
  await resolvingRound(worker());
  await pass(ASK_FOR_MS / 1_000 - 1);
  expect(await statuses(paymentId)).toEqual(['resolving']);
  await pass(1);
  expect(await statuses(paymentId)).toEqual(['returning no_answer']);
  const times = asked.map((text) => Number(text.split(' ')[1]));
  expect(times).toEqual([0, 5, 15, 35, 75, 155, 315, 555, 795, 900]);
  await pass(60);
  expect(asked).toHaveLength(times.length);
});

test('a platform that comes back decides at the next question', async () => {
  const payees = ['alice', 'bob', 'carol'].map(unknown);
  const { paymentId } = await books.pay({ payees });
  await resolvingRound(worker());
  answer = ({ key }) => ({ alice: FOUND, bob: { kind: 'not-found' as const } })[key] ?? AWAY;
  await pass(5);
  expect(await statuses(paymentId)).toEqual(['escrowed', 'returning not_found', 'resolving']);
  expect(announced).toEqual([paymentId, paymentId]);
});

test('the clock starts with the settlement, and a payment that is not settled is not asked for', async () => {
  const claimed = await books.claim({ payees: [unknown('alice')] });
  if (claimed.kind !== 'reserved') throw new Error(claimed.kind);
  await pass(20);
  expect(asked).toEqual([]);
  books.clock.nowMs = START_MS + ASK_FOR_MS;
  await books.mine([claimed.paymentId]);
  await pass(1);
  expect(asked).toEqual(['x:alice 901']);
  expect(await statuses(claimed.paymentId)).toEqual(['resolving']);
});

test('after an outage of ours the platform is asked once more before the money goes back', async () => {
  const [first, second] = [
    await books.pay({ payees: [unknown('alice')] }),
    await books.pay({ payees: [unknown('bob')] }),
  ];
  books.clock.nowMs += 10 * ASK_FOR_MS;
  answer = ({ key }) => (key === 'alice' ? FOUND : AWAY);
  expect(await resolvingRound(worker())).toBe(2);
  expect([await statuses(first.paymentId), await statuses(second.paymentId)]).toEqual([
    ['escrowed'],
    ['returning no_answer'],
  ]);
});

test('one name is asked for once, no matter who paid it', async () => {
  const payments = [];
  for (let count = 0; count < 5; count += 1) payments.push(await books.pay({ payees: [unknown('alice')] }));
  answer = () => FOUND;
  expect(await resolvingRound(worker())).toBe(5);
  expect(asked).toEqual(['x:alice 0']);
  const identityIds = await Promise.all(payments.map(async ({ paymentId }) => (await books.linesFor(paymentId))[0]));
  expect(new Set(identityIds.map((line) => line?.identityId)).size).toBe(1);
});

test('two workers at once ask once and decide once', async () => {
  const payees = Array.from({ length: 40 }, (_, index) => unknown(`n${index}`));
  await books.pay({ payees });
  answer = ({ key }) => ({ kind: 'found', stableId: key });
  const decided = await Promise.all([resolvingRound(worker()), resolvingRound(worker())]);
  expect(decided[0]! + decided[1]!).toBe(40);
  expect(new Set(asked).size).toBe(40);
  expect(asked).toHaveLength(40);
  expect((await books.causes()).filter((cause) => cause === 'resolve')).toHaveLength(40);
});

test('of two workers that saw the same line one takes it', async () => {
  await books.pay({ payees: [unknown('alice')] });
  const due = await dueLookups(books.store, books.clock.nowMs, 10);
  const wanted = due.map((lookup) => ({ ...lookup, nextTryAtMs: books.clock.nowMs + 5_000 }));
  const both = await Promise.all([takeLookups(books.store, wanted), takeLookups(books.store, wanted)]);
  expect(both.map(({ size }) => size).toSorted((a, b) => a - b)).toEqual([0, 1]);
});

describe('a worker that dies', () => {
  test('after it took a line, before it heard an answer: the line is asked for again', async () => {
    const { paymentId } = await books.pay({ payees: [unknown('alice')] });
    answer = () => new Promise(() => undefined);
    void resolvingRound(worker());
    await expect.poll(() => asked).toEqual(['x:alice 0']);
    answer = () => FOUND;
    await pass(4);
    expect(asked).toHaveLength(1);
    await pass(1);
    expect(await statuses(paymentId)).toEqual(['escrowed']);
  });

  test('late: what it heard is not believed over what was decided meanwhile', async () => {
    const { paymentId } = await books.pay({ payees: [unknown('alice')] });
    let speak: (resolution: Resolution) => void = () => undefined;
    answer = () => new Promise((resolve) => (speak = resolve));
    const slow = resolvingRound(worker());
    await expect.poll(() => asked).toHaveLength(1);
    answer = () => FOUND;
    await pass(5);
    speak({ kind: 'not-found' });
    expect(await slow).toBe(0);
    expect(await statuses(paymentId)).toEqual(['escrowed']);
  });
});

test('one line that cannot be decided does not keep the others from it', async () => {
  const { paymentId } = await books.pay({ payees: [unknown('alice'), unknown('bob')] });
  let failures = 1;
  answer = () => FOUND;
  const broken: ResolvingWorker = {
    ...worker(),
    ids: {
      ...books.ids,
      identityId: () => {
        if (failures-- > 0) throw new Error('no randomness');
        return books.ids.identityId();
      },
    },
  };
  expect(await resolvingRound(broken)).toBe(1);
  expect((await statuses(paymentId)).toSorted()).toEqual(['escrowed', 'resolving']);
});

test('a reorganisation during the 15 minutes keeps what is left of them, and asks when the money is back', async () => {
  const { paymentId } = await books.pay({ payees: [unknown('alice')] });
  await resolvingRound(worker());
  await books.reorganise();
  await pass(ASK_FOR_MS / 1_000 + 10);
  expect(asked).toHaveLength(1);
  await books.mine([paymentId]);
  await pass(1);
  expect(asked).toHaveLength(2);
  expect(await statuses(paymentId)).toEqual(['returning no_answer']);
});
