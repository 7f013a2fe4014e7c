import type { Config } from '../../core/config/config.ts';
import type { Store } from '../../db/store/store.ts';

/** The command line is wrong: the usage is shown, and nothing was done. */
export class UsageError extends Error {}

/** The command is right but cannot be done; the message says why. */
export class Refused extends Error {}

export type CommandContext = {
  config: Config;
  store: Store;
  nowMs: number;
  newPayoutId: () => string;
  /** The words after the command's name, without options. */
  words: readonly string[];
  options: { yes: boolean; reason: string | null };
};

export type OperatorCommand = {
  name: string;
  /** The words after the name, for the usage. */
  usage: string;
  /** What it does, in a sentence without a full stop. */
  help: string;
  /** Answers the lines to show. Throws UsageError, Refused, or a plain Error. */
  run: (context: CommandContext) => Promise<readonly string[]>;
};

/** Exactly these words, by name; any other number is a wrong usage. */
export function takeWords<const Names extends readonly string[]>(
  { words }: Pick<CommandContext, 'words'>,
  ...names: Names
): { [Name in Names[number]]: string } {
  if (words.length !== names.length) {
    throw new UsageError(`Expected ${names.length === 0 ? 'no arguments' : names.join(', ')}; found ${words.length}.`);
  }
  // Each name has its value, as the type says.
  return Object.fromEntries(names.map((name, index) => [name, words[index] ?? ''])) as {
    [Name in Names[number]]: string;
  };
}
