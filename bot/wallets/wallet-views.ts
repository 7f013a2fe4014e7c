import { HELD_WARNING } from '../../core/wallets/spending-limits.ts';
import type { Paragraph, View } from '../../core/view.ts';
import { chooseWallet } from '../../db/chats/users.ts';
import { readHolding, readHoldings, sumOf, type Holding } from '../paying/balance.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { newDepositLink } from '../conversation/files.ts';
import { raiseLines } from './limits.ts';
import { lockLines } from './lock.ts';
import { moneyLines, readSums } from './mine.ts';
import { newcomerLines } from './newcomers.ts';
import type { Origin } from '../shared/messenger.ts';
import { depositAddressesOf } from './deposits.ts';
import { EXAMPLE_TIP } from '../../core/grammar/mistakes.ts';
import { languageOf } from '../conversation/speech.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import { findWallet, heldWallet, walletsOf, type PersonWallet } from '../shared/wallets.ts';
import { waitingLines } from './withdraw-cancel.ts';

/** A person with more wallets sees the newest; each of them is asked for on every network. */
const SHOWN_MAX = 8;

/** What pays now, and what is in it. */
export async function balanceView(deps: CoreDeps, origin: Origin): Promise<View> {
  const { name } = await heldWallet(deps, origin);
  const [places, sums] = await Promise.all([readHoldings(deps, origin.walletId), readSums(deps, origin)]);
  const { length: count } = await walletsOf(deps.store, origin.userId, deps.clock.now());
  const collect = sums.waiting > 0n ? ['/claim'] : [];
  const next = [...collect, ...(sumOf(places) === 0n ? ['/deposit'] : [EXAMPLE_TIP, '/withdraw'])];
  const actions = [...next, ...(count > 1 ? ['/wallet'] : [])].map(tryCommand);
  const waiting = await waitingLines(deps, origin);
  const cancel = waiting.length === 0 ? [] : [tryCommand('/withdraw cancel')];
  const raises = await raiseLines(deps, origin);
  const limits = raises.length === 0 ? [] : [tryCommand('/limits')];
  const lines = [
    ...moneyLines(deps, { name, places, sums }),
    ...waiting,
    ...raises,
    ...warnings(deps, places),
    ...(await lockLines(deps, origin)),
  ];
  return privateView('ok', lines, [...cancel, ...actions, ...limits]);
}

export async function depositView(deps: CoreDeps, origin: Origin): Promise<View> {
  const { texts } = deps;
  const { name } = await heldWallet(deps, origin);
  const intro = name === null ? [] : [texts.addressesOf(name)];
  const addresses = await depositAddressesOf(deps, origin.walletId);
  if (!deps.faucet) {
    const { userId, walletId } = origin;
    const language = await languageOf(deps, origin);
    const codes = await newDepositLink(deps, { userId, walletId, language }, texts.showQrCode());
    const warned = warnings(deps, await knownPlaces(deps, walletId));
    return privateView('ok', [...intro, ...texts.deposit(addresses), ...warned], [codes, tryCommand('/balance')]);
  }
  const button = await newButton(deps, origin.userId, { action: 'take_play_money' }, texts.getPlayMoney());
  return privateView('ok', [...intro, ...texts.playDeposit(addresses)], [button]);
}

/** Play money may lie about in any amount. */
function warnings({ texts, faucet }: Pick<CoreDeps, 'texts' | 'faucet'>, places: readonly Holding[]): Paragraph[] {
  return faucet === undefined && sumOf(places) > HELD_WARNING ? [texts.holdsMuch(HELD_WARNING)] : [];
}

/** An address can be told without knowing what lies there. */
async function knownPlaces(deps: Pick<CoreDeps, 'networks' | 'log'>, walletId: string): Promise<Holding[]> {
  return Promise.all(deps.networks.map((paying) => readHolding(deps, paying, walletId)));
}

/** Everything that this person may pay from, with a button for each that does not pay now. */
export async function walletsView(deps: CoreDeps, origin: Origin): Promise<View> {
  const { texts, store } = deps;
  const wallets = (await walletsOf(store, origin.userId, deps.clock.now())).slice(0, SHOWN_MAX);
  const paragraphs = await Promise.all(wallets.map((wallet) => walletLine(deps, origin, wallet)));
  const newcomers = await newcomerLines(deps, origin.userId, wallets);
  if (wallets.length === 1) {
    const lines = [...paragraphs, ...newcomers.lines, texts.onlyWallet()];
    return privateView('ok', lines, [...newcomers.buttons, tryCommand('/balance')]);
  }
  const others = wallets.filter(({ walletId }) => walletId !== origin.walletId);
  const buttons = await Promise.all(
    others.map(({ walletId, name }) =>
      newButton(deps, origin.userId, { action: 'choose_wallet', walletId }, texts.payFrom(name)),
    ),
  );
  return privateView('ok', [texts.wallets(), ...paragraphs, ...newcomers.lines], [...newcomers.buttons, ...buttons]);
}

async function walletLine(
  deps: Pick<CoreDeps, 'networks' | 'texts' | 'log'>,
  origin: Origin,
  { walletId, name }: PersonWallet,
) {
  const places = await Promise.all(deps.networks.map((paying) => readHolding(deps, paying, walletId)));
  return deps.texts.wallet({ name, places }, walletId === origin.walletId);
}

/** The button may be old, so it is asked again whether the wallet is this person's. */
export async function chooseWalletView(
  deps: Pick<CoreDeps, 'store' | 'texts' | 'clock'>,
  userId: string,
  walletId: string,
): Promise<View> {
  const { store, texts, clock } = deps;
  const wallet = await findWallet(store, { userId, walletId }, clock.now());
  if (!wallet) return privateView('error', [texts.noSuchWallet()], [tryCommand('/wallet')]);
  if (!(await chooseWallet(store, userId, walletId, clock.now()))) throw new Error(`there is no chat user ${userId}`);
  return privateView('ok', [texts.choseWallet(wallet.name)], [tryCommand('/balance'), tryCommand(EXAMPLE_TIP)]);
}
