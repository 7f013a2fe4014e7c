import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { submit } from '../../identity/proofs/submit.ts';
import { toReceiptAnswer } from '../../../api/receipts/answer.ts';
import { toReceiptView } from '../../../api/receipts/view.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { findLine } from '../../../db/payments/records/find.ts';
import { BARRED, BASE_URL, newAddress, startWorld, type World } from './world.ts';
import type { Visitor } from './visitor.ts';
import { TREASURY } from '../../support/books.ts';

/** What is asked again before money moves, what is refused before anything is asked, and what nobody learns before the proof. */
let world: World;
let alice: Visitor;
let mallory: Visitor;
/** Every test is about a person of its own. */
let count = 0;
let name: string;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => {
  alice = world.newVisitor();
  mallory = world.newVisitor();
  count += 1;
  name = `alice${count}`;
});
afterEach(() => world.assertSound());
afterAll(() => world.close());

const MINE = newAddress();

async function signInAt(url: string, username: string): Promise<string> {
  const back = await submit(url, { username, decision: 'allow' });
  const { pathname, search } = new URL(back.headers.get('location') ?? '');
  return pathname + search;
}

async function payoutsTo(address: string): Promise<bigint[]> {
  const payouts = await world.payouts();
  return payouts.filter(({ toAddress }) => toAddress === address).map(({ amountMicroUsdc }) => amountMicroUsdc);
}

/** Nobody has taken the money, and nothing keeps its owner from doing so. */
async function expectWaiting(): Promise<void> {
  const { lines } = world.store.tables;
  const rows = await world.store.read.select().from(lines).where(eq(lines.recipientKey, recipientKey()));
  expect(rows.map(({ status }) => status)).toEqual(['escrowed']);
}
let paidKey = '';
const recipientKey = () => paidKey;

/** What a program reads on the receipt of this line. */
async function receiptSays(txnId = 0): Promise<unknown> {
  const row = await findLine(world.store, txnId, world.clock.nowMs);
  const view = row && toReceiptView(row, { baseUrl: BASE_URL, localMode: true, networks: [] });
  return view && toReceiptAnswer(view)['msg'];
}

async function pay(platform: 'x' | 'decsocial' | 'email' | 'web', handle: string): Promise<void> {
  paidKey = handle;
  await world.payTo(platform, handle);
}

test('a line that is gone from the website when it is confirmed proves nothing any more', async () => {
  const host = `${name}.example.com`;
  await pay('web', host);
  const claim = await mallory.opened('web', host, { base: MINE });
  await world.publish(host, claim.domain?.line ?? '', 'record');
  const { confirm_token: token } = (await mallory.prove(claim.claim_id)).body.data;
  await world.publish(host, 'its owner is back', 'record');
  for (const answer of [
    await mallory.confirm(claim.claim_id, token),
    await mallory.decline(claim.claim_id, token, true),
  ]) {
    expect([answer.status, answer.body.error]).toEqual([400, 'not_published']);
  }
  await expectWaiting();
});

describe('the confirmation', () => {
  async function verified(visitor: Visitor, payout: object): Promise<{ id: string; token: string | null }> {
    const claim = await visitor.opened('x', name, payout);
    await visitor.ask(await signInAt(claim.oauth?.url ?? '', name));
    const { body } = await visitor.prove(claim.claim_id);
    return { id: claim.claim_id, token: body.data.confirm_token };
  }

  test('to an address that cannot take it: the claim, its page and the receipt say so, and both ways out pay', async () => {
    const { lines } = await world.payTo('x', name);
    const elsewhere = 'GVZUP2rLvfFeNk6v8bUMuE3nCLX2MD1vVXgXJ1yTQ4rH';
    const { id, token } = await verified(alice, { solana: elsewhere });
    const waits = await alice.confirm(id, token);
    expect(waits.body.data).toMatchObject({
      status: 'paying',
      total: 1,
      waiting_for_route: { sums: [{ network: 'base', amount: 1 }], until: expect.any(String) },
    });
    expect(await receiptSays(lines[0]?.txnId)).toContain('waiting for an address that can take it until');
    const kept = await verified(alice, { keep: true });
    await alice.confirm(kept.id, kept.token);
    const after = await alice.read(id);
    expect(after.body.data).toMatchObject({ status: 'paying', waiting_for_route: null });
    expect((await world.payouts()).filter(({ status }) => status === 'queued').map(({ network }) => network)).toContain(
      'base',
    );
    expect(await receiptSays(lines[0]?.txnId)).toContain('on its way to');
  });

  test('what comes to such an address later says so too; what nobody could take in time says that it went back', async () => {
    const { lines } = await world.payTo('x', name);
    const { id, token } = await verified(alice, { solana: 'GVZUP2rLvfFeNk6v8bUMuE3nCLX2MD1vVXgXJ1yTQ4rH' });
    await alice.confirm(id, token);
    const later = await world.payTo('x', name);
    expect(await receiptSays(later.lines[0]?.txnId)).toContain('waiting for an address that can take it until');
    const stranger = await world.payTo('x', `${name}other`);
    expect(await receiptSays(stranger.lines[0]?.txnId)).toContain(`waiting for x:${name}other to collect it`);

    const [line] = lines;
    if (line === undefined) throw new Error('expected a line');
    expect(await refundLine(world.store, line.txnId, line.expiresAtMs)).toBe('refunded');
    const { data, msg } = (await alice.read(id)).body;
    expect(data).toMatchObject({ status: 'expired', reason: 'returned', returned: 1, waiting_for_route: null });
    expect(msg).toBe(`1 USDC for x:${name} goes back to its payer`);
  });

  test('said twenty times at once pays once', async () => {
    await pay('x', name);
    const address = newAddress();
    const { id, token } = await verified(alice, { base: address });
    const answers = await Promise.all(Array.from({ length: 20 }, () => alice.confirm(id, token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await payoutsTo(address)).toEqual([1_000_000n]);
  });

  test('of two claims at once: the first pays, the second waits a day with its other address', async () => {
    await pay('x', name);
    const [first, second] = [newAddress(), newAddress()];
    const claims = [await verified(alice, { base: first }), await verified(mallory, { base: second })];
    const [one, two] = claims;
    await alice.confirm(one?.id ?? '', one?.token ?? null);
    const later = await mallory.confirm(two?.id ?? '', two?.token ?? null);
    expect(later.body.data).toMatchObject({ total: 0, effective_at: expect.any(String) });
    expect([await payoutsTo(first), await payoutsTo(second)]).toEqual([[1_000_000n], []]);
  });

  test.each([
    ['another token', 'x'.repeat(43), 'invalid_confirm_token'],
    ['the token of a claim that was proven by another person', null, 'invalid_confirm_token'],
  ])('with %s is refused', async (_title, other, error) => {
    await pay('x', name);
    const { id } = await verified(alice, { base: newAddress() });
    const token = other ?? (await verified(mallory, { base: MINE })).token;
    const answer = await alice.confirm(id, token);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    await expectWaiting();
  });

  test('ends with the token that a later proof was answered with', async () => {
    await pay('x', name);
    const { id, token } = await verified(alice, { base: newAddress() });
    const fresh = (await alice.prove(id)).body.data.confirm_token;
    expect((await alice.confirm(id, token)).body.error).toBe('invalid_confirm_token');
    expect((await alice.confirm(id, fresh)).body.data.status).toBe('paying');
  });

  test('comes too late after half an hour', async () => {
    await pay('x', name);
    const { id, token } = await verified(alice, { base: newAddress() });
    world.clock.nowMs += 30 * 60_000;
    expect((await alice.confirm(id, token)).body.error).toBe('claim_expired');
    expect((await alice.read(id)).body.data).toMatchObject({ status: 'expired', total: null });
    await expectWaiting();
  });

  test('for an address that was barred since is refused', async () => {
    await pay('x', name);
    const address = newAddress();
    const { id, token } = await verified(alice, { base: address });
    world.barred.add(address);
    expect((await alice.confirm(id, token)).body.error).toBe('invalid_payout_address');
    await expectWaiting();
  });

  test('before the proof is none', async () => {
    const claim = await alice.opened('x', name, { base: newAddress() });
    expect((await alice.confirm(claim.claim_id, 'x'.repeat(43))).body.error).toBe('claim_refused');
  });
});

describe('where the money goes', () => {
  test.each([
    ['nothing', {}, 'validation_failed', 'payout'],
    ['two wishes', { keep: true, base: MINE }, 'validation_failed', 'payout'],
    ['another network', { bitcoin: MINE }, 'validation_failed', 'payout'],
    ['no text', { base: 7 }, 'validation_failed', 'payout'],
    ['a list', [MINE], 'validation_failed', 'payout'],
    ['no address', { base: 'alice' }, 'invalid_payout_address', 'payout.base'],
    [
      'an address with a line break',
      { base: `0x${'ab'.repeat(20)}\r\nBcc: a@b` },
      'invalid_payout_address',
      'payout.base',
    ],
    ['a wrong checksum', { base: `0xAb${'ab'.repeat(19)}` }, 'invalid_payout_address', 'payout.base'],
    ['zero', { base: `0x${'00'.repeat(20)}` }, 'invalid_payout_address', 'payout.base'],
    ['our own', { base: TREASURY }, 'invalid_payout_address', 'payout.base'],
    ['the token', { base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }, 'invalid_payout_address', 'payout.base'],
    ['a barred one', { base: BARRED }, 'invalid_payout_address', 'payout.base'],
    ['one of Base on Solana', { solana: MINE }, 'invalid_payout_address', 'payout.solana'],
    ['the system program', { solana: '11111111111111111111111111111111' }, 'invalid_payout_address', 'payout.solana'],
  ])('cannot be %s', async (_title, payout, error, field) => {
    const { status, body } = await alice.open('x', name, payout);
    expect([status, body.error, body.field]).toEqual([400, error, field]);
    expect(body.detail).toMatch(/\w/);
  });

  test('cannot be kept for a website, whose name changes owners', async () => {
    const { body } = await alice.open('web', 'example.com', { keep: true });
    expect([body.error, body.field]).toEqual(['validation_failed', 'payout.keep']);
  });
});

describe('whose money', () => {
  test.each([
    ['a line break and a header', 'email', 'a@example.com\r\nBcc: b@example.com', 'invalid_receiver'],
    ['two addresses', 'email', 'a@example.com, b@example.com', 'invalid_receiver'],
    ['a look-alike', 'x', '\u0430lice', 'invalid_receiver'],
    ['a bare suffix', 'web', 'co.uk', 'invalid_receiver'],
    ['an address inside', 'web', '127.0.0.1', 'invalid_receiver'],
    ['an unknown platform', 'nowhere', 'alice', 'platform_unavailable'],
  ])('cannot be %s', async (_title, platform, handle, error) => {
    const { status, body } = await alice.open(platform, handle, { base: MINE });
    expect([status, body.error]).toEqual([400, error]);
  });
});

describe('a request that a foreign page made a browser send', () => {
  const wanted = { platform: 'x', handle: 'alice', payout: { base: MINE } };

  test.each([
    ['another origin', { origin: 'https://evil.example' }, 403, 'wrong_origin'],
    ['an origin that is hidden', { origin: 'null' }, 403, 'wrong_origin'],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:8402' }, 403, 'wrong_origin'],
    ['another port of this computer', { 'sec-fetch-site': 'same-site' }, 403, 'wrong_origin'],
    ['plain text', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ])('is refused: %s', async (_title, headers, status, error) => {
    const answer = await alice.send('/claims', wanted, headers);
    expect([answer.status, answer.body.error, answer.headers.get('set-cookie')]).toEqual([status, error, null]);
  });

  test.each([
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:8402' }],
    ['our own page in an old browser', { origin: 'http://127.0.0.1:8402' }],
    [
      'our own page under the other name of this computer',
      { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:8402' },
    ],
    ['a program', {}],
  ])('is not: %s', async (_title, headers) => {
    expect((await alice.send('/claims', wanted, headers)).status).toBe(201);
  });
});

test('before the proof nothing differs, whether or not money waits', async () => {
  await pay('email', `${name}-rich@example.com`);
  const forms = await Promise.all(
    ['rich', 'poor'].map(async (kind) => {
      const visitor = world.newVisitor();
      const opened = await visitor.open('email', `${name}-${kind}@example.com`, { base: MINE });
      const { claim_id: id } = opened.body.data;
      const read = await visitor.read(id);
      const wrong = await visitor.prove(id, { code: '00000000' });
      const early = await visitor.confirm(id, 'x'.repeat(43));
      const text = JSON.stringify([opened.body, read.body, wrong.body, early.body]);
      return text
        .replaceAll(id, 'id')
        .replaceAll(kind, 'kind')
        .replaceAll(/req_[\w-]{12}/g, 'req');
    }),
  );
  expect(forms[0]).toBe(forms[1]);
});
