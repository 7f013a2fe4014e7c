import type { AmountMistake } from './amount.ts';
import type { SumMistake } from './behind-sum.ts';
import type { NameReason } from './name-reason.ts';
import type { NameMistake } from './recipient.ts';

/** What can be wrong with a command. The text for each is in `texts/`. */
export type MistakeCode =
  | AmountMistake
  | NameMistake
  | SumMistake
  | 'empty_tip'
  | 'no_recipient'
  | 'no_amount'
  | 'too_small'
  | 'too_large'
  | 'name_in_two_words'
  /** Another person or another amount stands where a note would begin. */
  | 'two_payments'
  /** Several people and one sum: for each of them, or in all. */
  | 'how_shared'
  | 'too_many_recipients'
  | 'note_too_long'
  | 'no_withdraw_amount'
  | 'plain_digits'
  | 'command_too_long'
  | 'did_you_mean'
  | 'undo_is_a_button'
  | 'unknown_setting'
  | 'setting_choice'
  | 'setting_amount'
  | 'cooldown_time'
  | 'lifetime_time'
  | 'setting_person'
  | 'setting_role';

export type Mistake = {
  kind: 'mistake';
  code: MistakeCode;
  /** The part of the command that is wrong, as it was typed. */
  found: string;
  /** Commands that would work, likeliest first. */
  examples: readonly [string, ...string[]];
  /** Why a name was refused. */
  reason?: NameReason;
};

export const EXAMPLE_TIP = '/tip @x:alice 1';
export const EXAMPLE_REQUEST = '/request @name 5 lunch';
export const EXAMPLE_DROP = '/drop 5 10 people 1h';
export const EXAMPLE_TREASURY_DROP = `${EXAMPLE_DROP} from treasury`;

export function mistake(
  code: MistakeCode,
  found: string,
  examples: Mistake['examples'],
  more: Pick<Mistake, 'reason'> = {},
): Mistake {
  return { kind: 'mistake', code, found, examples, ...more };
}
