import { isTreasuryWallet } from '../../core/treasury/treasury.ts';
import type { Paragraph, View } from '../../core/view.ts';
import { allowPayers, blockedBy, blockPayers, giverOf, giversOf, type Giver } from '../../db/tips/blocks.ts';
import { findOrderByTxn } from '../../db/tips/orders.ts';
import { acceptNoMore } from '../../db/tips/accepted.ts';
import { isQuiet } from '../../db/tips/quiet.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import type { Origin } from '../shared/messenger.ts';
import { payersOf } from '../shared/networks.ts';
import { walletsOf, walletsSeen } from '../shared/wallets.ts';

type Deps = Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'networks' | 'random' | 'failpoint'>;

const SHOWN_MAX = 5;

/** Who has given this person something, each with a button: to hear no more of them, or to hear of them again. */
export async function blockView(deps: Deps, { userId }: Origin): Promise<View> {
  const { store, texts, clock } = deps;
  const identityIds = await identitiesOf(deps, userId);
  const [givers, blocked] = await Promise.all([giversOf(store, identityIds), blockedBy(store, identityIds)]);
  const shown = await eachPersonOnce(deps, givers);
  const small = await smallTips(deps, userId);
  if (shown.length === 0) return privateView('ok', [texts.nobodyGave(), small.line], [await small.button]);
  const rows = shown.map(({ name, txnId }, index) => {
    const isOver = blocked.has(name);
    const action = { action: isOver ? 'allow_giver' : 'block_giver', txnId } as const;
    const label = isOver ? texts.allowGiver(index + 1) : texts.blockGiver(index + 1);
    return {
      line: texts.giver(index + 1, isTreasuryWallet(name) ? texts.dropCommunity('within') : name, isOver),
      button: newButton({ store, clock, random: deps.random }, userId, action, label),
    };
  });
  const lines: Paragraph[] = [texts.blockWhom(), ...rows.map(({ line }) => line), small.line];
  return privateView('ok', lines, await Promise.all([...rows, small].map(({ button }) => button)));
}

/** Whether this person hears of each small tip, and the button that changes it. */
async function smallTips(deps: Deps, userId: string) {
  const { store, texts, clock, random } = deps;
  const isNowQuiet = await isQuiet(store, userId);
  const action = isNowQuiet ? 'ring_small' : 'quiet_small';
  const label = isNowQuiet ? texts.ringSmall() : texts.quietSmall();
  return {
    line: isNowQuiet ? texts.smallAreQuiet() : texts.smallAreHeard(),
    button: newButton({ store, clock, random }, userId, { action }, label),
  };
}

/** Under every name that the person has proven, and of every wallet that the giver pays from. The giver is not told. */
export async function pressBlock(
  deps: Deps,
  { userId }: Origin,
  { txnId, isBlocked }: { txnId: number; isBlocked: boolean },
): Promise<View> {
  const { store, texts, clock } = deps;
  const identityIds = await identitiesOf(deps, userId);
  const giver = await giverOf(store, { txnId, identityIds });
  const payers = giver === null ? [] : await payersBehind(deps, giver);
  if (payers.length === 0) return privateView('error', [texts.buttonIsOver()]);
  if (isBlocked) {
    deps.failpoint?.('block.before-store');
    await blockPayers(store, { identityIds, payers }, clock.now());
    deps.failpoint?.('block.after-store');
    for (const giverId of payers) await acceptNoMore(store, { userId, giverId });
  } else await allowPayers(store, { identityIds, payers });
  return privateView('ok', [isBlocked ? texts.blockedGiver() : texts.allowedGiver()], [tryCommand('/block')]);
}

/** Whom this person's wallets are kept for. */
export async function identitiesOf({ store, clock }: Pick<Deps, 'store' | 'clock'>, userId: string): Promise<string[]> {
  const seen = await walletsSeen(store, userId, clock.now());
  const isOwn = ({ spendsFromMs }: (typeof seen)[number]) => spendsFromMs <= clock.now();
  // Who may only look into a wallet decides nothing for its owner.
  return seen.filter(isOwn).flatMap(({ identityId }) => identityId ?? []);
}

/**
 * All wallets of a person who pays from a chat, and the person; of anyone else the address that signed. One that paid by
 * plain transfer may be an exchange's: it is not blocked, because it pays for others too.
 */
async function payersBehind(
  deps: Pick<Deps, 'store' | 'clock' | 'networks'>,
  { payer, isTransfer, firstTxnId }: Giver,
): Promise<string[]> {
  const order = await findOrderByTxn(deps.store, firstTxnId);
  const signers = isTransfer ? [] : [payer];
  if (order === null) return signers;
  const wallets = await walletsOf(deps.store, order.userId, deps.clock.now());
  const own = await payersOf(
    deps,
    wallets.map(({ walletId }) => walletId),
  );
  return [...new Set([...signers, ...own, order.userId])];
}

/** `name`: the person's id, or the address of one who pays from no chat; both stand so among the blocked ones. */
type Shown = Giver & { name: string };

async function eachPersonOnce({ store }: Pick<Deps, 'store'>, givers: readonly Giver[]): Promise<Shown[]> {
  const shown = new Map<string, Shown>();
  for (const giver of givers) {
    if (shown.size >= SHOWN_MAX) break;
    const userId = (await findOrderByTxn(store, giver.firstTxnId))?.userId;
    // Nobody knows whose plain transfer that was.
    if (userId === undefined && giver.isTransfer) continue;
    const name = userId ?? giver.payer;
    if (!shown.has(name)) shown.set(name, { ...giver, name });
  }
  return [...shown.values()];
}
