import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPagesApp } from '../../../api/pages/app.ts';
import { createStreamPlaces, type StreamPlaces } from '../../../queue/stream-places.ts';
import { newAddress, startWorld } from '../../api/claims/world.ts';
import { startInstallation } from '../../api/pages/installation.ts';
import { createVisitor, type Visitor } from '../../api/claims/visitor.ts';
import { readEvents } from '../../api/receipts/events.ts';

const LIMITS = { total: 100, perCaller: 20, perSubject: 40 };
const NONE = { total: Infinity, perCaller: Infinity, perSubject: Infinity };

/** Opens so many streams and answers whether each is still there. */
function listen(places: StreamPlaces, count: number, of: (index: number) => { caller: string; subject: string }) {
  const open = Array.from({ length: count }, () => true);
  for (const index of open.keys()) places.take({ ...of(index), end: () => (open[index] = false) });
  return { open: () => open.filter(Boolean).length };
}

const people = (index: number) => ({ caller: `person ${index}`, subject: 'a known receipt' });

describe('a caller that opens streams without end', () => {
  test.each([
    ['of one page', (index: number) => ({ caller: 'attacker', subject: index < 0 ? '' : 'a known receipt' })],
    ['of many pages', (index: number) => ({ caller: 'attacker', subject: `claim ${index}` })],
  ])('%s pushes out its own oldest, and nobody else', (_name, attack) => {
    const places = createStreamPlaces(LIMITS);
    const honest = listen(places, 20, people);
    const attacker = listen(places, 1_000, attack);
    expect([honest.open(), attacker.open(), places.open()]).toEqual([20, 20, 40]);
  });

  test('from ten addresses leaves those who have one', () => {
    const places = createStreamPlaces(LIMITS);
    const honest = listen(places, 20, people);
    listen(places, 1_000, (index) => ({ caller: `attacker ${index % 10}`, subject: `claim ${index}` }));
    expect([honest.open(), places.open()]).toEqual([20, 100]);
    expect(listen(places, 5, (index) => ({ caller: `late ${index}`, subject: 'their claim' })).open()).toBe(5);
  });

  test('CONTROL: without limits it has as many as it opens', () => {
    const places = createStreamPlaces(NONE);
    expect(listen(places, 1_000, () => ({ caller: 'attacker', subject: 'one' })).open()).toBe(1_000);
  });
});

test('a place that is given back is free again', () => {
  const places = createStreamPlaces({ ...LIMITS, total: 1 });
  const leave = places.take({ caller: 'one', subject: 'one', end: () => expect.unreachable() });
  leave();
  expect(listen(places, 1, people).open()).toBe(1);
});

describe('the owner of a claim, on a page that strangers crowd', () => {
  /** More strangers than there are places, each with an address of its own; whether the owner is still there. */
  function isLeft(isOwner: boolean): boolean {
    const places = createStreamPlaces(LIMITS);
    let isOpen = true;
    places.take({ caller: 'owner', subject: 'the claim', isOwner, end: () => (isOpen = false) });
    listen(places, 1_000, (index) => ({ caller: `stranger ${index}`, subject: 'the claim' }));
    return isOpen;
  }

  test('gives way to none of them', () => {
    expect(isLeft(true)).toBe(true);
  });

  test('and finds a place when all are taken', () => {
    const places = createStreamPlaces(LIMITS);
    const strangers = listen(places, 1_000, (index) => ({ caller: `stranger ${index}`, subject: `page ${index}` }));
    places.take({ caller: 'owner', subject: 'the claim', isOwner: true, end: () => expect.unreachable() });
    expect([strangers.open(), places.open()]).toEqual([LIMITS.total - 1, LIMITS.total]);
  });

  test('CONTROL: as a stranger the owner is pushed out', () => {
    expect(isLeft(false)).toBe(false);
  });
});

/** A cookie and a page of one's own are free, an address is not: it is what counts as the caller. */
describe('over HTTP, one address', () => {
  const TOTAL = 4;
  const ATTACKER = '203.0.113.1';
  const HONEST = '203.0.113.2';
  /** A new page that only this visitor watches. */
  type Open = (address: string) => Promise<{ visitor: Visitor; path: string }>;

  async function receipts(): Promise<Open> {
    const installation = await startInstallation();
    onTestFinished(() => installation.close());
    const app = createPagesApp(installation.dependencies, createStreamPlaces({ total: TOTAL }));
    return async (address) => {
      const { slug } = await installation.seed();
      return { visitor: createVisitor(app, address), path: `/receipts/${slug}` };
    };
  }

  async function claims(): Promise<Open> {
    const world = await startWorld({}, { streamsMax: TOTAL });
    onTestFinished(() => world.close());
    let count = 0;
    return async (address) => {
      const visitor = world.newVisitor(address);
      const { claim_id: id } = await visitor.opened('x', `person${(count += 1)}`, { base: newAddress() });
      return { visitor, path: `/claims/${id}` };
    };
  }

  async function watch(open: Open, address: string) {
    const { visitor, path } = await open(address);
    const events = readEvents((await visitor.ask(path, { headers: { accept: 'text/event-stream' } })).body);
    await events.nextEvent();
    let isOpen = true;
    void events.nextEvent().then((event) => (isOpen = event !== null));
    onTestFinished(() => events.cancel());
    return () => isOpen;
  }

  test.each([
    ['receipts', receipts],
    ['claims', claims],
  ])('that watches many %s, each with a cookie of its own, pushes out its own streams', async (_name, start) => {
    const open = await start();
    const isHonestOpen = await watch(open, HONEST);
    const attackers = [];
    for (let index = 0; index < 3 * TOTAL; index += 1) attackers.push(await watch(open, ATTACKER));
    await nextTurn();
    expect([isHonestOpen(), attackers.filter((isOpen) => isOpen()).length]).toEqual([true, TOTAL - 1]);
  });
});
