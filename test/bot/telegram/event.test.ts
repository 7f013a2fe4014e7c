import { expect, test } from 'vitest';
import { readText } from '../../../bot/telegram/event.ts';
import { updateSchema } from '../../../bot/telegram/update.ts';

const SELF = { id: 9, username: 'penny_bot' };
const alice = { id: 5, is_bot: false, first_name: 'Alice' };
const mallory = { id: 6, is_bot: false, first_name: 'Mallory' };
const program = { id: 8, is_bot: true, first_name: 'Gifs', username: 'gif_bot' };
const group = { id: -100, type: 'supergroup', title: 'Tippers' };

/** As it comes from Telegram. */
function read(more: object) {
  const message = { message_id: 3, date: 1, chat: group, from: alice, text: '/tip@penny_bot @mallory 5', ...more };
  const update = updateSchema.parse({ update_id: 1, message });
  return 'message' in update && 'text' in update.message ? readText(update.message, SELF, () => undefined) : null;
}

test('what a person has typed is that person’s word', () => {
  expect(read({})).toMatchObject({ kind: 'text', event: { userId: 'telegram:5', text: '/tip @mallory 5' } });
});

test.each([
  ['forwards', { forward_origin: { type: 'user', sender_user: mallory, date: 1 } }],
  ['forwards from a hidden person', { forward_origin: { type: 'hidden_user', sender_user_name: 'M', date: 1 } }],
  ['picks among what another bot offers', { via_bot: program }],
  ['lets a bot write', { sender_business_bot: program }],
])('a command that a person %s pays nobody', (_what, more) => {
  expect(read(more)).toBeNull();
});
