/** A process that was stopped while it showed a card: what became of the drop meanwhile stands there in the end. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dropCard, showDrop } from '../../../bot/drops/drop-views.ts';
import { agreeToDrop, closeDrop, findDrop, openDrop, takeShare } from '../../../db/drops/drops.ts';
import { openChatStage, type ChatStage } from '../core/chat-stage.ts';
import { allowMore, START_MS, usdc } from '../harness.ts';

const CARD = { transport: 'test', chatId: 'chat', language: null };
const [CREATED_MS, CLOSES_MS] = [START_MS - 60_000, START_MS];

let stage: ChatStage;
beforeEach(async () => {
  stage = await openChatStage();
  const { store, deps, chat } = stage;
  const terms = { giverId: 'chat:1', walletId: null, amountMicroUsdc: usdc(5), people: 5, role: null };
  const times = { createdAtMs: CREATED_MS, closesAtMs: CLOSES_MS, endsAtMs: CLOSES_MS + 3_600_000 };
  await openDrop(store, { id: 'drop', eventKey: 'test:drop', communityId: '-1', ...CARD, ...terms, ...times });
  const row = await findDrop(store, 'drop');
  if (row === null) throw new Error('there is no drop');
  chat.messages.set('chat/drop', [await dropCard(deps, row, 'open')]);
  await store.tx((db) => db.update(store.tables.drops).set({ messageId: 'chat/drop' }));
  await take('chat:2');
});
afterEach(() => stage.close());

const take = (userId: string) => takeShare(stage.store, { dropId: 'drop', userId, names: [], nowMs: CREATED_MS + 1 });
const card = () => stage.chat.textOf('drop');

/** What happens before the edit of the stopped one lands. */
function stopped(meanwhile: () => Promise<void>): void {
  const { messenger } = stage.chat;
  const { edit } = messenger;
  messenger.edit = async (chatId, messageId, view) => {
    messenger.edit = edit;
    await meanwhile();
    await edit(chatId, messageId, view);
  };
}

test('who took a share', async () => {
  stopped(async () => {
    await take('chat:3');
    await showDrop(stage.deps, 'drop');
    expect(card()).toContain('2 of 5');
  });
  await showDrop(stage.deps, 'drop');
  expect(card()).toContain('2 of 5');
});

test('that it was paid, which its order says in the same message', async () => {
  const { store, bot, deps } = stage;
  await allowMore(store, 'chat:1');
  const body = { receiver: 'alice', amount: '1' };
  const payerAddress = await deps.networks[0].addressOf('chat:1');
  const order = {
    id: 'order-of-the-drop',
    eventId: 'press',
    messageId: 'chat/drop',
    ...CARD,
    userId: 'chat:1',
    walletId: 'chat:1',
  };
  const payment = { network: 'base' as const, payerAddress, route: '/payments/x/pay', body };
  const rest = { walletName: null, recipient: 'x:alice', amountMicroUsdc: usdc(1), createdAtMs: START_MS };
  const carryOn = async () => {
    await bot.resume();
    await bot.idle();
  };
  stopped(async () => {
    await closeDrop(store, 'drop', CLOSES_MS);
    await agreeToDrop(store, { id: 'drop', payees: ['chat:2'], nowMs: CLOSES_MS }, { ...order, ...payment, ...rest });
    await carryOn();
    expect(card()).toContain('Sent');
  });
  await showDrop(deps, 'drop');
  await carryOn();
  expect(card()).toContain('Sent');
});
