import { parseArgs } from 'node:util';
import { badUsage } from './stop.ts';

const TEXT = { type: 'string' } as const;
const SWITCH = { type: 'boolean' } as const;

const OPTIONS = {
  url: TEXT,
  network: TEXT,
  testnet: SWITCH,
  play: TEXT,
  from: TEXT,
  'solana-rpc': TEXT,
  'password-file': TEXT,
  'key-file': TEXT,
  'max-fee': TEXT,
  'max-call': TEXT,
  'max-day': TEXT,
  note: TEXT,
  yes: { ...SWITCH, short: 'y' },
  'dry-run': SWITCH,
  json: SWITCH,
  help: { ...SWITCH, short: 'h' },
} as const;

export const OPTION_NAMES: readonly string[] = Object.keys(OPTIONS);

export type Options = {
  -readonly [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name]['type'] extends 'string' ? string : boolean;
};

export type CommandLine = { command: string; words: string[]; options: Options };

/** Splits the command line. Throws Stop for an unknown option: a misspelt limit must not mean no limit. */
export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
      strict: true,
    });
    const [command = 'help', ...words] = positionals;
    return { command: values.help === true ? 'help' : command, words, options: { ...values } };
  } catch (error) {
    // This library text may be shown: it is written for the user, and contains only what they typed.
    const text = error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? '') : '';
    throw badUsage(`${text}.`);
  }
}

/** Throws Stop for fewer or more words than the command takes. */
export function takeWords(words: readonly string[], least: number, most: number, usage: string): string[] {
  if (words.length >= least && words.length <= most) return [...words];
  throw badUsage(`Usage: pennypost ${usage}`);
}
