import { microUsdc, sumUsdc } from '../../core/money.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import type { View } from '../../core/view.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { findSummary, keepSummary, tipsForMessage, type TippedMessage } from '../../db/tips/summaries.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { publicView, tryCommand } from '../conversation/views.ts';

/** Each look finds the tips of others that came meanwhile; whoever comes later looks for himself. */
const LOOKS_MAX = 5;

/** The message whose author this tip is for; null where it is for somebody else, or nothing can be answered there. */
export function tippedMessageOf(
  { messengers }: Pick<CoreDeps, 'messengers'>,
  { transport, context }: TextEvent,
  recipient: Recipient,
): string | null {
  const { repliesTo, repliesToMessageId } = context ?? {};
  if (repliesTo === undefined || repliesToMessageId === undefined || !messengers[transport]?.reply) return null;
  return formatRecipient(repliesTo) === formatRecipient(recipient) ? repliesToMessageId : null;
}

/**
 * Shows under the tipped message what it has brought by now. Called before the order counts as shown, so a crash leads
 * here again. Two that come at once may overtake each other, so after each edit it is looked whether it still holds.
 */
export async function showSummary(deps: CoreDeps, order: OrderRow): Promise<void> {
  const { transport, chatId, tippedMessageId, communityId } = order;
  const messenger = deps.messengers[transport];
  if (tippedMessageId === null || order.status !== 'answered' || !messenger?.reply) return;
  const message: TippedMessage = { transport, chatId, tippedMessageId };
  let shown: string | null = null;
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const tips = await tipsForMessage(deps.store, message);
    const ids = tips.map(({ id }) => id).join();
    if (ids === shown) return;
    const known = await findSummary(deps.store, message);
    if (tips.length === 0 && known === null) return;
    const view = summaryView(deps, tips);
    const tipped = { chatId, tippedMessageId, communityId };
    const messageId = known ?? (await keepSummary(deps.store, message, await messenger.reply(tipped, view)));
    await messenger.edit(chatId, messageId, view);
    shown = ids;
  }
}

type Tips = Awaited<ReturnType<typeof tipsForMessage>>;

/** What was taken back after it stood there must not stand there for ever: anybody could seem generous for nothing. */
function summaryView({ texts }: CoreDeps, tips: Tips): View {
  if (tips.length === 0) return publicView('ok', [texts.takenBackAll()]);
  const facts = {
    recipient: tips.at(-1)?.recipient ?? '',
    total: sumUsdc(tips.map(({ amountMicroUsdc }) => microUsdc(amountMicroUsdc))),
    tips: tips.length,
    people: new Set(tips.map(({ userId }) => userId)).size,
  };
  return publicView('ok', [texts.tipped(facts)], [tryCommand('/claim')]);
}
