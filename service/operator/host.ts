import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Kms } from '../../chain/signing/kms/client.ts';
import type { Environment } from '../../core/config/variables.ts';
import { Refused, UsageError, type Answer } from './command.ts';

/** The operator's terminal. Null is no answer: Ctrl-C, Ctrl-D, or a terminal that is gone. */
export type HostTerminal = { write: (text: string) => void; ask: (question: string) => Promise<string | null> };

/** For commands that work on the keys, before there is a database or without one. */
export type Host = {
  environment: Environment;
  /** The user of this computer, for the record. */
  user: string;
  random: (bytes: number) => Uint8Array;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  /** Null without a terminal, as in a pipe. */
  terminal: HostTerminal | null;
  /** All that is piped in. */
  readInput: () => Promise<string>;
  /** The service that keeps keys; absent: AWS KMS as its client finds it. */
  kms?: Pick<Kms, 'publicKey'>;
  /** Reports progress; results go elsewhere. */
  say: (line: string) => void;
};

export type HostCommand = {
  name: string;
  usage: string;
  help: string;
  /** Throws UsageError, Refused, or a plain Error. */
  run: (host: Host, args: readonly string[]) => Promise<Answer>;
};

type Options = NonNullable<ParseArgsConfig['options']>;

/** Parses what follows the command's name: these options and exactly so many words. Throws UsageError. */
export function readArguments<const O extends Options>(args: readonly string[], options: O, words: number) {
  const read = attempt(() => parseArgs({ args: [...args], options, allowPositionals: true, strict: true }));
  if (read.positionals.length !== words) {
    throw new UsageError(
      `Expected ${words === 0 ? 'no arguments' : `${words} arguments`}; found ${read.positionals.length}.`,
    );
  }
  return read;
}

function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

const [OTHER_SCREEN, USUAL_SCREEN] = ['\u001b[?1049h\u001b[2J\u001b[H', '\u001b[2J\u001b[?1049l'];

/**
 * Shows a text on the terminal's second screen until Enter is pressed, and asks there: once it closes, nothing is left
 * to scroll back to. Throws Refused where the terminal is gone.
 */
export async function askApart(terminal: HostTerminal, lines: readonly string[], question: string): Promise<string> {
  terminal.write(OTHER_SCREEN);
  try {
    terminal.write(`${lines.join('\n')}\n\n`);
    const answer = await terminal.ask(question);
    if (answer === null) throw new Refused('Nothing was changed.');
    return answer;
  } finally {
    terminal.write(USUAL_SCREEN);
  }
}
