import { DISCORD_TRANSPORT } from '../../core/discord/chat.ts';
import { platformRow } from '../../core/platforms/platforms.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import { asksFirst } from '../tips/caps-card.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { parseCommand } from '../../core/grammar/command.ts';
import { isForCommunity } from '../../core/grammar/treasury.ts';
import type { TextEvent } from '../shared/messenger.ts';
import type { Tip } from '../../core/grammar/tip.ts';
import { payingWalletOf } from '../shared/wallets.ts';
import type { Task } from './event.ts';

type Deps = Pick<CoreDeps, 'store' | 'clock' | 'faucet'> & { applicationId: string };

/**
 * Decided before the core has seen it, because an acknowledgement cannot be taken back: of all commands only a tip to
 * one person is for everybody to see. What looks wrong already is between two; and so is an e-mail address, since Discord
 * shows with a public answer what was typed for it. What has to be agreed to first is as well: its card is for one person,
 * and the message that shows the card is the one that shows how the tip ends.
 */
export async function isForAll(
  deps: Deps,
  { asked, text }: Extract<Task, { kind: 'command' }>,
  bots: readonly string[],
): Promise<boolean> {
  const command = parseCommand(text);
  // What a community is told or asked about its money.
  if (command.kind === 'treasury') return isForCommunity(command.wish);
  // A card asks others to agree; what cannot be read has none.
  if (command.kind === 'reward') return !asked.isDirect && command.wish.do !== 'unreadable';
  if (asked.isDirect || command.kind !== 'tip' || command.recipients.length !== 1) return false;
  // Anyone who reads a pay link can pay by it, and need not be asked to, so it stays private.
  if (command.viaLink === true) return false;
  const [recipient] = command.recipients;
  const nobody = [deps.applicationId, asked.user.id, ...bots].map((id) => `${DISCORD_TRANSPORT}:${id}`);
  if (platformRow(recipient.platform).mask !== undefined || nobody.includes(formatRecipient(recipient))) return false;
  return !(await isAskedFirst(deps, { asked, text }, command));
}

async function isAskedFirst(
  deps: Deps,
  { asked: { id: eventId, chatId, user }, text }: Pick<Extract<Task, { kind: 'command' }>, 'asked' | 'text'>,
  { recipients: [recipient], amount }: Tip,
): Promise<boolean> {
  // How much it is only the balance will say.
  if (amount.kind !== 'exact') return true;
  const userId = `${DISCORD_TRANSPORT}:${user.id}`;
  const walletId = await payingWalletOf(deps.store, userId);
  const event: TextEvent = { transport: DISCORD_TRANSPORT, eventId, chatId, userId, walletId, text };
  return asksFirst(deps, event, { recipient, amount: amount.amount });
}
