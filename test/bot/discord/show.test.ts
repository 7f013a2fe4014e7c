import { expect, test } from 'vitest';
import { pino } from 'pino';
import type { Calls } from '../../../bot/discord/calls.ts';
import { REFUSALS, type Outcome } from '../../../bot/discord/outcome.ts';
import { createTokens, showMessage } from '../../../bot/discord/show.ts';
import { formatAnswer, type Answer } from '../../../core/discord/answer.ts';
import type { View } from '../../../core/view.ts';
import { openTestStore } from '../harness.ts';

const END: View = { state: 'ok', audience: 'everyone', paragraphs: [[{ text: 'Sent' }]], actions: [] };
const GONE: Outcome<never> = { kind: 'refused', status: 404, code: REFUSALS.unknownMessage };

test.each(['person', 'everyone'] as const)(
  'an answer for %s that cannot be edited any more: its end goes to its person, and later news do not',
  async (audience) => {
    const store = await openTestStore();
    const written: string[] = [];
    const calls: Partial<Calls> = {
      editMessage: async () => GONE,
      writeDirectly: async (_userId, _nonce, { content }) => {
        written.push(content);
        return { kind: 'done', value: '1' };
      },
    };
    const now = Date.now;
    const deps = { calls: calls as Calls, tokens: createTokens(now), log: pino({ level: 'silent' }), store, now };
    const ids = { interactionId: '1', channelId: '2', messageId: '3', userId: '4', token: 'over' };
    const answer: Answer = { ...ids, audience, via: 'reply', communityId: null };
    const key = formatAnswer(answer);
    const message = { key, chatId: 'guild:2', messageId: null, rushId: null, isQuiet: false };
    await showMessage(deps, { ...message, view: END });
    expect(written).toEqual(['Sent']);
    const news = { ...END, paragraphs: [[{ text: 'It was collected.' }]], isNews: true as const };
    expect(await showMessage(deps, { ...message, view: news })).toMatchObject({ kind: 'shown' });
    expect(written).toEqual(['Sent']);
    await store.close();
  },
);
