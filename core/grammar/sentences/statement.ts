import { findNetworkName, mainnetOf, NETWORKS, networkTitle, type Network } from '../../networks.ts';
import { findFields } from './fields.ts';
import { underHeading } from './headings.ts';
import { tellLinks } from './links.ts';
import { findNames, isPlace } from './names.ts';
import { findBeside, findNotes, findReasons, findWorkLinks } from './notes.ts';
import { isKnown, withoutPhrases } from './filling.ts';
import { findSums } from './sums.ts';
import { Pieces } from './pieces.ts';
import { tidied } from './tidy.ts';

/** What a text says, as the chats' grammar has it: who gets which sum, and the words for them. */
export type Statement = {
  pairs: readonly { name: string; sum: string }[];
  /** Of several people who get one sum. */
  sharing: 'each' | 'split' | null;
  note: string;
};

/** Pieces that are understood stand in the text as marks; what is left must be words that say nothing of their own. */
const MARK = /⟦(?<kind>[nstw])(?<at>\d+)⟧/g;

/**
 * Finds a request in other words than the chats': the sum first, a form with fields, a list. Null unless every word is
 * accounted for.
 */
export function findStatement(text: string): Statement | null {
  if (/[⟦⟧]/.test(text)) return null;
  const pieces = new Pieces();
  const quoted = text.replace(/[“”„«»`]/g, '"');
  const sentence = tellLinks(underHeading(findFields(quoted), isPlace));
  const plain = tidied(findNotes(findWorkLinks(sentence, pieces), pieces));
  const withNetworks = plain === null ? null : findNetworks(plain, pieces);
  const withNames = withNetworks === null ? null : findNames(withNetworks, pieces);
  if (withNames === null) return null;
  const marked = findBeside(findReasons(findSums(withNames, pieces), pieces, text), pieces);
  if (BESIDE_NAME.test(marked) || isSomebodyElsesMove(marked) || !isKnown(marked)) return null;
  return toStatement(marked, pieces);
}

const TITLES = NETWORKS.map((network) => networkTitle(network, null)).join('|');
const GROUPS = 4;
const CAIP2 = NETWORKS.map((network) => mainnetOf(network)).join('|');
const ON_NETWORK = new RegExp(
  `(?<![\\w@:/.-])(?:(?:on|over|via|using|use|through)\\s+(?:the\\s+)?(${TITLES}|${CAIP2})(?:[\\s-]+(?:network|chain|blockchain|mainnet))?(?:\\s+\\((?:that is |i\\.e\\. )?(${TITLES})\\))?|` +
    `(?:network|chain)\\s*[:=]\\s*"?(${TITLES})"?|(?:the\\s+)?(${TITLES})\\s+(?:network|chain))(?![\\w@/-]|:\\S)`,
  'gi',
);

/** Null where they are more than one. */
function findNetworks(text: string, pieces: Pieces): string | null {
  const found = text.replace(ON_NETWORK, (_, ...titles: unknown[]) => {
    for (const title of titles.slice(0, GROUPS)) {
      if (typeof title === 'string') pieces.mark('w', networkOf(title));
    }
    return ` ⟦w${pieces.all('w').length - 1}⟧ `;
  });
  return new Set(pieces.all('w')).size > 1 ? null : found;
}

const networkOf = (title: string) =>
  findNetworkName(title.toLowerCase()) ?? NETWORKS.find((network) => mainnetOf(network) === title) ?? title;

/** The network that a text names, wherever it stands. */
export function networkIn(text: string): Network | 'several' | null {
  const pieces = new Pieces();
  if (findNetworks(text, pieces) === null) return 'several';
  return NETWORKS.find((network) => network === pieces.all('w')[0]) ?? null;
}

/** What stands between two names says how they belong together. */
const BESIDE_NAME = /⟦n\d+⟧[ \t]*⟦n/;

/** `x:alice pays 5`, `have x:alice send 5`: the one who is named gives. `dear x:alice`: they are spoken to. */
const isSomebodyElsesMove = (text: string) =>
  GIVING.test(text) || /\b(?:dear|hi|hey|hello|thanks|thank you)[, ]+(?:the )?⟦n/i.test(text);
const GIVING = /⟦n\d+⟧[^.;:!?\n]*?\b(?:send|pay|give|transfer|donate|remit|wire|(?<!\b(?:a|the) |⟦s\d+⟧ +)tip)\b/i;

function toStatement(marked: string, pieces: Pieces): Statement | null {
  const sharing = sharingOf(marked, pieces.all('n').length);
  const order = Array.from(marked.matchAll(MARK), ({ groups }) => groups?.['kind'] ?? '').filter(
    (kind) => kind !== 'w',
  );
  const who = order.filter((kind) => kind !== 't').join('');
  const names = pieces.all('n');
  const sums = pieces.all('s');
  const [note = '', ...notes] = pieces.all('t').filter((text) => text !== '');
  if (sharing === undefined || notes.length > 0) return null;
  const isList = names.length > 1 && /^(?:(?:sn)+|(?:ns)+)$/.test(who);
  if (!isList && !/^(?:sn+|n+s)$/.test(who)) return null;
  // A note in the middle belongs to some of them only.
  if (isList && /t.*[ns]/.test(order.join(''))) return null;
  if (!isList && names.length > 1 && !areTogether(marked)) return null;
  // `5 USDC each`, for one person, repeats itself.
  if (isList || names.length === 1 ? sharing !== null : sharing === null) return null;
  const pairs = names.map((name, at) => ({ name, sum: (isList ? sums[at] : sums[0]) ?? '' }));
  return { pairs, sharing: names.length > 1 && !isList ? sharing : null, note };
}

/** Whether people who get one sum stand in one row: `to x:alice, each to x:bob` is not clear. */
const areTogether = (marked: string) =>
  marked
    .slice(marked.indexOf('⟦n'), marked.lastIndexOf('⟦n'))
    .split(/⟦n\d+⟧/)
    .slice(1)
    .every((between) =>
      /^\s*(?:[,;&]|and\b|(?:[,;] ?)?(?:and )?(?:one |the other )?half (?:of it )?to\b|\s)*$/i.test(between),
    );

/** Undefined where the words contradict each other. */
function sharingOf(marked: string, names: number): 'each' | 'split' | null | undefined {
  const { isEach, isSplit, halves, people } = withoutPhrases(marked);
  if ((halves > 0 && (halves !== 2 || names !== 2)) || people.some((count) => count !== names)) return undefined;
  if (isEach && isSplit) return undefined;
  return isEach ? 'each' : isSplit ? 'split' : null;
}
