import { NETWORKS, networkTitle } from '../../networks.ts';
import { findPlatform, PLATFORM_NAMES, platformRow, recognisePlatform } from '../../platforms/platforms.ts';
import { CENTS, DOLLARS, NO_NAMES, NUMBERS, OTHER_MONEY, SCALES } from '../vocabulary.ts';

/** A request in English: the words before its verb say only that it is a request. */
const LEAD =
  '(?:(?:please|pls|kindly|hi|hey|hello|hi there|hello there|ok|okay|now|just|so|and|then|pennypost|dear agent|' +
  "can you|could you|would you|will you|can you please|could you please|would you please|i want to|i want you to|i would like to|i would like you to|i'd like to|i'd like you to|i need to|i need you to|i wish to|let's|we want to|we would like to|we'd like to|" +
  'go ahead and)[,.!:]?\\s+)*';
/** The same, before any sentence; what follows it may be no request. */
export const LEADS = new RegExp(
  `^\\s*${LEAD}(?:kindly\\s+)?(?:(?:(?:make sure|ensure|see to it)(?:\\s+that)?|(?:i|we) (?:want|would like)|(?:i|we)'d like)\\s+)?`,
  'i',
);
const VERB = '(?:send|give|tip|pay|transfer|gift|donate)';
const REQUEST = new RegExp(`^\\s*${LEAD}/?${VERB}\\s+(.+)$`, 'is');
/** A tip as a thing: `a tip of 5`. */
const AS_A_THING =
  /^(?:(?:a|an|the|out|over)\s+)?(?:(?:small|quick|little|one-time|one-off)\s+)?(?:tip|payment|donation|gift|amount|sum)\s+(?:of\s+)?(?=[$0-9.]|to\s|a\s|[a-z]+\s+(?:dollar|buck|usd|cent))/i;
export const AT_THE_END = new RegExp(
  '(?:[\\s,.;!?]+(?:please and thank you|please|pls|thanks|thank you|thank you very much|many thanks|thanks a lot|(?:many )?thanks in advance(?: for your (?:help|assistance|time))?|much obliged|much appreciated|thx|cheers|right now|now|right away|for me|for us|asap|immediately))+[\\s.!?]*$',
  'i',
);

/** One kind of quotation mark around a note, and of apostrophe. */
export function plainQuotes(text: string): string {
  return text
    .replace(/[‘’]/g, "'")
    .replace(
      /\b((?:note|message|memo|comment|description|reason|subject(?: line)?):?\s*)'([^"“«]+)'\s*[.!]?\s*$/i,
      '$1"$2"',
    );
}

/** What follows the verb of a request, without courtesies; null where the text is no request. */
export function requested(text: string): string | null {
  const [, rest] = REQUEST.exec(text) ?? [];
  if (rest === undefined) return null;
  return rest
    .replace(AT_THE_END, '')
    .replace(/[\s.!?]+$/, '')
    .replace(AS_A_THING, '')
    .trim();
}

export const MARK =
  /\s*(?:[,;]\s*)?(?:\bwith (?:the |a )?(?:note|message|memo|comment|description)\b:?|\b(?:note|message|memo|reason|reference|ref):|\bsubject(?: line)?:?(?=\s)|\b(?:saying|as a (?:thank you|thanks|reward)|because|for|in return for|to thank)\b(?=\s)|\s[-–—]\s|["“«])/gi;

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

/** Without the words that only introduce it. */
export const asNote = (note: string) =>
  note
    .replace(/^[\s,;–—-]+/, '')
    .replace(
      /^(?:with (?:the |a )?(?:note|message|memo|comment|description):?|(?:note|message|memo|reason|reference|ref):|subject(?: line)?:?|saying)\s*/i,
      '',
    );

const PLATFORM_WORDS = '[A-Za-z]{1,20}';
const HANDLE = '@?[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,37}[A-Za-z0-9_])?';
const NETWORK_TITLES = NETWORKS.map((network) => networkTitle(network, null)).join('|');
/** Words before `on X` that are nobody's handle there. */
const NOBODY = new Set(
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
      new RegExp(`(^|[\\s,])(${HANDLE})\\s+\\(?on\\s+(${PLATFORM_WORDS})\\)?(?=[\\s,]|$)`, 'gi'),
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

const ROLE = '(?:user|account|handle|profile|member|contributor|name|username)';
/** What words do not have: a digit, an underscore, a full stop, or a letter alone at the end. `on-call` is nobody. */
const UNLIKE_WORDS =
  '(?:(?=[A-Za-z0-9_.-]*[0-9_.][A-Za-z0-9_.-]*[A-Za-z0-9_])[A-Za-z0-9_][A-Za-z0-9_.-]*[A-Za-z0-9_]|[A-Za-z0-9]+-[A-Za-z])';

/**
 * The same for sentences in any order, with names that follow their platform. Behind `user` a word may be a word, so a name
 * there has an `@`, or what words do not have.
 */
export function plainNames(text: string): string {
  const list =
    /(@[A-Za-z0-9_][\w.-]*(?:(?:,\s*|,?\s+and\s+)@[A-Za-z0-9_][\w.-]*)+),?\s+(?:all\s+)?on\s+([A-Za-z]{1,20})(?![A-Za-z])/gi;
  const listed = text.replace(list, (whole, names: string, place: string) => {
    const platform = findPlatform(place);
    if (platform === null || platformRow(platform).nameIsIdentity) return whole;
    return names.replace(/@/g, `${place.toLowerCase()}:`);
  });
  const placed = listed
    .replace(
      new RegExp(`(^|[\\s,(])(?:the\\s+)?(${PLATFORM_WORDS})(?:\\s+${ROLE})?:?\\s+(@${HANDLE.slice(2)})`, 'gi'),
      (whole, before: string, place: string, name: string) => named(whole, before, name, place),
    )
    .replace(
      new RegExp(
        `(^|[\\s,(])(?:the\\s+)?(${PLATFORM_WORDS})\\s+${ROLE}:?\\s+(${UNLIKE_WORDS})(?=[\\s,.;:)?!]|$)`,
        'gi',
      ),
      (whole, before: string, place: string, name: string) => named(whole, before, name, place),
    )
    .replace(
      new RegExp(`(^|[\\s,])(${HANDLE})\\s+\\((?:on\\s+)?(${PLATFORM_WORDS})\\)`, 'gi'),
      (whole, before: string, name: string, place: string) => named(whole, before, name, place),
    )
    .replace(
      /\b(?:the\s+)?(?:authors?|writer|poster|person|site owner|owner)\s+(?:of|who (?:wrote|posted))\s+(?:(?:this|that|the)\s+)?(?:cast\s+|post\s+|tweet\s+)?(?=https?:)/gi,
      '',
    )
    .replace(/\s+from\s+(?:me|us|my (?:balance|wallet|account)|our (?:balance|wallet|account))(?=[\s,.]|$)/gi, '')
    .replace(/\b(?:in|currency|unit)\s*[:=]?\s*(?:usdc|usd)(?=[\s,.;]|$)/gi, ' usdc ');
  return joinPlatforms(
    placed
      .replace(/\bon\s+(?=[A-Za-z]{1,20}[.;:!?])/gi, 'on ')
      .replace(/(\bon\s+[A-Za-z]{1,20})([.;:!?])(?=\s|$)/gi, '$1 $2'),
  );
}

function named(whole: string, before: string, name: string, place: string): string {
  const platform = findPlatform(place);
  const isHandle = name.startsWith('@');
  const bare = name.replace(/^@/, '').toLowerCase();
  const isOther = [DOLLARS, CENTS, NO_NAMES, NUMBERS, OTHER_MONEY, SCALES, NOBODY].some((words) => words.has(bare));
  if (platform === null || platformRow(platform).nameIsIdentity || !/[a-z]/i.test(bare)) return whole;
  return !isHandle && isOther ? whole : `${before}${place.toLowerCase()}:${name.replace(/^@/, '')}`;
}

const TENS_AND_ONES =
  /\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ](one|two|three|four|five|six|seven|eight|nine)\b/gi;
const numberOf = (word: string): number => {
  if (/^an?$/i.test(word)) return 1;
  return /^both$/i.test(word) ? 2 : (NUMBERS.get(word.toLowerCase()) ?? Number(word));
};

/** Sums in words as the grammar has them: `ninety-nine cents`, `a dollar and a half`, `two dollars and five cents`. */
export function plainSums(text: string): string {
  return text
    .replace(TENS_AND_ONES, (_, tens: string, ones: string) => String(numberOf(tens) + numberOf(ones)))
    .replace(/\b([a-z]+|[0-9.]+)-(dollar|cent)s?(?=\s)/gi, '$1 $2s')
    .replace(/\bquick one:/gi, '')
    .replace(/\b([a-z]+)\s+\(([0-9]+)\)/gi, (whole, word: string, digits: string) =>
      NUMBERS.get(word.toLowerCase()) === Number(digits) ? digits : whole,
    )
    .replace(/\b([a-z]+|[0-9])\s+(?:dollars?|bucks?)\s+and\s+a\s+half\b/gi, halved)
    .replace(/\b([a-z]+|[0-9])\s+and\s+a\s+half\s+(?:dollars|bucks|usdc)\b/gi, halved)
    .replace(
      /\b([a-z]+|[0-9])\s+(?:dollars?|bucks?)\s+and\s+([a-z]+|[0-9]{1,2})\s+cents?\b/gi,
      (whole, dollars: string, cents: string) => {
        const [whole100, part] = [numberOf(dollars), numberOf(cents)];
        const isSum = Number.isInteger(whole100) && Number.isInteger(part) && part > 0 && part < 100;
        return isSum ? `$${whole100}.${String(part).padStart(2, '0')}` : whole;
      },
    );
}

function halved(whole: string, word: string): string {
  const dollars = numberOf(word);
  return Number.isInteger(dollars) ? `$${dollars}.50` : whole;
}

const COUNTED_NAMES =
  /\b(?:(?:the|these|following|top)\s+)*(both|two|three|four|five|six|seven|eight|nine|ten|[2-9])\s+(?:sites|speakers|helpers|reviewers|artists|writers|websites|people|persons|recipients|transfers|payments|tips|users|accounts|names|answers|winners|testers|authors|developers|contributors|maintainers)\b/i;
const WAYS = /\b(two|three|four|five|six|seven|eight|nine|ten|[2-9])\s+ways\b/i;

/** `two sites`, `four ways`, `everyone on this list`: words that have to fit what is listed. */
export function counted(text: string): { rest: string; count: number | null } {
  const [, people] = COUNTED_NAMES.exec(text) ?? [];
  const [, ways] = WAYS.exec(text) ?? [];
  const count = people ?? ways;
  const rest = text
    .replace(COUNTED_NAMES, '')
    .replace(WAYS, 'evenly')
    .replace(
      /\b(?:everyone|everybody|each person|each one|all) (?:on|in|of) (?:this|the|these)(?: (?:list|following))?(?=[\s:,])/i,
      'each',
    )
    .replace(/\beach of them\b|[—–-]\s*one each\b/i, 'each')
    .replace(/[,;]?\s*(?:and\s+)?nothing\s+(?:to|for)\s+any(?:body|one)\s+else\b/i, '');
  return { rest, count: count === undefined ? null : numberOf(count) };
}

/** Whether words of a note may change who gets what, when or whether; then only their author can say. */
export function changesMeaning(written: string): boolean {
  // `no. 12` and `no 12` name a thing.
  const note = written.replace(/^[\s,;–—-]+/, '').replace(/\b(?:no|nr)\.\s*(?=[0-9])/gi, '#');
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
