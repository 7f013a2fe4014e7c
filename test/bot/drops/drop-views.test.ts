import { afterEach, beforeEach, expect, test } from 'vitest';
import { dropCard, showDrop } from '../../../bot/drops/drop-views.ts';
import { findDrop, openDrop, takeShare } from '../../../db/drops/drops.ts';
import { openChatStage, type ChatStage } from '../core/chat-stage.ts';
import { START_MS, usdc } from '../harness.ts';

let stage: ChatStage;
beforeEach(async () => void (stage = await openChatStage()));
afterEach(() => stage.close());

test('who was stopped while it showed a card shows who took a share meanwhile', async () => {
  const { store, deps, chat } = stage;
  const [createdAtMs, closesAtMs] = [START_MS, START_MS + 60_000];
  const drop = {
    id: 'drop',
    eventKey: 'test:drop',
    transport: 'test',
    communityId: '-1',
    chatId: 'chat',
    language: null,
  };
  const terms = { giverId: 'chat:1', walletId: null, amountMicroUsdc: usdc(5), people: 5, role: null };
  await openDrop(store, { ...drop, ...terms, createdAtMs, closesAtMs, endsAtMs: closesAtMs + 60_000 });
  const row = await findDrop(store, 'drop');
  if (row === null) throw new Error('there is no drop');
  chat.messages.set('chat/drop', [await dropCard(deps, row, 'open')]);
  await store.tx((db) => db.update(store.tables.drops).set({ messageId: 'chat/drop' }));
  const { messenger } = chat;
  const { edit } = messenger;
  const take = (userId: string) => takeShare(store, { dropId: 'drop', userId, names: [], nowMs: START_MS + 1 });
  messenger.edit = async (chatId, messageId, view) => {
    messenger.edit = edit;
    await take('chat:3');
    await showDrop(deps, 'drop');
    expect(chat.textOf('drop')).toContain('2 of 5');
    await edit(chatId, messageId, view);
  };
  await take('chat:2');
  await showDrop(deps, 'drop');
  expect(chat.textOf('drop')).toContain('2 of 5');
});
