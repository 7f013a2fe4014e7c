import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('whoever looks on sees each step as it is done, and the end', async () => {
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

test('one browser holds six places, and gives each back', async () => {
  const { id } = await openClaim();
  const open = async () => {
    const answer = await alice.ask(`/claims/${id}`, ACCEPT);
    if (answer.status !== 200) return null;
    const events = readEvents(answer.body);
    await events.nextEvent();
    return events;
  };
  const held = [await open(), await open(), await open(), await open(), await open(), await open()];
  expect(held).not.toContain(null);
  expect((await alice.ask(`/claims/${id}`, ACCEPT)).status).toBe(429);
  await held[0]?.cancel();
  const another = await open();
  expect(another).not.toBe(null);
  for (const events of [...held.slice(1), another]) await events?.cancel();
});
