import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { localUserId } from '../../../local/identity.ts';
import { keep } from '../../identity/proofs/tools.ts';
import { submit } from '../../identity/proofs/submit.ts';
import { BOT_TOKEN, newAddress, startWorld, type World } from './world.ts';
import type { Visitor } from './visitor.ts';

/**
 * On every platform: three who are not meant get nothing, and then the one who is gets it all. Each wrong one goes as
 * far as the service lets them, up to the confirmation.
 */
let world: World;
beforeEach(async () => {
  world = await keep(startWorld());
});
afterEach(() => world.assertSound());

const bot = { authorization: `Bearer ${BOT_TOKEN}` };
const ALICE_ID = '175928847299117063';

/** Confirms whatever was proven; nobody who is not meant may have anything come of it. */
async function takeWhatThereIs(visitor: Visitor, claimId: string, proof: object = {}): Promise<void> {
  const { body } = await visitor.prove(claimId, proof);
  const token = body.data?.confirm_token ?? null;
  if (token !== null) await visitor.confirm(claimId, token);
}

async function signIn(visitor: Visitor, url: string, username: string): Promise<void> {
  const back = await submit(url, { username, decision: 'allow' });
  const { pathname, search } = new URL(back.headers.get('location') ?? '');
  await visitor.ask(pathname + search);
}

async function codeFor(address: string): Promise<string> {
  const [code = ''] = /\d{4} \d{4}/.exec(await world.mailsTo(address)) ?? [];
  return code;
}

type Platform = 'x' | 'code' | 'photo' | 'decsocial' | 'email' | 'web' | 'discord' | 'telegram';
/** Tries to collect what waits for `name`, as the person `who`. */
type Attempt = (platform: Platform, name: string, who: string, address: string) => Promise<void>;

const bySignIn: Attempt = async (platform, name, who, address) => {
  const visitor = world.newVisitor();
  const claim = await visitor.opened(platform, name, { base: address });
  await signIn(visitor, claim.oauth?.url ?? '', who);
  await takeWhatThereIs(visitor, claim.claim_id);
};

const byFarcaster: Attempt = async (platform, name, who, address) => {
  const visitor = world.newVisitor();
  const claim = await visitor.opened(platform, name, { base: address });
  await submit(claim.siwf?.url ?? '', { name: who });
  await takeWhatThereIs(visitor, claim.claim_id);
};

const HOUR_MS = 3_600_000;

/** The owner of another mailbox knows the code that was sent there, and may ask for one of their own. */
const byMail: Attempt = async (platform, name, who, address) => {
  // How often an address gets a mail, no matter who asks.
  world.clock.nowMs += HOUR_MS;
  const visitor = world.newVisitor();
  const own = await visitor.opened(platform, who, { base: address });
  const code = await codeFor(who);
  const claim = who === name ? own : await visitor.opened(platform, name, { base: address });
  await takeWhatThereIs(visitor, claim.claim_id, { code });
  if (claim !== own) await takeWhatThereIs(visitor, own.claim_id, { code });
};

const byDomain: Attempt = async (platform, name, who, address) => {
  const visitor = world.newVisitor();
  const claim = await visitor.opened(platform, name, { base: address });
  await world.publish(who, claim.domain?.line ?? '', 'file');
  await takeWhatThereIs(visitor, claim.claim_id);
};

/** The bot says whom it saw. */
const byBot: Attempt = async (platform, name, who, address) => {
  const visitor = world.newVisitor();
  const wanted = { platform, handle: name, payout: { base: address } };
  const { body } = await visitor.send('/claims', wanted, bot);
  const id = body.data.claim_id;
  const proven = await visitor.send(`/claims/${id}/proof`, { user_id: who }, bot);
  const token = proven.body.data?.confirm_token ?? null;
  if (token !== null) await visitor.send(`/claims/${id}/confirm`, { confirm_token: token }, bot);
};

const cases: [Platform, string, Attempt, [string, string, string]][] = [
  ['x', 'alice', bySignIn, ['mallory', 'alice_', 'a1ice']],
  ['code', 'alice', bySignIn, ['mallory', 'alice-1', 'a-lice']],
  ['photo', 'alice', bySignIn, ['mallory', 'alice_', 'al.ice']],
  ['decsocial', 'alice', byFarcaster, ['mallory', 'alice-', 'alice1']],
  ['email', 'alice@example.com', byMail, ['mallory@example.com', 'alice+tips@example.com', 'alice@mail.example.com']],
  ['web', 'shop.example.com', byDomain, ['example.com', 'www.shop.example.com', 'shop.example.org']],
  ['discord', ALICE_ID, byBot, ['175928847299117064', '1', `${ALICE_ID}0`]],
  ['telegram', ALICE_ID.slice(0, 10), byBot, ['1759288473', '1', '175928847']],
];

async function payFor(platform: Platform, name: string): Promise<void> {
  const recipient = parseRecipient(platform, name);
  const isName = ['email', 'web', 'discord', 'telegram'].includes(platform);
  const stableId = isName ? recipient.key : localUserId(recipient);
  await world.pay({ payees: [{ platform, name: recipient.key, stableId }] });
}

async function stateOf(key: string): Promise<string[]> {
  const { lines } = world.store.tables;
  const rows = await world.store.read.select().from(lines).where(eq(lines.recipientKey, key));
  return rows.map(({ status }) => status);
}

test.each(cases)(
  '%s: three who are not %s get nothing, and the right one gets it all',
  async (platform, name, attempt, wrong) => {
    await payFor(platform, name);
    for (const who of wrong) {
      expect(who, 'is another person').not.toBe(name);
      await attempt(platform, name, who, newAddress());
      expect([who, await stateOf(name), await world.payouts()]).toEqual([who, ['escrowed'], []]);
    }
    const address = newAddress();
    await attempt(platform, name, name, address);
    expect((await world.payouts()).map(({ toAddress, amountMicroUsdc }) => [toAddress, amountMicroUsdc])).toEqual([
      [address, 1_000_000n],
    ]);
  },
);

describe('the new owner of a freed name', () => {
  const recycled: [Platform, Attempt][] = [
    ['x', bySignIn],
    ['code', bySignIn],
    ['photo', bySignIn],
    ['decsocial', byFarcaster],
  ];

  test.each(recycled)('on %s gets nothing of what its owner before was sent', async (platform, attempt) => {
    await world.pay({ payees: [{ platform, name: 'alice', stableId: 'the-owner-before' }] });
    await attempt(platform, 'alice', 'alice', newAddress());
    expect([await stateOf('alice'), await world.payouts()]).toEqual([['escrowed'], []]);
  });
});
