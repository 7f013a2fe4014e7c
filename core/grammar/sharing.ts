import { readAmount } from './amount.ts';
import { mayFollow } from './words/after-sum.ts';
import { EVENLY, list, NUMBERS, SHARING, SPLIT, SPLIT_WITH } from './words/vocabulary.ts';

const SPLITTING =
  '(?:split|share|shared|divided?|teilen|aufteilen|geteilt|aufgeteilt|repartir|repartid[oa]s?|dividir|dividid[oa]s?|ratear|rachar|rachad[oa]s?|partilhar|compartir)';
/** `15 a repartir`, `8 pra dividir entre eles`. */
const TO_SPLIT = new RegExp(
  `^(?:to|zum|zu|a|à|para|pra|pa) ${SPLITTING}(?: (?:entre|between|among|unter) (?:todos|todas|ellos|ellas|eles|elas|them|allen|beiden|ambos|ambas|los dos|las dos|os dois|as duas))?(?= |$)`,
  'u',
);
const HALVES =
  /^(?:half and half|half half|halbe[- ]halbe|mitad y mitad|mitad mitad|meio a meio|metade metade|a medias|fifty[- ]fifty|50[/-]50)(?= |$)/u;
/** `split three ways`, `geteilt durch 3`, `dividido entre tres`. */
const BY_COUNT = [
  new RegExp(`^(?:to )?${SPLITTING} (?:in )?(\\S+) ways?(?= |$)`, 'u'),
  new RegExp(
    `^(?:(?:to|zum|zu|a|à|para|pra|pa) )?${SPLITTING} (?:in|into|by|between|among|durch|unter|entre|por|em|en) (?:the |los |las |os |as )?(\\S+)(?: (?:ways?|of (?:them|you|us)|people|leute|personen|personas|pessoas|partes|teile))?(?= |$)`,
    'u',
  ),
  /^durch (\S+)(?= |$)/u,
];
/** `2 per person`, `2 für jeden von euch`: as much for each of those who are named. */
const A_HEAD =
  /^(?:per (?:person|head|capita)|a (?:head|person)|pro (?:person|kopf|nase)|(?:por|x) (?:cabeza|persona|cabeça|pessoa)|(?:for |to )?each (?:one )?of (?:you|them|us)|(?:für|an) (?:jeden|jede)(?: von (?:euch|ihnen))?|(?:para|a|pra) cada un[oa]? de (?:ustedes|vosotros|ellos|ellas|vocês|eles|elas)|1人)(?= |$)/u;

/** How many words say that each gets the sum. */
function eachAHead(texts: readonly string[], at: number): number {
  const spoken = texts
    .slice(at, at + WORDS_MAX)
    .join(' ')
    .toLowerCase();
  const said = A_HEAD.exec(spoken)?.[0];
  return said === undefined ? 0 : wordsIn(said);
}

/** `12ドルを3人で割って`. */
const AMONG_PEOPLE = /^(?:[をで] )?([0-9０-９]+|[一二三四五六七八九十]+)人で(?:割|分け|山分け|折半|等分|シェア)\S*/u;
/** `10 in total`; `in total awe` is a note. */
const IN_TOTAL = /^(?:in total|en total|no total|im ganzen|ao todo)(?= |$)/u;
const WORDS_MAX = 6;

/** How many words say that so many people share the sum before them; 0 where they say anything else as well. */
function sharedAmong(texts: readonly string[], at: number, people: number): number {
  const spoken = texts
    .slice(at, at + WORDS_MAX)
    .join(' ')
    .toLowerCase();
  const [among, count = ''] = AMONG_PEOPLE.exec(spoken) ?? [];
  if (among !== undefined) return numberOf(count) === people ? wordsIn(among) : 0;
  const halves = people === 2 ? HALVES.exec(spoken)?.[0] : undefined;
  const counted = BY_COUNT.map((form) => form.exec(spoken)).find((found) => numberOf(found?.[1] ?? '') === people)?.[0];
  const said = halves ?? counted ?? TO_SPLIT.exec(spoken)?.[0] ?? IN_TOTAL.exec(spoken)?.[0];
  if (said === undefined) return 0;
  const used = wordsIn(said);
  if (isAmongOthers(texts.slice(at + used))) return 0;
  // `to split the bill` is a note.
  return mayFollow((texts[at + used] ?? '').toLowerCase()) ? used : 0;
}

/** `a repartir entre tres`, where they are two; `pra dividir com o bob`. */
function isAmongOthers([word = '', next = '', third = '']: readonly string[]): boolean {
  const isCounted = numberOf(next) !== undefined || numberOf(third) !== undefined;
  return SPLIT_WITH.has(word.toLowerCase()) || (AMONG.has(word.toLowerCase()) && isCounted);
}

const AMONG = list('por en em in into by durch auf');

/** `mitad y mitad 6`: no half of a balance. */
function halvesAt(texts: readonly string[], at: number): number {
  const spoken = texts.slice(at, at + HALVES_WORDS_MAX).join(' ');
  const found = HALVES.exec(spoken.toLowerCase())?.[0];
  return found === undefined ? 0 : wordsIn(found);
}

const HALVES_WORDS_MAX = 3;

type Place = { people: number; hasSum: boolean; sharing: 'each' | 'split' | null; at: number };
type Phrase = { how: 'each' | 'split' | null; used: number };

/** How people share a sum where more than a single word says so; null for anything else. */
export function sharingPhrase(texts: readonly string[], { people, hasSum, sharing, at }: Place): Phrase | null {
  const phrase = (how: Phrase['how'], used: number): Phrase | null => (used > 0 ? { how, used } : null);
  const [word = '', next = ''] = texts.slice(at, at + 2).map((text) => text.toLowerCase());
  const isEvenly = EVENLY.has(word) && people !== 1;
  if (sharing !== null) return isEvenly && sharing === 'split' ? phrase('split', 1) : null;
  if (isEvenly && SPLIT.has(next)) return phrase(null, 1);
  if (hasSum && people > 1)
    return phrase('split', sharedAmong(texts, at, people)) ?? phrase('each', eachAHead(texts, at));
  if (hasSum || people === 1) return null;
  const heads = people > 1 ? eachAHead(texts, at) : 0;
  const isBeforeSum = heads > 0 && readAmount(texts, at + heads) !== null;
  return (
    phrase('split', halvesAt(texts, at)) ??
    phrase('split', people > 1 ? sharingVerbs(texts, at) : 0) ??
    phrase('each', isBeforeSum ? heads : 0)
  );
}

/** `@alice and @bob share 9`, `@alice und @bob teilen sich 9`: how many words say so before a sum. */
function sharingVerbs(texts: readonly string[], at: number): number {
  const [word = '', next = ''] = texts.slice(at, at + 2).map((text) => text.toLowerCase());
  const isBehind = SHARING.has(word) && /^(?:sich|euch)$/.test(next);
  const isBefore = word === 'se' && SHARING.has(next);
  const used = isBehind || isBefore ? 2 : SHARING.has(word) ? 1 : 0;
  return used > 0 && readAmount(texts, at + used) !== null ? used : 0;
}

const wordsIn = (said: string): number => said.split(' ').length;

const numberOf = (text: string): number | undefined =>
  /^[0-9０-９]{1,3}$/.test(text) ? Number(text.normalize('NFKC')) : NUMBERS.get(text.toLowerCase());
