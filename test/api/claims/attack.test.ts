import { shownAddress } from '../../../chain/shown-address.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { submit } from '../../identity/proofs/submit.ts';
import { newAddress, startWorld, type World } from './world.ts';
import type { Body, Visitor } from './visitor.ts';

/** Bad input and attacks: each ends with the money where it was, or with the one it is for. */
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
const HOUR_MS = 3_600_000;

async function signInAt(url: string, username: string): Promise<string> {
  const back = await submit(url, { username, decision: 'allow' });
  const { pathname, search } = new URL(back.headers.get('location') ?? '');
  return pathname + search;
}

async function codeFor(address: string): Promise<string> {
  const [code = ''] = /\d{4} \d{4}/.exec(await world.mailsTo(address)) ?? [];
  return code;
}

/** Nobody has taken the money, and nothing keeps its owner from doing so. */
async function expectWaiting(): Promise<void> {
  const { lines } = world.store.tables;
  const rows = await world.store.read.select().from(lines).where(eq(lines.recipientKey, recipientKey()));
  expect(rows.map(({ status }) => status)).toEqual(['escrowed']);
}
let paidKey = '';
const recipientKey = () => paidKey;

async function pay(platform: 'x' | 'decsocial' | 'email' | 'web', handle: string): Promise<void> {
  paidKey = handle;
  await world.payTo(platform, handle);
}

describe('a claim that a stranger opened, to an own address', () => {
  test('is not proven by the sign-in of its victim, with another cookie or none', async () => {
    await pay('x', name);
    const claim = await mallory.opened('x', name, { base: MINE });
    const callback = await signInAt(claim.oauth?.url ?? '', name);
    await alice.opened('x', name, { base: newAddress() });
    for (const victim of [alice, world.newVisitor()]) {
      const answer = await victim.send(callback);
      expect([answer.status, answer.body.error]).toEqual([400, 'claim_refused']);
      expect(answer.body.detail).toContain('not started here');
    }
    expect((await mallory.read(claim.claim_id)).body.data).toMatchObject({ status: 'pending', total: null });
    await expectWaiting();
  });

  test('takes no code of its victim from another browser, who learns not even that there is a claim', async () => {
    const address = `${name}@example.com`;
    await pay('email', address);
    const claim = await mallory.opened('email', address, { base: MINE });
    const code = await codeFor(address);
    await alice.opened('x', name, { base: newAddress() });
    const unknown = await alice.prove('claim_AAAAAAAAAAAAAAAAAAAAAA', { code });
    const answer = await alice.prove(claim.claim_id, { code });
    expect([answer.status, answer.body.error, answer.body.detail]).toEqual([
      404,
      'claim_not_found',
      unknown.body.detail,
    ]);
    for (const step of ['proof', 'resend', 'confirm', 'decline']) {
      const step404 = await alice.send(`/claims/${claim.claim_id}/${step}`, { confirm_token: 'x' });
      expect([step, step404.status]).toEqual([step, 404]);
    }
    expect((await alice.read(claim.claim_id)).status).toBe(404);
    await expectWaiting();
  });

  test('names the stranger’s address wherever its victim would prove it', async () => {
    const { siwf } = await mallory.opened('decsocial', name, { base: MINE });
    expect(await (await fetch(siwf?.url ?? '')).text()).toContain(MINE);
    await mallory.opened('email', `${name}@example.com`, { base: MINE });
    expect(await world.mailsTo(`${name}@example.com`)).toContain(shownAddress(MINE));
    const { domain } = await mallory.opened('web', `${name}.example.com`, { base: MINE });
    expect(domain?.line).toContain(MINE);
  });

  test('is over when another person than meant signs in, and the money stays', async () => {
    await pay('decsocial', name);
    const claim = await mallory.opened('decsocial', name, { base: MINE });
    await submit(claim.siwf?.url ?? '', { name: 'mallory' });
    const answer = await mallory.prove(claim.claim_id);
    expect([answer.status, answer.body.error]).toEqual([400, 'wrong_account']);
    expect((await mallory.read(claim.claim_id)).body.data).toMatchObject({
      status: 'rejected',
      reason: 'wrong_account',
      name: null,
      total: null,
    });
    await expectWaiting();
  });

  test('says the same after a sign-in as another person', async () => {
    await pay('x', name);
    const claim = await mallory.opened('x', name, { base: MINE });
    expect((await mallory.ask(await signInAt(claim.oauth?.url ?? '', 'mallory'))).status).toBe(303);
    expect((await mallory.read(claim.claim_id)).body.data).toMatchObject({
      status: 'rejected',
      reason: 'wrong_account',
    });
    expect((await mallory.prove(claim.claim_id)).body.error).toBe('wrong_account');
    await expectWaiting();
  });
});

describe('the answer of a sign-in', () => {
  test.each([
    ['another state', (query: URLSearchParams) => query.set('state', 'x'.repeat(43))],
    ['no state', (query: URLSearchParams) => query.delete('state')],
  ])('with %s changes nothing', async (_title, spoil) => {
    const claim = await alice.opened('x', name, { base: newAddress() });
    const callback = new URL(await signInAt(claim.oauth?.url ?? '', name), 'http://x');
    const right = callback.search;
    spoil(callback.searchParams);
    expect((await alice.send(callback.pathname + callback.search)).body.error).toBe('claim_refused');
    expect((await alice.ask(callback.pathname + right)).status).toBe(303);
    expect((await alice.read(claim.claim_id)).body.data.status).toBe('verified');
  });

  test('works once', async () => {
    const claim = await alice.opened('x', name, { base: newAddress() });
    const callback = await signInAt(claim.oauth?.url ?? '', name);
    const answers = await Promise.all([alice.ask(callback), alice.ask(callback), alice.ask(callback)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400, 400]);
    expect((await alice.send(callback)).body.error).toBe('claim_refused');
    expect((await alice.read(claim.claim_id)).body.data.status).toBe('verified');
  });

  test('with a stolen code of another person is refused by the provider', async () => {
    const [victims, strangers] = [
      await alice.opened('x', name, { base: MINE }),
      await mallory.opened('x', name, { base: MINE }),
    ];
    const stolen = new URL(await signInAt(victims.oauth?.url ?? '', name), 'http://x').searchParams.get('code') ?? '';
    const own = new URL(await signInAt(strangers.oauth?.url ?? '', 'mallory'), 'http://x');
    own.searchParams.set('code', stolen);
    expect((await mallory.ask(own.pathname + own.search)).status).toBe(303);
    expect((await mallory.read(strangers.claim_id)).body.data).toMatchObject({ status: 'pending', reason: 'replayed' });
  });
});

describe('a code from a mail', () => {
  const open = async (): Promise<Body['data']> => {
    await pay('email', `${name}@example.com`);
    return alice.opened('email', `${name}@example.com`, { base: MINE });
  };
  const wrongCodes = ['00000000', '11111111', '22222222', '33333333', '44444444', '55555555'];

  test('is over after ten minutes, and another one works', async () => {
    const claim = await open();
    const code = await codeFor(`${name}@example.com`);
    world.clock.nowMs += 10 * 60_000;
    expect((await alice.prove(claim.claim_id, { code })).body.error).toBe('claim_refused');
    expect((await alice.send(`/claims/${claim.claim_id}/resend`, {})).status).toBe(200);
    const newer = await codeFor(`${name}@example.com`);
    expect((await alice.prove(claim.claim_id, { code: newer })).body.data.status).toBe('verified');
  });

  test('is not followed by another one for ten minutes, and the answer says when the last was sent', async () => {
    const claim = await open();
    world.clock.nowMs += 4 * 60_000;
    const again = await alice.send(`/claims/${claim.claim_id}/resend`, {});
    expect([again.status, again.body.error, again.headers.get('retry-after')]).toEqual([429, 'too_many_claims', '360']);
    const sentAt = new Date(world.clock.nowMs - 4 * 60_000).toISOString();
    expect(again.body.detail).toContain(`sent at ${sentAt.slice(11, 16)} UTC`);
    const code = await codeFor(`${name}@example.com`);
    expect((await alice.prove(claim.claim_id, { code })).body.data.status).toBe('verified');
  });

  test('cannot be guessed: the claim ends after five tries, whatever is typed then', async () => {
    const claim = await open();
    const code = await codeFor(`${name}@example.com`);
    const errors: (string | undefined)[] = [];
    for (const wrong of wrongCodes.slice(0, 5))
      errors.push((await alice.prove(claim.claim_id, { code: wrong })).body.error);
    expect(errors).toEqual([...Array<string>(4).fill('wrong_code'), 'claim_refused']);
    expect((await alice.prove(claim.claim_id, { code })).body.error).toBe('claim_refused');
    expect((await alice.read(claim.claim_id)).body.data).toMatchObject({
      status: 'rejected',
      reason: 'too_many_tries',
    });
    await expectWaiting();
  });

  test('twenty guesses at once are five', async () => {
    const claim = await open();
    const code = await codeFor(`${name}@example.com`);
    const guesses = Array.from({ length: 20 }, (_, index) => ({ code: String(index).padStart(8, '0') }));
    await Promise.all(guesses.map((guess) => alice.prove(claim.claim_id, guess)));
    expect((await alice.prove(claim.claim_id, { code })).body.error).toBe('claim_refused');
    const { claims } = world.store.tables;
    const [row] = await world.store.read.select().from(claims).where(eq(claims.id, claim.claim_id));
    expect(row).toMatchObject({ status: 'rejected', tries: 5 });
  });

  test('of one claim does not fit another', async () => {
    const first = await open();
    const code = await codeFor(`${name}@example.com`);
    const second = await alice.opened('email', `${name}@example.com`, { base: newAddress() });
    expect((await alice.prove(second.claim_id, { code })).body.error).toBe('wrong_code');
    expect((await alice.prove(first.claim_id, { code })).body.data.status).toBe('verified');
  });

  test('goes to an address four times an hour for strangers, and others are not in the way', async () => {
    const sent = async () => {
      const { status, body } = await world.newVisitor().open('email', `${name}@example.com`, { base: MINE });
      return [status, body.data.email?.code_expires_at !== null];
    };
    world.clock.nowMs += HOUR_MS;
    const answers: unknown[] = [];
    for (let minute = 0; minute < 60; minute += 5) {
      answers.push(await sent());
      world.clock.nowMs += 5 * 60_000;
    }
    const [withCode, without] = [
      [201, true],
      [201, false],
    ];
    expect(answers.slice(0, 4)).toEqual([withCode, without, withCode, without]);
    expect(answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(withCode))).toHaveLength(4);
    expect((await alice.open('email', `other-${name}@example.com`, { base: MINE })).status).toBe(201);
  });

  test('is asked for twenty times an hour from one place', async () => {
    world.clock.nowMs += 2 * HOUR_MS;
    const statuses: number[] = [];
    for (let index = 0; index < 21; index += 1) {
      statuses.push((await alice.open('email', `${name}-${index}@example.com`, { base: MINE })).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(201), 429]);
    world.clock.nowMs += HOUR_MS;
  });
});
