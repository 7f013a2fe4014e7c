import type { TypedAddress } from '../../core/grammar/withdraw.ts';
import { networkTitle, type Network } from '../../core/networks.ts';
import type { View } from '../../core/view.ts';
import {
  announceTreasuryAddress,
  cancelAddresses,
  cancelWaitingAddress,
  findTreasuryAddress,
  setTreasuryAddress,
  type TreasuryAddress,
} from '../../db/treasury/treasury-addresses.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PressEvent, TextEvent } from '../shared/messenger.ts';
import { findMeant, findNetwork } from '../shared/networks.ts';
import { cardLanguageOf, speaking } from '../conversation/speech.ts';
import { askStanding, findTreasuryPlace, type TreasuryPlace } from './treasury-place.ts';
import type { TreasuryReply } from './treasury-reply.ts';
import { announcedView, cancelledAddressView, treasuryProblemView } from './treasury-views.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import { checkAddress } from '../wallets/withdraw-draft.ts';

type AddressWish = { place: TreasuryPlace; to: TypedAddress };

/** For the owner alone, and told to all: a thief of the owner's account has to wait where others can stop them. */
export async function setAddressView(deps: CoreDeps, event: TextEvent, wish: AddressWish): Promise<TreasuryReply> {
  const { store, clock, random } = deps;
  const { place, to } = wish;
  const standing = await askStanding(deps, place, [event.userId]);
  if (standing === null) return { view: treasuryProblemView(deps, { code: 'standing_unknown' }) };
  if (standing.ownerId === null) return { view: treasuryProblemView(deps, { code: 'no_owner' }) };
  if (standing.ownerId !== event.userId) return { view: treasuryProblemView(deps, { code: 'not_owner' }) };
  const paying = findMeant(deps.networks, to);
  if ('code' in paying) return { view: treasuryProblemView(deps, { code: 'withdraw', problem: paying }) };
  const { network } = paying;
  const checked = await checkAddress(deps, paying, { walletId: place.walletId, address: to.address });
  if (checked.kind === 'problem') {
    return { view: treasuryProblemView(deps, { code: 'withdraw', problem: checked.problem }) };
  }
  const row = await setTreasuryAddress(store, {
    id: Buffer.from(random(16)).toString('hex'),
    requestKey: `${event.transport}:${event.eventId}`,
    walletId: place.walletId,
    network,
    address: checked.address,
    setBy: event.userId,
    transport: event.transport,
    chatId: event.chatId,
    language: await cardLanguageOf(deps, event),
    setAtMs: clock.now(),
  });
  const spoken = speaking(deps, row.language);
  if (row.cancelledAtMs !== null) return { view: cancelledAddressView(spoken, row) };
  return {
    view: await announcedView(spoken, row, clock.now()),
    shown: (messageId) => announceTreasuryAddress(store, { id: row.id, messageId, nowMs: clock.now() }),
  };
}

/**
 * Moderators can stop an address that waits; one that counts already only the owner can take back. Both only keep money
 * where it is.
 */
export async function dropAddressView(
  deps: CoreDeps,
  event: TextEvent,
  { place, network }: { place: TreasuryPlace; network: Network },
): Promise<View> {
  const { texts, store, clock } = deps;
  const standing = await askStanding(deps, place, [event.userId]);
  if (standing === null) return treasuryProblemView(deps, { code: 'standing_unknown' });
  const isOwner = standing.ownerId === event.userId;
  if (!isOwner && !standing.moderatorIds.includes(event.userId)) {
    return treasuryProblemView(deps, { code: 'not_moderator' });
  }
  const by = { userId: event.userId, nowMs: clock.now(), botSinceMs: standing.botSinceMs };
  const { walletId } = place;
  const dropped = await cancelAddresses(store, { walletId, network }, by, isOwner ? 'all' : 'waiting');
  if (dropped === 0) return treasuryProblemView(deps, { code: 'address_over' });
  const caip2 = findNetwork(deps.networks, network)?.pinned.caip2 ?? null;
  return privateView('ok', [texts.treasuryAddressDropped(networkTitle(network, caip2))], [tryCommand('/treasury')]);
}

/** The answer for the person alone; the message itself shows it to all. */
export async function pressCancelAddress(deps: CoreDeps, event: PressEvent, addressId: string): Promise<View> {
  const { store, clock } = deps;
  const row = await findTreasuryAddress(store, addressId);
  if (row === null) throw new Error(`a button cancels the address ${addressId}, which is not there`);
  const found = await findTreasuryPlace(deps, event);
  if (found.kind === 'problem') return treasuryProblemView(deps, found.problem);
  // The message may have been forwarded to where its presser is a moderator.
  if (found.place.walletId !== row.walletId) return treasuryProblemView(deps, { code: 'not_moderator' });
  const standing = await askStanding(deps, found.place, [event.userId]);
  if (standing === null) return treasuryProblemView(deps, { code: 'standing_unknown' });
  if (standing.ownerId !== event.userId && !standing.moderatorIds.includes(event.userId)) {
    return treasuryProblemView(deps, { code: 'not_moderator' });
  }
  const by = { userId: event.userId, nowMs: clock.now(), botSinceMs: standing.botSinceMs };
  const cancelled = await cancelWaitingAddress(store, addressId, by);
  if (cancelled === null) return treasuryProblemView(deps, { code: 'address_over' });
  return showCancelled(deps, cancelled);
}

async function showCancelled(
  deps: Pick<CoreDeps, 'messengers' | 'texts' | 'networks'>,
  row: TreasuryAddress,
): Promise<View> {
  const forAll = cancelledAddressView(speaking(deps, row.language), row);
  if (row.messageId !== null) await deps.messengers[row.transport]?.edit(row.chatId, row.messageId, forAll);
  return { ...cancelledAddressView(deps, row), audience: 'person' };
}
