import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownAddress } from '../../chain/shown-address.ts';
import { RECEIPT_LANGUAGES } from '../../texts/receipts/languages.ts';
import { mailsOf, PURSE_MAILS_MAX } from '../../core/costs/mails.ts';
import { microUsdc } from '../../core/money.ts';
import { PASSKEY_WAIT_MS } from '../../core/wallets/passkeys.ts';
import { ADDRESS_WAIT_MS, TELLING_MAX_MS } from '../../core/wallets/withdrawal-wait.ts';
import { plainText } from '../../core/view.ts';
import { withdrawalNotice } from '../../texts/notices/withdrawal.ts';
import { ensureUser, chooseLanguage } from '../../db/chats/users.ts';
import { ensureIdentity } from '../../db/identities/identities.ts';
import { addHolder, admitHolder, endWaitingHolders } from '../../db/wallets/holders.ts';
import { handleEvent, isChatTopic } from '../../core/outbox.ts';
import { beginClosing, closingSince, listClosingWallets } from '../../db/closing/begin.ts';
import { findClosingWallet, noteLook } from '../../db/closing/wallets.ts';
import { payerAccountId } from '../../db/ledger/payer-account.ts';
import { completeItems, dueItems } from '../../db/store/outbox.ts';
import { callOff } from '../../db/withdrawals/cancel.ts';
import { findWithdrawal } from '../../db/withdrawals/find.ts';
import { requestWithdrawal } from '../../db/withdrawals/request.ts';
import type { ChatSender, Told } from '../../worker/chat/sender.ts';
import { receiptHandlers } from '../../worker/receipts.ts';
import type { EmailProof } from '../../identity/proofs/email.ts';
import { addPasskey, endPasskey, passkeysOf } from '../../db/wallets/passkeys.ts';
import { readHoldToken } from '../../db/notices/stop-token.ts';
import { openBooks, START_MS, type Books } from '../support/books.ts';

const ADDRESS = `0x${'cd'.repeat(20)}`;
let books: Books;
let told: string[];
beforeEach(async () => {
  books = await openBooks();
  told = [];
  for (const holderId of ['discord:17', 'telegram:5', 'chat:browser']) await hold(holderId, 'x:7');
  await hold('discord:18', 'discord:18');
});
afterEach(() => books.close());

const hold = (holderId: string, walletId: string) =>
  books.store.tx((db) => {
    const name = walletId === 'x:7' ? 'x:alice' : walletId;
    return addHolder(db, books.store.tables, { holderId, walletId, identityId: walletId, name }, books.clock.nowMs);
  });

const sender: ChatSender = {
  post: async () => void told.push('in view of others'),
  tell: async ({ userId, view }) => {
    told.push(`${userId}: ${plainText(view)}`);
    return 'told';
  },
};

type Mail = Parameters<EmailProof['sendPurseNotice']>[0];
let takeMail: EmailProof['sendPurseNotice'];
let mails: Mail[];
let dailyMax: number | null;
beforeEach(() => {
  mails = [];
  dailyMax = null;
  takeMail = async (mail) => {
    mails.push(mail);
    return { kind: 'sent' };
  };
});

let asked = 0;
const ask = (usdc: number, walletId = 'x:7') => {
  const id = String(++asked).padStart(32, '0');
  const wish = { id, requestKey: id, holderId: 'discord:17', walletId, network: 'base' } as const;
  const money = { fromAddress: ADDRESS, toAddress: ADDRESS, amountMicroUsdc: microUsdc(BigInt(usdc) * 1_000_000n) };
  return requestWithdrawal(books.store, { ...wish, ...money, nowMs: books.clock.nowMs });
};

/** Does what is to be done; a chat that fails keeps its row. */
async function work(senders: Record<string, ChatSender> = { discord: sender, telegram: sender }): Promise<string[]> {
  const { store, clock } = books;
  told = [];
  const log = pino({ level: 'silent' });
  const dependencies = {
    store,
    baseUrl: 'https://pay.test',
    now: () => clock.nowMs,
    log,
    senders,
    failpoint: () => {},
    mail: { proof: { sendPurseNotice: takeMail }, dailyMax, newSecret: () => 'secret of the test' },
  };
  // Asked, told, and seen to be told.
  for (let round = 0; round < 3; round++) {
    for (const { id, topic, key } of await dueItems(store, clock.nowMs, 100)) {
      if (!isChatTopic(topic)) continue;
      const isDone = await handleEvent(receiptHandlers(dependencies), { topic, key }).then(
        () => true,
        () => false,
      );
      if (isDone) await completeItems(store, [id], clock.nowMs);
    }
  }
  return told.toSorted((one, other) => one.localeCompare(other));
}

test('each holder of the wallet is told in private, once, about money that leaves later, also the one who asked', async () => {
  await ensureUser(books.store, { id: 'telegram:5', transport: 'telegram', walletAddress: ADDRESS, createdAtMs: 0 });
  await chooseLanguage(books.store, 'telegram:5', 'de');
  await ask(15);
  const [onDiscord, onTelegram, ...others] = await work();
  expect(others).toEqual([]);
  expect(onDiscord).toMatch(
    /^discord:17: A withdrawal was asked for: 15\.00 USDC from what you kept as @alice on X will leave on \d+ \w+, \d\d:\d\d UTC, on Base for 0xcd/i,
  );
  expect(onDiscord).toContain('If that was not you, say /withdraw cancel here before then, and /lock');
  expect(onTelegram).toContain('telegram:5: Eine Auszahlung wurde angefragt: 15.00 USDC');
  expect(await work()).toEqual([]);
});

test('money that leaves at once for a new address is announced too, with the time from which the address is known', async () => {
  await ask(1);
  const [onDiscord] = await work();
  expect(onDiscord).toMatch(/1\.00 USDC from what you kept as @alice on X will leave at once, on Base for 0xcd/i);
  expect(onDiscord).toContain(shownAddress(ADDRESS));
  expect(onDiscord).toMatch(/From \d+ \w+, \d\d:\d\d UTC any amount can leave for that address at once/);
  books.clock.nowMs += ADDRESS_WAIT_MS;
  await ask(500);
  expect(await work()).toEqual([]);
});

describe('when the service ends', () => {
  const COMMAND = { name: 'wind-down', arguments: [], who: 'the test' };
  /** Looked into, with this much kept. */
  const find = async (walletId: string, kept: bigint) => {
    const { store, clock } = books;
    await beginClosing(store, COMMAND, 'by the test', clock.nowMs);
    await listClosingWallets(store, clock.nowMs);
    const wallet = await findClosingWallet(store, payerAccountId(walletId));
    if (wallet === null) throw new Error(`${walletId} is not listed`);
    const sinceMs = (await closingSince(store)) ?? 0;
    await noteLook(store, wallet, { sum: kept, kept, sinceMs, nextLookAtMs: clock.nowMs }, clock.nowMs);
  };

  test('each chat that holds a wallet with money is told once how it comes out, in its language', async () => {
    await ensureUser(books.store, { id: 'telegram:5', transport: 'telegram', walletAddress: ADDRESS, createdAtMs: 0 });
    await chooseLanguage(books.store, 'telegram:5', 'de');
    await find('x:7', 3_200_000n);
    const [onDiscord, onTelegram, ...others] = await work();
    expect(others).toEqual([]);
    expect(onDiscord).toBe(
      'discord:17: This service is closing. 3.20 USDC that you kept as @alice on X are still here. Please take them out: say /withdraw with the amount and an address of yours.',
    );
    expect(onTelegram).toContain('telegram:5: Dieser Dienst schließt. Hier liegen noch 3.20 USDC');
    await find('x:7', 3_200_000n);
    expect(await work()).toEqual([]);
  });

  test('the mailbox of a wallet is told, with the page where the money comes out', async () => {
    const person = { platform: 'email', stableId: 'a@b.example', key: 'a@b.example', display: 'a@b.example' };
    await books.store.tx((db) => ensureIdentity(db, books.store.tables, person, 'mail_1', START_MS));
    await hold('chat:other', 'email:a@b.example');
    await find('email:a@b.example', 1_000_000n);
    await work();
    expect(mails).toMatchObject([
      { to: 'a@b.example', change: { kind: 'closing', sum: 1_000_000n }, stopUrl: 'https://pay.test/purse' },
    ]);
  });

  test('nobody is told of an empty wallet, or once the end was taken back', async () => {
    await find('x:7', 0n);
    expect(await work()).toEqual([]);
    await find('discord:18', 1_000_000n);
    await books.store.tx((db) => db.delete(books.store.tables.signingStops));
    expect(await work()).toEqual([]);
  });

  test('those are told who have decided about the money of a community', async () => {
    const { treasuries, treasuryAddresses } = books.store.tables;
    const walletId = 'discord-guild:9';
    const place = { walletId, transport: 'discord' };
    const address = { id: 'a', requestKey: 'a', network: 'base', address: ADDRESS, setBy: 'discord:17' } as const;
    await books.store.tx(async (db) => {
      await db.insert(treasuries).values({ ...place, communityId: '9', lookedAtMs: 0, createdAtMs: 0 });
      await db.insert(treasuryAddresses).values({ ...place, ...address, chatId: '1', setAtMs: 0 });
    });
    await find(walletId, 5_000_000n);
    expect(await work()).toEqual([expect.stringContaining('discord:17: This service is closing. A community')]);
  });
});

test('what was called off before anybody was told, is not', async () => {
  await ask(15, 'discord:18');
  await callOff(books.store, { walletId: 'discord:18' }, books.clock.nowMs);
  expect(await work()).toEqual([]);
});

test('a chat that takes nothing keeps nobody else from hearing it, and hears it later', async () => {
  await ask(15);
  const broken: ChatSender = { ...sender, tell: () => Promise.reject(new Error('away')) };
  expect(await work({ discord: broken, telegram: sender })).toEqual([
    expect.stringContaining('telegram:5: A withdrawal'),
  ]);
  expect(await work()).toEqual([expect.stringContaining('discord:17: A withdrawal')]);
});

describe('the day begins', () => {
  const timesOf = async ({ id }: { id: string }) => {
    const row = await findWithdrawal(books.store, id);
    return { notifiedAtMs: row?.notifiedAtMs, notBeforeMs: row?.notBeforeMs };
  };
  const pass = (ms: number) => void (books.clock.nowMs += ms);
  const answering = (answer: Told): ChatSender => ({ ...sender, tell: async () => answer });
  const day = (notifiedAtMs: number) => ({ notifiedAtMs, notBeforeMs: notifiedAtMs + ADDRESS_WAIT_MS });
  const notYet = { notifiedAtMs: null, notBeforeMs: START_MS + ADDRESS_WAIT_MS };
  const HOUR_MS = 3_600_000;

  test('when everybody was told, so at another time where the worker was away', async () => {
    const row = await ask(15);
    pass(30 * HOUR_MS);
    const [onDiscord] = await work();
    expect(await timesOf(row)).toEqual(day(books.clock.nowMs));
    const at = new Date(books.clock.nowMs + ADDRESS_WAIT_MS).getUTCDate();
    expect(onDiscord).toContain(`leave on ${at} `);
    pass(HOUR_MS);
    await work();
    expect((await timesOf(row)).notifiedAtMs).toBe(books.clock.nowMs - HOUR_MS);
  });

  test.each([
    ['fails', { ...sender, tell: () => Promise.reject(new Error('away')) }],
    ['has it written down only', answering('under-way')],
    ['is not served', undefined],
  ])('not while a chat %s, though all others were told, and begins when that one was', async (_title, telegram) => {
    const row = await ask(15);
    const senders = { discord: sender, ...(telegram && { telegram }) };
    for (const hours of [0, 1, 46]) {
      pass(hours * HOUR_MS);
      await work(senders);
      expect(await timesOf(row)).toEqual(notYet);
    }
    await work();
    expect(await timesOf(row)).toEqual(day(books.clock.nowMs));
  });

  test('two days after the request, though a chat does not answer; it is still told later', async () => {
    const row = await ask(15);
    await work({ discord: sender });
    pass(TELLING_MAX_MS - 1);
    await work({ discord: sender });
    expect(await timesOf(row)).toEqual(notYet);
    pass(1);
    await work({ discord: sender });
    expect(await timesOf(row)).toEqual(day(START_MS + TELLING_MAX_MS));
    expect(await work()).toEqual([expect.stringContaining('telegram:5')]);
    expect(await timesOf(row)).toEqual(day(START_MS + TELLING_MAX_MS));
  });

  test('a day after it is given up where it is given up late', async () => {
    const row = await ask(15);
    pass(10 * TELLING_MAX_MS);
    await work({ discord: sender });
    expect(await timesOf(row)).toEqual(day(books.clock.nowMs));
  });

  test.each([
    ['nobody can be told any more', 'x:7', { discord: answering('unreachable'), telegram: answering('unreachable') }],
    ['only browsers hold the wallet', 'x:9', {}],
  ])('at once where %s', async (_title, walletId, senders) => {
    await hold('chat:browser', 'x:9');
    const row = await ask(15, walletId);
    await work(senders);
    expect(await timesOf(row)).toEqual(day(START_MS));
  });

  test('not for what was called off before, and not without a new holder of the wallet', async () => {
    const stopped = await ask(15, 'discord:18');
    const row = await ask(15);
    await callOff(books.store, { walletId: 'discord:18' }, books.clock.nowMs);
    await work({ discord: sender });
    await hold('discord:19', 'x:7');
    const said = await work();
    expect(said.map((text) => text.slice(0, 10))).toEqual(['discord:19', 'telegram:5']);
    expect([(await timesOf(row)).notifiedAtMs, (await timesOf(stopped)).notifiedAtMs]).toEqual([START_MS, null]);
  });
});

test('however many browsers hold a wallet, and have held it longer, each chat is told', async () => {
  for (let count = 0; count < 150; count++) await hold(`chat:${count}`, 'x:9');
  books.clock.nowMs += 1;
  for (let count = 30; count < 60; count++) await hold(`telegram:${count}`, 'x:9');
  await ask(15, 'x:9');
  expect(await work()).toHaveLength(30);
});

test.each(Object.keys(RECEIPT_LANGUAGES))('in %s it says sum, address, time, wallet and both commands', (language) => {
  const at = new Date('2026-11-21T23:59:00Z');
  const facts = {
    amount: microUsdc(3_170_000n),
    place: 'zqplace',
    address: 'zqaddress',
    at,
    leavesAtOnce: false,
    walletName: 'zqname',
  };
  const text = plainText(withdrawalNotice(facts, language));
  for (const fact of ['zqplace', 'zqaddress', 'zqname', '23:59 UTC', '/withdraw cancel', '/lock']) {
    expect(text).toContain(fact);
    expect(plainText(withdrawalNotice({ ...facts, leavesAtOnce: true }, language))).toContain(fact);
  }
  expect(text).toMatch(/3\.17 USDC/);
  expect(plainText(withdrawalNotice({ ...facts, walletName: null }, language))).not.toContain('zqname');
});

describe('a newcomer who proves that a wallet is theirs', () => {
  const SINCE_MS = START_MS;
  async function admit(holderId: string): Promise<void> {
    const { store, clock } = books;
    const person = { platform: 'x', stableId: '7', key: 'alice', display: 'alice' } as const;
    await store.tx(async (db) => {
      const identityId = await ensureIdentity(db, store.tables, person, 'person_7', clock.nowMs);
      const holder = { holderId, walletId: 'x:7', identityId, name: 'x:alice' };
      const admission = { mayLapse: false, keeps: null, nowMs: clock.nowMs };
      await admitHolder(db, store.tables, holder, admission);
    });
  }

  test('is told to every chat that holds it, alone and once, with the time from which they may spend', async () => {
    await admit('chat:new');
    const [onDiscord, onTelegram, ...others] = await work();
    expect(others).toEqual([]);
    expect(onDiscord).toMatch(/^discord:17: Someone signed in to what you kept as @alice on X from another place\./);
    const from = /send or withdraw from (\d+ \w+, \d\d:\d\d UTC)/.exec(onDiscord ?? '')?.[1];
    expect([from, onTelegram?.includes(from ?? '?')]).toEqual([expect.any(String), true]);
    expect(onDiscord).toContain('say /wallet here before then');
    expect(await work()).toEqual([]);
  });

  test('to what a passkey guards can send nothing without it, and everyone who is told reads so', async () => {
    const { store, clock } = books;
    const key = { publicKey: 'key', counter: 0, transports: [], addedBy: 'chat:browser', identityId: 'person_7' };
    const times = { createdAtMs: clock.nowMs, holdsFromMs: clock.nowMs + PASSKEY_WAIT_MS, endsAtMs: null };
    await store.tx((db) => db.insert(store.tables.passkeys).values({ id: 'key', walletId: 'x:7', ...key, ...times }));
    await admit('chat:new');
    const said = await work();
    expect(said).toHaveLength(2);
    for (const text of said) {
      expect(text).toMatch(
        /From \d+ \w+, \d\d:\d\d UTC they can ask for a withdrawal, which without the passkey waits 72 hours/,
      );
      expect(text).not.toContain('They can send');
    }
  });

  test('and was ended before anybody was told, is not; coming back they are', async () => {
    await admit('chat:new');
    await endWaitingHolders(books.store, { walletId: 'x:7', holderId: 'discord:17' }, books.clock.nowMs);
    expect(await work()).toEqual([]);
    books.clock.nowMs = SINCE_MS + 1;
    await admit('chat:new');
    expect(await work()).toHaveLength(2);
  });
});

describe('a wallet that is kept for an address', () => {
  const MAIL = 'alice@example.com';
  const walletId = `email:${MAIL}`;
  let identityId: string;
  beforeEach(async () => {
    identityId = await books.meet(MAIL, MAIL, 'email');
    await enter('chat:owner', 0);
  });
  const enter = (holderId: string, spendsFromMs: number) =>
    books.store.tx((db) => {
      const holder = { holderId, walletId, identityId, name: walletId };
      return addHolder(db, books.store.tables, holder, books.clock.nowMs, spendsFromMs);
    });
  const newcomer = () =>
    books.store.tx((db) => {
      const holder = { holderId: 'chat:2', walletId, identityId, name: walletId };
      return admitHolder(db, books.store.tables, holder, { mayLapse: true, keeps: null, nowMs: books.clock.nowMs });
    });
  const add = (id: string) =>
    addPasskey(
      books.store,
      { id, walletId, holderId: 'chat:owner', publicKey: 'key', counter: 0, transports: [] },
      books.clock.nowMs,
    );

  test('is told there of a newcomer, of passkeys and of what leaves, each once, with a link that stops it', async () => {
    await newcomer();
    await add('first');
    await add('second');
    await endPasskey(books.store, { id: 'first', walletId, holderId: 'chat:owner', signedBy: null }, books.clock.nowMs);
    await ask(15, walletId);
    await work();
    await work();
    expect(mails.map(({ change }) => change.kind).toSorted()).toEqual([
      'holder',
      'leaves',
      'passkey_added',
      'passkey_ends',
    ]);
    expect(mails.find(({ change }) => change.kind === 'holder')?.change).toMatchObject({ isGuarded: true });
    for (const { to, change, stopUrl } of mails) {
      expect(to).toBe(MAIL);
      const token = stopUrl.slice('https://pay.test/notices/hold/'.length);
      expect(readHoldToken('secret of the test', token)).toEqual({ identityId, untilMs: change.atMs });
    }
  });

  test('is not told of what was stopped before, and is told later where the server was away', async () => {
    await newcomer();
    await endWaitingHolders(books.store, { walletId, holderId: 'chat:owner' }, books.clock.nowMs);
    await work();
    expect(mails).toEqual([]);
    const { passkeys } = books.store.tables;
    await add('first');
    await books.store.tx((db) => db.update(passkeys).set({ holdsFromMs: books.clock.nowMs - 1 }));
    await endPasskey(books.store, { id: 'first', walletId, holderId: 'chat:owner', signedBy: null }, books.clock.nowMs);
    const well = takeMail;
    takeMail = async () => ({ kind: 'unavailable' });
    await work();
    takeMail = well;
    await work();
    expect(mails.map(({ change }) => change.kind)).toEqual(['passkey_ends']);
    expect(await passkeysOf(books.store.read, books.store.tables, walletId, books.clock.nowMs)).toHaveLength(1);
  });

  test('takes a few of the mails of a day, whatever is done with it, and leaves all others to those who are kept here', async () => {
    dailyMax = 200;
    const owner = { walletId, holderId: 'chat:owner' };
    await add('counts at once');
    const addAndEnd = async (id: string) => {
      await add(id);
      await work();
      await endPasskey(books.store, { id, ...owner, signedBy: null }, books.clock.nowMs);
    };
    for (let at = 1; at <= mailsOf('change', dailyMax) + 2; at += 1) await addAndEnd(`passkey ${at}`);
    expect(mails).toHaveLength(PURSE_MAILS_MAX);
    const other = 'bob@example.com';
    const theirs = {
      holderId: 'chat:bob',
      walletId: `email:${other}`,
      identityId: await books.meet(other, other, 'email'),
    };
    const { nowMs } = books.clock;
    await books.store.tx(async (db) => {
      await addHolder(db, books.store.tables, { ...theirs, name: theirs.walletId }, nowMs);
      const newcomer = { ...theirs, holderId: 'chat:3', name: theirs.walletId };
      await admitHolder(db, books.store.tables, newcomer, { mayLapse: true, keeps: null, nowMs });
    });
    await work();
    const others = mails.filter(({ to }) => to === other);
    expect(others.map(({ change }) => change)).toMatchObject([{ kind: 'holder', isGuarded: false }]);
    mails = [];
    await add('waits for its mail');
    await work();
    expect(mails).toEqual([]);
    books.clock.nowMs += 24 * 3_600_000;
    await work();
    expect(mails.map(({ to, change }) => [to, change.kind])).toEqual([[MAIL, 'passkey_added']]);
  });
});
