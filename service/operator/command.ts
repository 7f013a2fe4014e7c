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
  options: { yes: boolean; reason: string | null; json: boolean };
  /** The user of this computer who gave the command. */
  who: string;
  /** Reports progress; results go elsewhere. */
  say: (line: string) => void;
};

/** What a command tells: lines for a person, and the same for a program, for `--json`. Money is in millionths of a USDC. */
export type Answer = { lines: readonly string[]; data: Readonly<Record<string, unknown>> };

/** As one JSON value; big numbers are text, so that none is rounded. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner), 2);
}

export type OperatorCommand = {
  name: string;
  /** The words after the name, for the usage. */
  usage: string;
  /** What it does, in a sentence without a full stop. */
  help: string;
  /** Throws UsageError, Refused, or a plain Error. */
  run: (context: CommandContext) => Promise<Answer>;
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
