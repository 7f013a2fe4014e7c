import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSigner } from '../../../bot/signing/signer.ts';
import type { TransferAuthorization } from '../../../bot/signing/signing.ts';
import { formatUsdc, microUsdc } from '../../../core/money.ts';
import { createOrder, markFailed, markPriced, markSigned, type OrderRow } from '../../../db/tips/orders.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import type { Store } from '../../../db/store/store.ts';
import { allowMore, fakeWallets, openTestStore, PINNED, START_MS } from '../harness.ts';

const NOW = Math.floor(START_MS / 1_000);
const { base, signed } = fakeWallets();
const payer = base.addressOf('chat:user-1');
let store: Store;
let signer: ReturnType<typeof createSigner>;

beforeAll(async () => {
  store = await openTestStore();
  await allowMore(store, 'chat:user-1');
  signer = createSigner({ store, base: { ...base, pinned: PINNED }, now: () => START_MS });
});
afterAll(() => store.close());

let count = 0;
type Change = { amount?: bigint; total?: bigint } & Partial<
  Pick<OrderRow, 'payerAddress' | 'userId' | 'walletId' | 'network' | 'route' | 'body'>
>;
async function priced(change: Change = {}): Promise<string> {
  const id = `order_${String(++count).padStart(20, '0')}`;
  const amountMicroUsdc = change.amount ?? 1_000_000n;
  await createOrder(store, {
    id,
    transport: 'test',
    eventId: id,
    chatId: 'chat',
    messageId: 'message',
    userId: change.userId ?? 'chat:user-1',
    walletId: change.walletId ?? 'chat:user-1',
    walletName: null,
    language: null,
    network: change.network ?? 'base',
    payerAddress: change.payerAddress ?? base.addressOf(change.walletId ?? 'chat:user-1'),
    route: change.route ?? '/payments/x/pay',
    body: change.body ?? { receiver: 'alice', amount: formatUsdc(microUsdc(amountMicroUsdc)) },
    recipient: 'x:alice',
    amountMicroUsdc,
    // What each gets is read from the request itself, whatever this says.
    lines: 'receivers' in (change.body ?? {}) ? [{ recipient: 'x:alice', amountMicroUsdc: '1' }] : null,
    createdAtMs: START_MS,
  });
  await markPriced(store, id, change.total ?? amountMicroUsdc);
  return id;
}

const honest: TransferAuthorization = {
  from: payer,
  to: PINNED.payTo,
  value: 1_000_000n,
  validAfter: 0,
  validBefore: NOW + 240,
  nonce: `0x${'5a'.repeat(32)}`,
  asset: PINNED.asset,
  chainId: PINNED.chainId,
  name: PINNED.name,
  version: PINNED.version,
};
const stranger = `0x${'cd'.repeat(20)}`;

const BATCH = '/payments/x/batch-pay';
const lines = (...amounts: string[]) => ({ receivers: amounts.map((amount) => ({ receiver: 'alice', amount })) });

test('signs the sum of an order for several people, which may be above the limit for one', async () => {
  const order = { route: '/payments/batch-pay', body: lines('10', '0.01', '2.5'), amount: 12_510_000n };
  expect(await signer.signEvm(await priced(order), { ...honest, value: 12_510_000n })).toMatch(/^0x/);
});

test('signs what a priced order of its own store says', async () => {
  expect(await signer.signEvm(await priced(), honest)).toMatch(/^0x/);
  expect(signed.at(-1)).toEqual({ walletId: 'chat:user-1', authorization: honest });
});

test('a line for the cost is signed with a single tip, and never above the total that a card has named', async () => {
  const pinned = { ...PINNED, costLine: microUsdc(10_000n) };
  const asking = createSigner({ store, base: { ...base, pinned }, now: () => START_MS });
  const sign = async (change: Change, value: bigint) => asking.signEvm(await priced(change), { ...honest, value });
  expect(await sign({ total: 1_010_000n }, 1_010_000n)).toMatch(/^0x/);
  const card = { route: BATCH, body: lines('1', '1'), amount: 2_000_000n };
  expect(await sign(card, 2_000_000n)).toMatch(/^0x/);
  for (const line of [10_000n, 15_000n]) {
    const total = 2_000_000n + line;
    await expect(sign({ ...card, total }, total)).rejects.toThrow('the signer refuses');
  }
  await expect(sign({ total: 1_010_001n }, 1_010_001n)).rejects.toThrow('the signer refuses');
});

test('addresses may be written with or without their checksum', async () => {
  const signature = await signer.signEvm(await priced(), {
    ...honest,
    asset: PINNED.asset.toLowerCase(),
    to: PINNED.payTo.toUpperCase().replace('0X', '0x'),
  });
  expect(signature).toMatch(/^0x/);
});

describe('refuses', () => {
  test.each<[string, Partial<TransferAuthorization>]>([
    ['another payee', { to: stranger }],
    ['another payer', { from: stranger }],
    ['the payee as payer', { from: PINNED.payTo }],
    ['a larger value', { value: 1_000_001n }],
    ['a smaller value', { value: 999_999n }],
    ['nothing', { value: 0n }],
    ['another token', { asset: stranger }],
    ['another chain', { chainId: 1 }],
    ['another token name', { name: 'USDC' }],
    ['another token version', { version: '1' }],
    ['a start in the future', { validAfter: NOW + 1 }],
    ['a start that is no number', { validAfter: Number.NaN }],
    ['an end in the past', { validBefore: NOW }],
    ['an end more than five minutes ahead', { validBefore: NOW + 301 }],
    ['an end that is no number', { validBefore: Number.POSITIVE_INFINITY }],
    ['a zero nonce', { nonce: `0x${'00'.repeat(32)}` }],
    ['a short nonce', { nonce: '0x5a' }],
    ['a nonce that is not hex', { nonce: `0x${'zz'.repeat(32)}` }],
  ])('%s', async (_title, change) => {
    const before = signed.length;
    await expect(signer.signEvm(await priced(), { ...honest, ...change })).rejects.toThrow('the signer refuses');
    expect(signed.length).toBe(before);
  });

  test.each<[string, () => Promise<string>, Partial<TransferAuthorization>]>([
    ['an order that it does not know', async () => 'order_of_somebody_else', {}],
    ['an order above the limit', () => priced({ amount: 10_000_001n }), { value: 10_000_001n }],
    ['an order over nothing', () => priced({ amount: 0n, total: 0n }), { value: 0n }],
    ['a price with a fee that nobody announced', () => priced({ total: 1_500_000n }), { value: 1_500_000n }],
    ['a price that does not fit the amount', () => priced({ total: 1_500_000n }), {}],
    ['an order on another network', () => priced({ network: 'solana' }), {}],
    [
      'an order from a wallet that its user does not hold',
      () => priced({ walletId: 'x:9' }),
      { from: base.addressOf('x:9') },
    ],
    [
      'an order of a person’s id that passes itself off as its holder',
      () => priced({ userId: 'x:9', walletId: 'x:9' }),
      { from: base.addressOf('x:9') },
    ],
    ['an order that names another payer', () => priced({ payerAddress: stranger }), {}],
  ])('%s', async (_title, order, change) => {
    const before = signed.length;
    await expect(signer.signEvm(await order(), { ...honest, ...change })).rejects.toThrow('the signer refuses');
    expect(signed.length).toBe(before);
  });

  test.each<[string, Pick<Change, 'route' | 'body'>]>([
    ['a request for more than the order says', { body: { receiver: 'alice', amount: '1.000001' } }],
    ['a request for less', { body: { receiver: 'alice', amount: '0.999999' } }],
    ['a request without an amount', { body: { receiver: 'alice' } }],
    ['an amount that is a number', { body: { receiver: 'alice', amount: 1 } }],
    ['lines that make another sum', { route: BATCH, body: lines('0.5', '0.500001') }],
    ['a line below the limit', { route: BATCH, body: lines('0.995', '0.005') }],
    ['a line that is negative', { route: BATCH, body: lines('2', '-1') }],
    ['no lines at all', { route: BATCH, body: { receivers: [] } }],
    ['lines over the route for one person', { body: { receiver: 'alice', amount: '1', ...lines('1') } }],
    ['a route that pays nobody', { route: '/payments/validate' }],
    ['a route that leads elsewhere', { route: '/payments/x/pay/../../rewards' }],
  ])('%s', async (_title, change) => {
    const before = signed.length;
    await expect(signer.signEvm(await priced(change), honest)).rejects.toThrow('the signer refuses');
    expect(signed.length).toBe(before);
  });

  test('101 lines, and a line above the limit, whatever the sum', async () => {
    const many = Array.from({ length: 101 }, () => '0.01');
    const order = await priced({ route: BATCH, body: lines(...many), amount: 1_010_000n });
    await expect(signer.signEvm(order, { ...honest, value: 1_010_000n })).rejects.toThrow('a request with recipients');
    const large = await priced({ route: BATCH, body: lines('10.000001', '1'), amount: 11_000_001n });
    await expect(signer.signEvm(large, { ...honest, value: 11_000_001n })).rejects.toThrow('within the limits');
  });

  test('to let the service pay itself', async () => {
    const own = createSigner({ store, base: { ...base, pinned: { ...PINNED, payTo: payer } }, now: () => START_MS });
    await expect(own.signEvm(await priced(), { ...honest, to: payer })).rejects.toThrow('other than the payee');
  });

  test('an order that is not priced, signed already, or over', async () => {
    const done = await priced();
    await markSigned(store, done, 'header', { validBefore: NOW + 240 });
    await expect(signer.signEvm(done, honest)).rejects.toThrow('found signed');
    const failed = await priced();
    await markFailed(store, failed, 'unsigned', 'unreachable');
    await expect(signer.signEvm(failed, honest)).rejects.toThrow('found failed');
  });
});

describe('a wallet that was kept for a name', () => {
  const keep = (holderId: string) =>
    store.tx((db) => {
      const holder = { holderId, walletId: 'x:7', identityId: 'person_7', name: 'x:alice' };
      return addHolder(db, store.tables, holder, START_MS);
    });
  const fromKept = { ...honest, from: base.addressOf('x:7') };

  test('pays for the person who proved the name, and for nobody else', async () => {
    await keep('somebody-else');
    await expect(signer.signEvm(await priced({ walletId: 'x:7' }), fromKept)).rejects.toThrow(
      'a wallet that chat:user-1',
    );
    await keep('chat:user-1');
    expect(await signer.signEvm(await priced({ walletId: 'x:7' }), fromKept)).toMatch(/^0x/);
    expect(signed.at(-1)?.walletId).toBe('x:7');
  });
});
