import { microUsdc, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import { factsOfLines, type LineFacts } from '../../db/notices/line-facts.ts';
import { cutNames, RECEIPT_LINKS_MAX, howEachHears, receiptLinks } from '../../texts/receipts/several.ts';
import { readsAlong } from '../../texts/receipts/receipt.ts';
import { WIRE_STATUSES } from '../../core/states.ts';
import type { Action, Paragraph, View } from '../../core/view.ts';
import { txnStatesNow } from '../../db/tips/history.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import type { ProposalEnd } from '../../db/tips/proposals.ts';
import type { LineResult, OrderLine } from '../../db/tables/bot.ts';
import { newButton } from '../conversation/buttons.ts';
import { CARD_MINUTES } from '../shared/card-time.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { findNetwork } from '../shared/networks.ts';
import { commandOf } from './order-command.ts';
import { totalFor } from '../shared/terms.ts';
import type { TipFacts } from '../../texts/tips/en.ts';
import { undoButtons } from './undo.ts';
import { privateView, publicView, tryCommand } from '../conversation/views.ts';

/** More people than this are listed by what they get. */
const LISTED_SINGLY_MAX = 12;

export type SeveralOrder = OrderRow & { lines: OrderLine[] };

export const isSeveral = (order: OrderRow): order is SeveralOrder => order.lines !== null;

/** Who gets what and what it costs in all. Nothing has happened yet, and nothing will without a press. */
export async function proposalView(
  deps: Pick<CoreDeps, 'texts' | 'networks' | 'store' | 'random' | 'clock'>,
  order: SeveralOrder,
): Promise<View> {
  const { texts } = deps;
  const { lines, userId, walletName, id: orderId } = order;
  const amount = microUsdc(order.amountMicroUsdc);
  const { pinned } = findNetwork(deps.networks, order.network) ?? deps.networks[0];
  const total = totalFor(amount, pinned);
  const note = typeof order.body['description'] === 'string' ? order.body['description'] : null;
  const fee = microUsdc(total - amount);
  const confirm = await newButton(deps, userId, { action: 'confirm_order', orderId }, texts.confirmSeveral(total));
  const cancel = await newButton(deps, userId, { action: 'cancel_order', orderId }, texts.cancel());
  const paragraphs = [
    ...texts.askSeveral({ count: lines.length, amount, fee, note, walletName }),
    ...partsOf(deps, lines),
    ...remarksOn(deps, lines),
    texts.askedFor(CARD_MINUTES),
  ];
  return privateView('ok', paragraphs, [confirm, cancel]);
}

function partsOf({ texts }: Pick<CoreDeps, 'texts'>, lines: readonly OrderLine[]): Paragraph[] {
  if (lines.length <= LISTED_SINGLY_MAX) {
    return lines.map((one) => texts.part({ amount: amountOf(one), names: [one.recipient], more: 0 }));
  }
  // Two at most: what does not divide makes a difference of one micro-USDC.
  const amounts = [...new Set(lines.map((one) => amountOf(one)))];
  return amounts.map((amount) => {
    const those = lines.filter((one) => amountOf(one) === amount);
    return texts.part({ amount, ...cutNames(those.map(({ recipient }) => recipient)) });
  });
}

function remarksOn({ texts }: Pick<CoreDeps, 'texts'>, lines: readonly OrderLine[]): Paragraph[] {
  const [first, last] = [lines[0], lines.at(-1)];
  const extra = first && last ? amountOf(first) - amountOf(last) : 0n;
  const again = cutNames(lines.flatMap((one) => (one.again ? [one.recipient] : [])));
  return [
    ...(extra > 0n ? [texts.unevenSplit(microUsdc(extra))] : []),
    ...(again.names.length > 0 ? [texts.namedTwice(again.names, again.more)] : []),
  ];
}

/** How it ended for each of them, with their receipts; what was taken back stands apart. */
export async function severalPaidView(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'cancellations' | 'random' | 'clock'>,
  order: SeveralOrder,
  facts: TipFacts,
): Promise<View> {
  const { texts } = deps;
  const all = await namedResults(deps, order);
  const named = inShownOrder(all.filter(({ undone }) => !undone));
  const more = named.length - RECEIPT_LINKS_MAX;
  const paragraphs = [
    ...(named.length === 0 ? [] : [texts.sent(facts)]),
    ...statesOf(named).map((state) => texts.lineResults(state)),
    ...(await howTheyHear(deps, order, named)),
    ...takenBack(
      deps,
      all.filter(({ undone }) => undone),
    ),
    ...(more > 0 ? [texts.moreReceipts(more)] : []),
  ];
  const links = receiptLinks(
    named.map(({ name, receipt: url }) => ({ name, url })),
    order,
  );
  const others = more > 0 ? [tryCommand('/history')] : [];
  return publicView('ok', paragraphs, [...links, ...(await undoButtons(deps, order)), ...others]);
}

async function howTheyHear(
  { store }: Pick<CoreDeps, 'store'>,
  order: SeveralOrder,
  named: readonly NamedResult[],
): Promise<Paragraph[]> {
  const waiting = named.flatMap(({ status, txnId }) => (status === 'pending_claim' ? [txnId] : []));
  const lines = await factsOfLines(store, waiting);
  const toWaiting = ({ platform, claimUntilMs }: LineFacts) => ({
    readsAlong: readsAlong(order, platform),
    claimUntilMs,
  });
  return howEachHears(lines.map(toWaiting), order.language);
}

type NamedResult = LineResult & { name: string; amount: MicroUsdc };

/** As it is now; what the books do not know yet, as the API answered. */
async function namedResults(
  { store }: Pick<CoreDeps, 'store'>,
  { lines, results }: SeveralOrder,
): Promise<NamedResult[]> {
  const txnIds = (results ?? []).map(({ txnId }) => txnId);
  const now = await txnStatesNow(store, txnIds);
  return lines.flatMap((one, index) => {
    const result = results?.[index];
    if (result === undefined) return [];
    const status = now.get(result.txnId) ?? result.status;
    return [{ ...result, status, name: one.recipient, amount: amountOf(one) }];
  });
}

function takenBack({ texts }: Pick<CoreDeps, 'texts'>, undone: readonly NamedResult[]): Paragraph[] {
  if (undone.length === 0) return [];
  const amount = sumUsdc(undone.map((one) => one.amount));
  return [texts.undoneFor({ amount, ...cutNames(undone.map(({ name }) => name)) })];
}

/** As they are listed, so that the third name is the third receipt. */
const inShownOrder = (named: readonly NamedResult[]) =>
  WIRE_STATUSES.flatMap((status) => named.filter((one) => one.status === status));

function statesOf(named: readonly (LineResult & { name: string })[]) {
  return WIRE_STATUSES.flatMap((status) => {
    const names = named.flatMap((one) => (one.status === status ? [one.name] : []));
    return names.length === 0 ? [] : [{ status, ...cutNames(names) }];
  });
}

/** How a card ended without anybody having worked on its order; null for any other end. */
export function proposalEndView({ texts }: Pick<CoreDeps, 'texts'>, order: OrderRow): View | null {
  if (order.failure === ('cancelled' satisfies ProposalEnd)) return privateView('ok', [texts.cancelled()]);
  if (order.failure !== ('card_expired' satisfies ProposalEnd)) return null;
  return privateView('error', [texts.cardExpired(CARD_MINUTES)], again(commandOf(order)));
}

/** Null where nobody is known to be the reason why all of them got nothing. */
export function namedLineView({ texts }: Pick<CoreDeps, 'texts'>, order: SeveralOrder): View | null {
  const { failedLine, failure } = order;
  const refused = failedLine === null ? undefined : order.lines[failedLine];
  if (refused === undefined) return null;
  const example = again(commandOf(order, failedLine));
  const without = example.length === 0 ? [] : [texts.oneWasRefused()];
  return privateView('error', [texts.failure(failure ?? 'unknown', refused.recipient), ...without], example);
}

function again(command: string | null): Action[] {
  return command === null ? [] : [tryCommand(command)];
}

function amountOf({ amountMicroUsdc }: OrderLine): MicroUsdc {
  return microUsdc(BigInt(amountMicroUsdc));
}
