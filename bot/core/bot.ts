import type { View } from '../../core/view.ts';
import { pressButton, type ButtonAction } from '../../db/bot/buttons.ts';
import { createOrder, findOrderByEvent } from '../../db/bot/orders.ts';
import { takePlayMoney } from './balance.ts';
import { newButton } from './buttons.ts';
import { answerCommand } from './commands.ts';
import type { CoreDeps } from './dependencies.ts';
import type { Messenger, Origin, PressEvent, TextEvent } from './messenger.ts';
import { createOrders } from './orders.ts';
import { privateView, publicView, workingView } from './views.ts';

export type Bot = {
  /**
   * Takes one message. Resolves when nothing can be lost any more: a payment is in its order row and goes on by
   * itself, everything else is answered. The same event again is the same order and the same answer.
   */
  handle: (event: TextEvent) => Promise<void>;
  press: (event: PressEvent) => Promise<void>;
  /** Finishes what an earlier process left behind; call it at start and now and then. */
  resume: () => Promise<void>;
  idle: () => Promise<void>;
};

/** The neutral core: commands in, views out. Adapters translate events into it and views out of it. */
export function createBot(deps: CoreDeps): Bot {
  const orders = createOrders(deps);
  return {
    async handle(event) {
      const known = await findOrderByEvent(deps.store, event.transport, event.eventId);
      const orderId = known?.id ?? (await takeCommand(deps, event));
      // Not awaited: an adapter acknowledges its event now, and the row is what remembers.
      if (orderId !== null) void orders.run(orderId);
    },
    press: (event) => handlePress(deps, event),
    resume: () => orders.resume(),
    idle: () => orders.idle(),
  };
}

/** The order to carry out; null when the command is answered already. */
async function takeCommand(deps: CoreDeps, event: TextEvent): Promise<string | null> {
  const messenger = messengerOf(deps, event);
  const messageId = await messenger.open(event, workingView(deps.texts.thinking()));
  const answer = await orSomethingWrong(deps, () => answerCommand(deps, event));
  if (answer.kind === 'view') {
    await messenger.edit(event.chatId, messageId, answer.view);
    return null;
  }
  const order = await createOrder(deps.store, { ...answer.draft, messageId });
  return order.id;
}

/** Until an order exists nothing can be charged, so a failure here can be told as such. */
async function orSomethingWrong<T>(deps: CoreDeps, work: () => Promise<T>): Promise<T | { kind: 'view'; view: View }> {
  try {
    return await work();
  } catch (error) {
    deps.log.error({ error: String(error) }, 'command failed');
    return { kind: 'view', view: privateView('error', [deps.texts.somethingWrong()]) };
  }
}

async function handlePress(deps: CoreDeps, event: PressEvent): Promise<void> {
  const { texts } = deps;
  const action = await pressButton(deps.store, event);
  const messenger = messengerOf(deps, event);
  const messageId = await messenger.open(event, workingView(action ? texts.gettingPlayMoney() : texts.thinking()));
  const view = action ? await act(deps, event, action) : privateView('error', [texts.buttonIsOver()]);
  await messenger.edit(event.chatId, messageId, view);
}

function act(deps: CoreDeps, event: Origin, action: ButtonAction): Promise<View> {
  switch (action) {
    case 'take_play_money':
      return playMoneyView(deps, event);
  }
}

/** Also the first thing a visitor of the web chat gets. */
export async function playMoneyView(deps: CoreDeps, { walletId, userId }: Origin): Promise<View> {
  const { texts } = deps;
  try {
    const balance = await takePlayMoney(deps, await deps.wallets.addressOf(walletId));
    return publicView('ok', [texts.gotPlayMoney(balance)]);
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'no play money');
    const button = await newButton(deps, userId, 'take_play_money', texts.tryAgain());
    return privateView('error', [texts.noPlayMoney()], [button]);
  }
}

function messengerOf(deps: CoreDeps, { transport }: Origin): Messenger {
  const messenger = deps.messengers[transport];
  if (!messenger) throw new Error(`no messenger for the transport ${transport}`);
  return messenger;
}
