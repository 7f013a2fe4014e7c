import { microUsdc, sumUsdc } from '../../core/money.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import type { View } from '../../core/view.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { findSummary, keepSummary, tipsForMessage, type TippedMessage } from '../../db/tips/summaries.ts';
import { readGroupLanguage } from '../../db/communities/community-settings.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { speaking } from '../conversation/speech.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { publicView, tryCommand } from '../conversation/views.ts';
import { showCurrent } from '../shared/show-current.ts';

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

/** A single tip has its own message, which says it all. */
const SUMMED_FROM = 2;

/**
 * Shows under the tipped message what it has received so far, from the second tip on. Called before the order counts as
 * shown, so a crash leads here again. Tips that come meanwhile are seen at once; a later one looks for itself.
 */
export async function showSummary(
  deps: Pick<CoreDeps, 'messengers' | 'store' | 'texts'>,
  order: OrderRow,
): Promise<void> {
  const { transport, chatId, tippedMessageId, communityId } = order;
  const messenger = deps.messengers[transport];
  const reply = messenger?.reply;
  if (tippedMessageId === null || order.status !== 'answered' || !reply) return;
  if (await messenger.isMerged?.(order.messageId)) return;
  const message: TippedMessage = { transport, chatId, tippedMessageId };
  await showCurrent({
    read: () => tipsForMessage(deps.store, message),
    async show(tips) {
      const known = await findSummary(deps.store, message);
      if (known === null && tips.length < SUMMED_FROM) return;
      const view = summaryView(speaking(deps, await readGroupLanguage(deps.store, order)), tips);
      const tipped = { chatId, tippedMessageId, communityId };
      const messageId = known ?? (await keepSummary(deps.store, message, await reply(tipped, view)));
      await messenger.edit(chatId, messageId, view);
    },
    faceOf: (tips) => tips.map(({ id }) => id),
  });
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
