import { mayFollow } from './words/after-sum.ts';
import { list, NUMBERS, SPLIT_WITH } from './words/vocabulary.ts';

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
/** `12ドルを3人で割って`. */
const AMONG_PEOPLE = /^(?:[をで] )?([0-9０-９]+|[一二三四五六七八九十]+)人で(?:割|分け|山分け|折半|等分|シェア)\S*/u;
/** `10 in total`; `in total awe` is a note. */
const IN_TOTAL = /^(?:in total|en total|no total|im ganzen|ao todo)(?= |$)/u;
const WORDS_MAX = 6;

/** How many words say that so many people share the sum before them; 0 where they say anything else as well. */
export function sharedAmong(texts: readonly string[], at: number, people: number): number {
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
export function halvesAt(texts: readonly string[], at: number): number {
  const spoken = texts.slice(at, at + HALVES_WORDS_MAX).join(' ');
  const found = HALVES.exec(spoken.toLowerCase())?.[0];
  return found === undefined ? 0 : wordsIn(found);
}

const HALVES_WORDS_MAX = 3;

const wordsIn = (said: string): number => said.split(' ').length;

const numberOf = (text: string): number | undefined =>
  /^[0-9０-９]{1,3}$/.test(text) ? Number(text.normalize('NFKC')) : NUMBERS.get(text.toLowerCase());
