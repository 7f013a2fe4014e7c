import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { isTreasuryWallet } from '../../core/treasury/treasury.ts';
import { cutNames } from '../../texts/receipts/several.ts';
import type { Action, View } from '../../core/view.ts';
import { txnStatesNow } from '../../db/tips/history.ts';
import { findOrder, markUndone, type OrderRow } from '../../db/tips/orders.ts';
import type { CancelAnswer } from '../requests/cancellations.ts';
import { findWallet } from '../shared/wallets.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { privateView, publicView } from '../conversation/views.ts';

/** A payment of a hundred people is a hundred requests, and others want to be answered meanwhile. */
const ASKED_AT_ONCE = 5;

/** What one person was sent, under the number that the API knows it by. */
type Part = { txnId: number; recipient: string; amount: MicroUsdc };

/** For what waits to be collected; its payer alone can press it. */
export async function undoButtons(
  deps: Pick<CoreDeps, 'texts' | 'cancellations' | 'store' | 'random' | 'clock'>,
  order: OrderRow,
): Promise<Action[]> {
  const { texts } = deps;
  if (!(await canUndo(deps, order))) return [];
  const label = order.lines === null ? texts.undo() : texts.undoWaiting();
  return [await newButton(deps, order.userId, { action: 'undo_order', orderId: order.id }, label)];
}

/** Whether something of it still waits that its payer may take back. What a community has decided is nobody's. */
export async function canUndo(deps: Pick<CoreDeps, 'cancellations' | 'store'>, order: OrderRow): Promise<boolean> {
  if (deps.cancellations === undefined || isTreasuryWallet(order.walletId)) return false;
  return isAnyWaiting(deps, undoableParts(order));
}

async function isAnyWaiting({ store }: Pick<CoreDeps, 'store'>, parts: readonly Part[]): Promise<boolean> {
  const txnIds = parts.map(({ txnId }) => txnId);
  return [...(await txnStatesNow(store, txnIds)).values()].includes('pending_claim');
}

/** Those that have not come back yet. What a link was paid with came from a wallet that is not ours to sign for. */
function undoableParts(order: OrderRow): Part[] {
  const { status, header, txnId, lines, results, recipient, amountMicroUsdc, undoneAtMs } = order;
  if (status !== 'answered' || header === null || txnId === null) return [];
  if (lines === null) {
    return undoneAtMs === null ? [{ txnId, recipient, amount: microUsdc(amountMicroUsdc) }] : [];
  }
  return lines.flatMap((line, index) => {
    const result = results?.[index];
    if (result === undefined || result.undone) return [];
    return [{ txnId: result.txnId, recipient: line.recipient, amount: microUsdc(BigInt(line.amountMicroUsdc)) }];
  });
}

/** `view`: what only who has pressed is told. `isChanged`: the order counts as not shown, and the caller runs it. */
export type Undone = { view: View | null; isChanged: boolean };

/**
 * Takes back what nobody has collected of an order. Each part is a payment of its own, which the API takes back at most
 * once: after another press, or a crash in between, it is asked again and answers the same.
 */
export async function undoOrder(deps: CoreDeps, orderId: string, userId: string): Promise<Undone> {
  const { store, texts, clock, cancellations } = deps;
  const order = await findOrder(store, orderId);
  const isOwn = order !== null && (await mayUndo(deps, order, userId));
  const parts = isOwn ? undoableParts(order) : [];
  const wasUndone = isOwn && order.undoneAtMs !== null;
  // A second press beside the one that took it back: the end is shown already, or is about to be.
  if (wasUndone && !(await isAnyWaiting(deps, parts))) return { view: null, isChanged: true };
  if (!cancellations || parts.length === 0)
    return { view: privateView('error', [texts.buttonIsOver()]), isChanged: false };
  const answers = await cancelAll(deps, { orderId, userId }, await withoutPaid(deps, parts));
  const namesOf = (kind: CancelAnswer['kind']) => answers.flatMap((one) => (one.kind === kind ? [one.recipient] : []));
  const done = answers.flatMap(({ kind, txnId }) => (kind === 'done' ? [txnId] : []));
  if (done.length > 0) await markUndone(store, orderId, done, clock.now());
  const isChanged = done.length > 0;
  // The person can press again for the missing parts, so that is what the answer says.
  if (namesOf('unknown').length > 0) return { view: privateView('error', [texts.undoLater()]), isChanged };
  const late = namesOf('too_late');
  if (late.length === 0) return { view: null, isChanged };
  const [only] = parts.length === 1 ? late : [];
  const { names, more } = cutNames(late);
  const sentence = only === undefined ? texts.undoTooLateFor(names, more) : texts.undoTooLate(only);
  return { view: privateView('error', [sentence]), isChanged };
}

/** The money goes back to the wallet, so everyone who may spend from it may ask. */
async function mayUndo(deps: Pick<CoreDeps, 'store' | 'clock'>, order: OrderRow, userId: string): Promise<boolean> {
  const { walletId } = order;
  return order.userId === userId || (await findWallet(deps.store, { userId, walletId }, deps.clock.now())) !== null;
}

/** A recipient who has the money for good need not be asked about, unless that would leave nothing to say. */
async function withoutPaid({ store }: Pick<CoreDeps, 'store'>, parts: readonly Part[]): Promise<readonly Part[]> {
  const states = await txnStatesNow(
    store,
    parts.map(({ txnId }) => txnId),
  );
  const others = parts.filter(({ txnId }) => states.get(txnId) !== 'paid');
  return others.length === 0 ? parts : others;
}

type PartAnswer = { kind: CancelAnswer['kind']; txnId: number; recipient: string };

async function cancelAll(
  deps: Pick<CoreDeps, 'signer' | 'cancellations' | 'log'>,
  by: { orderId: string; userId: string },
  parts: readonly Part[],
): Promise<PartAnswer[]> {
  const answers: PartAnswer[] = [];
  for (let from = 0; from < parts.length; from += ASKED_AT_ONCE) {
    const some = parts.slice(from, from + ASKED_AT_ONCE);
    answers.push(...(await Promise.all(some.map((part) => cancelOne(deps, by, part)))));
  }
  return answers;
}

async function cancelOne(
  { signer, cancellations, log }: Pick<CoreDeps, 'signer' | 'cancellations' | 'log'>,
  { orderId, userId }: { orderId: string; userId: string },
  { txnId, recipient }: Part,
): Promise<PartAnswer> {
  if (!cancellations) throw new Error('a tip is taken back, and nothing is there to ask for that');
  const answer = await cancellations.cancel(txnId, await signer.signCancellation({ orderId, txnId, userId }));
  if (answer.kind === 'unknown') log.warn({ orderId, txnId, reason: answer.reason }, 'a tip could not be taken back');
  return { kind: answer.kind, txnId, recipient };
}

export function undoneView({ texts }: Pick<CoreDeps, 'texts'>, { amountMicroUsdc, recipient }: OrderRow): View {
  return publicView('ok', [texts.undone(microUsdc(amountMicroUsdc), recipient)]);
}
