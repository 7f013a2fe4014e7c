import { quoteText } from '../characters.ts';

export type ConfigProblem = {
  name: string;
  /** What was found, ready to print: a quoted value, `not set`, or a secret's length. */
  found: string;
  /** What is allowed or why it is needed, as the end of the sentence. */
  wanted: string;
};

export const NOT_SET = 'not set';

/**
 * Of a secret only its length is shown. The same holds for what may be a secret pasted under the wrong name: a long run
 * of key-like characters, or a URL with a password.
 */
export function showValue(text: string, isSecret: boolean): string {
  const mayBeSecret = isSecret || /[A-Za-z0-9_+/=-]{24,}/.test(text) || /:\/\/[^/]*@/.test(text);
  return mayBeSecret ? `set, but its ${text.length} characters are not a valid value` : quoteText(text);
}
