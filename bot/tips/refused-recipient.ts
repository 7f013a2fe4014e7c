import { writtenSum } from '../../core/grammar/amount.ts';
import { recipientName } from '../../core/platforms/recipient-name.ts';
import { formatRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import type { Paragraph, View } from '../../core/view.ts';
import { walletsSeenBy } from '../../db/wallets/holders.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { TextEvent } from '../shared/messenger.ts';
import type { Tip } from '../../core/grammar/tip.ts';
import { privateView, tryCommand } from '../conversation/views.ts';

type Deps = Pick<CoreDeps, 'store' | 'texts'>;

/**
 * The answer to a tip to oneself or to a program; null for any other. A person's own names are what the platform says,
 * and those proven to this account.
 */
export async function refuseRecipient(deps: Deps, event: TextEvent, tip: Tip): Promise<View | null> {
  const own = new Set([event.userId, ...(event.ownNames ?? []), ...(await provenNames(deps, event))]);
  for (const recipient of tip.recipients) {
    const reason = reasonAgainst(deps, event, recipient, own);
    if (reason) return privateView('error', [reason], [tryCommand(exampleWithout(tip, recipient))]);
  }
  return null;
}

async function provenNames({ store }: Deps, { userId }: TextEvent): Promise<string[]> {
  return (await walletsSeenBy(store, userId)).map(({ name }) => name);
}

function reasonAgainst(
  { texts }: Deps,
  { botNames, context }: TextEvent,
  recipient: Recipient,
  own: ReadonlySet<string>,
): Paragraph | null {
  const id = formatRecipient(recipient);
  if (own.has(id)) return texts.selfTip(recipientName(recipient));
  if (botNames?.includes(id)) return texts.ownBotTip();
  return context?.bots?.includes(id) ? texts.botTip(recipientName(recipient)) : null;
}

/** The same tip for the others, or for the one whom all examples are about. */
function exampleWithout({ recipients, amount, sharing }: Tip, without: Recipient): string {
  const names = recipients.map((recipient) => recipientName(recipient));
  const others = names.filter((name) => name !== recipientName(without));
  const sum = writtenSum(amount);
  const isSplit = sharing === 'split' && others.length > 1;
  return `/tip ${others.length === 0 ? 'x:alice' : others.join(' ')} ${sum}${isSplit ? ' split' : ''}`;
}
