import { eventsOf, openEvents, repeatEvent, type ShownEvent } from '../../db/operator/events.ts';
import { Refused, takeWords, UsageError, type OperatorCommand } from './command.ts';
import { countText, timeText } from './text.ts';

const SHOWN_MAX = 100;

export const eventsCommand: OperatorCommand = {
  name: 'events',
  usage: '[<txn_id>]',
  help: 'lists what payers’ endpoints are still to be told and what they did not take; of one payment, all that was told',
  run: async (context) => {
    const { store, words } = context;
    const [txnId] = words;
    if (words.length > 1) throw new UsageError(`Expected at most a txn_id; found ${words.length}.`);
    if (txnId !== undefined) {
      if (!/^[1-9][0-9]{0,15}$/.test(txnId)) throw new UsageError(`${txnId} is no txn_id.`);
      const events = await eventsOf(store, Number(txnId));
      return { data: { events }, lines: events.length === 0 ? ['Nothing was told about it.'] : events.map(eventText) };
    }
    const { waiting, lost } = await openEvents(store, SHOWN_MAX + 1);
    const data = {
      waiting: waiting.slice(0, SHOWN_MAX),
      lost: lost.slice(0, SHOWN_MAX),
      hasMore: waiting.length > SHOWN_MAX || lost.length > SHOWN_MAX,
    };
    const lines = [...listText('still to be told', waiting), ...listText('not taken', lost)];
    return { data, lines: lines.length === 0 ? ['Every event was taken.'] : lines };
  },
};

export const repeatEventCommand: OperatorCommand = {
  name: 'repeat-event',
  usage: '<event>',
  help: 'tells an event once more, under the same id; an endpoint that could not be reached is open again',
  run: async (context) => {
    const { store, nowMs, who } = context;
    const { event } = takeWords(context, 'event');
    const result = await repeatEvent(store, event, { name: 'repeat-event', arguments: [event], who }, nowMs);
    if (result === 'repeated') return { data: { event, result }, lines: ['The worker tells it within seconds.'] };
    throw new Refused(REFUSALS[result]);
  },
};

const REFUSALS = {
  unknown: 'There is no event of that id; "events" and a txn_id lists them.',
  gone: 'Its endpoint has answered that it wants nothing more (410): its owner has to register another.',
} as const;

function listText(title: string, events: readonly ShownEvent[]): string[] {
  if (events.length === 0) return [];
  const shown = events.slice(0, SHOWN_MAX).map(eventText);
  const more = events.length > SHOWN_MAX ? [`… and more; these are ${SHOWN_MAX}.`] : [];
  return [`${countText(shown.length, 'event')} ${title}:`, ...shown, ...more];
}

function eventText({ id, type, txnIds, url, payer, atMs, ...rest }: ShownEvent): string {
  const lines = txnIds.length === 1 ? String(txnIds[0]) : `${txnIds.length} lines`;
  // A task's id is all that its caller has, so it is not shown.
  const about = payer === null ? 'of an agent' : `${lines} of ${payer}`;
  return `${id}  ${timeText(atMs)}  ${type} ${about} to ${url}: ${standingText(rest)}`;
}

function standingText({
  failures,
  nextAtMs,
  outcome,
  lastAnswer,
  endpointEnd,
}: Pick<ShownEvent, 'failures' | 'nextAtMs' | 'outcome' | 'lastAnswer' | 'endpointEnd'>): string {
  const answer = lastAnswer === null ? '' : `, last answer ${lastAnswer}`;
  if (nextAtMs !== null) return `next try ${timeText(nextAtMs)} after ${countText(failures, 'failure')}${answer}`;
  const end = endpointEnd === null ? '' : `; its endpoint ended (${endpointEnd})`;
  return `${(outcome ?? 'over').replace('_', ' ')}${answer}${end}`;
}
