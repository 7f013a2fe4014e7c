import { shownAddress } from '../../../chain/shown-address.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { walletsSeenBy } from '../../../db/wallets/holders.ts';
import { browserIdOf } from '../../../identity/browsers.ts';
import { localUserId } from '../../../local/identity.ts';
import { OAUTH_PLATFORMS, platformRow } from '../../../core/platforms/platforms.ts';
import { formatRecipient, parseRecipient } from '../../../core/platforms/recipient.ts';
import { keep } from '../../identity/proofs/tools.ts';
import { submit } from '../../identity/proofs/submit.ts';
import { BASE_URL, BOT_TOKEN, newAddress, startWorld, type World } from './world.ts';
import type { Body, Visitor } from './visitor.ts';

/** The way of each method from the claim to the payout, over the protocols of its provider. */
let world: World;
let alice: Visitor;
beforeEach(async () => {
  world = await keep(startWorld());
  alice = world.newVisitor();
});
afterEach(() => world.assertSound());

async function signIn(visitor: Visitor, url: string, username: string): Promise<Response> {
  const back = await submit(url, { username, decision: 'allow' });
  const { pathname, search } = new URL(back.headers.get('location') ?? '');
  return visitor.ask(pathname + search);
}

async function codeFor(address: string): Promise<string> {
  const [code = ''] = /\d{4} \d{4}/.exec(await world.mailsTo(address)) ?? [];
  return code;
}

/** The proof's answer to the confirmation's, with the one payout that must come of it. */
async function finish(visitor: Visitor, claim: Body['data'], proof: object, address: string): Promise<void> {
  const proven = await visitor.prove(claim.claim_id, proof);
  expect(proven.body.data).toMatchObject({ status: 'verified', total: 1, sums: [{ network: 'base', amount: 1 }] });
  expect(proven.body.data.destinations).toEqual([{ network: 'base', address }]);
  expect(await world.payouts()).toEqual([]);
  const confirmed = await visitor.confirm(claim.claim_id, proven.body.data.confirm_token);
  expect(confirmed.body.data).toMatchObject({ status: 'paying', total: 1, network: 'base' });
  expect(confirmed.body.data.txn_ids).toHaveLength(1);
  const payouts = await world.payouts();
  expect(payouts.map(({ toAddress, amountMicroUsdc }) => [toAddress, amountMicroUsdc])).toEqual([
    [address, 1_000_000n],
  ]);
}

describe('a sign-in', () => {
  test.each(OAUTH_PLATFORMS)('on %s leads back to the claim, which is then proven', async (platform) => {
    const name = platformRow(platform).example;
    await world.payTo(platform, name);
    const address = newAddress();
    const claim = await alice.opened(platform, `@${name.toUpperCase()}`, { base: address });
    expect(claim.method).toBe('oauth');
    const back = await signIn(alice, claim.oauth?.url ?? '', name);
    expect([back.status, back.headers.get('location')]).toEqual([303, `/claims/${claim.claim_id}`]);
    expect((await alice.read(claim.claim_id)).body.data).toMatchObject({
      name: formatRecipient({ platform, key: name }),
      status: 'verified',
    });
    await finish(alice, claim, {}, address);
  });

  test('that the person cancels says so, and another one works', async () => {
    await world.payTo('x', 'alice');
    const address = newAddress();
    const claim = await alice.opened('x', 'alice', { base: address });
    const back = await submit(claim.oauth?.url ?? '', { decision: 'deny' });
    const { pathname, search } = new URL(back.headers.get('location') ?? '');
    expect((await alice.ask(pathname + search)).status).toBe(303);
    expect((await alice.read(claim.claim_id)).body.data).toMatchObject({ status: 'pending', reason: 'denied_by_user' });
    const opener = { kind: 'browser', browserId: browserIdOf(alice.cookie()?.split('=')[1]) ?? '' } as const;
    const { steps } = await world.claims.read(claim.claim_id, opener);
    expect(steps.oauth?.url).not.toBe(claim.oauth?.url);
    await signIn(alice, steps.oauth?.url ?? '', 'alice');
    await finish(alice, claim, {}, address);
  });

  test('that has not happened is asked for', async () => {
    const claim = await alice.opened('x', 'alice', { base: newAddress() });
    const { status, body } = await alice.prove(claim.claim_id);
    expect([status, body.error]).toEqual([400, 'claim_refused']);
    expect(body.detail).toContain(claim.oauth?.url);
  });
});

test('Farcaster: a signature in the app proves, and the money goes where it said', async () => {
  await world.payTo('decsocial', 'alice');
  const address = newAddress();
  const claim = await alice.opened('farcaster', 'alice', { base: address });
  expect((await alice.prove(claim.claim_id)).body.data).toMatchObject({
    status: 'pending',
    confirm_token: null,
    total: null,
  });
  const app = await (await fetch(claim.siwf?.url ?? '')).text();
  expect(app).toContain(`base=${address}`);
  await submit(claim.siwf?.url ?? '', { name: 'alice' });
  await finish(alice, claim, {}, address);
});

test('e-mail: the code from the mail, which names the address, typed as people type', async () => {
  await world.payTo('email', 'alice@example.com');
  const address = newAddress();
  const claim = await alice.opened('email', 'Alice@Example.com', { base: address });
  expect(claim.email).toMatchObject({ to: 'alice@example.com', tries_left: 5 });
  const mail = await world.mailsTo('alice@example.com');
  expect(mail).toContain(shownAddress(address));
  await finish(alice, claim, { code: await codeFor('alice@example.com') }, address);
});

test.each(['file', 'record'] as const)('web: a published %s proves the host', async (where) => {
  await world.payTo('web', 'shop.example.com');
  const address = newAddress();
  const claim = await alice.opened('web', 'https://shop.example.com/', { base: address });
  const line = claim.domain?.line ?? '';
  expect(line).toMatch(new RegExp(`^pennypost=[\\w-]{22}:base=${address}$`));
  const early = await alice.prove(claim.claim_id);
  expect([early.status, early.body.error]).toEqual([400, 'not_published']);
  await world.publish('shop.example.com', line, where);
  await finish(alice, claim, {}, address);
});

describe('a chat account', () => {
  const bot = { authorization: `Bearer ${BOT_TOKEN}` };

  test('is proven by the bot, which saw it, and keeps the money in its own wallet', async () => {
    await world.payTo('discord', '175928847299117063');
    const wanted = { platform: 'discord', handle: '175928847299117063', payout: { keep: true } };
    const opened = await alice.send('/claims', wanted, bot);
    expect([opened.status, opened.body.data.method, opened.headers.get('set-cookie')]).toEqual([201, 'chat', null]);
    const { claim_id: id } = opened.body.data;
    expect((await alice.prove(id, { user_id: '175928847299117063' })).body.error).toBe('claim_not_found');
    const proven = await alice.send(`/claims/${id}/proof`, { user_id: '175928847299117063' }, bot);
    const token = proven.body.data.confirm_token;
    const confirmed = await alice.send(`/claims/${id}/confirm`, { confirm_token: token }, bot);
    expect(confirmed.body.data.status).toBe('paying');
    expect(await walletsSeenBy(world.store, 'discord:175928847299117063')).toMatchObject([
      { walletId: 'discord:175928847299117063', name: 'discord:175928847299117063' },
    ]);
  });

  test('is nobody else’s, no matter whom the bot saw', async () => {
    await world.payTo('discord', '175928847299117063');
    const wanted = { platform: 'discord', handle: '175928847299117063', payout: { keep: true } };
    const opened = await alice.send('/claims', wanted, bot);
    const proven = await alice.send(`/claims/${opened.body.data.claim_id}/proof`, { user_id: '1' }, bot);
    expect([proven.status, proven.body.error]).toEqual([400, 'wrong_account']);
  });

  test.each([
    ['a browser cannot claim it', 'discord', '175928847299117063', {}],
    ['and the bot nothing but that', 'x', 'alice', bot],
  ])('%s', async (_title, platform, handle, headers) => {
    const answer = await alice.send('/claims', { platform, handle, payout: { keep: true } }, headers);
    expect([answer.status, answer.body.error]).toEqual([400, 'platform_unavailable']);
  });
});

test('what is kept goes to a wallet of the identity, which the browser that proved it may spend from', async () => {
  await world.payTo('x', 'alice');
  const claim = await alice.opened('x', 'alice', { keep: true });
  await signIn(alice, claim.oauth?.url ?? '', 'alice');
  const { body } = await alice.prove(claim.claim_id);
  const { destinations, confirm_token: token } = body.data;
  expect(destinations?.map(({ network }) => network)).toEqual(['base', 'solana']);
  await alice.confirm(claim.claim_id, token);
  expect((await world.payouts()).map(({ toAddress }) => toAddress)).toEqual([destinations?.[0]?.address]);
  const id = localUserId(parseRecipient('x', 'alice'));
  const browserId = browserIdOf(alice.cookie()?.split('=')[1]) ?? '';
  expect(await walletsSeenBy(world.store, browserId)).toMatchObject([{ walletId: `x:${id}`, name: 'x:alice' }]);
});

describe('what is not wanted', () => {
  test('goes back, and with opt_out nothing comes later', async () => {
    const { lines } = await world.payTo('email', 'alice@example.com');
    const claim = await alice.opened('email', 'alice@example.com', { decline: true });
    const proven = await alice.prove(claim.claim_id, { code: await codeFor('alice@example.com') });
    expect(proven.body.data.destinations).toBe(null);
    const declined = await alice.decline(claim.claim_id, proven.body.data.confirm_token, true);
    expect(declined.body.data).toMatchObject({ status: 'rejected', reason: 'declined' });
    const { lines: table } = world.store.tables;
    const rows = await world.store.read.select().from(table);
    expect(rows.map(({ txnId, status, returnReason }) => [txnId, status, returnReason])).toEqual([
      [lines[0]?.txnId, 'returning', 'declined'],
    ]);
  });

  test('a claim that was opened to decline declines when it is confirmed', async () => {
    await world.payTo('email', 'alice@example.com');
    const claim = await alice.opened('email', 'alice@example.com', { decline: true });
    const proven = await alice.prove(claim.claim_id, { code: await codeFor('alice@example.com') });
    const confirmed = await alice.confirm(claim.claim_id, proven.body.data.confirm_token);
    expect(confirmed.body.data.reason).toBe('declined');
    expect(await world.payouts()).toEqual([]);
  });
});

test('the cookie is for this whole site, not for scripts, and goes along when a provider leads back', async () => {
  const { headers } = await alice.open('x', 'alice', { base: newAddress() });
  expect(headers.get('set-cookie')).toMatch(/^pennypost=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(new URL(BASE_URL).protocol).toBe('http:');
});
