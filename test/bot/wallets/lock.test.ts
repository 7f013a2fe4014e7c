import { openWithdrawals } from '../../../db/withdrawals/find.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addHolder } from '../../../db/wallets/holders.ts';
import { idsOfPerson } from '../../../db/wallets/spending-locks.ts';
import { START_MS, textEvent, usdc } from '../harness.ts';
import { openChatStage, type ChatStage } from '../core/chat-stage.ts';

const HOUR = 3_600_000;
const LOCKED = 'You have locked spending, so nothing was sent. /unlock opens it again, after 24 hours.';
let stage: ChatStage;
beforeEach(async () => void (stage = await openChatStage({ faucet: true, balance: usdc(20) })));
afterEach(() => stage.close());

const hold = (holderId: string, walletId: string) =>
  stage.store.tx((db) =>
    addHolder(db, stage.store.tables, { holderId, walletId, identityId: walletId, name: walletId }, START_MS),
  );

test('/lock stops tips, also those whose card is pressed later, and /balance says so', async () => {
  await stage.say('/tip x:alice 5', 'card');
  expect(await stage.say('/lock', 'lock')).toBe(
    'Locked. Nothing is spent from your wallets any more, in no chat. /withdraw still works.',
  );
  expect(stage.shown('lock').audience).toBe('person');
  await stage.press('card', 'Send 5.00 USDC');
  expect(stage.shown('card').text).toBe(LOCKED);
  expect(await stage.say('/tip x:alice 1', 'tip')).toBe(LOCKED);
  expect(await stage.say('/tip x:alice x:bob 1', 'several')).toBe(LOCKED);
  expect(await stage.say('/balance', 'balance')).toContain('Spending is locked.');
  expect(stage.signed).toEqual([]);
});

test('/lock stops an order whose price is known, and one that waits for its signature', async () => {
  const { payments, signer } = stage.deps;
  const lock = () => stage.bot.handle(textEvent('/lock', 'lock'));
  stage.deps.payments = {
    channel: (request) => {
      const channel = payments.channel(request);
      const askPrice: typeof channel.askPrice = async () => {
        const price = await channel.askPrice();
        await lock();
        return price;
      };
      return { ...channel, askPrice };
    },
  };
  expect(await stage.say('/tip x:alice 1', 'priced')).toBe(LOCKED);
  await stage.store.tx((db) => db.delete(stage.store.tables.spendingLocks));
  stage.deps.payments = payments;
  stage.deps.signer = {
    ...signer,
    signEvm: async (orderId, authorization) => {
      await lock();
      return signer.signEvm(orderId, authorization);
    },
  };
  expect(await stage.say('/tip x:alice 1', 'signing')).toContain('so I didn’t pay. Nothing was charged.');
  expect([stage.paid(), stage.signed]).toEqual([0, []]);
});

test('/withdraw works while spending is locked', async () => {
  await stage.say('/lock', 'lock');
  expect(await stage.say(`/withdraw 5 0x${'12'.repeat(20)}`, 'withdraw')).toContain('5.00 USDC');
  await stage.press('withdraw', stage.labels('withdraw')[0] ?? '');
  expect(await openWithdrawals(stage.store)).toMatchObject([{ amountMicroUsdc: usdc(5), status: 'signed' }]);
});

test('/unlock opens after 24 hours, and /lock meanwhile keeps it locked', async () => {
  await stage.say('/lock', 'lock');
  expect(await stage.say('/unlock', 'unlock')).toBe(
    'Spending is possible again from 21 Nov, 12:00 UTC. If that was not you, /lock keeps it locked.',
  );
  expect(await stage.say('/tip x:alice 1', 'early')).toBe(
    'Spending is locked until 21 Nov, 12:00 UTC, so nothing was sent.',
  );
  stage.pass(23 * HOUR);
  await stage.say('/lock', 'again');
  stage.pass(2 * HOUR);
  expect(await stage.say('/tip x:alice 1', 'kept')).toBe(LOCKED);
  await stage.say('/unlock', 'unlock-again');
  stage.pass(24 * HOUR - 1);
  expect(await stage.say('/tip x:alice 1', 'almost')).toContain('Spending is locked until');
  stage.pass(1);
  expect(await stage.say('/tip x:alice 1', 'open')).toBe('Sent 1.00 USDC to @alice on X.');
  expect(await stage.say('/unlock', 'nothing')).toBe('Nothing is locked.');
});

test('/unlock said again does not put the end off', async () => {
  await stage.say('/lock', 'lock');
  const first = await stage.say('/unlock', 'unlock');
  stage.pass(HOUR);
  expect(await stage.say('/unlock', 'again')).toBe(first);
});

test('/lock in one chat stops the wallets of the same person in all others, and nobody else’s', async () => {
  await hold('discord:17', 'discord:17');
  await hold('discord:17', 'x:7');
  await hold('telegram:5', 'telegram:5');
  await hold('telegram:5', 'x:7');
  await hold('telegram:6', 'telegram:6');
  expect((await idsOfPerson(stage.store, 'discord:17', START_MS)).toSorted()).toEqual([
    'discord:17',
    'telegram:5',
    'x:7',
  ]);
  await stage.say('/lock', 'lock', { userId: 'discord:17', walletId: 'discord:17' });
  const tip = (userId: string, walletId: string) =>
    stage.say('/tip github:bob 1', `${userId} ${walletId}`, { userId, walletId });
  expect(await tip('telegram:5', 'telegram:5')).toBe(LOCKED);
  expect(await tip('telegram:5', 'x:7')).toBe(LOCKED);
  expect(await tip('telegram:6', 'telegram:6')).toBe('Sent 1.00 USDC to bob on GitHub.');
});

test('a wallet that a locked account gets later is locked as well', async () => {
  await hold('discord:17', 'discord:17');
  await stage.say('/lock', 'lock', { userId: 'discord:17', walletId: 'discord:17' });
  await hold('discord:17', 'x:8');
  const stolen = { userId: 'discord:17', walletId: 'x:8' };
  expect(await stage.say('/tip github:bob 1', 'tip', stolen)).toBe(LOCKED);
});
