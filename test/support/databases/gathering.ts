/** What gathers beside payments: requests for money, choices, blocks, bans, kept answers, drops, small tips, events, counters. */
import { eq } from 'drizzle-orm';
import { forgetAnswers, keepAnswer, takeAnswer } from '../../../db/chats/kept-answers.ts';
import { ban, countBans, isBanned } from '../../../db/communities/community-bans.ts';
import { dueRushes, forgetRushes, isMerged, joinRush, lookAtRushAgain, tipsOfRush } from '../../../db/chats/rushes.ts';
import { confirmationsOfDrop, findDropOfOrder } from '../../../db/drops/treasury-drops.ts';
import { declineLine } from '../../../db/claims/decline.ts';
import {
  agreeToDrop,
  closeDrop,
  dueDrops,
  endDrop,
  findDrop,
  findWaitingDrop,
  forgetDrops,
  lookAtDropAgain,
  noteDropMessage,
  openDrop,
  strikeTakers,
  takersOf,
  takeShare,
  type NewDrop,
} from '../../../db/drops/drops.ts';
import {
  agreeToRequest,
  choicesAbout,
  declineRequest,
  dueRequests,
  endRequest,
  findRequest,
  forgetRequests,
  lookAgainAt,
  noteRequestMessage,
  openRequests,
  requestsShownWith,
  type NewMoneyRequest,
} from '../../../db/money-requests/money-requests.ts';
import {
  dueEndpoints,
  endEndpoint,
  failDelivery,
  markDelivered,
  putOffDelivery,
  restEndpoint,
  sealDue,
} from '../../../db/events/deliveries.ts';
import { addEndpoint, findEndpoint, forgetUnusedEndpoints, useEndpoint } from '../../../db/events/endpoints.ts';
import { tellPayment } from '../../../db/events/tell.ts';
import { forgetAlert, readAlerts, writeAlert } from '../../../db/operator/alerts.ts';
import { addWithin, readCounter } from '../../../db/store/counters.ts';
import type { Store } from '../../../db/store/store.ts';
import { acceptGivers, isAccepted, waitingGivers } from '../../../db/tips/accepted.ts';
import { countQuietly, forgetLine, isQuiet, quietSmallTips, tipsOfLine } from '../../../db/tips/quiet.ts';
import { blockedBy, blockedLines, blockPayers, giversOf, isBlocked, noteReturned } from '../../../db/tips/blocks.ts';
import type { OrderDraft } from '../../../db/tips/orders.ts';
import type { Finished } from './finished-payment.ts';

/** The tables that grow by it, as the databases name them. */
export const GATHERING = [
  'money_requests',
  'request_choices',
  'blocked_payers',
  'community_bans',
  'kept_answers',
  'drops',
  'drop_takers',
  'quiet_people',
  'quiet_tips',
  'accepted_givers',
  'event_endpoints',
  'event_deliveries',
  'rushes',
  'counters',
];

const LATER_MS = 3_600_000;
const KEPT = { state: 'ok', audience: 'person', paragraphs: [[{ text: 'kept' }]], actions: [] } as const;
const COMMUNITY = { transport: 'telegram', communityId: 'community-of-history' };
const IDS = {
  request: 'request-of-history',
  event: 'telegram:event-of-history',
  asker: 'telegram:asker-of-history',
  asked: 'telegram:asked-of-history',
  person: 'identity-of-history',
  payer: '0xpayer-of-history',
  member: 'member-of-history',
  answer: 'answer-of-history',
  counter: 'counter-of-history',
  order: 'order-of-history',
  drop: 'drop-of-history',
  taker: 'telegram:taker-of-history',
  line: 'line-of-history',
  endpoint: 'endpoint-of-history',
  payment: 'payment-of-history',
  rush: 'rush-of-history',
  place: 'place-of-history',
};
/** One tip; a copy gets a number of its own. */
const TIP_OF_HISTORY = 987_654_321;

/** Uses each as the bot and the worker do, until it is over. */
export async function useWhatGathers(store: Store, nowMs: number): Promise<void> {
  await useRequests(store, nowMs);
  await useBlocks(store, nowMs);
  await useDrops(store, nowMs);
  await useSmallTips(store, nowMs);
  await useEvents(store, nowMs);
  await useRushes(store, nowMs);
  const member = { ...COMMUNITY, userId: IDS.member };
  await ban(store, member, { bannedBy: IDS.asked, nowMs });
  await Promise.all([isBanned(store, member), countBans(store, COMMUNITY)]);
  await keepAnswer(store, { id: IDS.answer, userId: IDS.asker, view: KEPT, untilMs: nowMs + LATER_MS });
  await takeAnswer(store, { id: IDS.answer, userId: IDS.asker, eventId: IDS.event, nowMs });
  await forgetAnswers(store, nowMs);
  const alert = { name: 'gathering', text: '', sinceMs: nowMs, toldAtMs: null, goneSinceMs: null, doubtAtMs: null };
  await writeAlert(store, alert, nowMs);
  await readAlerts(store);
  await forgetAlert(store, alert.name);
  await store.tx((db) => addWithin(db, store, IDS.counter, 1n));
  await readCounter(store, IDS.counter);
}

async function useRequests(store: Store, nowMs: number): Promise<void> {
  const wanted: NewMoneyRequest = {
    id: IDS.request,
    eventKey: IDS.event,
    transport: COMMUNITY.transport,
    chatId: '-1',
    language: null,
    askerId: IDS.asker,
    askedId: IDS.asked,
    amountMicroUsdc: 5_000_000n,
    reason: null,
    billId: IDS.event,
    createdAtMs: nowMs,
    endsAtMs: nowMs + LATER_MS,
  };
  await openRequests(store, [wanted]);
  await requestsShownWith(store, { id: IDS.request, billId: IDS.event });
  await findRequest(store, IDS.request);
  await noteRequestMessage(store, { id: IDS.request, billId: IDS.event }, '1');
  await agreeToRequest(store, { id: IDS.request, askedId: IDS.asker, nowMs }, draftOf(nowMs));
  await declineRequest(store, { id: IDS.request, askedId: IDS.asked, nowMs }, true);
  await choicesAbout(store, { userId: IDS.asked, otherId: IDS.asker });
  await dueRequests(store, nowMs + LATER_MS, 10);
  await endRequest(store, IDS.request, nowMs + LATER_MS);
  await lookAgainAt(store, IDS.request, null);
  await forgetRequests(store, 0, 0);
}

/** One that ended, and what it was told. */
async function useEvents(store: Store, nowMs: number): Promise<void> {
  const { tx, tables } = store;
  const [id, payer, network] = [IDS.endpoint, IDS.payer, 'base' as const];
  const payment = { id: IDS.payment, endpointId: id };
  await addEndpoint(store, { id, network, payer, url: `https://${id}.example/`, nowMs });
  await tx((db) => useEndpoint(db, { id, network, payer, nowMs }));
  await tx((db) => tellPayment(db, tables, payment, [{ txnId: 1 }], nowMs));
  await findEndpoint(store, id);
  const later = nowMs + LATER_MS;
  await dueEndpoints(store, later, 10, [], 'payers');
  await dueEndpoints(store, later, 10, [IDS.person], 'tasks');
  const [delivery] = await sealDue(store, id, { nowMs: later, limit: 10 });
  if (delivery === undefined) throw new Error('an event is due');
  await putOffDelivery(store, delivery, { answer: '500', nextAtMs: nowMs, restsUntilMs: nowMs });
  await restEndpoint(store, id, nowMs);
  await markDelivered(store, delivery, { answer: '204', nowMs });
  await failDelivery(store, delivery, { answer: '500', nowMs });
  await markDelivered(store, delivery, { answer: '204', nowMs });
  await endEndpoint(store, id, { reason: 'gone', nowMs });
  await forgetUnusedEndpoints(store, later);
}

async function useBlocks(store: Store, nowMs: number): Promise<void> {
  const { read, tables } = store;
  const identityIds = [IDS.person];
  await blockPayers(store, { identityIds, payers: [IDS.payer] }, nowMs - LATER_MS);
  await Promise.all([blockedBy(store, identityIds), giversOf(store, identityIds), blockedLines(store, 10)]);
  await isBlocked(read, tables, { platform: 'x', stableId: 'nobody', payer: IDS.payer });
  await noteReturned(store, nowMs);
}

/** One that nobody pays: it is open, listed, struck from, refused, and called off. */
async function useDrops(store: Store, nowMs: number): Promise<void> {
  const id = IDS.drop;
  const wanted: NewDrop = {
    id,
    eventKey: `drop:${IDS.event}`,
    ...COMMUNITY,
    chatId: '-1',
    language: null,
    giverId: IDS.asker,
    walletId: null,
    amountMicroUsdc: 5_000_000n,
    people: 3,
    role: null,
    createdAtMs: nowMs,
    closesAtMs: nowMs,
    endsAtMs: nowMs + LATER_MS,
  };
  await openDrop(store, wanted);
  await findWaitingDrop(store, { ...COMMUNITY, giverId: IDS.asker, walletId: null });
  await findDrop(store, id);
  await noteDropMessage(store, id, '1');
  await takeShare(store, { dropId: id, userId: IDS.taker, names: [IDS.person], nowMs: nowMs - LATER_MS });
  await takersOf(store, id);
  await dueDrops(store, nowMs, 10);
  await Promise.all([confirmationsOfDrop(store, id), findDropOfOrder(store, IDS.order)]);
  await closeDrop(store, id, nowMs);
  await strikeTakers(store, { id, userIds: [IDS.member], nowMs });
  await agreeToDrop(store, { id, payees: [IDS.member], nowMs }, draftOf(nowMs));
  await endDrop(store, id, { reason: 'called_off', nowMs });
  await lookAtDropAgain(store, id, null);
  await forgetDrops(store, 0, 10);
}

/** One that came and went. */
async function useRushes(store: Store, nowMs: number): Promise<void> {
  const place = { transport: COMMUNITY.transport, chatId: IDS.place };
  const rush = await joinRush(store, place, { id: IDS.rush, language: null, firstLookMs: 0 }, nowMs);
  if (rush === null) throw new Error('a rush was begun');
  await joinRush(store, place, null, nowMs);
  await dueRushes(store, place.transport, nowMs, 10);
  await tipsOfRush(store, rush);
  await isMerged(store, { transport: place.transport, key: IDS.event });
  await lookAtRushAgain(store, rush, null);
  await forgetRushes(store, 0);
}

/** A line that is not due yet, and a giver who is known. */
async function useSmallTips(store: Store, nowMs: number): Promise<void> {
  const tip = { txnId: TIP_OF_HISTORY, userId: IDS.taker, giverId: IDS.asker };
  await quietSmallTips(store, IDS.taker, nowMs);
  await isQuiet(store, IDS.taker);
  await countQuietly(store, tip, nowMs);
  await countQuietly(store, tip, nowMs);
  await tipsOfLine(store, IDS.line);
  await forgetLine(store, IDS.line);
  await acceptGivers(store, { userId: IDS.taker, giverIds: [IDS.asker] }, nowMs);
  await isAccepted(store, { userId: IDS.taker, giverId: IDS.asker });
  await waitingGivers(store, [IDS.person]);
  await declineLine(store, { txnId: TIP_OF_HISTORY, identityIds: [IDS.person] }, nowMs);
}

/** What that has left, to be copied. */
export async function readWhatGathered({ read, tables }: Store): Promise<Finished> {
  const { moneyRequests, requestChoices, blockedPayers, communityBans, keptAnswers, counters } = tables;
  const { drops, dropTakers, quietPeople, quietTips, acceptedGivers, rushes } = tables;
  const { eventEndpoints, eventDeliveries } = tables;
  const told = await read.select().from(eventDeliveries).where(eq(eventDeliveries.endpointId, IDS.endpoint));
  const rows: Finished['rows'] = [
    ['moneyRequests', await read.select().from(moneyRequests).where(eq(moneyRequests.id, IDS.request))],
    ['requestChoices', await read.select().from(requestChoices).where(eq(requestChoices.userId, IDS.asked))],
    ['blockedPayers', await read.select().from(blockedPayers).where(eq(blockedPayers.payer, IDS.payer))],
    ['communityBans', await read.select().from(communityBans).where(eq(communityBans.userId, IDS.member))],
    ['keptAnswers', await read.select().from(keptAnswers).where(eq(keptAnswers.id, IDS.answer))],
    ['drops', await read.select().from(drops).where(eq(drops.id, IDS.drop))],
    ['dropTakers', await read.select().from(dropTakers).where(eq(dropTakers.dropId, IDS.drop))],
    ['quietPeople', await read.select().from(quietPeople).where(eq(quietPeople.userId, IDS.taker))],
    ['quietTips', await read.select().from(quietTips).where(eq(quietTips.userId, IDS.taker))],
    ['rushes', await read.select().from(rushes).where(eq(rushes.id, IDS.rush))],
    ['acceptedGivers', await read.select().from(acceptedGivers).where(eq(acceptedGivers.userId, IDS.taker))],
    ['eventEndpoints', await read.select().from(eventEndpoints).where(eq(eventEndpoints.id, IDS.endpoint))],
    ['eventDeliveries', told],
    ['counters', await read.select().from(counters).where(eq(counters.name, IDS.counter))],
  ];
  return { rows, keys: [...Object.values(IDS), COMMUNITY.communityId, ...told.map(({ id }) => id)] };
}

/** Never written: only the person who was asked can agree. */
const draftOf = (createdAtMs: number): OrderDraft => ({
  id: IDS.order,
  transport: COMMUNITY.transport,
  eventId: 'never',
  chatId: '-1',
  messageId: '1',
  userId: IDS.asker,
  walletId: IDS.asker,
  walletName: null,
  language: null,
  network: 'base',
  payerAddress: '0x1',
  route: '/payments/telegram/pay',
  body: { receiver: '1', amount: '5' },
  recipient: 'telegram:1',
  amountMicroUsdc: 5_000_000n,
  createdAtMs,
});
