import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSigner } from '../../bot/signing/signer.ts';
import type { TransferAuthorization } from '../../bot/signing/signing.ts';
import { formatUsdc } from '../../core/money.ts';
import { changeLimit } from '../../core/wallets/spending-limits.ts';
import { createOrder, markFailed, markPriced, type OrderRow } from '../../db/tips/orders.ts';
import { lockSpending } from '../../db/wallets/spending-locks.ts';
import { spentOn } from '../../db/wallets/spending.ts';
import { changeWalletLimits } from '../../db/wallets/wallet-limits.ts';
import { stopSigning } from '../../db/store/stops.ts';
import type { Store } from '../../db/store/store.ts';
import { fakeWallets, openTestStore, PINNED, START_MS, usdc } from './harness.ts';

const { base, signed } = fakeWallets();
let store: Store;
let nowMs = START_MS;
let signer: ReturnType<typeof createSigner>;

beforeAll(async () => {
  store = await openTestStore();
  signer = createSigner({ store, base: { ...base, pinned: PINNED }, now: () => nowMs });
});
afterAll(() => store.close());

let count = 0;
/** Each test has a wallet of its own, so that it has a day of its own. */
const newWallet = () => `chat:wallet-${++count}`;

async function drafted(walletId: string, amount: number, change: Partial<OrderRow> = {}): Promise<string> {
  const id = `order_${String(++count).padStart(20, '0')}`;
  await createOrder(store, {
    id,
    transport: 'test',
    eventId: id,
    chatId: 'chat',
    messageId: 'message',
    userId: walletId,
    walletId,
    walletName: null,
    language: null,
    network: 'base',
    payerAddress: base.addressOf(walletId),
    route: '/payments/x/pay',
    body: { receiver: 'alice', amount: formatUsdc(usdc(amount)) },
    recipient: 'x:alice',
    amountMicroUsdc: usdc(amount),
    createdAtMs: START_MS,
    ...change,
  });
  return id;
}

async function priced(walletId: string, amount: number, change: Partial<OrderRow> = {}): Promise<string> {
  const id = await drafted(walletId, amount, change);
  expect(await markPriced(store, id, usdc(amount))).toBe('priced');
  return id;
}

const authorization = (walletId: string, amount: number): TransferAuthorization => ({
  from: base.addressOf(walletId),
  to: PINNED.payTo,
  value: usdc(amount),
  validAfter: 0,
  validBefore: Math.floor(nowMs / 1_000) + 240,
  nonce: `0x${'5a'.repeat(32)}`,
  asset: PINNED.asset,
  chainId: PINNED.chainId,
  name: PINNED.name,
  version: PINNED.version,
});

const sign = (walletId: string, id: string, amount: number) => signer.signEvm(id, authorization(walletId, amount));

/** An attacker who writes into our tables writes anything. */
const forge = (id: string, change: Partial<OrderRow>) =>
  store.tx((db) => db.update(store.tables.orders).set(change).where(eq(store.tables.orders.id, id)));

const setLimit = (walletId: string, name: 'tip' | 'day', amount: number) =>
  changeWalletLimits(store, { walletId, changedBy: walletId, nowMs: START_MS }, (now) =>
    changeLimit(now, name, usdc(amount), START_MS),
  );

test('an order within the limits is signed', async () => {
  const wallet = newWallet();
  expect(await sign(wallet, await priced(wallet, 10), 10)).toMatch(/^0x/);
});

describe('the signer refuses', () => {
  const expectRefusal = async (what: string, wallet: string, id: string, amount: number) => {
    const before = signed.length;
    await expect(sign(wallet, id, amount)).rejects.toThrow(what);
    expect(signed.length).toBe(before);
  };

  test('an order that nobody has counted', async () => {
    const wallet = newWallet();
    const id = await drafted(wallet, 1);
    await forge(id, { status: 'priced', totalMicroUsdc: usdc(1) });
    await expectRefusal('an order that counts as 1000000', wallet, id, 1);
  });

  test('an order that says it counts while the counter knows nothing of it', async () => {
    const wallet = newWallet();
    const id = await drafted(wallet, 1);
    await forge(id, { status: 'priced', totalMicroUsdc: usdc(1), countedMicroUsdc: usdc(1) });
    await expectRefusal('counted for the day', wallet, id, 1);
  });

  test('an order that counts as less than it costs', async () => {
    const wallet = newWallet();
    const id = await priced(wallet, 5);
    await forge(id, { countedMicroUsdc: usdc(1) });
    await expectRefusal('an order that counts as 5000000', wallet, id, 5);
  });

  test('an order that a link pays for', async () => {
    const wallet = newWallet();
    const id = await priced(wallet, 1, { viaLink: true });
    await expectRefusal('an order that counts', wallet, id, 1);
  });

  test('an order of another day, whose limit nobody uses any more', async () => {
    const wallet = newWallet();
    const id = await priced(wallet, 1, { createdAtMs: START_MS - 24 * 3_600_000 });
    await expectRefusal('an order of the last minutes', wallet, id, 1);
  });

  test('an order of tomorrow', async () => {
    const wallet = newWallet();
    const id = await priced(wallet, 1, { createdAtMs: START_MS + 24 * 3_600_000 });
    await expectRefusal('an order of the last minutes', wallet, id, 1);
  });

  test('an order that was priced before its wallet’s limit for each was lowered', async () => {
    const wallet = newWallet();
    const id = await priced(wallet, 5);
    await setLimit(wallet, 'tip', 4);
    await expectRefusal('at most 4000000 for each', wallet, id, 5);
  });

  test('an order whose request gives one person more than its lines say', async () => {
    const wallet = newWallet();
    await setLimit(wallet, 'tip', 4);
    const body = { receivers: [{ receiver: 'alice', amount: '5' }] };
    const lines = [{ recipient: 'x:alice', amountMicroUsdc: '1' }];
    const id = await priced(wallet, 5, { route: '/payments/x/batch-pay', body, lines });
    await expectRefusal('at most 4000000 for each', wallet, id, 5);
  });

  test('an order that was counted before the limit of the day was lowered', async () => {
    const wallet = newWallet();
    const id = await priced(wallet, 5);
    await setLimit(wallet, 'day', 4);
    await expectRefusal('at most 4000000 on a day', wallet, id, 5);
  });

  test('an order of a locked wallet, and of a locked person', async () => {
    const [wallet, other] = [newWallet(), newWallet()];
    const [first, second] = [await priced(wallet, 1), await priced(other, 1)];
    await lockSpending(store, [wallet], { lockedBy: wallet, nowMs: START_MS });
    await expectRefusal('a locked one', wallet, first, 1);
    expect(await sign(other, second, 1)).toMatch(/^0x/);
  });

  test('everything while signing is stopped', async () => {
    const wallet = newWallet();
    const id = await priced(wallet, 1);
    await stopSigning(store, { reason: 'operator', network: 'all', detail: 'a test' }, START_MS);
    await expectRefusal('a stop: operator', wallet, id, 1);
    await store.tx((db) => db.delete(store.tables.signingStops));
    expect(await sign(wallet, id, 1)).toMatch(/^0x/);
  });
});

describe('what a wallet spends on a day', () => {
  test('is 25 at most, however many ask at once', async () => {
    const wallet = newWallet();
    const ids = await Promise.all(Array.from({ length: 200 }, () => drafted(wallet, 0.5)));
    const answers = await Promise.all(ids.map((id) => markPriced(store, id, usdc(0.5))));
    expect(answers.filter((answer) => answer === 'priced')).toHaveLength(50);
    expect(answers.filter((answer) => answer === 'over_day_limit')).toHaveLength(150);
    expect(await spentOn(store, wallet, START_MS)).toBe(usdc(25));
  });

  test('counts once for an order that is priced again, and by the difference at another price', async () => {
    const wallet = newWallet();
    const id = await priced(wallet, 5);
    await markPriced(store, id, usdc(5));
    expect(await spentOn(store, wallet, START_MS)).toBe(usdc(5));
    await markPriced(store, id, usdc(6));
    expect(await spentOn(store, wallet, START_MS)).toBe(usdc(6));
    await markPriced(store, id, usdc(4));
    expect(await spentOn(store, wallet, START_MS)).toBe(usdc(4));
  });

  test('is given back once by an order that failed before it was signed', async () => {
    const wallet = newWallet();
    const [id] = [await priced(wallet, 5), await priced(wallet, 7)];
    const failures = await Promise.all([1, 2, 3].map(() => markFailed(store, id, 'unsigned', 'unreachable')));
    expect(failures.filter(Boolean)).toHaveLength(1);
    expect(await spentOn(store, wallet, START_MS)).toBe(usdc(7));
  });

  test('counts on the day on which the order was made, also when it is priced after midnight', async () => {
    const wallet = newWallet();
    const midnight = Date.UTC(2026, 10, 21);
    await priced(wallet, 5, { createdAtMs: midnight - 1 });
    await priced(wallet, 3, { createdAtMs: midnight });
    expect(await spentOn(store, wallet, midnight - 1)).toBe(usdc(5));
    expect(await spentOn(store, wallet, midnight)).toBe(usdc(3));
  });

  test('an order made just before midnight is signed just after it', async () => {
    const wallet = newWallet();
    const midnight = Date.UTC(2026, 10, 21);
    const id = await priced(wallet, 5, { createdAtMs: midnight - 1_000 });
    nowMs = midnight + 1_000;
    onTestFinished(() => void (nowMs = START_MS));
    expect(await sign(wallet, id, 5)).toMatch(/^0x/);
  });
});
