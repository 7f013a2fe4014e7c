import { createIds } from '../../core/ids.ts';
import { networkTitle, type Network } from '../../core/networks.ts';
import { addressesOf, countsFrom, type TreasuryAddress } from '../../db/treasury/treasury-addresses.ts';
import type { Standing } from '../../db/treasury/treasury-confirm.ts';
import { noteTreasuryCard, proposeTreasuryWithdrawal } from '../../db/treasury/treasury-withdrawals.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { AmountForm } from '../../core/grammar/amount.ts';
import type { TextEvent } from '../shared/messenger.ts';
import type { PayingNetwork } from '../shared/networks.ts';
import { cardLanguageOf, speaking } from '../conversation/speech.ts';
import { noteBalance } from './treasury-balance.ts';
import { askStanding, type TreasuryPlace } from './treasury-place.ts';
import type { TreasuryProblem } from '../../texts/treasury/problem.ts';
import type { TreasuryReply } from './treasury-reply.ts';
import { treasuryCard, treasuryProblemView } from './treasury-views.ts';
import { draftWithdrawal } from '../wallets/withdraw-draft.ts';

type Wish = { place: TreasuryPlace; amount: AmountForm; network: Network | null };

/** Puts a card into the chat. Asking for it confirms nothing: everyone who agrees presses the same button. */
export async function proposeView(deps: CoreDeps, event: TextEvent, wish: Wish): Promise<TreasuryReply> {
  const { store, clock, random } = deps;
  const { place, amount } = wish;
  const { walletId, communityId } = place;
  const refused = (problem: TreasuryProblem): TreasuryReply => ({ view: treasuryProblemView(deps, problem) });
  const standing = await askStanding(deps, place, [event.userId]);
  if (standing === null) return refused({ code: 'standing_unknown' });
  if (standing.ownerId !== event.userId && !standing.moderatorIds.includes(event.userId)) {
    return refused({ code: 'not_moderator' });
  }
  if (standing.ownerId === null) return refused({ code: 'no_owner' });
  const chosen = await chooseAddress(deps, wish, standing);
  if ('code' in chosen) return refused(chosen);
  const { network, address, id: addressId, paying } = chosen;
  // So that a statement shows what came in before it went out.
  await noteBalance(deps, paying, walletId);
  const drafted = await draftWithdrawal(deps, { walletId, network, address, amount });
  if (drafted.kind === 'problem') return refused({ code: 'withdraw', problem: drafted.problem });
  const proposed = await proposeTreasuryWithdrawal(store, {
    id: createIds(random).withdrawalId(),
    requestKey: `${event.transport}:${event.eventId}`,
    walletId,
    addressId,
    network,
    toAddress: drafted.draft.address,
    amountMicroUsdc: drafted.draft.amount,
    proposedBy: event.userId,
    transport: event.transport,
    communityId,
    chatId: event.chatId,
    language: await cardLanguageOf(deps, event),
    createdAtMs: clock.now(),
  });
  if (proposed.kind === 'busy') return refused({ code: 'busy' });
  const { row } = proposed;
  return {
    view: await treasuryCard(speaking(deps, row.language), row),
    shown: (messageId) => noteTreasuryCard(store, row.id, messageId),
  };
}

type Chosen = Pick<TreasuryAddress, 'id' | 'address'> & { network: Network; paying: PayingNetwork };

/** The address that counts on the network that is meant; where none was named, on the only one that has one. */
async function chooseAddress(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'networks'>,
  { place, network: wanted }: Wish,
  { botSinceMs }: Standing,
): Promise<Chosen | TreasuryProblem> {
  const { store, clock, networks } = deps;
  const asked = networks.filter(({ network }) => wanted === null || network === wanted);
  const moment = { nowMs: clock.now(), botSinceMs };
  const found = await Promise.all(
    asked.map(async (paying) => {
      const target = { walletId: place.walletId, network: paying.network };
      return { paying, ...(await addressesOf(store, target, moment)) };
    }),
  );
  const usable = found.flatMap(({ paying, active }) => (active === null ? [] : [{ paying, active }]));
  const [only, ...more] = usable;
  if (only !== undefined && more.length === 0) {
    const { id, address } = only.active;
    return { id, address, network: only.paying.network, paying: only.paying };
  }
  if (more.length > 0) return { code: 'which_network' };
  const waiting = found.find((one) => one.waiting !== null);
  if (waiting?.waiting) {
    const at = new Date(countsFrom(waiting.waiting, moment));
    return { code: 'address_waits', place: titleOf(waiting.paying), at };
  }
  const [first] = asked;
  if (first === undefined) {
    const problem = { code: 'network_off', place: networkTitle(wanted ?? '', null) } as const;
    return { code: 'withdraw', problem };
  }
  return { code: 'no_address', place: titleOf(first) };
}

function titleOf({ network, pinned }: PayingNetwork): string {
  return networkTitle(network, pinned.caip2);
}
