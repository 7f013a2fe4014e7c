import { afterEach, beforeEach, expect, test } from 'vitest';
import { ban } from '../../../db/communities/community-bans.ts';
import { textEvent, usdc } from '../harness.ts';
import { createPayWorld, PAID, type PayWorld } from './world.ts';

const WALLET = `0x${'c0'.repeat(20)}`;
const MINUTE_MS = 60_000;

let world: PayWorld;
beforeEach(async () => {
  world = await createPayWorld();
  world.wallet.balances.set(WALLET, usdc(5));
});
afterEach(() => world.close());

/** What the wallet sends back after it was asked. */
async function sign() {
  const prepared = await world.call('prepare', { network: 'base', address: WALLET });
  const { nonce, validBefore } = (await prepared.json()) as { nonce: string; validBefore: number };
  return { network: 'base', address: WALLET, nonce, validBefore, signature: `0x${'22'.repeat(65)}` };
}

/** Time passes, and what is due is looked after. */
async function pass(ms: number): Promise<void> {
  world.clock.pass(ms);
  await world.bot.resume();
  await world.bot.idle();
}

const refusalOf = async (response: Response) => ((await response.json()) as { error: string }).error;

test('links whose chats take nothing any more keep no other from its end, and end themselves', async () => {
  const { messenger } = world.chat;
  const edit = messenger.edit;
  let isAway = true;
  messenger.edit = async (chatId, messageId, view) => {
    const isLink = view.actions.some(({ kind }) => kind === 'link');
    if (isLink && isAway) throw new Error('the chat is gone');
    return edit(chatId, messageId, view);
  };
  // As many as are looked after at once.
  for (let index = 0; index < 100; index += 1) await world.say('/pay @x:bob 1', `gone-${index}`);
  isAway = false;
  world.clock.pass(1_000);
  await world.say('/pay @x:alice 1');
  isAway = true;
  await pass(31 * MINUTE_MS);
  await pass(10_000);
  expect((await world.orderOf()).status).toBe('failed');
  expect((await world.orderOf('gone-0')).status).toBe('failed');
}, 60_000);

test('a link whose chat took the message and answered nothing is still paid', async () => {
  const { messenger } = world.chat;
  const edit = messenger.edit;
  messenger.edit = async (chatId, messageId, view) => {
    await edit(chatId, messageId, view);
    if (view.actions.some(({ kind }) => kind === 'link')) throw new Error('no answer');
  };
  await world.say('/pay @x:alice 1');
  world.state.answer = PAID;
  expect((await world.call('signed', await sign())).status).toBe(200);
  await world.bot.idle();
  expect(await world.orderOf()).toMatchObject({ status: 'answered', txnId: 4711 });
});

test('a link of a person who was banned meanwhile takes no payment', async () => {
  await world.bot.handle({ ...textEvent('/pay @x:alice 1'), communityId: 'community' });
  await world.bot.idle();
  const signed = await sign();
  const { transport, userId } = await world.orderOf();
  await ban(world.store, { transport, communityId: 'community', userId }, { bannedBy: 'moderator', nowMs: 1 });
  expect(await refusalOf(await world.call('signed', signed))).toBe('link_over');
  expect(await refusalOf(await world.call('prepare', { network: 'base', address: WALLET }))).toBe('link_over');
  expect(world.state.presented).toEqual([]);
});
