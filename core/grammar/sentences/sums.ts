import { NUMBERS } from '../words/vocabulary.ts';
import type { Pieces } from './pieces.ts';

const WORDS = Array.from(NUMBERS.keys())
  .filter((word) => /^[a-z]{3,}$/.test(word))
  .join('|');
const TENS = 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety';
const ONES = 'one|two|three|four|five|six|seven|eight|nine';
const UNIT = '(?:usdc|usd coins?|usd|us dollars?|dollars?|bucks?|\\$)';
const NUMBER = '\\d+(?:\\.\\d+)?';
/** Nothing beside it may be more of the number, such as `1,500` or `5-10`. */
const BEFORE = '(?<![\\w.,$€£¥+~<>%@:/-])';
const AFTER = '(?![\\w%@/€£¥$-]|[.,:]\\d)';
const IN_USDC = '(?:\\s+(?:in|of)\\s+(?:usdc|usd coin))?(?:\\s+\\(?usdc\\)?)?';

const FORMS: readonly (readonly [RegExp, (found: readonly string[]) => string | null])[] = [
  // `five (5) USDC`, `a quarter (0.25 USDC)`: twice the same.
  [
    new RegExp(`${BEFORE}(${WORDS})\\s+\\((${NUMBER})\\)\\s+${UNIT}${AFTER}`, 'gi'),
    ([, word = '', digits = '']) => (NUMBERS.get(word.toLowerCase()) === Number(digits) ? `${digits} USDC` : null),
  ],
  [
    new RegExp(`${BEFORE}(${NUMBER})\\s+\\((${WORDS})\\)\\s+${UNIT}${AFTER}`, 'gi'),
    ([, digits = '', word = '']) => (NUMBERS.get(word.toLowerCase()) === Number(digits) ? `${digits} USDC` : null),
  ],
  [
    new RegExp(`${BEFORE}(${TENS})-(${ONES})\\s+(${UNIT}|cents?)${IN_USDC}${AFTER}`, 'gi'),
    ([, tens = '', ones = '', unit = '']) =>
      `${(NUMBERS.get(tens.toLowerCase()) ?? 0) + (NUMBERS.get(ones.toLowerCase()) ?? 0)} ${/^cent/i.test(unit) ? 'cents' : 'USDC'}`,
  ],
  [new RegExp(`${BEFORE}a quarter\\s+\\((?:0\\.25\\s*${UNIT}|\\$0\\.25)\\)`, 'gi'), () => '0.25 USDC'],
  [
    new RegExp(`${BEFORE}(${WORDS}|\\d)\\s+and\\s+a\\s+half\\s+${UNIT}${IN_USDC}${AFTER}`, 'gi'),
    ([, word = '']) => `${NUMBERS.get(word.toLowerCase()) ?? word}.5 USDC`,
  ],
  // `a dollar fifty`, `two dollars fifty`.
  [
    new RegExp(
      `${BEFORE}(an?|${WORDS})\\s+(?:dollars?|bucks?)\\s+(${TENS})(?:-(${ONES}))?(?:\\s+cents)?${IN_USDC}(?=\\s+(?:to|for)\\s|\\s*[,⟦]|\\s*$)`,
      'gi',
    ),
    ([, whole = '', tens = '', ones = '']) =>
      `${NUMBERS.get(whole.toLowerCase()) ?? 1}.${(NUMBERS.get(tens.toLowerCase()) ?? 0) + (NUMBERS.get(ones.toLowerCase()) ?? 0)} USDC`,
  ],
  [
    new RegExp(`${BEFORE}(?:us)?\\$\\s?(${NUMBER})(?:\\s+(?:usdc|usd))?${IN_USDC}${AFTER}`, 'gi'),
    ([, digits = '']) => `${digits} USDC`,
  ],
  [new RegExp(`${BEFORE}(?:usdc|usd)\\s?(${NUMBER})${IN_USDC}${AFTER}`, 'gi'), ([, digits = '']) => `${digits} USDC`],
  [new RegExp(`${BEFORE}\\+?(${NUMBER})\\s?${UNIT}${IN_USDC}${AFTER}`, 'gi'), ([, digits = '']) => `${digits} USDC`],
  [
    new RegExp(`${BEFORE}(${NUMBER})\\s?(?:¢|cents?)(?:\\s+(?:in|of)\\s+usdc)?${AFTER}`, 'gi'),
    ([, digits = '']) => `${digits} cents`,
  ],
  [
    new RegExp(`${BEFORE}(${WORDS})\\s+(${UNIT}|cents?)${IN_USDC}${AFTER}`, 'gi'),
    ([, word = '', unit = '']) => `${NUMBERS.get(word.toLowerCase())} ${/^cent/i.test(unit) ? 'cents' : 'USDC'}`,
  ],
  [new RegExp(`${BEFORE}(?:a|an)\\s+(?:single\\s+)?(?:usdc|dollar|buck)${IN_USDC}${AFTER}`, 'gi'), () => '1 USDC'],
  [new RegExp(`${BEFORE}half\\s+(?:a|of a|of one)\\s+(?:usdc|dollar|buck)${AFTER}`, 'gi'), () => '0.5 USDC'],
];
/** Without a unit only beside a name, and only where no other sum has one. */
const BARE = new RegExp(`${BEFORE}(${NUMBER})(?=\\s+(?:(?:to|for)\\s+)?⟦n|\\s*(?:$|\\n|⟦t))`, 'gi');

/** Marks every exact sum. */
export function findSums(text: string, pieces: Pieces): string {
  const marked = FORMS.reduce(
    (found, [form, read]) =>
      found.replace(form, (...all: string[]) => {
        const sum = read(all);
        return sum === null ? (all[0] ?? '') : pieces.mark('s', sum);
      }),
    text,
  );
  if (pieces.all('s').length > 0) return inOrder(marked, pieces);
  return inOrder(
    marked.replace(BARE, (_, digits: string) => pieces.mark('s', `${digits} USDC`)),
    pieces,
  );
}

/** The forms are found one after the other; marks are numbered as they stand in the text. */
const inOrder = (text: string, pieces: Pieces): string => pieces.renumber('s', text);
