import type { Tip } from '../../core/grammar/tip.ts';
import { microUsdc } from '../../core/money.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import type { View } from '../../core/view.ts';
import type { ButtonAction } from '../../db/chats/buttons.ts';
import {
  agreeToRequest,
  declineRequest,
  findRequest,
  requestsShownWith,
  type MoneyRequest,
} from '../../db/money-requests/money-requests.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import type { Runner } from '../../queue/runner.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { languageOf } from '../conversation/speech.ts';
import { privateView, workingView } from '../conversation/views.ts';
import { showRequest } from '../money-requests/request-views.ts';
import type { PressEvent } from '../shared/messenger.ts';
import { findSpendingProblem, spendingProblemView } from '../tips/caps.ts';
import { findRuleProblem, ruleView } from '../tips/community-rules.ts';
import { wordsOfTip } from '../tips/order-placing.ts';
import { messengerOf, orSomethingWrong } from './answering.ts';
import { draftTip } from './one-tip.ts';

export type PressedRequest = Extract<ButtonAction, { requestId: string }>;

/** Whether it belongs to the person who was asked. */
export const isRequestAction = (action: ButtonAction['action']): action is PressedRequest['action'] =>
  action === 'pay_request' || action === 'decline_request' || action === 'never_request';

/** The asked person answers; the card said how much, and to whom. The button is nobody else's. */
export async function pressRequest(
  deps: CoreDeps,
  { orders }: { orders: Pick<Runner, 'run'> },
  event: PressEvent,
  { action, requestId }: PressedRequest,
): Promise<void> {
  const messenger = messengerOf(deps, event);
  const named = await findRequest(deps.store, requestId);
  const shown = named === null ? [] : await requestsShownWith(deps.store, named);
  const row = shown.find(({ askedId }) => askedId === event.userId);
  // Of a bill anybody may press the buttons, and each of those who are asked means their own part.
  if (row === undefined) return void (await messenger.open(event, named === null ? isOver(deps) : notAsked(deps)));
  if (action !== 'pay_request') return decline(deps, event, row, action === 'never_request');
  // Delivered again, or pressed again: there is one order, and it goes on.
  const orderId = row.orderId ?? (await agree(deps, event, row));
  if (orderId === null) return;
  if (row.orderId !== null) await messenger.accept?.(event);
  void orders.run(orderId).then(() => showLater(deps, row.id));
  await showNow(deps, row.id);
}

const notAsked = ({ texts }: Pick<CoreDeps, 'texts'>): View => privateView('error', [texts.notYourRequest()]);

const isOver = ({ texts }: Pick<CoreDeps, 'texts'>): View => privateView('error', [texts.buttonIsOver()]);

/** Nobody waits for it. Where it fails, the job that looks at requests shows the card. */
async function showLater(deps: CoreDeps, id: string): Promise<void> {
  try {
    await showNow(deps, id);
  } catch (error) {
    deps.log.warn({ requestId: id, error: String(error) }, 'the card of a request could not be shown');
  }
}

async function showNow(deps: CoreDeps, id: string): Promise<void> {
  const row = await findRequest(deps.store, id);
  if (row) await showRequest(deps, row);
}

async function decline(
  deps: CoreDeps,
  event: PressEvent,
  { id, askedId }: MoneyRequest,
  never: boolean,
): Promise<void> {
  const messenger = messengerOf(deps, event);
  const press = { id, askedId, nowMs: deps.clock.now() };
  const isChanged = await declineRequest(deps.store, press, never);
  if (isChanged) await showNow(deps, id);
  if (never) return void (await messenger.open(event, privateView('ok', [deps.texts.neverAgain()])));
  if (!isChanged) return void (await messenger.open(event, isOver(deps)));
  await messenger.accept?.(event);
}

/** The id of the order; null where there is none, and the person is told why. */
async function agree(deps: CoreDeps, event: PressEvent, row: MoneyRequest): Promise<string | null> {
  const messenger = messengerOf(deps, event);
  const messageId = await messenger.open(event, workingView(deps.texts.thinking()));
  const tip = tipOf(row);
  const answer = await orSomethingWrong(deps, async () => {
    const view = await refusal(deps, event, tip);
    if (view !== null) return { kind: 'view' as const, view };
    const drafted = await draftTip(deps, { ...event, text: '' }, tip);
    if (drafted.kind === 'view') return drafted;
    const problem = await findSpendingProblem(deps, drafted.draft);
    if (problem !== null) return { kind: 'view' as const, view: spendingProblemView(deps, problem) };
    const order = await store(deps, event, row, { ...drafted.draft, messageId });
    return order === null ? { kind: 'view' as const, view: isOver(deps) } : { kind: 'order' as const, order };
  });
  if (answer.kind === 'order') return answer.order.id;
  const orderId = (await findRequest(deps.store, row.id))?.orderId ?? null;
  await messenger.edit(event.chatId, messageId, orderId === null ? answer.view : agreedView(deps, row));
  return orderId;
}

/** Another press by the same person was first: the card says so, and it is no refusal. */
function agreedView({ texts }: Pick<CoreDeps, 'texts'>, { askerId, askedId, amountMicroUsdc }: MoneyRequest): View {
  const facts = { asker: askerId, asked: askedId, amount: microUsdc(amountMicroUsdc) };
  return privateView('ok', [texts.requestStage('agreed', facts)]);
}

async function store(
  deps: CoreDeps,
  event: PressEvent,
  { id, askedId }: MoneyRequest,
  draft: Omit<Parameters<typeof agreeToRequest>[2], 'language'>,
): Promise<OrderRow | null> {
  const language = await languageOf(deps, event);
  deps.failpoint?.('bill.before-agree');
  const order = await agreeToRequest(deps.store, { id, askedId, nowMs: deps.clock.now() }, { ...draft, language });
  deps.failpoint?.('bill.after-agree');
  return order;
}

/** A tip from the person who was asked to the person who asked, by the platform's id. */
function tipOf({ transport, askerId, amountMicroUsdc, reason }: MoneyRequest): Tip {
  const platform = findPlatform(transport);
  if (platform === null) throw new Error(`members of ${transport} have no names that could be paid`);
  const recipient = parseRecipient(platform, askerId.slice(`${transport}:`.length));
  const amount = { kind: 'exact', amount: microUsdc(amountMicroUsdc) } as const;
  return { kind: 'tip', recipients: [recipient], amount, sharing: 'each', note: reason };
}

/** What the moderators have decided since it was asked. Members pause only between tips that they start themselves. */
async function refusal(deps: CoreDeps, event: PressEvent, tip: Tip): Promise<View | null> {
  const parts = tip.amount.kind === 'exact' ? [tip.amount.amount] : [];
  const problem = await findRuleProblem(deps, { ...event, note: tip.note, parts });
  return problem === null || problem.code === 'too_soon' ? null : ruleView(deps, problem, wordsOfTip(tip));
}
