import { describe, expect, test } from 'vitest';
import { PennypostError, type Pennypost } from '../../client/pennypost.ts';
import { account, createShop, createStore, SERVICE } from './shop.ts';

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it must fail'),
    (error: unknown) => {
      if (error instanceof PennypostError) return error;
      throw error;
    },
  );

/** As the README says: after any failure that leaves it open, the same call again. */
async function payUntilKnown(pennypost: () => Pennypost, id: string) {
  for (let call = 0; call < 200; call++) {
    try {
      return await pennypost().pay('x:alice', '0.25', { id });
    } catch (error) {
      if (!(error instanceof PennypostError) || error.kind === 'usage') throw error;
    }
  }
  throw new Error('it must be known after two hundred calls');
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test('one call asks for the price, signs, sends, and answers with the receipt', async () => {
  const shop = createShop();
  const paid = await shop.open().pay('x:alice', '0.25', { note: 'for the talk', id: 'talk-17' });
  expect(paid).toEqual({
    id: 'talk-17',
    message: 'sent',
    lines: [
      { txnId: 100, receipt: `${SERVICE}/receipts/0`, status: 'paid', amount: 0.25, claimUrl: null, expiresAt: null },
    ],
  });
  expect(shop.seen.map(({ header }) => header !== null)).toEqual([false, true]);
});

test('whatever is lost, and however often it is called, one id pays once', async () => {
  let lost = 0;
  for (let seed = 0; seed < 60; seed++) {
    const shop = createShop({ random: randomOf(seed), losses: 0.6 });
    const store = createStore();
    // Each call is another process: it shares the store and nothing else.
    await payUntilKnown(() => shop.open(store, { waitMs: 2_000 }), 'order 1');
    await payUntilKnown(() => shop.open(store, { waitMs: 2_000 }), 'order 1');
    expect(shop.taken.size).toBe(1);
    expect(new Set(shop.seen.map(({ key }) => key)).size).toBe(1);
    lost += Number(shop.seen.length > 4);
  }
  expect(lost).toBeGreaterThan(30);
});

test('calls with one id at the same time are one payment', async () => {
  const shop = createShop();
  const store = createStore();
  await Promise.all(Array.from({ length: 8 }, () => shop.open(store).pay('x:alice', '0.25', { id: 'order 1' })));
  expect(shop.taken.size).toBe(1);
});

test('without an id each call is a payment of its own, and a failure names its id', async () => {
  const shop = createShop();
  const pennypost = shop.open();
  await pennypost.pay('x:alice', '0.25');
  await pennypost.pay('x:alice', '0.25');
  expect(shop.taken.size).toBe(2);
  const silent = createShop({ refuses: { status: 500, error: 'settlement_pending' } });
  const store = createStore();
  const { kind, id } = await failureOf(silent.open(store, { waitMs: 0 }).pay('x:alice', '0.25'));
  expect([kind, [...store.kept.keys()]]).toEqual(['unknown', [id]]);
});

test('a refused header is sent again until it can take no effect; only then is another one signed', async () => {
  const shop = createShop({ refuses: { status: 402, error: 'insufficient_funds' } });
  const store = createStore();
  const pay = () => failureOf(shop.open(store).pay('x:alice', '0.25', { id: 'order 1' }));
  const headers = () => new Set(shop.seen.map(({ header }) => header).filter((header) => header !== null));
  // It was sent, and until it is over the service could still take it.
  expect(await pay()).toMatchObject({ kind: 'unknown', reason: 'insufficient_funds', id: 'order 1' });
  shop.pass(299_000);
  await pay();
  expect(headers().size).toBe(1);
  shop.pass(2_000);
  await pay();
  expect(headers().size).toBe(2);
});

test('an id that was used for another payment is refused before anything is asked', async () => {
  const shop = createShop();
  const pennypost = shop.open();
  await pennypost.pay('x:alice', '0.25', { id: 'order 1' });
  const asked = shop.seen.length;
  expect(await failureOf(pennypost.pay('x:bob', '0.25', { id: 'order 1' }))).toMatchObject({ reason: 'id_reused' });
  expect(shop.seen).toHaveLength(asked);
});

test('what cannot be read in the store stops its payment', async () => {
  const shop = createShop();
  const store = createStore();
  store.kept.set('order 1', 'half a rec');
  expect(await failureOf(shop.open(store).pay('x:alice', '1', { id: 'order 1' }))).toMatchObject({
    reason: 'broken_store',
  });
  expect(shop.seen).toEqual([]);
});

describe('nothing is signed for', () => {
  test.each([
    ['another token', { terms: { asset: `0x${'22'.repeat(20)}` } }, 'price_not_agreed'],
    ['another network', { terms: { network: 'eip155:1' } }, 'price_not_agreed'],
    ['another domain of the token', { extra: { name: 'USDC' } }, 'price_not_agreed'],
    ['another request', { extra: { requestHash: '0'.repeat(64) } }, 'price_not_agreed'],
    ['an address where money is lost', { terms: { payTo: `0x${'0'.repeat(40)}` } }, 'price_not_agreed'],
    ['the payer’s own address', { terms: { payTo: account.address } }, 'price_not_agreed'],
    ['less than the sum', { feeMicroUsdc: -1n }, 'price_not_agreed'],
    ['a fee above the limit', { feeMicroUsdc: 50_001n }, 'fee_too_high'],
  ])('%s', async (_title, options, reason) => {
    const shop = createShop(options);
    const store = createStore();
    const failure = await failureOf(shop.open(store).pay('x:alice', '0.25', { id: 'order 1' }));
    expect(failure).toMatchObject({ kind: 'refused', reason });
    expect([shop.seen.length, store.kept.size]).toEqual([1, 0]);
  });
});

describe('not understood, and nothing asked', () => {
  test.each<[string, (pennypost: Pennypost) => Promise<unknown>]>([
    ['a name without a platform', (pennypost) => pennypost.pay('alice', '1')],
    ['an amount that would be rounded', (pennypost) => pennypost.pay('x:alice', '0.1234567')],
    ['an amount that is too large', (pennypost) => pennypost.pay('x:alice', '11')],
    ['nobody', (pennypost) => pennypost.batch([])],
    ['more than a hundred', (pennypost) => pennypost.batch(Array(101).fill({ to: 'x:alice', amount: '1' }))],
    ['a limit of the fee that is no amount', (pennypost) => pennypost.pay('x:alice', '1', { maxFee: 'much' })],
    ['no number of a payment', (pennypost) => pennypost.validate(0.5)],
  ])('%s', async (_title, call) => {
    const shop = createShop();
    const pennypost = shop.open();
    expect(await failureOf((async () => call(pennypost))())).toMatchObject({ kind: 'usage' });
    expect(shop.seen).toEqual([]);
  });

  test.each([
    ['an address that is none', 'pay.test', 'url'],
    ['one elsewhere without encryption', 'http://pay.test', 'url'],
  ])('%s', (_title, url, reason) => {
    expect(() => createShop().open(undefined, { url })).toThrow(expect.objectContaining({ kind: 'usage', reason }));
  });
});

test('a link to collect has the name as it was written', () => {
  expect(createShop().open().claimLink('a b@example.com'.replace(' ', ''))).toBe(
    `${SERVICE}/claim/email/ab%40example.com`,
  );
});
