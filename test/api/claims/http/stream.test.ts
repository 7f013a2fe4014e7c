import { afterEach, beforeEach, expect, test } from 'vitest';
import { pino } from 'pino';
import type { ClaimView } from '../../../../api/claims/claims.ts';
import { createClaimStreams } from '../../../../api/claims/http/stream.ts';
import { createStreamPlaces } from '../../../../queue/stream-places.ts';
import { browserIdOf } from '../../../../identity/browsers.ts';
import { keep } from '../../../identity/proofs/tools.ts';
import { readEvents } from '../../receipts/events.ts';
import { newAddress, startWorld, type World } from '../world.ts';
import type { Visitor } from '../visitor.ts';

let world: World;
let alice: Visitor;
beforeEach(async () => {
  world = await keep(startWorld());
  alice = world.newVisitor();
});
afterEach(() => world.assertSound());

const ACCEPT = { headers: { accept: 'text/event-stream' } };

async function openClaim(): Promise<{ id: string; code: string }> {
  const { claim_id: id } = await alice.opened('email', 'alice@example.com', { base: newAddress() });
  const [code = ''] = /\d{4} \d{4}/.exec(await world.mailsTo('alice@example.com')) ?? [];
  return { id, code };
}

test('a reader who looks on sees each step as it is done, and the end', async () => {
  const { id, code } = await openClaim();
  const answer = await alice.ask(`/claims/${id}`, ACCEPT);
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const events = readEvents(answer.body);
  expect((await events.nextEvent())?.data.data).toMatchObject({ status: 'pending', total: null });
  const next = events.nextEvent();
  const proven = await alice.prove(id, { code });
  expect((await next)?.data.data).toMatchObject({ status: 'verified', total: 0 });
  const last = events.nextEvent();
  await alice.confirm(id, proven.body.data.confirm_token);
  const end = await last;
  expect(end?.data.data).toMatchObject({ status: 'paid' });
  expect(await events.nextBlock()).toBe(null);
  const again = await alice.ask(`/claims/${id}`, { headers: { ...ACCEPT.headers, 'last-event-id': end?.id ?? '' } });
  expect(again.status).toBe(204);
});

test('nobody else looks on', async () => {
  const { id } = await openClaim();
  for (const visitor of [world.newVisitor(), world.newVisitor()]) {
    expect((await visitor.ask(`/claims/${id}`, ACCEPT)).status).toBe(404);
    await visitor.opened('x', 'bob', { base: newAddress() });
  }
});

test('the pages of one claim share its reader, and none of them is refused', async () => {
  const { id } = await openClaim();
  const open = async () => {
    const events = readEvents((await alice.ask(`/claims/${id}`, ACCEPT)).body);
    await events.nextEvent();
    return events;
  };
  const held = [];
  for (let count = 0; count < 8; count += 1) held.push(await open());
  expect(held).toHaveLength(8);
  for (const events of held) await events.cancel();
});

test('strangers never take the places of who proved a name or holds a receipt’s link', async () => {
  const { claims, clock } = world;
  const log = pino({ level: 'silent' });
  const dependencies = { claims, now: () => clock.nowMs, log, waitForChange: async () => true };
  const places = createStreamPlaces({ total: 8 });
  const streams = createClaimStreams(dependencies, places);
  const ended: string[] = [];
  const watch = async (view: ClaimView, caller: string) => {
    const opener = { kind: 'browser' as const, browserId: caller };
    const events = readEvents(streams.events({ view, opener, caller, seen: null }));
    await events.nextBlock();
    return { caller, events };
  };
  const stranger = await viewOf('pending', null);
  const owners = [
    await watch(await viewOf('pending', 'r'.repeat(22)), 'holder'),
    await watch(await viewOf('verified', null), 'owner'),
  ];
  const strangers = [];
  for (let index = 0; index < 20; index += 1) strangers.push(await watch(stranger, `stranger ${index}`));
  owners.push(await watch(await viewOf('verified', null), 'late'));
  expect(places.open()).toBe(8);
  for (const { caller, events } of [...strangers, ...owners]) {
    await events.cancel();
    ended.push(`${caller}: ${places.open()}`);
  }
  // Each owner had a place until it left; of the strangers the last five.
  expect(ended.slice(-3)).toEqual(['holder: 2', 'owner: 1', 'late: 0']);
});

async function viewOf(status: ClaimView['status'], receiptSlug: string | null): Promise<ClaimView> {
  const { id } = await openClaim();
  const browserId = browserIdOf(alice.cookie()?.split('=')[1]) ?? '';
  return { ...(await world.claims.read(id, { kind: 'browser', browserId })), status, receiptSlug };
}
