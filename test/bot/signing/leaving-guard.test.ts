import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSigner, type Signer } from '../../../bot/signing/signer.ts';
import { ADDRESS_WAIT_MS, AT_ONCE_DAILY_MAX } from '../../../core/wallets/withdrawal-wait.ts';
import { addWithin } from '../../../db/store/counters.ts';
import { dayOf } from '../../../db/limits/daily.ts';
import type { WithdrawalRow } from '../../../db/withdrawals/find.ts';
import { atOnceCounter } from '../../../db/withdrawals/limits.ts';
import type { Store } from '../../../db/store/store.ts';
import { fakeWallets, openTestStore, PINNED, START_MS } from '../harness.ts';
import { forgeWithdrawal, HOLDER } from '../withdrawal-rows.ts';

const TODAY = dayOf(START_MS);
const OTHER = `0x${'ef'.repeat(20)}`;
const HOUR_MS = 3_600_000;
/** Asked for at this moment, and said to leave at once. */
const NOW: Partial<WithdrawalRow> = { createdAtMs: START_MS, notBeforeMs: START_MS };

let store: Store;
let signer: Signer;
let wallets: ReturnType<typeof fakeWallets>;
beforeEach(async () => {
  store = await openTestStore();
  wallets = fakeWallets();
  signer = createSigner({ store, base: { ...wallets.base, pinned: PINNED }, now: () => START_MS });
});
afterEach(() => store.close());

const count = (amount: bigint, day = TODAY) =>
  store.tx((db) => addWithin(db, store, atOnceCounter(HOLDER, day), amount));

test('signs a small one for the first address at once, when the day has counted it', async () => {
  await count(1_500_000n);
  await signer.signWithdrawal(await forgeWithdrawal(store, { ...NOW, countedOn: TODAY }));
  expect(wallets.signed).toHaveLength(1);
});

test('signs any amount for an address that has stood for a day, however often it was withdrawn to', async () => {
  await forgeWithdrawal(store, { status: 'paid', toAddress: OTHER, createdAtMs: START_MS - 3 * ADDRESS_WAIT_MS });
  await forgeWithdrawal(store, { status: 'paid' });
  await signer.signWithdrawal(await forgeWithdrawal(store, { ...NOW, amountMicroUsdc: 500_000_000n }));
  expect(wallets.signed).toHaveLength(1);
});

test('signs what was the first address when it was asked for, though another was asked for since', async () => {
  const createdAtMs = START_MS - HOUR_MS;
  const day = dayOf(createdAtMs);
  await count(1_500_000n, day);
  await forgeWithdrawal(store, { ...NOW, toAddress: OTHER });
  await signer.signWithdrawal(await forgeWithdrawal(store, { createdAtMs, notBeforeMs: createdAtMs, countedOn: day }));
  expect(wallets.signed).toHaveLength(1);
});

type Change = Partial<WithdrawalRow>;

test.each<[string, Change, { counted?: bigint; before?: Change }]>([
  ['what may leave in a millisecond', { notBeforeMs: START_MS + 1 }, {}],
  ['what says that it was asked for in the future', { createdAtMs: START_MS + 1 }, {}],
  ['what was called off', { calledOffAtMs: START_MS }, {}],
  [
    'what was called off, though its address is known',
    { ...NOW, calledOffAtMs: START_MS },
    { before: { status: 'paid' } },
  ],
  [
    'what says that it was asked for in the future, though its address is known',
    { ...NOW, createdAtMs: START_MS + 1 },
    { before: { status: 'paid' } },
  ],
  ['a new address without a wait, where no day has counted it', NOW, {}],
  ['one that says so of a day that has not', { ...NOW, countedOn: TODAY }, {}],
  [
    'one that says so of another day',
    { ...NOW, countedOn: dayOf(START_MS - ADDRESS_WAIT_MS) },
    { counted: 1_500_000n },
  ],
  ['more than a day has room for', { ...NOW, countedOn: TODAY }, { counted: AT_ONCE_DAILY_MAX + 1n }],
  ['an amount above the day’s', { ...NOW, countedOn: TODAY, amountMicroUsdc: 11_000_000n }, { counted: 9_000_000n }],
  [
    'a second address, though it is small and counted',
    { ...NOW, countedOn: TODAY },
    { counted: 1_500_000n, before: { status: 'paid', toAddress: OTHER } },
  ],
  [
    'an address that has stood for an hour less than a day',
    { createdAtMs: START_MS - ADDRESS_WAIT_MS + HOUR_MS, notBeforeMs: START_MS },
    {},
  ],
  ['an address that nobody who holds the wallet was told of', { notifiedAtMs: null }, {}],
  [
    'an address that they were told of an hour ago, though it was asked for a day before',
    { notifiedAtMs: START_MS - HOUR_MS },
    {},
  ],
  ['an address that they are told of in the future', { notifiedAtMs: START_MS + ADDRESS_WAIT_MS }, {}],
  [
    'an address that its owner has called off since it was first asked for',
    NOW,
    { before: { status: 'paid', calledOffAtMs: START_MS - HOUR_MS } },
  ],
  [
    'an address for which something has failed after a day in which nobody was told',
    { ...NOW, notifiedAtMs: null },
    { before: { status: 'failed', notifiedAtMs: null } },
  ],
  [
    'an address for which something has failed a day ago, before anybody could call it off',
    NOW,
    { before: { status: 'failed', notBeforeMs: START_MS - ADDRESS_WAIT_MS } },
  ],
])('refuses %s', async (_title, change, { counted, before }) => {
  if (counted !== undefined) {
    await count(counted);
    await count(counted, dayOf(START_MS - ADDRESS_WAIT_MS));
  }
  if (before !== undefined) await forgeWithdrawal(store, before);
  const id = await forgeWithdrawal(store, change);
  await expect(signer.signWithdrawal(id)).rejects.toThrow('the signer refuses');
  expect(wallets.signed).toEqual([]);
});

test('whatever one wallet has let stand is nothing to another', async () => {
  await forgeWithdrawal(store, { status: 'paid' });
  const bob = { ...NOW, walletId: 'chat:bob', holderId: 'chat:bob' };
  await expect(signer.signWithdrawal(await forgeWithdrawal(store, bob))).rejects.toThrow('an address that has stood');
});
