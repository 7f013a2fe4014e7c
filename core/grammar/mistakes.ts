import type { AmountMistake } from './amount.ts';
import type { NameMistake } from './recipient.ts';

/** What can be wrong with a command. The text for each is in `texts/`. */
export type MistakeCode =
  | AmountMistake
  | NameMistake
  | 'empty_tip'
  | 'no_recipient'
  | 'no_amount'
  | 'too_small'
  | 'too_large'
  | 'name_in_two_words'
  | 'too_many_recipients'
  | 'note_too_long'
  | 'no_withdraw_amount'
  | 'plain_digits'
  | 'command_too_long'
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
  /** Why a name was refused, in words of `core/platforms`. */
  detail?: string;
};

export const EXAMPLE_TIP = '/tip @x:alice 1';

export function mistake(code: MistakeCode, found: string, examples: Mistake['examples'], detail?: string): Mistake {
  return { kind: 'mistake', code, found, examples, ...(detail === undefined ? {} : { detail }) };
}
