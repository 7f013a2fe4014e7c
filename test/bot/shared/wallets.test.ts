import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import { payingWalletOf } from '../../../bot/shared/wallets.ts';
import { createButton } from '../../../db/chats/buttons.ts';
import { findOrderByEvent } from '../../../db/tips/orders.ts';
import { chooseWallet, ensureUser } from '../../../db/chats/users.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { refused, startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, fakeWallets, START_MS, textEvent, usdc, type Harness } from '../harness.ts';

const USER = 'chat:user-1';
let api: FakeApi;
let harness: Harness;

beforeEach(async () => {
  api = await startFakeApi();
  harness = await createHarness({ apiUrl: api.url, balance: usdc(2) });
  await ensureUser(harness.store, { id: USER, transport: 'test', walletAddress: '0x1', createdAtMs: START_MS });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await api.close();
  await harness.store.close();
});

const keep = (walletId: string, name: string, sinceMs: number, holderId = USER) =>
  harness.store.tx((db) =>
    addHolder(db, harness.store.tables, { holderId, walletId, identityId: `person_${walletId}`, name }, sinceMs),
  );

const { addressOf } = fakeWallets().base;

async function say(text: string, walletId = USER): Promise<string | undefined> {
  await harness.bot.handle({ ...textEvent(text), walletId });
  await harness.bot.idle();
  return harness.chat.textOf('event-1');
}

describe('what pays', () => {
  test('is the own wallet, then the newest that was kept, then what was chosen, then what was kept after that', async () => {
    const paying = () => payingWalletOf(harness.store, USER, harness.clock.now());
    expect(await paying()).toBe(USER);
    await keep('x:7', 'x:alice', 10);
    await keep('code:8', 'github:alice', 20);
    expect(await paying()).toBe('code:8');
    await chooseWallet(harness.store, USER, 'x:7', 30);
    expect(await paying()).toBe('x:7');
    await chooseWallet(harness.store, USER, USER, 40);
    expect(await paying()).toBe(USER);
    await keep('email:a@example.com', 'a@example.com', 50);
    expect(await paying()).toBe('email:a@example.com');
  });

  test('is never a wallet that is not held, not even a chosen one', async () => {
    await keep('x:7', 'x:alice', 10, 'somebody-else');
    await chooseWallet(harness.store, USER, 'x:7', 20);
    expect(await payingWalletOf(harness.store, USER, harness.clock.now())).toBe(USER);
  });
});

test('a tip from a kept wallet comes from its address and says whose it was', async () => {
  await keep('x:7', 'x:alice', 10);
  expect(await say('/tip x:bob 1', 'x:7')).toBe('Sent 1.00 USDC to @bob on X from what you kept as @alice on X.');
  const order = await findOrderByEvent(harness.store, 'test', 'event-1');
  expect(order).toMatchObject({ walletId: 'x:7', walletName: 'x:alice', payerAddress: addressOf('x:7') });
  expect(api.seen[1]?.authorization?.from).toBe(addressOf('x:7'));
});

test('a tip from another person’s wallet is no order, no matter who asks for it', async () => {
  await keep('x:7', 'x:alice', 10, 'somebody-else');
  expect(await say('/tip x:bob 1', 'x:7')).toContain('Something went wrong on my side, and nothing was charged.');
  expect(await findOrderByEvent(harness.store, 'test', 'event-1')).toBeNull();
});

test('a kept wallet with too little in it points to the others', async () => {
  await keep('x:7', 'x:alice', 10);
  harness.state.balances.set(addressOf('x:7'), usdc(0.5));
  api.script((one) => (one.header ? refused(402, 'insufficient_funds') : { do: 'challenge' }));
  expect(await say('/tip x:bob 1', 'x:7')).toContain('You need 1.00 USDC and have 0.50');
  expect(harness.chat.last('event-1')?.actions).toContainEqual({ kind: 'command', command: '/wallet' });
});

test.each([
  ['/balance', 'You have 2.00 USDC in what you kept as @alice on X.'],
  ['/deposit', 'Your tips are paid from what you kept as @alice on X.'],
])('%s is about the wallet that pays', async (command, text) => {
  await keep('x:7', 'x:alice', 10);
  expect(await say(command, 'x:7')).toContain(text);
  if (command === '/deposit') expect(harness.chat.textOf('event-1')).toContain(shownAddress(addressOf('x:7')));
});

test('/wallet with nothing kept says how something gets there', async () => {
  expect(await say('/wallet')).toBe(
    'This chat’s own wallet: 2.00 USDC (pays now)\n' +
      'Money that you collect and keep here shows up in this list, and you can tip from it at once.',
  );
});

test('a button for a wallet that is not held any more chooses nothing', async () => {
  const action = { action: 'choose_wallet', walletId: 'x:7' } as const;
  await createButton(harness.store, { id: 'b_old', userId: USER, action, nowMs: START_MS });
  await harness.bot.press({ ...textEvent('', 'press-1'), buttonId: 'b_old' });
  expect(harness.chat.textOf('press-1')).toBe('You can’t pay from that one any more. /wallet shows what you have.');
  expect(await payingWalletOf(harness.store, USER, harness.clock.now())).toBe(USER);
});
