import { afterEach, beforeEach, expect, test } from 'vitest';
import { noteTreasuryCard } from '../../../db/treasury/treasury-withdrawals.ts';
import type { Store } from '../../../db/store/store.ts';
import { markPaid } from '../../../db/withdrawals/end.ts';
import { openTestStore } from '../harness.ts';
import { buttonOf, HOUR_MS, MOD, openTreasuryWorld, OWNER, wordsOf, type TreasuryWorld } from './treasury-world.ts';

let store: Store;
/** Two processes on the same books. */
let worlds: [TreasuryWorld, TreasuryWorld];
beforeEach(async () => {
  store = await openTestStore();
  worlds = [await openTreasuryWorld({ store }), await openTreasuryWorld({ store })];
  await worlds[0].fixAddress();
  worlds[1].clock.pass(worlds[0].clock.now() - worlds[1].clock.now());
});
afterEach(async () => {
  for (const world of worlds) await world.close();
  await store.close();
});

/** A card that one press is missing for. */
async function propose({ say, press }: TreasuryWorld): Promise<string> {
  const confirm = buttonOf(await say(MOD, '/treasury withdraw 50 base', 'card'), 'Confirm');
  await press(MOD, confirm, 'first');
  // Both show in the same chat.
  for (const [id, views] of worlds[0].chat.messages) worlds[1].chat.messages.set(id, views);
  return confirm;
}

/** The keys are out of reach, so the process comes no further. */
function losesKeys({ deps, closing }: TreasuryWorld): void {
  const { signer } = deps;
  const never = new Promise<never>((_, reject) =>
    closing.signal.addEventListener('abort', () => reject(new Error('killed'))),
  );
  deps.signer = { ...signer, signWithdrawal: () => never };
}

test('what was confirmed as a process died is signed by the next one, once', async () => {
  const [dead, next] = worlds;
  const confirm = await propose(dead);
  losesKeys(dead);
  await dead.press(OWNER, confirm);
  expect(await next.withdrawals()).toMatchObject([{ status: 'requested' }]);
  await next.bot.resume();
  expect(await next.withdrawals()).toMatchObject([{ status: 'signed', generation: 0 }]);
  // Pressed again, because nothing seemed to happen.
  await next.press(OWNER, confirm);
  await next.bot.resume();
  expect(await next.withdrawals()).toHaveLength(1);
  expect(next.signed).toHaveLength(1);
});

test('two processes that are pressed in and start at once make one withdrawal, whose signatures are one on the chain', async () => {
  const [one, other] = worlds;
  const confirm = await propose(one);
  await Promise.all(
    worlds.flatMap(({ press, bot }, index) => [
      press(OWNER, confirm, `owner-${index}`),
      press(MOD, confirm, `mod-${index}`),
      bot.resume(),
    ]),
  );
  await Promise.all(worlds.flatMap(({ bot }) => [bot.resume(), bot.resume()]));
  expect(await one.withdrawals()).toMatchObject([{ status: 'signed', generation: 0 }]);
  const nonces = [...one.signed, ...other.signed].map(({ authorization }) => authorization.nonce);
  expect(new Set(nonces).size).toBe(1);
});

test('an address that is taken back after the confirmation and before the signature gets nothing, and the card says so', async () => {
  const [dead, next] = worlds;
  const confirm = await propose(dead);
  losesKeys(dead);
  await dead.press(OWNER, confirm);
  await next.say(OWNER, '/treasury address off base');
  await next.bot.resume();
  expect([next.signed, (await next.withdrawals())[0]?.status]).toEqual([[], 'requested']);
  next.clock.pass(HOUR_MS);
  await next.bot.resume();
  await next.bot.resume();
  await next.bot.idle();
  expect(await next.withdrawals()).toMatchObject([{ status: 'failed' }]);
  expect(next.signed).toEqual([]);
  expect(wordsOf(next.shown('card'))).toContain('It could not be sent in time');
});

test('pressed before it was written down where the card stands, the card tells the end all the same', async () => {
  const [world] = worlds;
  const { treasuryWithdrawals } = store.tables;
  const confirm = await propose(world);
  const [card] = await store.read.select().from(treasuryWithdrawals);
  await store.tx((db) => db.update(treasuryWithdrawals).set({ messageId: null }));
  await world.press(OWNER, confirm);
  await world.bot.idle();
  await noteTreasuryCard(store, card?.id ?? '', card?.messageId ?? '');
  const [row] = await world.withdrawals();
  await markPaid(store, row ?? { id: '', generation: 0 }, null, 1);
  await world.bot.resume();
  await world.bot.idle();
  expect(wordsOf(world.shown('card'))).toContain('50.00 USDC arrived on Base');
});
