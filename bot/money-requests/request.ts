import {
  BILL_PEOPLE_MAX,
  isPlainReason,
  REQUEST_MS,
  type RequestProblem,
} from '../../core/money-requests/money-requests.ts';
import { EXAMPLE_REQUEST } from '../../core/grammar/mistakes.ts';
import type { RequestWish } from '../../core/grammar/command.ts';
import type { Tip } from '../../core/grammar/tip.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { formatRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import { findChatRow } from '../../core/chats/chats.ts';
import { microUsdc, splitEqually, type MicroUsdc } from '../../core/money.ts';
import { areSeen } from '../../db/communities/community-people.ts';
import {
  choicesAbout,
  chooseRequests,
  EVERYBODY,
  noteRequestMessage,
  openRequests,
  type NewMoneyRequest,
} from '../../db/money-requests/money-requests.ts';
import { blockedBy, isBlocked } from '../../db/tips/blocks.ts';
import { isKnownRecipient } from '../../db/tips/known-recipients.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { cardLanguageOf } from '../conversation/speech.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { eachOnce } from '../shared/names.ts';
import { identitiesOf } from '../tips/blocking.ts';
import { findBearers } from '../tips/chat-names.ts';
import { refuseByRules } from '../tips/order-placing.ts';
import type { TreasuryReply } from '../treasury/treasury-reply.ts';
import { requestCard, requestProblemView } from './request-views.ts';

type Deps = Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'messengers' | 'log' | 'random' | 'failpoint'>;

/** A member asks another for money, by one message in the group. Nothing moves before that one person presses. */
export async function answerRequest(deps: Deps, event: TextEvent, wish: RequestWish): Promise<TreasuryReply> {
  if (wish.do === 'explain')
    return { view: privateView('ok', deps.texts.explainRequests(), [tryCommand(EXAMPLE_REQUEST)]) };
  if (wish.do === 'ask') return ask(deps, event, wish.tip);
  return choose(deps, event, wish.do === 'allow', wish.whom);
}

async function choose(
  deps: Deps,
  event: TextEvent,
  isAllowed: boolean,
  whom: Recipient | null,
): Promise<TreasuryReply> {
  const { store, texts, clock } = deps;
  if (whom === null) {
    await chooseRequests(store, { userId: event.userId, otherId: EVERYBODY, isAllowed }, clock.now());
    return { view: privateView('ok', [texts.requestsChosen(isAllowed)]) };
  }
  const found = await findAsked(deps, event, tipFor(whom));
  if ('view' in found) return found;
  const [{ askedId: otherId }] = found.asked;
  await chooseRequests(store, { userId: event.userId, otherId, isAllowed }, clock.now());
  return { view: privateView('ok', [texts.requestsChosenFor(otherId, isAllowed)]) };
}

const tipFor = (whom: Recipient): Tip => ({
  kind: 'tip',
  recipients: [whom],
  amount: { kind: 'all' },
  sharing: 'each',
  note: null,
});

async function ask(deps: Deps, event: TextEvent, tip: Tip): Promise<TreasuryReply> {
  const refused = (problem: RequestProblem): TreasuryReply => ({ view: requestProblemView(deps, problem) });
  if (event.communityId === undefined) return refused('elsewhere');
  if (tip.recipients.length > BILL_PEOPLE_MAX) return refused('too_many_people');
  if (tip.amount.kind !== 'exact') return refused('exact_amount');
  if (tip.note !== null && !isPlainReason(tip.note)) return refused('plain_reason');
  const found = await findAsked(deps, event, tip);
  if ('view' in found) return found;
  const { asked } = found;
  const { transport, communityId } = event;
  // A member who may not tip here may not ask either; and only what may be tipped can be asked for.
  const byRules = await refuseByRules(deps, event, tip);
  if (byRules !== null) return { view: byRules };
  const isHere = findChatRow(transport)?.seesMembers !== true;
  const people = [event.userId, ...asked.map(({ askedId }) => askedId)];
  if (!isHere && !(await areSeen(deps.store, { transport, communityId }, people, deps.clock.now()))) {
    return refused('not_here');
  }
  for (const { askedId } of asked) {
    if (await mayAsk(deps, event.userId, askedId)) continue;
    return asked.length === 1 ? refused('closed') : { view: privateView('error', [deps.texts.cannotAsk(askedId)]) };
  }
  const wanted = await toRequests(deps, event, { asked, note: tip.note });
  deps.failpoint?.('bill.before-store');
  const opened = await openRequests(deps.store, wanted);
  deps.failpoint?.('bill.after-store');
  if ('problem' in opened) return refused(opened.problem);
  const { row } = opened;
  const { view } = await requestCard(deps, row);
  return { view, shown: (messageId) => noteRequestMessage(deps.store, row, messageId) };
}

type Asked = { askedId: string; amount: MicroUsdc };
type AskedOnes = readonly [Asked, ...Asked[]];

/**
 * Members of this chat, by the platform's ids, and what each is asked for. A bill that is split counts its asker where
 * they name themselves: their own share is asked of nobody.
 */
async function findAsked(deps: Deps, event: TextEvent, tip: Tip): Promise<{ asked: AskedOnes } | TreasuryReply> {
  const refused = (problem: RequestProblem): TreasuryReply => ({ view: requestProblemView(deps, problem) });
  const { transport } = event;
  if (event.communityId === undefined) return refused('elsewhere');
  if (tip.recipients.some(({ platform }) => platform !== findPlatform(transport))) return refused('not_here');
  const known = await findBearers(deps, event, tip);
  if (known.kind === 'view') return { view: known.view };
  const recipients = eachOnce(known.tip.recipients);
  const bots = [...(event.botNames ?? []), ...(event.context?.bots ?? [])];
  const isBot = [...recipients, ...tip.recipients].some((one) => bots.includes(formatRecipient(one)));
  if (isBot) return refused('bot');
  const parts = partsOf(tip, recipients.length);
  const all = recipients.map(({ key }, index) => ({ askedId: `${transport}:${key}`, amount: parts[index] ?? ZERO }));
  const others = all.filter(({ askedId }) => askedId !== event.userId);
  const [first, ...more] = others;
  const isOwnShare = others.length === all.length || tip.sharing === 'split';
  return first === undefined || !isOwnShare ? refused('self') : { asked: [first, ...more] };
}

function partsOf({ amount, sharing }: Tip, count: number): MicroUsdc[] {
  if (amount.kind !== 'exact') return [];
  return sharing === 'split' ? splitEqually(amount.amount, count) : Array.from({ length: count }, () => amount.amount);
}

const ZERO = microUsdc(0n);

/** Nobody is told which of the reasons it is. */
async function mayAsk(deps: Pick<Deps, 'store' | 'clock'>, askerId: string, askedId: string): Promise<boolean> {
  const { store } = deps;
  const { person, everybody } = await choicesAbout(store, { userId: askedId, otherId: askerId });
  if (person === false) return false;
  const [platform = '', stableId = ''] = askedId.split(':');
  if (await isBlocked(store.read, store.tables, { platform, stableId, payer: askerId })) return false;
  // A block stands under the names that the person had proven then, perhaps without this account.
  if ((await blockedBy(store, await identitiesOf(deps, askedId))).has(askerId)) return false;
  if (person === true || everybody !== null) return person ?? everybody ?? false;
  return isKnownRecipient(store, askedId, askerId);
}

async function toRequests(
  deps: Deps,
  event: TextEvent,
  { asked, note }: { asked: AskedOnes; note: string | null },
): Promise<[NewMoneyRequest, ...NewMoneyRequest[]]> {
  const { transport, eventId, chatId, userId } = event;
  const nowMs = deps.clock.now();
  const id = `ask_${Buffer.from(deps.random(18)).toString('base64url')}`;
  const language = await cardLanguageOf(deps, event);
  // In the order of their ids they are in the order in which people were named.
  const toRow = ({ askedId, amount }: Asked, index: number): NewMoneyRequest => ({
    id: index === 0 ? id : `${id}.${String(index).padStart(2, '0')}`,
    billId: asked.length === 1 ? null : id,
    eventKey: `${transport}:${eventId}`,
    transport,
    chatId,
    language,
    askerId: userId,
    askedId,
    amountMicroUsdc: amount,
    reason: note,
    createdAtMs: nowMs,
    endsAtMs: nowMs + REQUEST_MS,
  });
  const [first, ...more] = asked;
  return [toRow(first, 0), ...more.map((one, index) => toRow(one, index + 1))];
}
