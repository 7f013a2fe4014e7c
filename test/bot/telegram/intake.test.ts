import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIds } from '../../../core/ids.ts';
import { plainText, type View } from '../../../core/view.ts';
import type { Store } from '../../../db/store/store.ts';
import type { Origin } from '../../../bot/shared/messenger.ts';
import { textsEn } from '../../../texts/en.ts';
import { workingView } from '../../../bot/conversation/views.ts';
import { takeUpdate } from '../../../bot/telegram/intake.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';
import { createPersonRate } from '../../../bot/telegram/person-rate.ts';
import { createNames } from '../../../bot/telegram/names.ts';
import type { KnownUpdate } from '../../../bot/telegram/update.ts';
import { openTestStore } from '../harness.ts';

const SOON = { timeout: 60_000, interval: 10 };

const NOW_MS = Date.UTC(2026, 10, 20);

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.close());

const alice = { id: 5, is_bot: false, first_name: 'Alice' };
const said: KnownUpdate = {
  update_id: 1,
  message: {
    message_id: 3,
    date: NOW_MS / 1_000,
    chat: { id: 5, type: 'private' },
    from: alice,
    text: '/tip x:jack 1',
  },
};

test('the first word waits for nothing that is looked up, and is the one that the core says', async () => {
  const opened: { origin: Origin; view: View }[] = [];
  const handled: string[] = [];
  let find = (_address: string) => {};
  const address = new Promise<string>((resolve) => (find = resolve));
  const taken = takeUpdate(
    {
      store,
      bot: { handle: async ({ walletId }) => void handled.push(walletId), press: async () => {} },
      outbox: { open: async () => ({ isNew: true }) },
      messenger: {
        open: async (origin, view) => {
          opened.push({ origin, view });
          return 'answer';
        },
      },
      names: createNames(),
      ids: createIds((count) => new Uint8Array(count).fill(7)),
      addressOf: () => address,
      isModerator: async () => undefined,
      self: () => ({ id: 9, username: 'penny_bot' }),
      rate: createPersonRate(createRateLimits(() => NOW_MS)),
      nowMs: () => NOW_MS,
    },
    said,
  );
  await vi.waitFor(() => expect(opened).toHaveLength(1), SOON);
  expect(opened[0]?.origin).toMatchObject({ eventId: '5:3', chatId: '5', text: '/tip x:jack 1' });
  expect(plainText(opened[0]?.view ?? workingView())).toBe(plainText(workingView(textsEn.thinking())));
  expect(handled).toEqual([]);
  find('0x5');
  await taken;
  expect(handled).toEqual(['telegram:5']);
});
