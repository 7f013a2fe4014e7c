import { shownAddress } from '../../chain/shown-address.ts';
import { networkTitle } from '../../core/networks.ts';
import type { View } from '../../core/view.ts';
import { addressesOf, countsFrom, type Addresses } from '../../db/treasury/treasury-addresses.ts';
import { openTreasuryWithdrawal } from '../../db/treasury/treasury-withdrawals.ts';
import { readHolding } from '../paying/balance.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { newDepositLink, newTreasuryLink } from '../conversation/files.ts';
import type { TreasuryWish } from '../../core/grammar/treasury.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { shownAddressesOf, type PayingNetwork } from '../shared/networks.ts';
import { languageOf } from '../conversation/speech.ts';
import type { TreasuryAddressFacts } from '../../texts/treasury/en.ts';
import { dropAddressView, setAddressView } from './treasury-address.ts';
import { noteBalance } from './treasury-balance.ts';
import { giveView } from './treasury-give.ts';
import { askStanding, findTreasuryPlace, type TreasuryPlace } from './treasury-place.ts';
import { proposeView } from './treasury-propose.ts';
import type { TreasuryReply } from './treasury-reply.ts';
import { cancelAddressButton, treasuryCard, treasuryProblemView } from './treasury-views.ts';
import { privateView, tryCommand } from '../conversation/views.ts';

/** What a community has for rewards. Everyone there may see it and pay in; what goes out is for those who run it. */
export async function answerTreasury(deps: CoreDeps, event: TextEvent, wish: TreasuryWish): Promise<TreasuryReply> {
  const found = await findTreasuryPlace(deps, event);
  if (found.kind === 'problem') return { view: treasuryProblemView(deps, found.problem) };
  const { place } = found;
  switch (wish.do) {
    case 'show':
      return { view: await overviewView(deps, event, place) };
    case 'deposit':
      return { view: await payInView(deps, event, place) };
    case 'statement':
      return { view: await statementView(deps, event, place) };
    case 'set_address':
      return setAddressView(deps, event, { place, ...wish });
    case 'drop_address':
      return { view: await dropAddressView(deps, event, { place, network: wish.network }) };
    case 'withdraw':
      return proposeView(deps, event, { place, ...wish });
    case 'give':
      return { view: await giveView(deps, event, { place, ...wish }) };
    case 'unreadable':
      return { view: treasuryProblemView(deps, { code: 'unreadable', found: wish.found }) };
  }
}

async function overviewView(deps: CoreDeps, event: TextEvent, place: TreasuryPlace): Promise<View> {
  const { texts, store, clock } = deps;
  const nowMs = clock.now();
  const botSinceMs = await readBotSince(deps, place);
  const parts = await Promise.all(
    deps.networks.map(async (paying) => {
      const { network } = paying;
      const held = await readHolding(deps, paying, place.walletId);
      if (held.amount !== null) await noteBalance(deps, paying, place.walletId);
      const addresses = await addressesOf(store, { walletId: place.walletId, network }, { nowMs, botSinceMs });
      return { held, addresses, facts: toFacts(paying, addresses, botSinceMs) };
    }),
  );
  const buttons = await Promise.all(
    parts.flatMap(({ addresses }) =>
      addresses.waiting === null ? [] : [cancelAddressButton(deps, addresses.waiting)],
    ),
  );
  const open = await openTreasuryWithdrawal(store, place.walletId, nowMs);
  const card = open === null ? null : await treasuryCard(deps, open);
  return privateView(
    'ok',
    [
      texts.treasuryTitle(),
      ...parts.flatMap(({ held, facts }) => [
        texts.treasuryHolds({ place: held.place, amount: held.amount }),
        texts.treasuryAddress(facts),
      ]),
      ...texts.treasuryHow(),
      ...(card?.paragraphs ?? []),
    ],
    [...buttons, ...(card?.actions ?? [])],
  );
}

/** Only for the time from which an address counts, so the platform is not asked where there is none. */
async function readBotSince(
  deps: Pick<CoreDeps, 'clock' | 'networks' | 'store' | 'messengers' | 'log'>,
  place: TreasuryPlace,
): Promise<number | null> {
  const moment = { nowMs: deps.clock.now(), botSinceMs: null };
  const found = await Promise.all(
    deps.networks.map(({ network }) => addressesOf(deps.store, { walletId: place.walletId, network }, moment)),
  );
  if (found.every(({ active, waiting }) => active === null && waiting === null)) return null;
  return (await askStanding(deps, place, []))?.botSinceMs ?? null;
}

function toFacts({ network, pinned }: PayingNetwork, { active, waiting }: Addresses, botSinceMs: number | null) {
  const facts: TreasuryAddressFacts = {
    place: networkTitle(network, pinned.caip2),
    active: active === null ? null : shownAddress(active.address),
    waiting:
      waiting === null
        ? null
        : { address: shownAddress(waiting.address), at: new Date(countsFrom(waiting, { botSinceMs })) },
  };
  return facts;
}

async function payInView(deps: CoreDeps, event: TextEvent, { walletId }: TreasuryPlace): Promise<View> {
  const { texts } = deps;
  const addresses = await shownAddressesOf(deps, walletId);
  const { userId } = event;
  const language = await languageOf(deps, event);
  const codes = await newDepositLink(deps, { userId, walletId, language }, texts.showQrCode());
  return privateView('ok', texts.treasuryDeposit(addresses), [codes, tryCommand('/treasury give 5')]);
}

async function statementView(deps: CoreDeps, { userId }: TextEvent, { walletId }: TreasuryPlace): Promise<View> {
  const { texts } = deps;
  await Promise.all(deps.networks.map((paying) => noteBalance(deps, paying, walletId)));
  const file = await newTreasuryLink(deps, { userId, walletId }, texts.treasuryStatement());
  return privateView('ok', [texts.treasuryStatementSays()], [file]);
}
