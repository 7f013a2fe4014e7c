import { NUMBERS } from '../words/vocabulary.ts';
import { SIGNED } from './openings.ts';
import { OWED, THING } from './work.ts';

/**
 * Words around a request that say nothing of their own. A list, so that any word that is not here is asked about: none of
 * them may turn, double, halve, bind or take back a payment.
 */
const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const FILLING = list(
  'please pls plz kindly hi hey hello there dear ok okay now just so and then also thanks thank you thx ty cheers kind regards best ' +
    'the a an this that these their its his her him them to for at is are ' +
    'send pay tip give transfer gift donate remit wire deliver grant execute process make issue release settle drop payout payment payments ' +
    'transaction transfers payouts order instruction batch task action sum amount value total ' +
    'recipient recipients receiver receivers payee payees beneficiary beneficiaries destination ' +
    'user account handle profile person people username name creator author maintainer developer designer artist contributor contributors ' +
    'usdc usd coin dollars quick small little tiny one-time single exactly today immediately asap promptly earliest convenience right away ' +
    'following below appreciated much very many lot advance great nice good ' +
    'on be our my bounty bounties prize prizes reward rewards compensation donation stipend honorarium tips thank-you here',
);

/** Phrases whose words alone could mean something else. */
const LEADS = [
  '(?:(?:could|can|would|will) (?:you|we|i) (?:please |kindly |possibly |perhaps )?|would you mind |would it be possible to |would you be so kind as to |could i (?:trouble|ask|get) you to |may i ask you to )',
  "(?:i|we)(?:'d| would) (?:like|love) (?:you )?to |(?:i|we) (?:want|need|wish|intend|have|am|are)(?: you)? (?:going )?to |let's |let us ",
  "(?:i|we)(?:'d| would) (?:be grateful|appreciate it) if you (?:could |would |'d )?|i'd be grateful if you'd ",
  '(?:my|our|the) (?:user|human|principal|client|owner|boss) (?:wants|wishes|would like|has asked me|asked me|asks me|instructed me)(?: me)? to ',
  '(?:go ahead and|please go ahead and|feel free to|be so kind as to|do me a favou?r and) ',
].join('|');
/** With `each`, which says how. */
const BOTH_NAMED = /\bboth (?=⟦n\d+⟧ and ⟦n\d+⟧ (?!.*⟦n)[^]*\b(?:each|apiece)\b)/gi;
const PHRASES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:(?:best|kind|warm)(?:est)? regards|best wishes|much obliged|cheers|thanks|thank you)\\b[,.]?(?:\\s+${SIGNED})?[.!]?$`,
    'gi',
  ),
  new RegExp(`(?<![\\w'])(?:${LEADS})(?=send|pay|tip|give|transfer|gift|donate|remit|wire|drop|split|move|make)`, 'gi'),
  OWED,
  // A debt is an order only where one follows.
  /\b(?:we|i|(?:my|our) (?:team|user|client|company|principal)) owes? (?=⟦n\d+⟧ ⟦s\d+⟧ ?[.;] (?:so |therefore )?(?:please )?(?:pay|send|settle|transfer) (?:that|it|this)\b)/gi,
  /(?<=⟦s\d+⟧ ?[.;] ?(?:so |therefore )?(?:please )?(?:pay|send|settle|transfer) )it\b/gi,
  /\bwould you mind (?:sending|paying|tipping|giving|transferring)\b/gi,
  /\b(?:sending|paying|transferring|move)(?= +⟦s)/gi,
  /\b(?:thank you|thanks|many thanks|thx)(?: (?:very|so) much| a lot| kindly| in advance)*\b/gi,
  /\b(?:much appreciated|at your earliest convenience|as soon as possible|when you can|best regards|kind regards|have an? (?:nice|great|good|excellent) (?:day|week|weekend))\b/gi,
  /\bgood (?:morning|afternoon|evening|day)\b/gi,
  /\b(?:payment|payout|transfer|tip) request(?= *:)/gi,
  /\b(?:amount|payment|payout|tip|sum|total|transfer|donation|gift|reward|bounty|prize|value|compensation) of (?=⟦s)/gi,
  /\bwith (?:a tip of |a payment of )?(?=⟦s)/gi,
  /\b(?:payable )?in (?:usdc|usd coin)\b/gi,
  // Who is named gets it.
  /(?<=⟦n\d+⟧ *,? *)(?:(?:should|shall|must|will|is to|are to) )?(?:each )?(?:gets?|receives?|receive|be (?:paid|given|sent))\b(?= *,? *(?:⟦s|each|a |exactly))/gi,
  /(?<=⟦s\d+⟧ *)(?:(?:shall|should|is to|are to|must) )?(?:be (?:sent|paid|transferred)|go(?:es)?) (?=to)/gi,
  /(?<=⟦s\d+⟧ *)(?:is )?(?:requested|due|from us)\b/gi,
  /\bfrom us\b/gi,
  /(?<=\band )another (?=⟦s)/gi,
  /\bthe (?:holder|owner|operator|author|maintainer) (?:of|at|behind) (?=(?:the )?⟦n)/gi,
  // Who it is, in words: `our translator ⟦n⟧`, `Alice (⟦n⟧)`, `Ruth Adeyemi … Her address is ⟦n⟧`.
  /\b(?:to |for |pay |tip |send )?(?:the|our|my|his|her|their) (?!other|either|neither|rather|after|under|over|error|[a-z]*ever|former|earlier|later|impost[eo]r|scammer|attacker|hacker|spammer|fraudster|stalker|faker|imitator|liar)[a-z]{3,}(?:er|or|ist|ian|eer|ant) (?=(?:at |named |called )?\(? ?⟦n)/gi,
  /(?<=\b(?:to|pay|send|give|tip|transfer) )[A-Z][a-z]+(?: [A-Z][a-z]+)? (?=\( *⟦n\d+⟧ *\))/g,
  /(?<=\b(?:to|pay|send|give|tip|transfer) )[A-Z][a-z]+(?: [A-Z][a-z]+)? (?=⟦s\d+⟧[^⟦]*(?:⟦t\d+⟧[^⟦]*)?\b(?:[Hh]er|[Hh]is|[Tt]heir) [^⟦]*⟦n\d+⟧[^⟦]*$)/g,
  /\b(?:her|his|their|the) (?:e-?mail(?: address)?|address|handle|account|username|name)?(?: there)?(?: is)? (?=⟦n)/gi,
  // Who speaks, and for whom.
  /^on behalf of (?:my|our|the) (?:user|human|principal|client|owner|boss)(?=[,:;]| +(?:please|pay|send|tip|transfer))/gi,
  /^(?:top[- ]up|re-?fill|jury (?:payout|reward|compensation|fee)|payment due|payout due|amount due|payment request|payout request|tip jar|thank-you)(?: (?:request|order|instruction|notice|today|now))?:/gi,
];
const EACH =
  /\b(?:each|apiece|per person)\b(?: of(?= *⟦n)| (?:of (?:these|them|those|the)(?: following)?|one)(?: (?:[a-z]{3,}(?:er|or|ist|eer|ant|ian)s|people|accounts|handles|f?names))?(?= *(?:gets?|receives?|should|shall|:|⟦[nw]))(?: *(?:gets?|receives?|should (?:get|receive)|shall (?:get|receive))\b)?)?|\bfor each of them\b/i;
/** `both people from the shoot should receive ⟦s0⟧: ⟦n0⟧ and ⟦n1⟧` */
const BOTH = new RegExp(
  `^both (?:people|users|accounts|of them)(?: (?:from|at|of) (?:the|our) ${THING}(?: ${THING})?)? (?:should |shall |will )?(?:gets?|receives?) (?=⟦s\\d+⟧ ?: ?⟦n\\d+⟧ (?:,|and) ⟦n\\d+⟧(?!.*⟦n))`,
  'i',
);
const SPLIT =
  /\b(?:(?:split|divided?|shared?|distributed?)(?: (?:evenly|equally|fifty-fifty|50\/50|in equal parts|in two equal parts))?(?: (?:between|among|amongst|across|by|over))?|(?:evenly|equally) (?:split|divided|shared)(?: (?:between|among))?|in (?:two |three )?equal (?:parts|shares))\b/i;
const HALF = /(?:\bone |\bthe (?:other )?)?\bhalf (?:of it )?to\b/gi;
const PEOPLE =
  /\b(?:all |the )?(two|three|four|five|six|seven|eight|nine|ten)(?: people| users| accounts)? *(?=:? *⟦n)/gi;

type Words = {
  /** All else outside of the marks. */
  rest: string;
  isEach: boolean;
  isSplit: boolean;
  /** How often `half to` stands there. */
  halves: number;
  /** How many people are said to follow. */
  people: number[];
};

/** The words outside of all marks, without the phrases that only make it a request. */
export function withoutPhrases(marked: string): Words {
  const plain = marked.replace(/[ \t]+/g, ' ');
  const halves = plain.match(HALF)?.length ?? 0;
  const people = Array.from(plain.matchAll(PEOPLE), ([, word = '']) => NUMBERS.get(word.toLowerCase()) ?? 0);
  const isEach = EACH.test(plain) || BOTH.test(plain);
  const isSplit = SPLIT.test(plain) || halves > 0;
  const shares = isSplit ? /\b(?:evenly|equally|between|among|amongst|across|fairly)\b/gi : /(?!)/g;
  const left = [BOTH, BOTH_NAMED, new RegExp(EACH, 'gi'), new RegExp(SPLIT, 'gi'), HALF, shares, PEOPLE].reduce(
    (found, form) => found.replace(form, ' '),
    plain,
  );
  const rest = PHRASES.reduce(
    (found, phrase) => found.replace(phrase, ' ').replace(/ +/g, ' '),
    left.replace(/ +/g, ' '),
  );
  return { rest, isEach, isSplit, halves, people };
}

/** `should x:alice get 5`: asked, or a condition. */
const INVERTED = /(?:^|[.!?;:\n])\s*(?:should|shall|are|is)\b/i;

/** Whether nothing stands in the text that was not understood. */
export function isKnown(marked: string): boolean {
  const { rest } = withoutPhrases(marked);
  // A question is no request, except where it asks for one: `could you send …?`
  const isAsking = /\?/.test(marked) && !new RegExp(`(?<![\\w'])(?:${LEADS})|would you mind`, 'i').test(marked);
  if (isAsking || INVERTED.test(marked)) return false;
  const words = rest
    .replace(/⟦[nstw]\d+⟧/g, ' ')
    .split(/[\s.,;:!?()–]+/)
    .filter((word) => word !== '');
  return words.every((word) => FILLING.has(word.toLowerCase()));
}
