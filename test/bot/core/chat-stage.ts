import { plainText } from '../../../core/view.ts';
import { findOrderByEvent } from '../../../db/tips/orders.ts';
import type { TextEvent } from '../../../bot/shared/messenger.ts';
import { startFakeApi } from '../fake-api.ts';
import { createHarness, pressEvent, textEvent } from '../harness.ts';

export type ChatStage = Awaited<ReturnType<typeof openChatStage>>;

/** A person who is new in a chat: asked about every name, and with default limits. */
export async function openChatStage(options: Partial<Parameters<typeof createHarness>[0]> = {}) {
  const api = await startFakeApi();
  const harness = await createHarness({ apiUrl: api.url, careful: true, ...options });
  const { bot, chat, store, clock } = harness;
  let presses = 0;

  const at = (eventId: string) => {
    const view = chat.last(eventId);
    if (!view) throw new Error(`nothing is shown for ${eventId}`);
    return view;
  };

  return {
    ...harness,
    api,
    /** The answer, once nothing is being worked on. */
    async say(text: string, eventId: string, where: Partial<TextEvent> = {}): Promise<string> {
      await bot.handle({ ...textEvent(text, eventId), ...where });
      await bot.idle();
      return plainText(at(eventId));
    },
    /** What stands there now, and who may see it. */
    shown: (eventId: string) => ({
      text: plainText(at(eventId)),
      audience: at(eventId).audience,
      state: at(eventId).state,
    }),
    labels: (eventId: string) =>
      at(eventId).actions.map((action) => (action.kind === 'command' ? action.command : action.label)),
    links: (eventId: string) => at(eventId).actions.flatMap((action) => (action.kind === 'link' ? [action.url] : [])),
    /** Presses a button of this message by its label; answers what is shown for the press itself, if anything is. */
    async press(eventId: string, label: string, userId?: string): Promise<string | undefined> {
      const button = at(eventId).actions.find((action) => action.kind === 'button' && action.label === label);
      if (button?.kind !== 'button') throw new Error(`there is no button "${label}" under ${eventId}`);
      const pressId = `press-${++presses}`;
      await bot.press(pressEvent(button.id, pressId, userId));
      await bot.idle();
      return chat.textOf(pressId);
    },
    orderOf: (eventId: string) => findOrderByEvent(store, 'test', eventId),
    /** Requests that carried a payment. */
    paid: () => api.seen.filter(({ header }) => header !== null).length,
    pass: clock.pass,
    async close() {
      harness.closing.abort();
      await bot.idle();
      await api.close();
      await store.close();
    },
  };
}
