import { isReport } from './work.ts';

const VERB = '(?:send|pay|tip|give|transfer|gift|donate|remit|wire|release)';
/** An order, or what is paid: nobody's name, whom a greeting before it would speak to. */
const ORDER = `(?:(?:please|pls|kindly|so|now|therefore)[ ,]+)*${VERB}\\b`;
const REQUEST = `(?=\\s*(?:${ORDER}|\\$?\\d|(?:could|can|would|will) (?:you|it)\\b|this is\\b|(?:i|we)\\b))`;
/** Behind a comma only before a request, so that nobody is both spoken to and paid. */
const ENDED = `(?:[.!]+(?=\\s)|,${REQUEST})\\s*`;

const HEARER =
  '(?: (?:there|all|everyone|team|ser|sir|friends?|frens?|pennypost|(?:payments? )?(?:agent|bot|assistant)))';
const HELLO = `(?:(?:hi|hello|hey|gm|greetings|good (?:morning|afternoon|evening|day))${HEARER}?|dear${HEARER})`;
const HOPE = "(?:i )?hope (?:you are|you're|this finds you|all is)(?: doing)? well";
const PRAISE =
  '(?:(?:very )?(?:nice|great|good|lovely|awesome|excellent|wonderful|amazing|brilliant|beautiful) (?:one|cast|post|thread|work|job|talk|article|tweet|photo|video|stream|episode|essay)|well done|congrats|congratulations)';

/** Trades of agents. A list, because any other word may say what is not to be listened to. */
const TRADE =
  '(?:research|film|production|podcast|producer|license|licence|contest|security|housing|household|accounting|accounts|procurement|invoice|' +
  'invoicing|newsletter|scheduling|build|payments?|payout|payroll|billing|customer|care|customer-care|support|triage|issue|travel|shopping|' +
  'trading|data|translation|editorial|editor|marketing|community|office|finance|expense|grant|bounty|event|booking|subscription|studio|helpful|personal)';
const AGENT = '(?:agent|bot|assistant|desk|robot)';
const SELF = `(?:this is |i am |i'm |here is )?(?:the |an? |your |our )?(?:${TRADE} ){0,3}(?:${AGENT} )?${AGENT}`;
const HOUSE =
  '(?: (?:of|for|at) (?:an? |the |our |my )(?:small )?(?:studio|shop|company|team|office|household|magazine|newsletter|project|community))?';
const SPEAKER = `${SELF}(?: here| speaking)?${HOUSE}(?:[.!:]+(?=\\s)|,${REQUEST})\\s*`;
/** `License agent → payment agent:` */
const RELAY = `${SELF} ?(?:→|->|=>|to) ?(?:the )?(?:payments?|payout|pennypost)(?: ${AGENT})?[:.]\\s+`;

const OPENINGS = [
  ...[HELLO, HOPE, PRAISE].map((words) => new RegExp(`^${words}${ENDED}`, 'i')),
  ...[SPEAKER, RELAY].map((words) => new RegExp(`^${words}`, 'i')),
];
const OPENINGS_MAX = 4;
/** Only before an order: without one it may report what was paid. */
const REPORT = new RegExp(`^([^.!\\n→]{3,200}?)(?:[.!](?:\\s+(?:→|->|=>))?|\\s*(?:→|->|=>))\\s+(?=${ORDER})`, 'i');

/**
 * The text behind what only greets, says who speaks, or reports that work is there. All of it in closed lists: what is not
 * in them stays, and is asked about.
 */
export function withoutOpenings(text: string): string {
  let rest = text;
  for (let count = 0; count < OPENINGS_MAX; count++) {
    const opening = OPENINGS.map((form) => form.exec(rest)?.[0]).find((found) => found !== undefined) ?? reportOf(rest);
    if (opening === undefined) return rest;
    rest = rest.slice(opening.length);
  }
  return rest;
}

function reportOf(text: string): string | undefined {
  const [whole, report = ''] = REPORT.exec(text) ?? [];
  return isReport(report) ? whole : undefined;
}

/** `the scheduling agent`, where it signs. */
export const SIGNED = `(?:the |an? |your |our )?(?:${TRADE} ){0,3}${AGENT}(?: \\d{1,2})?`;
