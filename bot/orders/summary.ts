import { microUsdc, sumUsdc } from '../../core/money.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import type { View } from '../../core/view.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { findSummary, keepSummary, tipsForMessage, type TippedMessage } from '../../db/tips/summaries.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { publicView, tryCommand } from '../conversation/views.ts';

/** Each look finds the tips that came meanwhile; a later tip looks for itself. */
const LOOKS_MAX = 5;

/**
 * The message whose author this tip is for; null where the tip is for another person, or where the transport cannot reply.
 */
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
 * Shows under the tipped message what it has received so far. Called before the order counts as shown, so a crash leads
 * here again. Two calls may overtake each other, so each edit is followed by a check that the sum still holds.
 */
export async function showSummary(
  deps: Pick<CoreDeps, 'messengers' | 'store' | 'texts'>,
  order: OrderRow,
): Promise<void> {
  const { transport, chatId, tippedMessageId, communityId } = order;
  const messenger = deps.messengers[transport];
  if (tippedMessageId === null || order.status !== 'answered' || !messenger?.reply) return;
  if (await messenger.isMerged?.(order.messageId)) return;
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

/** A tip that was taken back must not stay listed, or anyone could seem generous for nothing. */
function summaryView({ texts }: Pick<CoreDeps, 'texts'>, tips: Tips): View {
  if (tips.length === 0) return publicView('ok', [texts.takenBackAll()]);
  const facts = {
    recipient: tips.at(-1)?.recipient ?? '',
    total: sumUsdc(tips.map(({ amountMicroUsdc }) => microUsdc(amountMicroUsdc))),
    tips: tips.length,
    people: new Set(tips.map(({ userId }) => userId)).size,
  };
  return publicView('ok', [texts.tipped(facts)], [tryCommand('/claim')]);
}
