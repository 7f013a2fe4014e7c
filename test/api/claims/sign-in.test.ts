import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { HOLDER_WAIT_MS, KEPT_IT_MS } from '../../../core/wallets/holder-wait.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { dueItems } from '../../../db/store/outbox.ts';
import { endWaitingHolders, sessionsOf } from '../../../db/wallets/holders.ts';
import { browserIdOf } from '../../../identity/browsers.ts';
import { localUserId } from '../../../local/identity.ts';
import { keep } from '../../identity/proofs/tools.ts';
import { submit } from '../../identity/proofs/submit.ts';
import { BASE_URL, startWorld, type World } from './world.ts';
import type { Visitor } from './visitor.ts';
import { WITHOUT_PASSKEY_HOURS } from '../../../texts/rules/rules.ts';

/** From a second browser to what the first one kept, over the pages, by the proof that collected it. */
let world: World;
beforeEach(async () => {
  world = await keep(startWorld());
});
afterEach(() => world.assertSound());

const walletId = () => `x:${localUserId(parseRecipient('x', 'alice'))}`;
const idOf = (visitor: Visitor) => browserIdOf(visitor.cookie()?.split('=')[1]) ?? '';

const post = (visitor: Visitor, path: string, fields: Record<string, string>) =>
  visitor.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { accept: 'text/html', origin: BASE_URL, 'content-type': 'application/x-www-form-urlencoded' },
  });
const page = async (visitor: Visitor, path: string) =>
  (await visitor.ask(path, { headers: { accept: 'text/html' } })).text();

/** Signs in at the provider's, as this person. */
async function prove(visitor: Visitor, url: string): Promise<string> {
  const back = await submit(url, { username: 'alice', decision: 'allow' });
  const { pathname, search } = new URL(back.headers.get('location') ?? '');
  return (await visitor.ask(pathname + search)).headers.get('location') ?? '';
}

async function keepAs(visitor: Visitor): Promise<void> {
  const claim = await visitor.opened('x', 'alice', { keep: true });
  await prove(visitor, claim.oauth?.url ?? '');
  const { body } = await visitor.prove(claim.claim_id);
  await visitor.confirm(claim.claim_id, body.data.confirm_token);
}

test('a second browser signs in by the same proof and is let in to look, and nothing moves', async () => {
  await world.payTo('x', 'alice');
  const [first, second] = [world.newVisitor(), world.newVisitor()];
  await keepAs(first);
  const paid = await world.payouts();
  const asked = await page(second, '/claim/x?for=purse');
  expect(asked).toContain('Sign in to money kept here');
  expect(asked).not.toMatch(/collect money/i);
  const opened = await post(second, '/claims', { platform: 'x', handle: 'alice', choice: 'open' });
  expect(opened.status).toBe(303);
  const claimPath = await prove(second, opened.headers.get('location') ?? '');
  const proven = await page(second, claimPath);
  expect(proven).toContain('Looking works at once, sending later');
  const token = /name="confirm_token" value="([^"]+)"/.exec(proven)?.[1] ?? '';
  const confirmed = await post(second, `${claimPath.split('?')[0]}/confirm`, { confirm_token: token });
  expect(confirmed.status).toBe(303);
  const followed = await second.ask(confirmed.headers.get('location') ?? '', { headers: { accept: 'text/html' } });
  expect([followed.status, followed.headers.get('location')]).toEqual([303, '/purse']);
  expect(await world.payouts()).toEqual(paid);
  const sessions = await sessionsOf(world.store, walletId());
  const since = sessions.find(({ holderId }) => holderId === idOf(second))?.sinceMs ?? 0;
  expect(new Map(sessions.map(({ holderId, fromMs }) => [holderId, fromMs]))).toEqual(
    new Map([
      [idOf(first), 0],
      [idOf(second), since + HOLDER_WAIT_MS],
    ]),
  );
});

test('a sign-in sends nothing back to who paid it, and no code of another purpose opens it', async () => {
  await world.payTo('x', 'alice');
  const visitor = world.newVisitor();
  const claim = await visitor.opened('x', 'alice', { open: true });
  await prove(visitor, claim.oauth?.url ?? '');
  const { body } = await visitor.prove(claim.claim_id);
  const declined = await visitor.decline(claim.claim_id, body.data.confirm_token, true);
  expect([declined.status, declined.body.error]).toEqual([400, 'claim_refused']);
  await visitor.confirm(claim.claim_id, body.data.confirm_token);
  // Nothing was ever kept for the name: it looks at what waits, and makes nobody wait who keeps it.
  const sessions = await sessionsOf(world.store, walletId());
  expect(sessions.map(({ fromMs, sinceMs }) => fromMs - sinceMs)).toEqual([HOLDER_WAIT_MS]);
  expect(await world.payouts()).toEqual([]);
  const owner = world.newVisitor();
  await keepAs(owner);
  const from = new Map((await sessionsOf(world.store, walletId())).map(({ holderId, fromMs }) => [holderId, fromMs]));
  expect([from.size, from.get(idOf(owner))]).toEqual([2, KEPT_IT_MS]);
  expect(from.get(idOf(visitor))).toBeGreaterThanOrEqual(HOLDER_WAIT_MS);
});

test('a second browser that keeps money is told of the wait before it confirms, and the first is not', async () => {
  await world.payTo('x', 'alice');
  const [first, second] = [world.newVisitor(), world.newVisitor()];
  const proven = async (visitor: Visitor) => {
    const claim = await visitor.opened('x', 'alice', { keep: true });
    return page(visitor, await prove(visitor, claim.oauth?.url ?? ''));
  };
  expect(await proven(first)).not.toContain('sending later');
  await keepAs(first);
  expect(await proven(second)).toContain('Looking works at once, sending later');
});

test('a second browser that signs in to what a passkey guards reads what it can do without', async () => {
  await world.payTo('x', 'alice');
  const [first, second] = [world.newVisitor(), world.newVisitor()];
  await keepAs(first);
  const proven = async () => {
    const claim = await second.opened('x', 'alice', { open: true });
    return page(second, await prove(second, claim.oauth?.url ?? ''));
  };
  expect(await proven()).toContain('From this browser it can be sent and withdrawn from');
  const [session] = await sessionsOf(world.store, walletId());
  const key = { publicKey: 'key', counter: 0, transports: ['internal'], addedBy: idOf(first), identityId: 'person' };
  const times = { createdAtMs: session?.sinceMs ?? 0, holdsFromMs: session?.sinceMs ?? 0, endsAtMs: null };
  const row = { id: 'a2V5', walletId: walletId(), ...key, ...times };
  await world.store.tx((db) => db.insert(world.store.tables.passkeys).values(row));
  const guarded = await proven();
  expect(guarded).toContain('With its passkey you can send it at once.');
  expect(guarded).toContain(`that waits ${WITHOUT_PASSKEY_HOURS} hours`);
  expect(guarded).not.toContain('it can be sent and withdrawn from');
});

test('the link of its mail signs in, and offers to collect nothing', async () => {
  const [asker, reader] = [world.newVisitor(), world.newVisitor()];
  await asker.opened('email', 'alice@example.com', { open: true });
  const [link = ''] = /\/claims\/mail\/[\w-]{43}\?for=purse/.exec(await world.mailsTo('alice@example.com')) ?? [];
  const shown = await page(reader, link);
  expect(shown).toContain('Sign in to money kept here');
  expect(shown).not.toMatch(/Keep it here|I don’t want it/);
  const opened = await post(reader, link, { choice: 'open' });
  expect(await page(reader, opened.headers.get('location') ?? '')).toContain('Open it');
});

describe('a code that its reader types into the page of a stranger, who passes it on', () => {
  const ADDRESS = 'alice@example.com';
  const code = async () => /\d{4} \d{4}/.exec(await world.mailsTo(ADDRESS))?.[0] ?? '';
  /** Opens a claim, and proves it with the code of the newest mail, wherever that was read. */
  async function proveWithCode(visitor: Visitor, payout: object) {
    const { claim_id: claimId } = await visitor.opened('email', ADDRESS, payout);
    const { body } = await visitor.prove(claimId, { code: await code() });
    return visitor.confirm(claimId, body.data.confirm_token);
  }

  test.each([
    ['to look', { open: true }],
    ['to collect', { keep: true }],
  ])('%s: the stranger sends nothing for a day, of which the owner is told, who ends it', async (_what, payout) => {
    await world.payTo('email', ADDRESS);
    const [owner, stranger] = [world.newVisitor(), world.newVisitor()];
    await proveWithCode(owner, { keep: true });
    const purse = (await world.payouts()).map(({ toAddress }) => toAddress);
    world.clock.nowMs += 11 * 60_000;
    await world.payTo('email', ADDRESS);
    expect((await proveWithCode(stranger, payout)).status).toBe(200);
    // Whatever came meanwhile went to the purse, and to no place of the stranger's.
    for (const { toAddress } of await world.payouts()) expect(purse).toContain(toAddress);
    const [held, { nowMs }] = [await sessionsOf(world.store, `email:${ADDRESS}`), world.clock];
    const from = new Map(held.map(({ holderId, fromMs }) => [holderId, fromMs]));
    expect([from.get(idOf(owner)), from.get(idOf(stranger))]).toEqual([KEPT_IT_MS, nowMs + HOLDER_WAIT_MS]);
    expect((await dueItems(world.store, nowMs, 20)).map(({ topic }) => topic)).toContain('holder_added');
    const place = { walletId: `email:${ADDRESS}`, holderId: idOf(owner) };
    expect(await endWaitingHolders(world.store, place, nowMs)).toBe(1);
    expect((await sessionsOf(world.store, place.walletId)).map(({ holderId }) => holderId)).toEqual([idOf(owner)]);
  });
});

test('a sign-in keeps no payer from taking back what waits', async () => {
  const { lines } = await world.payTo('x', 'alice');
  const visitor = world.newVisitor();
  const claim = await visitor.opened('x', 'alice', { open: true });
  await prove(visitor, claim.oauth?.url ?? '');
  expect(await refundLine(world.store, lines[0]?.txnId ?? 0, world.clock.nowMs)).toBe('refunded');
});

test('the mail says what it is for, and never speaks of collecting', async () => {
  const visitor = world.newVisitor();
  await visitor.opened('email', 'alice@example.com', { open: true });
  const mail = await world.mailsTo('alice@example.com');
  expect(mail).toContain('sign in to the money that is kept for alice@example.com');
  expect(mail).not.toMatch(/collect|where the money goes/i);
});

test('the mail speaks the language of the page that it was asked for on', async () => {
  const visitor = world.newVisitor();
  const fields = { platform: 'email', handle: 'alice@example.com', choice: 'open' };
  expect((await post(visitor, '/claims?lang=de', fields)).status).toBe(303);
  expect(await world.mailsTo('alice@example.com')).toContain('Jemand möchte sich bei dem Geld anmelden');
});

test('an impossible name is reported on the same page', async () => {
  const refused = await post(world.newVisitor(), '/claims', { platform: 'x', handle: 'not a name', choice: 'open' });
  expect(refused.status).toBe(400);
  const shown = await refused.text();
  for (const text of ['Sign in to money kept here', 'value="not a name"', 'role="alert"'])
    expect(shown).toContain(text);
});

test('for names that nothing is kept for there is nothing to sign in to', async () => {
  const visitor = world.newVisitor();
  const refused = await visitor.send('/claims', { platform: 'web', handle: 'example.com', payout: { open: true } });
  expect([refused.status, refused.body.field]).toEqual([400, 'payout.open']);
  expect((await visitor.ask('/claim/web?for=purse', { headers: { accept: 'text/html' } })).status).toBe(404);
});
