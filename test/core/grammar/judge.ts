import type { Mistake, MistakeCode } from '../../../core/grammar/mistakes.ts';

/** What came of a line: what is done, in words (`x:alice 5 "note"`, `balance`), or what is asked or refused. */
export type Found = string | Mistake;

/** Each question that a friend would ask, and each reason for a refusal: by which answers it is given. */
const ANSWERS: Readonly<Record<string, readonly MistakeCode[]>> = {
  'asks who': ['no_recipient', 'empty_tip'],
  // prettier-ignore
  'asks how much': ['no_amount', 'unreadable_amount', 'counted_amount', 'word_amount', 'all_or_wish'],
  'asks which': ['which_network', 'unknown_network', 'post_without_author'],
  'asks two': ['two_payments'],
  'asks owner': ['post_of_owner'],
  'asks share': ['how_shared'],
  'asks once': ['repeated_tip'],
  'asks whether': ['called_off'],
  'asks thousand': ['thousands_separator'],
  'asks money': ['other_currency'],
  'no wallet': ['wallet_address'],
  'no phone': ['phone_number'],
  'no account': ['bank_account'],
  'no range': ['too_small', 'too_large', 'shorthand_amount'],
  'no platform': ['platform_domain'],
  'no undo': ['undo_is_a_button'],
};

export type Outcome =
  | 'done as meant'
  | 'the right question'
  | 'refused, with the reason'
  | 'another answer'
  | 'PAYS ANOTHER';

/** `again`: what comes of a suggestion that is pressed. */
export function judge(found: Found, meaning: string, again: (example: string) => Found): Outcome {
  if (found === meaning) return isSaid(meaning) ? answerTo(meaning) : 'done as meant';
  if (typeof found === 'string') return isPaying(found) ? 'PAYS ANOTHER' : 'another answer';
  if (ANSWERS[meaning]?.includes(found.code)) return answerTo(meaning);
  // People of such a platform are known by numbers.
  if (meaning === 'no number' && found.reason?.kind === 'number') return answerTo(meaning);
  const [, asked] = /^asks (.+)$/.exec(meaning) ?? [];
  // Whether it is one tip or two: what was meant is one of the buttons.
  const offered = found.code === 'two_payments' ? found.examples : [found.examples[0]];
  return offered.some((one) => again(one) === asked) ? 'the right question' : 'another answer';
}

/** What is asked or refused behind the grammar, where the chat's members are known. */
const isSaid = (meaning: string): boolean => /^(?:drop |request )?(?:asks|no|explain)\b/.test(meaning);

const answerTo = (meaning: string): Outcome =>
  meaning.startsWith('no ') ? 'refused, with the reason' : 'the right question';

const isPaying = (found: string): boolean => !isSaid(found) && (found.includes(':') || /^drop [0-9]/.test(found));
