import { DISCORD_TRANSPORT, readDiscordChat } from '../../core/discord/chat.ts';
import { platformRow } from '../../core/platforms/platforms.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import { asksFirst } from '../tips/caps-card.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { parseCommand } from '../../core/grammar/command.ts';
import { isForCommunity } from '../../core/grammar/treasury.ts';
import type { TextEvent } from '../shared/messenger.ts';
import type { Tip } from '../../core/grammar/tip.ts';
import { payingWalletOf } from '../shared/wallets.ts';
import type { Rushes } from '../outbox/rush.ts';
import type { Audience } from './acknowledge.ts';
import type { Task } from './event.ts';

type Deps = Pick<CoreDeps, 'store' | 'clock' | 'faucet'> & { applicationId: string };
type Command = Extract<Task, { kind: 'command' }>;

/** Of more tips than a channel wants messages, others read in one for all: Discord shows their answers to the payers. */
export async function audienceOf(
  deps: Deps & { rushes: Pick<Rushes, 'idFor'> },
  command: Command,
  bots: readonly string[],
): Promise<Audience> {
  if (!(await isForAll(deps, command, bots))) return { isPublic: false, rushId: null, merge: null };
  const { asked, text } = command;
  const canWriteThere = readDiscordChat(asked.chatId).kind === 'guild';
  const isTip = parseCommand(text).kind === 'tip';
  if (!canWriteThere || !isTip) return { isPublic: true, rushId: null, merge: null };
  const community = asked.communityId === null ? {} : { communityId: asked.communityId };
  const place = { chatId: asked.chatId, language: asked.locale, ...community };
  const rushId = await deps.rushes.idFor(place);
  return { isPublic: rushId === null, rushId, merge: () => deps.rushes.idFor(place, true) };
}

/**
 * Decided before the core has seen the command, because an acknowledgement cannot be taken back. Of all commands only a
 * tip to one person is public. These are private: anything that already looks wrong; an e-mail address, because Discord
 * shows the typed command with a public answer; and what its payer has to agree to first, because that card's message
 * later shows how the tip ended.
 */
async function isForAll(deps: Deps, { asked, text }: Command, bots: readonly string[]): Promise<boolean> {
  const command = parseCommand(text);
  // What a community is told or asked about its money.
  if (command.kind === 'treasury') return isForCommunity(command.wish);
  // A card asks others to agree; an unreadable command has no card.
  if (command.kind === 'reward') return !asked.isDirect && command.wish.do !== 'unreadable';
  if (command.kind === 'drop') return !asked.isDirect && command.wish.do === 'make';
  if (command.kind === 'top') return !asked.isDirect && command.wish === 'show';
  if (command.kind === 'request') return !asked.isDirect && command.wish.do === 'ask';
  if (asked.isDirect || command.kind !== 'tip' || command.recipients.length !== 1) return false;
  // Anyone who reads a pay link can pay by it, uninvited, so it stays private.
  if (command.viaLink === true) return false;
  const [recipient] = command.recipients;
  const nobody = [deps.applicationId, asked.user.id, ...bots].map((id) => `${DISCORD_TRANSPORT}:${id}`);
  if (platformRow(recipient.platform).mask !== undefined || nobody.includes(formatRecipient(recipient))) return false;
  return !(await isAskedFirst(deps, { asked, text }, command));
}

async function isAskedFirst(
  deps: Deps,
  { asked: { id: eventId, chatId, user }, text }: Pick<Command, 'asked' | 'text'>,
  { recipients: [recipient], amount }: Tip,
): Promise<boolean> {
  // Only the balance says how much that is.
  if (amount.kind !== 'exact') return true;
  const userId = `${DISCORD_TRANSPORT}:${user.id}`;
  const walletId = await payingWalletOf(deps.store, userId, deps.clock.now());
  const event: TextEvent = { transport: DISCORD_TRANSPORT, eventId, chatId, userId, walletId, text };
  return asksFirst(deps, event, { recipient, amount: amount.amount });
}
