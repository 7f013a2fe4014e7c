import { microUsdc, sumUsdc } from '../../core/money.ts';
import {
  BILL_PEOPLE_MAX,
  REQUEST_DAYS,
  REQUESTS_GOT_DAY_MAX,
  REQUESTS_OPEN_MAX,
  REQUESTS_SENT_DAY_MAX,
  type RequestProblem,
} from '../../core/money-requests/money-requests.ts';
import { EXAMPLE_REQUEST } from '../../core/grammar/mistakes.ts';
import type { Action, View } from '../../core/view.ts';
import { ANYBODY } from '../../db/chats/buttons.ts';
import {
  findRequest,
  lookAgainAt,
  requestsShownWith,
  type MoneyRequest,
} from '../../db/money-requests/money-requests.ts';
import { txnStatesNow } from '../../db/tips/history.ts';
import { findOrder, type OrderRow } from '../../db/tips/orders.ts';
import type { AnsweredStage } from '../../texts/money-requests/en.ts';
import { lastingButton, newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { speaking } from '../conversation/speech.ts';
import { privateView, publicView, tryCommand, workingView } from '../conversation/views.ts';
import { showCurrent } from '../shared/show-current.ts';

type Deps = Pick<CoreDeps, 'store' | 'texts' | 'random' | 'clock'>;

/** How far a request is, as its card says it. `sent`, `paid` and `unpaid` are what its order and the books say. */
export type RequestStage = 'open' | AnsweredStage;

export async function stageOf(deps: Pick<Deps, 'store'>, row: MoneyRequest): Promise<RequestStage> {
  if (row.status !== 'agreed') return row.status;
  const order = row.orderId === null ? null : await findOrder(deps.store, row.orderId);
  if (order?.status === 'answered') return stageOfPayment(deps, order);
  return order?.status === 'failed' ? 'unpaid' : 'agreed';
}

async function stageOfPayment(
  { store }: Pick<Deps, 'store'>,
  { txnId, undoneAtMs }: OrderRow,
): Promise<'sent' | 'paid' | 'unpaid'> {
  if (undoneAtMs !== null) return 'unpaid';
  const [status] = txnId === null ? [] : (await txnStatesNow(store, [txnId])).values();
  if (status === 'refunded') return 'unpaid';
  return status === 'paid' ? 'paid' : 'sent';
}

/** The one message of a request. Its first form is not an end, so it is written at once and notifies the asked person. */
export async function requestCard(deps: Deps, row: MoneyRequest): Promise<{ stage: RequestStage; view: View }> {
  const stage = await stageOf(deps, row);
  const facts = { asker: row.askerId, asked: row.askedId, amount: microUsdc(row.amountMicroUsdc) };
  const { texts } = speaking(deps, row.language);
  const bill = row.billId === null ? [] : await requestsShownWith(deps.store, row);
  if (bill.length > 1) return { stage, view: await billCard(deps, row, bill) };
  if (stage !== 'open') return { stage, view: publicView('ok', [texts.requestStage(stage, facts)]) };
  const paragraphs = texts.requestCard({ ...facts, reason: row.reason, days: REQUEST_DAYS });
  return { stage, view: { ...workingView(...paragraphs), actions: await buttonsOf(deps, row) } };
}

/** One message for all who are asked: how far each of them is, and one button that each of them may press. */
async function billCard(deps: Deps, row: MoneyRequest, bill: readonly MoneyRequest[]): Promise<View> {
  const { texts } = speaking(deps, row.language);
  const { askerId, reason } = row;
  const stages = await Promise.all(bill.map((one) => stageOf(deps, one)));
  const lines = bill.map((one, index) =>
    texts.billLine(one.askedId, microUsdc(one.amountMicroUsdc), stages[index] ?? 'open'),
  );
  const sum = sumUsdc(bill.map(({ amountMicroUsdc }) => microUsdc(amountMicroUsdc)));
  const isOpen = stages.includes('open');
  const paragraphs = texts.billCard({ asker: askerId, sum, reason, days: isOpen ? REQUEST_DAYS : null }, lines);
  if (!isOpen) return publicView('ok', paragraphs);
  return { ...workingView(...paragraphs), actions: await billButtonsOf(deps, row) };
}

async function billButtonsOf(deps: Deps, { billId, id, language }: MoneyRequest): Promise<Action[]> {
  const { texts } = speaking(deps, language);
  const requestId = billId ?? id;
  const button = (action: 'pay_request' | 'decline_request' | 'never_request', label: string): Promise<Action> =>
    lastingButton(deps, { name: requestId, userId: ANYBODY, action: { action, requestId } }, label);
  return Promise.all([
    button('pay_request', texts.payShare()),
    button('decline_request', texts.declineRequest()),
    button('never_request', texts.neverRequest()),
  ]);
}

async function buttonsOf(deps: Deps, { id: requestId, askedId, amountMicroUsdc, language }: MoneyRequest) {
  const { texts } = speaking(deps, language);
  const button = (action: 'pay_request' | 'decline_request' | 'never_request', label: string): Promise<Action> =>
    newButton(deps, askedId, { action, requestId }, label);
  return Promise.all([
    button('pay_request', texts.payRequest(microUsdc(amountMicroUsdc))),
    button('decline_request', texts.declineRequest()),
    button('never_request', texts.neverRequest()),
  ]);
}

const LOOK_AGAIN_MS = 60_000;
/** Money that waits to be collected may wait for months. */
const LOOK_AGAIN_MAX_MS = 3_600_000;
const LOOKS_BY_AGE = 8;

/** Called whenever something may have changed; afterwards the card is up to date, or is looked at again. */
export async function showRequest(deps: Deps & Pick<CoreDeps, 'messengers'>, first: MoneyRequest): Promise<void> {
  const { store } = deps;
  const withStages = async (row: MoneyRequest) => {
    const bill = row.billId === null ? [row] : await requestsShownWith(store, row);
    return { row, stage: await stageOf(deps, row), stages: await Promise.all(bill.map((one) => stageOf(deps, one))) };
  };
  const shown = await showCurrent({
    first: await withStages(first),
    async read() {
      const row = await findRequest(store, first.id);
      return row && withStages(row);
    },
    async show({ row }) {
      if (row.messageId === null) return;
      const { view } = await requestCard(deps, row);
      await deps.messengers[row.transport]?.edit(row.chatId, row.messageId, view);
    },
    faceOf: ({ stages }) => stages,
  });
  if (shown !== null) await lookAgainAt(store, first.id, nextLookAt(shown.row, shown.stage, deps.clock.now()));
}

/** Null: its end is shown. */
function nextLookAt({ messageId, createdAtMs, endsAtMs }: MoneyRequest, stage: RequestStage, nowMs: number) {
  const soonMs = nowMs + LOOK_AGAIN_MS;
  // The card is about to appear, and says something else.
  if (messageId === null && nowMs < endsAtMs) return soonMs;
  if (stage === 'open') return Math.max(endsAtMs, soonMs);
  if (stage === 'agreed') return soonMs;
  if (stage !== 'sent') return null;
  const waitMs = (nowMs - createdAtMs) / LOOKS_BY_AGE;
  return Math.max(soonMs, nowMs + Math.min(Math.floor(waitMs), LOOK_AGAIN_MAX_MS));
}

export function requestProblemView({ texts }: Pick<Deps, 'texts'>, problem: RequestProblem): View {
  const limits = {
    open: REQUESTS_OPEN_MAX,
    sent: REQUESTS_SENT_DAY_MAX,
    got: REQUESTS_GOT_DAY_MAX,
    people: BILL_PEOPLE_MAX,
  };
  const examples = problem === 'too_many_people' || problem === 'exact_amount' ? [tryCommand(EXAMPLE_REQUEST)] : [];
  return privateView('error', [texts.requestProblem(problem, limits)], examples);
}
