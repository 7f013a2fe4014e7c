import type { AmountMistake } from './amount.ts';
import { MONEY_NOUN, nationOf } from './words/nations.ts';
import { isOneSlip } from './words/near.ts';
import {
  CENTS,
  DOLLARS,
  LIKE_DOLLARS,
  LIKE_EUROS,
  EACH,
  NUMBERS,
  OTHER_MONEY,
  REASONS,
  SCALES,
  TAKEN_FOR_CODES,
  THANKS,
  TOWARDS,
  WISHES_LIKE_CODES,
} from './words/vocabulary.ts';

/** What the words behind a sum make of it, so that it cannot be paid as it stands. */
export type ChangedSum = {
  code: Extract<AmountMistake, 'other_currency' | 'shorthand_amount' | 'counted_amount' | 'word_amount'> | SumMistake;
  found: string;
  /** For `5 dollars fifty`. */
  cents?: number;
};

export type SumMistake = 'repeated_tip' | 'called_off';

const starts = (...phrases: readonly string[]) => new RegExp(`^(?:${phrases.join('|')})(?= |$)`, 'u');
const SPAN =
  '(?:months?|weeks?|days?|years?|hours?|monate?|wochen?|tage?|jahre?|stunden?|mes|mês|meses|semanas?|días?|dias?|años?|anos?|horas?)';
/** `die Woche war super` is about one week. */
const NO_STORY = '(?! (?:war|danach|davor|fue|foi|era))';

/** A tip is made once. */
const REPEATED = [
  starts(
    '(?:monthly|weekly|daily|yearly|hourly|biweekly|every)',
    `an? (?:month|week|day|year|hour)(?! (?:ago|late|later|early|well|off|to|in))`,
    `(?:once|twice|one time|einmal|zweimal|una vez|uma vez|dos veces|duas vezes) (?:an?|per|every|each|im|pro|al|a la|por|cada) ${SPAN}`,
    `(?:each|per|cada|je|pro|im|am|jeden|jede|jedes|por|al|a la|ao) ${SPAN}${NO_STORY}`,
    `(?:in der|die|alle|toda|todo|todas las|todos los|todas as|todos os) ${SPAN}${NO_STORY}`,
    '(?:monatlich|wöchentlich|woechentlich|täglich|taeglich|jährlich|stündlich)',
    '(?:mensual|semanal|diario|anual|mensal|diário|mensualmente|semanalmente|diariamente|mensalmente|anualmente)',
    `/ ?(?:mo|wk|yr|hr|${SPAN})`,
  ),
  /^(?:を|に)? ?(?:毎(?:月|週|日|年|時|回)(?!楽し|見て|観て|読ん|聴い|聞い|ありがと|お世話|助か|癒|笑)|月々|(?:月|週|日|年)に|ひと月|[一1１]?(?:ヶ月|か月|カ月|週間|日|年)?ごと)\S*/u,
] as const;

const COUNTED = [
  starts(
    '(?:per ?cent|percentage|pct|pour cent|pro ?cent|prozent|por ?ciento|por ?cento)',
    'per',
    'pro (?:person|kopf|nase|stück|mal)',
    '(?:or|oder|o|ou) (?:so|more|less|mehr|weniger|más|menos|mais|all|[0-9]+\\S*)',
    '(?:times|twice|thrice|zweimal|dreimal|veces|vezes)',
    '(?:mal|por|veces|vezes) (?:[0-9]+|two|three|zwei|drei|dos|tres|dois|duas|três)',
    '[x×✕*][0-9]+\\S*',
    '[×✕*](?: [0-9]+)?',
  ),
  /^(?:パーセント|％|%|倍)\S*/u,
] as const;

/** Not a sum, but the bounds of one, or the price of one piece. Before more words it may be a note: `max rocks`. */
const BOUNDS = [
  'max|maximum|maximal|min|minimum|minimal|tops|at (?:the )?(?:most|least)|or thereabouts',
  'höchstens|hoechstens|mindestens|wenigstens|im (?:maximum|minimum)',
  '(?:como |de |no )?(?:m[áa]ximo|m[íi]nimo)|al menos|por lo menos|a lo sumo|pelo menos|ao menos|quando muito',
  'an? (?:piece|head|pop|person|go)|(?:das|pro|je) (?:stück|stueck)|por (?:cabeza|cabeça|cabeca|pieza|peça|peca)',
].join('|');
const BOUND = [
  new RegExp(`^(?:${BOUNDS})(?: (?:please|pls|plz|bitte|por favor|usdc|usd|dollars?|dólares|dolares))*$`, 'u'),
  /^(?:最大|最高|最低|最小|以上|以下|以内|未満|まで|くらい|ぐらい|ほど|程度|前後)$/u,
] as const;

/** Alone it ends the line: `wait`; before more words it may be a note. */
const STOP = [
  "(?:no|nope|nah|don't|dont|do not|wait|stop|cancel|abort|undo|nvm|jk|just kidding|kidding|actually no|maybe not|rather not)",
  '(?:nein|nee|nö|stopp?|halt|warte|moment|abbrechen|abbruch|storno|stornieren|nicht)',
  '(?:mejor no|espera|espere|cancela|cancelar|detente|alto)',
  '(?:não|nao|melhor não|melhor nao|cancele|esquece|deixa)',
].join('|');
const HESITATING =
  '(?:(?:no|lol|haha|oh|ah|ach|ay|hm+|ok|oops|ups|sorry|please|but|actually|nein|nee|doch|bitte|aber|sorry|perdón|perdão|não|nao|pero|mas|por favor) )*';
const NOT_SENT = [
  "(?:don't|dont|do not|never|not) (?:send|pay|do (?:it|this|that)|tip|transfer)",
  '(?:cancel|stop|undo|abort) (?:it|that|this)$',
  '(?:never ?mind|forget (?:it|this|that)|scratch that|hold on|changed my mind|i changed my mind)',
  '(?:doch nicht|lieber nicht|besser nicht|vergiss es|vergiss das)',
  '(?:bitte )?(?:es |das |noch )?nicht (?:ab|über|be|aus)?(?:senden|schicken|zahlen|weisen|zuschicken)',
  'no (?:(?:lo|la|le|se|los|las) )*(?:env[ií]\\S+|mand(?:ar|es|e)\\S*|pag(?:ar|ues|ue)\\S*|transfer\\S+)',
  '(?:olv[ií]dalo|déjalo|dejalo|mejor no lo)',
  'n[ãa]o (?:(?:o|a|lhe|me) )?(?:envi\\S+|mand(?:ar|es|e)|pag(?:ar|ues|ue)|transf\\S+)',
  '(?:deixa (?:pra lá|para lá|pra la)|esqueça|esquece isso)',
].join('|');
const CALLED_OFF = [
  new RegExp(`^${HESITATING}(?:${STOP})$`, 'u'),
  new RegExp(`^(?:no|nein|nee|nö|não|nao|nope|ah|oh|oops|ups) (?:${STOP})(?= |$)`, 'u'),
  new RegExp(`^${HESITATING}(?:${NOT_SENT})(?= |$)`, 'u'),
  /^(?:[をは] )?\S*(?:送らない|送(?:金|信)?しない|送るな|送りません|払わない|払うな|あげない|やめ(?:て|た|る|ます|とく)|キャンセル|取り?消|中止|待って|(?:やっぱり?|やはり) ?(?:いい|なし|無し))\S*/u,
] as const;

const PHRASES: readonly (readonly [ChangedSum['code'], readonly RegExp[]])[] = [
  ['called_off', CALLED_OFF],
  ['repeated_tip', REPEATED],
  ['counted_amount', [...COUNTED, ...BOUND]],
];

const LEADING = /^(?:or|oder|o|ou|point|dot|komma|punkt|coma|punto|vírgula|virgula|ponto|con|com|mit)$/u;
const FRACTION =
  /^(?:and|und|y|e|plus) (?:(?:an?|one|three|ein|eine|un|una|um|uma|drei|tres|três) )?(?:half|quarters?|halbe[rns]?|viertel|medio|media|meio|meia|cuarto|quarto)(?= |$)|^(?:einhalb|halb|half)$/u;
/** `九ドル九十九セント`, `五ドル半`; where the number is known, it is read as one. */
const MORE_IN_JAPANESE = /^(?:半|[一二三四五六七八九十百千]{3,}|[一二三四五六七八九十百千]+(?:米?ドル|セント))$/u;
/** `2 dollars and 50 cents`, `2 con 50`. */
const AND_CENTS =
  /^(?:(?:and|und|y|e|con|com|plus) )?([1-9][0-9])(?: ?(?:¢|ct|cts|cents?|centavos?|c[ée]ntimos?))$|^(?:con|com|y|e) ([1-9][0-9])$/u;
const HALF_MORE = /(?:half|halbe[rns]?|halb|medio|media|meio|meia)$/u;
/** As far as they do not stand in the list of numbers. */
const LONG_NUMBER =
  /^(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty-[a-z]+|(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und[a-zß]+zig|veinti[a-zúóé]+)$/u;

/** Null where they are no more than a note. `before`: the word in front of them. */
export function changesSum(texts: readonly string[], before = ''): ChangedSum | null {
  const [first = ''] = texts;
  const words = texts.map(plain).filter((text) => text !== '');
  if (isCode(first, words.length)) return { code: 'other_currency', found: first };
  const [word = '', next = ''] = words;
  if (word.length > 0 && SCALES.has(word) && !THANKS.test(next)) return { code: 'shorthand_amount', found: first };
  const [unit = '', ...span] = word.split('/');
  // `5 €/month`: not even its money was read.
  if (span.length > 0 && (DOLLARS.has(unit) || CENTS.has(unit) || OTHER_MONEY.has(unit))) {
    return { code: OTHER_MONEY.has(unit) ? 'other_currency' : 'repeated_tip', found: first };
  }
  if (CENTS.has(plain(before)) && /^(?:de|do|of)$/u.test(word) && OTHER_MONEY.has(next)) {
    return { code: 'other_currency', found: `${word} ${next}` };
  }
  if (isForeign(words, plain(before))) return { code: 'other_currency', found: words.slice(0, 2).join(' ') };
  const like = likeUnit(word);
  if (like !== null) return { code: like, found: first };
  // `2 euro 50`
  const isCents =
    words.length === 1 && /^[1-9][0-9]$/.test(word) && (DOLLARS.has(plain(before)) || OTHER_MONEY.has(plain(before)));
  if (isCents) return { code: 'word_amount', found: first, cents: Number(word) };
  const number = numberAt(words);
  if (number !== null) return number;
  const spoken = words.join(' ');
  const whole = EACH.has(plain(before)) ? `${plain(before)} ${spoken}` : spoken;
  for (const [code, forms] of PHRASES) {
    const found = forms.map((form) => (form.exec(spoken) ?? form.exec(whole))?.[0]).find((one) => one);
    if (found !== undefined) return { code, found };
  }
  return null;
}

/** `5 aussie dollars`, `5 dólares de Hong Kong`, `5 dollars CAD`: whose money it is stands before it or behind. */
function isForeign([word = '', next = '', third = '', ...more]: readonly string[], before: string): boolean {
  const isUnit = DOLLARS.has(before);
  const isBehind = isUnit && /^(?:de|do|da|del|of|from|aus)$/u.test(word) && nationOf(before, next)?.code !== 'USD';
  if (isBehind && nationOf(before, next) !== null) return true;
  const isAlone = third === '' && more.length === 0 && next === '';
  if (isUnit && isAlone && OTHER_MONEY.has(word) && word.length === 3) return true;
  const isNumber = /^[0-9]/.test(before) || NUMBERS.has(before);
  if (!isNumber || REASONS.has(word) || TOWARDS.has(word) || EACH.has(word)) return false;
  return MONEY_NOUN.test(next) || (/^(?:hong|new|south|costa|old)$/.test(word) && MONEY_NOUN.test(third));
}

/** `3 dollers`, `5 euritos`: hardly a note. */
function likeUnit(word: string): 'word_amount' | 'other_currency' | null {
  if (LIKE_EUROS.test(word)) return 'other_currency';
  return LIKE_DOLLARS.some((unit) => isOneSlip(unit, word)) && !DOLLARS.has(word) ? 'word_amount' : null;
}

/** `5 dollars fifty`, `5 point five`, `5 and a quarter`. */
function numberAt(words: readonly string[]): ChangedSum | null {
  const [word = '', next = ''] = words;
  const spoken = words.join(' ');
  const [, written, short = written] = AND_CENTS.exec(spoken) ?? [];
  if (short !== undefined) return { code: 'word_amount', found: spoken, cents: Number(short) };
  if (MORE_IN_JAPANESE.test(word)) return { code: 'word_amount', found: word, ...(word === '半' ? { cents: 50 } : {}) };
  if (HALF_MORE.test(FRACTION.exec(spoken)?.[0] ?? '')) return { code: 'word_amount', found: spoken, cents: 50 };
  if (FRACTION.test(spoken) || (LEADING.test(word) && isNumberWord(next)))
    return { code: 'word_amount', found: spoken };
  if (!isNumberWord(word)) return null;
  const cents = NUMBERS.get(word) ?? 0;
  const isAll = words.length === 1 || REASONS.has(next) || (CENTS.has(next) && words.length === 2);
  return { code: 'word_amount', found: word, ...(isAll && cents >= 10 ? { cents } : {}) };
}

const isNumberWord = (word: string) => (NUMBERS.get(word) ?? 0) > 1 || LONG_NUMBER.test(word);

/** Codes of money that are also words count in capitals or alone. */
function isCode(text: string, words: number): boolean {
  const bare = text.replace(END, '');
  const code = bare.toLowerCase();
  if (!TAKEN_FOR_CODES.has(code) && !WISHES_LIKE_CODES.has(code)) return false;
  return bare === bare.toUpperCase() || (words === 1 && TAKEN_FOR_CODES.has(code));
}

/** Brackets and dashes around words are not words. */
const BEFORE = /^[-–—([{:,]+/u;
const BEHIND = /(?<![-–—)\]}])[-–—)\]}]+$/u;
const END = /(?<![.,;:!?…。！？、])[.,;:!?…。！？、]+$/u;

const plain = (text: string) =>
  text.normalize('NFC').toLowerCase().replace(/[’´`]/g, "'").replace(BEFORE, '').replace(BEHIND, '').replace(END, '');
