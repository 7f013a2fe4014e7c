import { NETWORKS, networkTitle } from '../../networks.ts';
import { findPlatform, PLATFORM_NAMES, platformRow, recognisePlatform } from '../../platforms/platforms.ts';
import { CENTS, DOLLARS, NO_NAMES, NUMBERS, OTHER_MONEY, SCALES } from '../words/vocabulary.ts';

/** A request in English: the words before its verb say only that it is a request. */
const LEAD =
  '(?:(?:please|pls|kindly|hi|hey|hello|hi there|hello there|ok|okay|now|just|so|and|then|pennypost|dear agent|' +
  "can you|could you|would you|will you|can you please|could you please|would you please|i want to|i want you to|i would like to|i would like you to|i'd like to|i'd like you to|i need to|i need you to|i wish to|let's|we want to|we would like to|we'd like to|" +
  'go ahead and)[,.!:]?\\s+)*';
const VERB = '(?:send|give|tip|pay|transfer|gift|donate)';
const REQUEST = new RegExp(`^\\s*${LEAD}/?${VERB}\\s+(.+)$`, 'is');
/** A tip as a thing: `a tip of 5`. */
const AS_A_THING =
  /^(?:(?:a|an|the|out|over)\s+)?(?:(?:small|quick|little|one-time|one-off)\s+)?(?:tip|payment|donation|gift|amount|sum)\s+(?:of\s+)?(?=[$0-9.]|to\s|a\s|[a-z]+\s+(?:dollar|buck|usd|cent))/i;
const AT_THE_END = new RegExp(
  '(?:[\\s,.;!?]+(?:please|pls|thanks|thank you|thank you very much|many thanks|thanks a lot|thx|cheers|now|right away|asap|immediately))+[\\s.!?]*$',
  'i',
);

/** What follows the verb of a request, without courtesies; null where the text is no request. */
export function requested(text: string): string | null {
  const [, rest] = REQUEST.exec(text.replace(/[‘’]/g, "'")) ?? [];
  if (rest === undefined) return null;
  return rest
    .replace(AT_THE_END, '')
    .replace(/[\s.!?]+$/, '')
    .replace(AS_A_THING, '')
    .trim();
}

const MARK =
  /\s*(?:[,;]\s*)?(?:\bwith (?:the |a )?(?:note|message|memo|comment|description)\b:?|\b(?:note|message|memo|reason):|\b(?:saying|as a (?:thank you|thanks|reward)|because|for|in return for|to thank)\b(?=\s)|\s[-–—]\s|["“«])/gi;

/**
 * The request up to its note, and the note. `for` before a name is no note yet: `5 for x:alice`.
 */
export function cutNote(rest: string): { head: string; note: string } {
  for (const mark of rest.matchAll(MARK)) {
    const head = rest.slice(0, mark.index).trim();
    const isPlace =
      /^\s*for$/i.test(mark[0]) &&
      (!/[@:.]|\bon\s/i.test(head) || !/[0-9]|\b[a-z]+\s+(?:dollar|buck|cent)/i.test(head));
    if (head !== '' && !isPlace) return { head, note: rest.slice(mark.index).trim() };
  }
  return { head: rest.trim(), note: '' };
}

const PLATFORM_WORDS = '[A-Za-z]{1,20}';
const HANDLE = '@?[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,37}[A-Za-z0-9_])?';
const NETWORK_TITLES = NETWORKS.map((network) => networkTitle(network, null)).join('|');
/** Words before `on X` that are nobody's handle there. */
export const NOBODY: ReadonlySet<string> = new Set(
  (
    'someone somebody anyone anybody nobody noone whoever who people person friend friends user users author owner creator ' +
    'winner guy handle account profile both each it that this these those everyone tip payment donation gift money funds cash ' +
    'coin coins total all half team follower followers member members admin maintainer developer dev poster page post name ' +
    'username boss brother sister mom dad wife husband one to from the a an my your our their his her for of and or ' +
    'i me myself you yourself yourselves he him himself she herself they them themselves us we ourselves itself self ' +
    'first last latest next previous same other another top best others most op ceo cto founder president owners authors ' +
    'creators winners customer customers client clients charity charities support supporter supporters speaker ' +
    'speakers holder holders seller buyer sender recipient recipients payee host artist company organisation organization ' +
    'contributor contributors maintainers developers devs posters subscriber subscribers below above linked ' +
    'mentioned named called shown given listed following here there again'
  ).split(' '),
);

/** `alice on X`, `GitHub user @octocat`, `X account named alice` and `the website example.com` as the grammar has names. */
export function joinPlatforms(head: string): string {
  return head
    .replace(
      new RegExp(
        `\\s+(?:on|over|via|using)\\s+(?:the\\s+)?(?:${NETWORK_TITLES})(?:\\s+(?:network|chain))?(?=[\\s,]|$)`,
        'gi',
      ),
      '',
    )
    .replace(
      // What is paid for, and not whom: `for ads on X`.
      new RegExp(
        `(?<!\\bfor)(^|[\\s,])(?<!\\bfor\\s)(${HANDLE})\\s+\\(?on\\s+(${PLATFORM_WORDS})\\)?(?=[\\s,]|$)`,
        'gi',
      ),
      (whole, before: string, name: string, place: string) => named(whole, before, name, place),
    )
    .replace(
      new RegExp(
        `(^|[\\s,])(?:the\\s+)?(${PLATFORM_WORDS})\\s+(?:user|account|handle|profile)(?:\\s+(?=@)|:\\s*|\\s+(?:named|called):?\\s+)(${HANDLE})(?=[\\s,]|$)`,
        'gi',
      ),
      (whole, before: string, place: string, name: string) => named(whole, before, name, place),
    )
    .replace(
      /(^|\s)(?:the\s+)?(?:web\s?site|site|domain|e-?mail(?:\s+address)?)\s+(\S+)/gi,
      (whole, before: string, name: string) =>
        recognisePlatform(name.replace(/,$/, '')) === null ? whole : before + name,
    )
    .replace(/(\S+@\S+)\s+(?:by|via|over)\s+e-?mail(?=[\s,]|$)/gi, '$1');
}

function named(whole: string, before: string, name: string, place: string): string {
  const platform = findPlatform(place);
  const isHandle = name.startsWith('@');
  const bare = name.replace(/^@/, '').toLowerCase();
  const isOther = [DOLLARS, CENTS, NO_NAMES, NUMBERS, OTHER_MONEY, SCALES, NOBODY].some((words) => words.has(bare));
  if (platform === null || platformRow(platform).nameIsIdentity || !/[a-z]/i.test(bare)) return whole;
  return !isHandle && isOther ? whole : `${before}${place.toLowerCase()}:${name.replace(/^@/, '')}`;
}

/** Whether words of a note may change who gets what, when or whether; then only their author can say. */
export function changesMeaning(note: string): boolean {
  const quoted = /^[^"“«]*["“«]([^"”»]*)["”»]\s*$/.exec(note);
  const open = quoted === null ? note : note.slice(0, note.search(/["“«]/));
  return CHANGING.some((form) => form.test(open));
}

const PLATFORM_NAMED = PLATFORM_NAMES.flatMap((name) => [name, platformRow(name).title]).join('|');
const CHANGING: readonly RegExp[] = [
  /\b(?:don'?t|do not|doesn'?t|didn'?t|never|not|cancel|cancell?ed|undo|wait|instead|rather|actually|sorry|oops|correction|nevermind|never mind|ignore|disregard|scratch|forget)\b/i,
  /\b(?:no|nope|or|after|before|pending|awaiting|approv\w*|confirm\w*|hold|test|testing|dry[ -]run|simulat\w*|pretend\w*|hypothetical\w*|example)\b/i,
  /\b(?:if|unless|until|till|when|whenever|once|only|except|provided|assuming|maybe|perhaps|but|however|otherwise)\b/i,
  /\b(?:tomorrow|tonight|later|every|each|daily|weekly|monthly|yearly|hourly|again|twice|recurring|repeat|next (?:day|week|month|year))\b/i,
  /\b(?:send|pay|transfer|tip|give|make (?:it|that)|same|likewise|too|also|as well|split|share|on behalf|refund)\b/i,
  /[.!?;]\s+\S|\n/,
  /(?:^|\s)(?:0?[.,][0-9]{1,2}|[1-9](?:[.,][0-9]{1,2})?|10)(?=[\s,.!?]|$)/,
  /\bfor (?:the next |\S+ )?(?:[0-9]+|two|three|four|five|six) (?:times|people|persons|days|weeks|months|years|hours)\b/i,
  new RegExp(`^for\\s+\\S+\\s+on\\s+(?:${PLATFORM_NAMED}|twitter)\\b`, 'i'),
  new RegExp(`\\b(?:and|plus|to)\\b.*\\bon\\s+(?:${PLATFORM_NAMED}|twitter)\\b`, 'i'),
];
