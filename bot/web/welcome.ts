import { postOnce } from '../../db/chats/chat.ts';
import { ensureUser, markFunded } from '../../db/chats/users.ts';
import { createShared } from '../../queue/by-key.ts';
import { readHoldings, sumOf, takePlayMoney } from '../paying/balance.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { privateView, workingView } from '../conversation/views.ts';
import type { View } from '../../core/view.ts';
import type { Changes } from '../shared/changes.ts';
import { messageId, WEB_TRANSPORT } from './messenger.ts';
import type { Visitor } from './visitor.ts';

export type WelcomeDeps = CoreDeps & { changes: Changes };

/**
 * Makes a visitor's wallet and, in local mode, fills it once, in view of the visitor. Safe to call at every request:
 * it runs once at a time for each visitor, and whether the money came is asked from the chain, not remembered.
 */
export function createWelcome(deps: WelcomeDeps): (visitor: Visitor) => Promise<void> {
  const { share } = createShared<string, void>();
  return (visitor) => share(visitor.id, () => welcome(deps, visitor));
}

async function welcome(deps: WelcomeDeps, { id }: Visitor): Promise<void> {
  const walletAddress = await deps.networks[0].addressOf(id);
  const nowMs = deps.clock.now();
  const user = await ensureUser(deps.store, { id, transport: WEB_TRANSPORT, walletAddress, createdAtMs: nowMs });
  if (user.fundedAtMs !== null || !deps.faucet) return;
  const view = workingView(deps.texts.gettingPlayMoney());
  const post = { id: messageId(deps), chatId: id, author: 'bot', onceKey: 'welcome', view, nowMs } as const;
  const { message } = await postOnce(deps.store, post);
  deps.changes.notify(id);
  await deps.messengers[WEB_TRANSPORT]?.edit(id, message.id, await fill(deps, id));
}

async function fill(deps: WelcomeDeps, id: string): Promise<View> {
  try {
    const held = sumOf(await readHoldings(deps, id));
    const balance = held > 0n ? held : await takePlayMoney(deps, id);
    await markFunded(deps.store, id, deps.clock.now());
    return privateView('ok', [deps.texts.welcome(balance)]);
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'no play money for a new visitor');
    const button = await newButton(deps, id, { action: 'take_play_money' }, deps.texts.tryAgain());
    return privateView('error', [deps.texts.noPlayMoney()], [button]);
  }
}
