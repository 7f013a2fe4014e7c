import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ADDRESS_LAPSE_MS } from '../../core/claims/claims.ts';
import type { AddressCheck } from '../../core/payments/payout-address.ts';
import { linkPublished } from '../../db/published/link.ts';
import { forgetPublished, stalePublished } from '../../db/published/stale.ts';
import { storePayoutSettings } from '../../db/limits/settings.ts';
import type { VerifiedAddress } from '../../identity/platforms/verified-addresses.ts';
import { createFindPublished } from '../../identity/platforms/published.ts';
import { ASK_AGAIN_MS, createPublishedRounds, RETRY_MS, type PublishedRounds } from '../../worker/published.ts';
import { RENEW_AFTER_MS } from '../../worker/published-renewal.ts';
import { openBooks, type Books } from '../support/books.ts';
import type { Family } from '../../core/networks.ts';
import type { WalletAddresses } from '../../identity/port.ts';

const GOOD = `0x${'aa'.repeat(20)}`;
const OTHER = `0x${'bb'.repeat(20)}`;
const SOLANA = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const CONTRACT = `0x${'cc'.repeat(20)}`;

let books: Books;
let rounds: PublishedRounds;
/** What the hub and the website say; null: no usable answer. */
let verified: VerifiedAddress[] | null;
let wallets: WalletAddresses | null;
/** Of addresses that are not fine. */
let checks: Record<string, AddressCheck>;
let asked: string[];

beforeEach(async () => {
  books = await openBooks();
  [verified, wallets, checks, asked] = [[], null, {}, []];
  rounds = newRounds();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

function newRounds(): PublishedRounds {
  const check = async ({ address }: { address: string }): Promise<AddressCheck> =>
    checks[address] ?? { kind: 'fine', address };
  return createPublishedRounds({
    store: books.store,
    transferIdOf: books.transferIdOf,
    now: () => books.clock.nowMs,
    log: pino({ level: 'silent' }),
    published: {
      find: createFindPublished({
        findVerified: async (fid) => {
          asked.push(fid);
          return verified;
        },
        findWallets: async (host) => {
          asked.push(host);
          return wallets;
        },
      }),
      check: { base: check, solana: check },
    },
  });
}

const key = (address: string, family: Family = 'evm'): VerifiedAddress => ({
  family,
  address,
  chainId: 0,
  isContract: false,
});
const pay = (platform: string, name: string, stableId = name) => books.pay({ payees: [{ platform, name, stableId }] });
const toAddresses = async () => (await books.payouts()).map(({ toAddress }) => toAddress);

async function walletsOf(paymentId: string) {
  const [line] = await books.linesFor(paymentId);
  const { wallets: table } = books.store.tables;
  const rows = await books.store.read
    .select()
    .from(table)
    .where(eq(table.identityId, line?.identityId ?? ''));
  return rows.map(({ network, address, source }) => `${network} ${address} ${source}`).toSorted();
}

describe('a published address', () => {
  test('of a Farcaster account is paid at once, once its payment is hinted at', async () => {
    verified = [key(GOOD)];
    await rounds.round();
    const { paymentId } = await pay('decsocial', 'alice', '42');
    expect(await rounds.round()).toBe(0);
    rounds.hint(paymentId);
    expect(await rounds.round()).toBe(1);
    expect([asked, await toAddresses(), await walletsOf(paymentId)]).toEqual([
      ['42'],
      [GOOD],
      [`base ${GOOD} published`],
    ]);
  });

  test('of a website is found without a hint, and pays all that waits', async () => {
    wallets = { base: [GOOD], solana: [], polygon: [] };
    await pay('web', 'example.com');
    await pay('web', 'example.com');
    expect(await rounds.round()).toBe(2);
    expect(await toAddresses()).toEqual([GOOD, GOOD]);
  });

  test.each(['x', 'email', 'code'])('is not looked for on %s', async (platform) => {
    const { paymentId } = await pay(platform, 'example.com');
    rounds.hint(paymentId);
    expect([await rounds.round(), asked]).toEqual([0, []]);
  });

  test('that is refused gives way to the next one', async () => {
    checks[GOOD] = { kind: 'refused', reason: 'blacklisted' };
    verified = [key(GOOD), key(OTHER)];
    await pay('decsocial', 'alice', '42');
    expect([await rounds.round(), await toAddresses()]).toEqual([1, [OTHER]]);
  });

  test('is that on the network of the money, and the other one only where there is none', async () => {
    // Our own money on Solana would be enough for none of it: it waits there.
    await storePayoutSettings(books.store, {
      dailyMicroUsdc: { payer: null, recipient: null },
      treasuries: { solana: SOLANA },
    });
    verified = [key(SOLANA, 'svm'), key(GOOD)];
    const alice = await pay('decsocial', 'alice', '42');
    await rounds.round();
    expect(await walletsOf(alice.paymentId)).toEqual([`base ${GOOD} published`]);
    verified = [key(SOLANA, 'svm')];
    const bob = await pay('decsocial', 'bob', '43');
    rounds.hint(bob.paymentId);
    await rounds.round();
    expect(await walletsOf(bob.paymentId)).toEqual([`solana ${SOLANA} published`]);
  });

  test('of a contract counts on the chain where it was verified alone', async () => {
    verified = [{ ...key(CONTRACT), isContract: true, chainId: 1 }];
    await pay('decsocial', 'alice', '42');
    expect(await rounds.round()).toBe(0);
    const find = createFindPublished({
      findVerified: async () => [{ ...key(CONTRACT), isContract: true, chainId: 8453 }, key(GOOD)],
      findWallets: async () => null,
    });
    const found = await find({ platform: 'decsocial', stableId: '1', key: 'a' }, new AbortController().signal);
    expect(found).toEqual({
      kind: 'published',
      addresses: [
        { network: 'base' as const, address: CONTRACT, isProvenHere: true },
        { network: 'base' as const, address: GOOD, isProvenHere: false },
        { network: 'polygon' as const, address: GOOD, isProvenHere: false },
      ],
    });
  });
});

describe('a recipient', () => {
  test.each<[string, () => void, number]>([
    ['published nothing', () => undefined, ASK_AGAIN_MS],
    [
      'published only what is refused',
      () => {
        verified = [key(CONTRACT)];
        checks[CONTRACT] = { kind: 'refused', reason: 'token' };
      },
      ASK_AGAIN_MS,
    ],
    ['cannot be asked for', () => void (verified = null), RETRY_MS],
    [
      'has an address that its chain does not speak of',
      () => {
        verified = [key(CONTRACT)];
        checks[CONTRACT] = { kind: 'unavailable' };
      },
      RETRY_MS,
    ],
  ])('%s is asked for again after a while, and no sooner', async (_who, arrange, pauseMs) => {
    arrange();
    const { paymentId } = await pay('decsocial', 'alice', '42');
    for (let round = 0; round < 3; round += 1) expect(await rounds.round()).toBe(0);
    expect(asked).toHaveLength(1);
    verified = [key(GOOD)];
    books.clock.nowMs += pauseMs - 1;
    rounds.hint(paymentId);
    expect(await rounds.round()).toBe(0);
    books.clock.nowMs += 1;
    rounds.hint(paymentId);
    expect(await rounds.round()).toBe(1);
  });

  test('told us an address, or wants no payments, is not asked for', async () => {
    verified = [key(GOOD)];
    const alice = await pay('decsocial', 'alice', '42');
    await books.link(alice.lines[0]?.identityId ?? '', OTHER);
    const bob = await pay('decsocial', 'bob', '43');
    const { identities } = books.store.tables;
    const optedOut = eq(identities.stableId, '43');
    await books.store.tx((db) => db.update(identities).set({ optedOutAtMs: 1 }).where(optedOut));
    for (const { paymentId } of [alice, bob]) rounds.hint(paymentId);
    expect([await rounds.round(), asked]).toEqual([0, []]);
    expect(await walletsOf(alice.paymentId)).toEqual([`base ${OTHER} test`]);
  });

  test('claims during the question keeps the address of the claim', async () => {
    const { paymentId, lines } = await pay('decsocial', 'alice', '42');
    const identityId = lines[0]?.identityId ?? '';
    await books.link(identityId, OTHER);
    const dependencies = { transferIdOf: books.transferIdOf, nowMs: books.clock.nowMs };
    const addresses = [{ network: 'base' as const, address: GOOD }];
    expect(await linkPublished(books.store, { identityId, addresses }, dependencies)).toBeNull();
    expect(await walletsOf(paymentId)).toEqual([`base ${OTHER} test`]);
  });

  test('has an address of a website that lapsed is asked for again', async () => {
    wallets = { base: [GOOD], solana: [], polygon: [] };
    const { paymentId } = await pay('web', 'example.com');
    await rounds.round();
    books.clock.nowMs += ADDRESS_LAPSE_MS + 1;
    wallets = { base: [OTHER], solana: [], polygon: [] };
    await pay('web', 'example.com');
    expect([await rounds.round(), await walletsOf(paymentId)]).toEqual([1, [`base ${OTHER} published`]]);
  });
});

describe('a published address that is used', () => {
  test('no longer counts once it is taken down: later money waits, and goes to the next one', async () => {
    verified = [key(GOOD)];
    const { paymentId } = await pay('decsocial', 'alice', '42');
    await rounds.round();
    books.clock.nowMs += RENEW_AFTER_MS;
    verified = [];
    await rounds.round();
    expect(await walletsOf(paymentId)).toEqual([]);
    await pay('decsocial', 'alice', '42');
    verified = [key(OTHER)];
    books.clock.nowMs += ASK_AGAIN_MS;
    await rounds.round();
    expect(await toAddresses()).toEqual([GOOD, OTHER]);
  });

  test('is looked at once a day, in any letters, and stays while nobody answers', async () => {
    verified = [key(`0x${'AA'.repeat(20)}`)];
    const { paymentId } = await pay('decsocial', 'alice', '42');
    await rounds.round();
    for (const nowVerified of [verified, null]) {
      books.clock.nowMs += RENEW_AFTER_MS - 1;
      await rounds.round();
      const before = asked.length;
      books.clock.nowMs += 60_000;
      verified = nowVerified;
      await rounds.round();
      await rounds.round();
      expect(asked.length - before).toBe(1);
    }
    expect(await walletsOf(paymentId)).toEqual([`base ${GOOD} published`]);
  });

  test('gives way to a proof while it is looked at', async () => {
    verified = [key(GOOD)];
    const { paymentId, lines } = await pay('decsocial', 'alice', '42');
    await rounds.round();
    const [stale] = await stalePublished(books.store, books.clock.nowMs, 1);
    if (stale === undefined) throw new Error('expected an address');
    await books.link(lines[0]?.identityId ?? '', GOOD);
    expect(await forgetPublished(books.store, stale)).toBe(false);
    expect(await walletsOf(paymentId)).toEqual([`base ${GOOD} test`]);
  });
});

test('all who wait are looked through, also where they are more than one page', async () => {
  const payees = Array.from({ length: 205 }, (_, index) => ({
    platform: 'decsocial',
    name: `n${index}`,
    stableId: `${index}`,
  }));
  for (let first = 0; first < payees.length; first += 50) await books.pay({ payees: payees.slice(first, first + 50) });
  await rounds.round();
  await rounds.round();
  expect(new Set(asked).size).toBe(205);
});
