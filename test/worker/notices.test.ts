import type { Network } from '../../core/networks.ts';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownAddress } from '../../chain/shown-address.ts';
import { setNoticesOff } from '../../db/identities/identities.ts';
import { dueChanges } from '../../db/notices/changes.ts';
import { dueWaits, lookForMailed, RETRY_MS } from '../../db/notices/due.ts';
import { findStopSecret, readStopToken } from '../../db/notices/stop-token.ts';
import { takeChange, takeNotice } from '../../db/notices/take.ts';
import { startWalk } from '../../db/payments/records/waiting-people.ts';
import { refundLine } from '../../db/refunds/refund-line.ts';
import { createEmailProof } from '../../identity/proofs/email.ts';
import { createMailTexts } from '../../texts/mail/mails.ts';
import { startMailbox, type Mailbox } from '../../local/identity/mailbox.ts';
import { MAILS_MAX, noticesRound, watchMails, type NoticesWorker } from '../../worker/notices.ts';
import { openBooks, type Books } from '../support/books.ts';

const DAY_MS = 86_400_000;
const BASE_URL = 'https://pay.example.com';
const ALICE = 'alice@example.com';
const WAITS = '$1.00 is waiting for you';
const STILL = '$1.00 is still waiting for you';

let books: Books;
let mailbox: Mailbox;
let bounced: string[];

beforeEach(async () => {
  books = await openBooks();
  bounced = [];
  mailbox = await startMailbox({ now: () => books.clock.nowMs, refuses: (address) => bounced.includes(address) });
});
afterEach(async () => {
  await mailbox.close();
  await books.assertSound();
  await books.close();
});

function worker(smtpUrl = mailbox.smtpUrl, mailsDailyMax: number | null = null): NoticesWorker {
  const sender = { operatorName: 'the test', supportUrl: undefined, baseUrl: BASE_URL };
  const mail = createEmailProof(
    { smtpUrl, from: 'pay@example.com' },
    { texts: createMailTexts(sender), report: () => undefined },
  );
  const { store, ids, clock } = books;
  const settings = { baseUrl: BASE_URL, mailsDailyMax };
  return { store, ids, now: () => clock.nowMs, log: pino({ level: 'silent' }), settings, mail };
}

/** Where a round is counted only: a mail server lets each connection wait for a tenth of a second. */
function counter(dailyMax: number | null = null, kind: 'sent' | 'unavailable' | 'unknown' = 'sent'): NoticesWorker {
  const { mail, ...rest } = worker(mailbox.smtpUrl, dailyMax);
  return { ...rest, mail: { ...mail, isReachable: async () => true, sendNeutralNotice: async () => ({ kind }) } };
}

const payee = (name: string) => ({ platform: 'email', name, stableId: name });
const pay = (name = ALICE) => books.pay({ payees: [payee(name)] });
const subjects = (address = ALICE) =>
  mailbox
    .mailsTo(address)
    .map(({ subject }) => subject)
    .toReversed();

/** A round a day, and one at the end: the loop's many more are no different. */
async function pass(days: number): Promise<void> {
  const endMs = books.clock.nowMs + days * DAY_MS;
  while (books.clock.nowMs < endMs) {
    books.clock.nowMs = Math.min(books.clock.nowMs + DAY_MS, endMs);
    await noticesRound(worker());
  }
}

describe('money that waits', () => {
  test('is announced once and reminded of once, 7 days before it goes back', async () => {
    await pay();
    expect(await noticesRound(worker())).toBe(1);
    await pass(22.75);
    expect(subjects()).toEqual([WAITS]);
    await pass(0.25);
    expect(subjects()).toHaveLength(2);
    await pass(8);
    expect(subjects()).toEqual([WAITS, STILL]);
    expect(mailbox.mailsTo(ALICE)[0]?.text).toContain('on 14 February 2027 (UTC)');
    expect(mailbox.mailsTo(ALICE).at(-1)?.text).toContain('We remind you once');
  });

  test('that goes back too soon for a reminder promises none', async () => {
    await pay();
    books.clock.nowMs += 23.5 * DAY_MS;
    await noticesRound(worker());
    expect(mailbox.mailsTo(ALICE)[0]?.text).toContain('This is the only mail about it.');
    await pass(8);
    expect(subjects()).toEqual([WAITS]);
  });

  test('brings no mail for each payment, also where there is always another one', async () => {
    for (let day = 0; day < 57; day += 1) {
      if (day % 4 === 0) await pay();
      books.clock.nowMs += DAY_MS;
      await noticesRound(worker());
    }
    expect(subjects()).toEqual([
      WAITS,
      '$6.00 is still waiting for you',
      '$7.00 is waiting for you',
      '$7.00 is still waiting for you',
    ]);
  });

  test('is told with a link to the name alone, and with nothing of its payer', async () => {
    const { lines } = await pay();
    await noticesRound(worker());
    const [mail] = mailbox.mailsTo(ALICE);
    expect(mail?.text).toMatch(
      /\n {4}https:\/\/pay\.example\.com\/claim\/email\/alice%40example\.com\?reader=[\w.-]+\n/,
    );
    for (const line of lines) expect(mail?.text).not.toContain(line.slug);
    const link = mail?.headers.get('list-unsubscribe') ?? '';
    const token = /^<https:\/\/pay\.example\.com\/notices\/stop\/(.+)>$/.exec(link)?.[1] ?? '';
    const secret = await findStopSecret(books.store);
    expect(readStopToken(secret ?? '', token)).toBe(lines[0]?.identityId);
    expect(readStopToken('another secret', token)).toBeNull();
  });

  test('below half a dollar brings no mail, until it is that much together', async () => {
    const small = () => books.pay({ payees: [{ ...payee(ALICE), amount: 300_000n }] });
    await small();
    expect(await noticesRound(worker())).toBe(0);
    await small();
    expect(await noticesRound(worker())).toBe(1);
    expect(subjects()).toEqual(['$0.60 is waiting for you']);
  });

  test.each([
    ['whom our bot saw, is named', 'alice on Discord', true, 'alice on Discord sent $1.00'],
    ['who only says so, is not', 'Your bank', false, 'Someone sent $1.00'],
    ['who has an address for a name, is not', 'see evil.example', true, 'Someone sent $1.00'],
  ])('its sender, %s', async (_who, name, agentKnown, said) => {
    await pay();
    const { payments } = books.store.tables;
    await books.store.tx((db) => db.update(payments).set({ meta: { agent_name: name }, agentKnown }));
    await noticesRound(worker());
    expect(mailbox.mailsTo(ALICE)[0]?.text).toContain(said);
  });

  test('is told in the language that its owner read our pages in', async () => {
    await pay();
    const { identities } = books.store.tables;
    await books.store.tx((db) => db.update(identities).set({ language: 'de' }));
    await noticesRound(worker());
    expect(subjects()).toEqual(['$1.00 warten auf dich']);
  });

  test.each(['x', 'web', 'discord'])('for a recipient on %s brings no mail', async (platform) => {
    await books.pay({ payees: [{ platform, name: 'example.com', stableId: '1' }] });
    expect(await noticesRound(worker())).toBe(0);
  });

  test('brings no mail to a recipient who wants none, or no payments', async () => {
    const { lines } = await pay();
    await setNoticesOff(books.store, lines[0]?.identityId ?? '', books.clock.nowMs);
    const other = await pay('bob@example.com');
    const { identities } = books.store.tables;
    const optedOut = eq(identities.id, other.lines[0]?.identityId ?? '');
    await books.store.tx((db) => db.update(identities).set({ optedOutAtMs: 1 }).where(optedOut));
    await pass(31);
    expect([subjects(), subjects('bob@example.com')]).toEqual([[], []]);
  });

  test('that was paid out or went back brings no mail, nor a reminder', async () => {
    const { lines } = await pay();
    await books.link(lines[0]?.identityId ?? '');
    expect(await noticesRound(worker())).toBe(0);
    const bob = await pay('bob@example.com');
    await noticesRound(worker());
    await refundLine(books.store, bob.lines[0]?.txnId ?? 0, books.clock.nowMs);
    await pass(29);
    expect([subjects(), subjects('bob@example.com')]).toEqual([[], [WAITS]]);
  });

  test('that is collected between the look and the mail brings none', async () => {
    const { lines } = await pay();
    const { people } = await lookForMailed(books.store, startWalk());
    const [due] = await dueWaits(books.store, people, books.clock.nowMs, 1);
    await books.link(lines[0]?.identityId ?? '');
    if (due === undefined) throw new Error('expected a notice');
    expect(await takeNotice(books.store, due, { dailyMax: null, nowMs: books.clock.nowMs })).toBeNull();
  });
});

describe('a mail', () => {
  test('is sent once by two workers at once', async () => {
    await pay();
    const sent = await Promise.all([noticesRound(worker()), noticesRound(worker())]);
    expect(sent.toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(subjects()).toHaveLength(1);
  });

  test('waits while the mail server is away, and is then sent once', async () => {
    await pay();
    for (let round = 0; round < 3; round += 1) expect(await noticesRound(worker('smtp://127.0.0.1:1'))).toBe(0);
    expect(await noticesRound(worker())).toBe(1);
    await pass(1);
    expect(subjects()).toHaveLength(1);
  });

  test('that the server put off is sent later, once', async () => {
    await pay();
    await noticesRound(counter(null, 'unavailable'));
    books.clock.nowMs += RETRY_MS - 1;
    expect(await noticesRound(worker())).toBe(0);
    books.clock.nowMs += 1;
    expect(await noticesRound(worker())).toBe(1);
    await pass(1);
    expect(subjects()).toHaveLength(1);
  });

  test('that may have been sent is not sent again', async () => {
    await pay();
    await noticesRound(counter(null, 'unknown'));
    await pass(1);
    expect(subjects()).toEqual([]);
  });

  test('that a mailbox refuses is not tried again, and keeps nobody from theirs', async () => {
    bounced = [ALICE];
    await pay();
    // So that this turn comes second.
    books.clock.nowMs += 1;
    await pay('bob@example.com');
    expect(await noticesRound(worker())).toBe(1);
    bounced = [];
    await pass(1);
    expect([subjects(), subjects('bob@example.com')]).toEqual([[], [WAITS]]);
  });

  test('is one of few: more people wait for the next round', async () => {
    await books.pay({ payees: Array.from({ length: MAILS_MAX + 3 }, (_, index) => payee(`p${index}@example.com`)) });
    expect([await noticesRound(counter()), await noticesRound(counter())]).toEqual([MAILS_MAX, 3]);
  });
});

describe('another address', () => {
  async function change(
    identityId: string,
    address: string,
    effectiveAtMs: number,
    network: Network = 'base',
  ): Promise<void> {
    const { walletChanges } = books.store.tables;
    const values = { identityId, network, address, source: 'claim', claimId: 'claim_1', effectiveAtMs };
    await books.store.tx((db) =>
      db
        .insert(walletChanges)
        .values(values)
        .onConflictDoUpdate({ target: [walletChanges.identityId, walletChanges.network], set: values }),
    );
  }

  /** A recipient who was paid at an own address before. */
  async function known(): Promise<string> {
    const identityId = await books.meet(ALICE, ALICE, 'email');
    await books.link(identityId, `0x${'aa'.repeat(20)}`);
    return identityId;
  }

  test('is announced once: which one, instead of which, from when, and where to stop it', async () => {
    const [next, before] = [`0x${'bb'.repeat(20)}`, `0x${'aa'.repeat(20)}`];
    await change(await known(), next, books.clock.nowMs + DAY_MS);
    expect([await noticesRound(worker()), await noticesRound(worker())]).toEqual([1, 0]);
    expect(shownAddress(next)).not.toBe(next);
    const [mail] = mailbox.mailsTo(ALICE);
    expect(mail?.subject).toBe('Your money is about to go to another address');
    // As wallets show them (EIP-55).
    const said = [
      `${shownAddress(next)} (on Base)`,
      `${shownAddress(before)} (on Base)`,
      '16 January 2027 at 08:00 UTC',
    ];
    for (const text of [...said, `${BASE_URL}/claim/email/alice%40example.com`]) expect(mail?.text).toContain(text);
    expect(mail?.headers.has('list-unsubscribe')).toBe(false);
  });

  test('on another network names the place that its money goes to until then', async () => {
    await change(await known(), 'AliceOnSolana', books.clock.nowMs + DAY_MS, 'solana');
    expect(await noticesRound(worker())).toBe(1);
    const [mail] = mailbox.mailsTo(ALICE);
    for (const text of ['AliceOnSolana (on Solana)', `${shownAddress(`0x${'aa'.repeat(20)}`)} (on Base)`])
      expect(mail?.text).toContain(text);
    expect(mail?.text).not.toContain('stays here');
  });

  test('that replaces one not yet in force is announced too', async () => {
    const identityId = await known();
    await change(identityId, `0x${'bb'.repeat(20)}`, books.clock.nowMs + DAY_MS);
    await noticesRound(worker());
    books.clock.nowMs += 3_600_000;
    await change(identityId, `0x${'cc'.repeat(20)}`, books.clock.nowMs + DAY_MS);
    expect([await noticesRound(worker()), await noticesRound(worker())]).toEqual([1, 0]);
    expect(mailbox.mailsTo(ALICE)[0]?.text).toContain(shownAddress(`0x${'cc'.repeat(20)}`));
  });

  test('is announced although its owner wants no mails about money', async () => {
    const identityId = await known();
    await setNoticesOff(books.store, identityId, books.clock.nowMs);
    await change(identityId, `0x${'bb'.repeat(20)}`, books.clock.nowMs + DAY_MS);
    expect(await noticesRound(worker())).toBe(1);
  });

  test('that was stopped before the mail is not told of', async () => {
    const identityId = await known();
    await change(identityId, `0x${'bb'.repeat(20)}`, books.clock.nowMs + DAY_MS);
    const [due] = await dueChanges(books.store, books.clock.nowMs, 1);
    await books.store.tx((db) => db.delete(books.store.tables.walletChanges));
    if (due === undefined) throw new Error('expected a change');
    expect(await takeChange(books.store, due, { dailyMax: null, nowMs: books.clock.nowMs })).toBeNull();
    expect(await noticesRound(worker())).toBe(0);
  });
});

describe('a day with few mails', () => {
  /** Three tenths of them are notices. */
  const DAILY = 20;

  test('has its share of notices, and the others go out on the next one', async () => {
    for (let index = 0; index < 9; index += 1) await pay(`person-${index}@example.com`);
    const few = counter(DAILY);
    expect([await noticesRound(few), await noticesRound(few)]).toEqual([6, 0]);
    books.clock.nowMs += DAY_MS;
    expect([await noticesRound(few), await noticesRound(few)]).toEqual([3, 0]);
  });

  test('gives back what could not be handed over', async () => {
    await pay();
    for (let round = 0; round < 8; round += 1) {
      expect(await noticesRound(counter(DAILY, 'unavailable'))).toBe(0);
      books.clock.nowMs += RETRY_MS;
    }
    expect(await noticesRound(counter(DAILY))).toBe(1);
  });

  test('says so in the log from half of a share on, once', async () => {
    const lines: unknown[] = [];
    const log = pino({ level: 'warn' }, { write: (text: string) => void lines.push(JSON.parse(text)) });
    const look = watchMails({ ...worker(mailbox.smtpUrl, DAILY), log });
    for (let index = 0; index < 2; index += 1) await pay(`person-${index}@example.com`);
    await noticesRound(counter());
    await look();
    expect(lines).toEqual([]);
    await pay();
    await noticesRound(counter());
    await look().then(look);
    expect(lines).toMatchObject([{ share: 'notice', used: 3, max: 6 }]);
    books.clock.nowMs += DAY_MS;
    await look();
    expect(lines).toHaveLength(1);
  });

  test('CONTROL: without a budget all of them go out', async () => {
    for (let index = 0; index < 9; index += 1) await pay(`person-${index}@example.com`);
    expect([await noticesRound(counter()), await noticesRound(counter())]).toEqual([9, 0]);
  });
});
