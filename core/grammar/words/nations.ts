import { DOLLARS } from './vocabulary.ts';

/** Money whose name several countries share, with the word that says which: behind it, as in `pesos mexicanos`. */
const NATIONS: readonly (readonly [money: RegExp, nation: RegExp, code: string | null])[] = [
  [/^pesos?$/, /^(?:mexicanos?|mexican|mx|mxn)$/, 'MXN'],
  [/^pesos?$/, /^(?:argentinos?|argentin(?:e|ian)|ars)$/, 'ARS'],
  [/^pesos?$/, /^(?:chilenos?|chilean|clp)$/, 'CLP'],
  [/^pesos?$/, /^(?:colombianos?|colombian|cop)$/, 'COP'],
  [/^pesos?$/, /^(?:uruguayos?|uruguaios?|uyu)$/, 'UYU'],
  [/^pesos?$/, /^(?:filipinos?|php)$/, 'PHP'],
  [/^pesos?$/, /^(?:dominicanos?|dop)$/, 'DOP'],
  [/^(?:francos?|francs?|franken)$/, /^(?:suizos?|suíços?|suicos?|suisses?|chf)$/, 'CHF'],
  [/^(?:coronas?|coroas?)$/, /^suecas?$/, 'SEK'],
  [/^(?:coronas?|coroas?)$/, /^(?:noruegas?|norueguesas?)$/, 'NOK'],
  [/^(?:coronas?|coroas?)$/, /^(?:danesas?|dinamarquesas?)$/, 'DKK'],
  [/^(?:coronas?|coroas?)$/, /^(?:checas?|tchecas?)$/, 'CZK'],
  [/^libras?$/, /^esterlinas?$/, 'GBP'],
  [/^(?:libras?|pounds?)$/, /^(?:egipcias?|egípcias?|turcas?|libanesas?|sirias?|sudanesas?|egyptian)$/, null],
];

const OTHER_DOLLARS: readonly (readonly [nation: RegExp, code: string | null])[] = [
  [/^(?:canadienses?|canadenses?|canadianos?|canadian|canad[aá]|kanadische?r?|cad)$/, 'CAD'],
  [/^(?:australianos?|australian|aussie|australi(?:a|en)|aud)$/, 'AUD'],
  [/^(?:neozeland[eéê]s(?:es)?|nzd|kiwi|nueva|nova|neuseeland)$/, 'NZD'],
  [/^(?:singapur(?:enses?)?|singapurenses?|cingapura|singapore|sgd)$/, 'SGD'],
  [/^(?:hong|hongkong|hkd)$/, 'HKD'],
  [/^(?:taiwan|taiwan[eéê]s(?:es)?|twd)$/, 'TWD'],
  [/^(?:jamaican|jamaicanos?|jamaiquinos?|jmd|belize|bahamas|fiji|liberian|namibian|zimbabwe(?:an)?)$/, null],
];

const US_DOLLARS = /^(?:americanos?|estadounidenses?|estadunidenses?|norteamericanos?|usd|usdc|us)$/;

/** Whose money a word behind it says: a code, null where it is none that anybody could have a rate for. */
export function nationOf(money: string, nation: string): { code: string | null } | null {
  const row = NATIONS.find(([name, of]) => name.test(money) && of.test(nation));
  if (row !== undefined) return { code: row[2] };
  if (!isDollarWord(money)) return null;
  if (US_DOLLARS.test(nation)) return { code: 'USD' };
  const dollars = OTHER_DOLLARS.find(([of]) => of.test(nation));
  return dollars === undefined ? null : { code: dollars[1] };
}

const isDollarWord = (word: string) => DOLLARS.has(word) && /^(?:\$|d[oó]l|buck)/.test(word);

/** `aussie dollars`, `mexican pesos`: what stands between a number and such a word says whose money it is. */
export const MONEY_NOUN =
  /^(?:dollars?|d[oó]lares|bucks|pesos?|francs?|francos|franken|coronas|coroas|kronor|kronen|kroner|pounds|libras|euros?|yen|rupees|rupias|reais)$/u;
