import { NETWORKS } from '../../core/networks.ts';

/** A command as help and completion know it. `words`: what may stand behind it, where that is known beforehand. */
type Row = { usage: string; about: readonly string[]; words: readonly string[] };

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The one table of commands, in the order of help. */
export const COMMAND_ROWS = {
  init: {
    usage: 'init',
    about: [
      'asks for the service and a key, and keeps both; or takes --url, --network,',
      '--key-file, --password-file',
    ],
    words: [],
  },
  send: {
    usage: 'send <recipient> <amount> [note]',
    about: ['x:alice, github:octocat, farcaster:alice,', 'alice@example.com, web:example.com'],
    words: [],
  },
  batch: {
    usage: 'batch <file.csv>',
    about: [
      'columns recipient,amount or platform,receiver,amount,',
      'and description (the same on all lines); up to 100 lines,',
      'one payment for all of them',
    ],
    words: [],
  },
  check: { usage: 'check <txn_id>', about: ['what became of a payment'], words: [] },
  resume: { usage: 'resume', about: ['finishes payments whose answer was lost; signs nothing'], words: [] },
  mcp: { usage: 'mcp', about: ['tools for an agent over stdio, with limits'], words: [] },
  key: {
    usage: 'key import <network>, key address',
    about: ['keeps a key in an encrypted file; the addresses of your keys'],
    words: ['import', 'address', ...NETWORKS],
  },
  completion: {
    usage: `completion <${SHELLS.join('|')}>`,
    about: ['what a shell needs to complete these commands and their options'],
    words: SHELLS,
  },
} as const satisfies Record<string, Row>;

export type CommandName = keyof typeof COMMAND_ROWS;

/** In order, without their literal types. */
export const COMMAND_LIST: readonly (Row & { name: string })[] = Object.entries<Row>(COMMAND_ROWS).map(
  ([name, row]) => ({ name, ...row }),
);

const COLUMN = 47;

/** The commands as help shows them. */
export function listCommands(): string {
  return COMMAND_LIST.flatMap(({ usage, about: [first = '', ...others] }) => [
    `  pennypost ${usage}`.padEnd(COLUMN - 1) + ` ${first}`,
    ...others.map((line) => ' '.repeat(COLUMN) + line),
  ]).join('\n');
}
