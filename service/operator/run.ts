import { randomBytes } from 'node:crypto';
import type { Config } from '../../core/config/config.ts';
import { createIds } from '../../core/ids.ts';
import { openExistingStore } from '../../db/store/open.ts';
import { adminCommand } from './admin.ts';
import { backupWordsCommand, restoreWordsCommand } from './backup.ts';
import { Refused, toJson, UsageError, type Answer, type OperatorCommand } from './command.ts';
import {
  barPageCommand,
  closeReportCommand,
  heldCommand,
  releaseCommand,
  reportsCommand,
  screeningsCommand,
} from './held.ts';
import type { Host, HostCommand } from './host.ts';
import {
  createCommand,
  exportCommand,
  importCommand,
  kmsCommand,
  listCommand,
  passwordCommand,
  rotateCommand,
} from './keystore.ts';
import { backupCommand, moveCommand, exportTableCommand, ledgerCommand } from './exports.ts';
import { eventsCommand, repeatEventCommand } from './events.ts';
import { depositFromCommand, linkCommand, withdrawCommand } from './money.ts';
import { personCommand } from './person.ts';
import { placeText } from './text.ts';
import { reconcileCommand } from './reconcile.ts';
import { recoverCommand, walletListCommand } from './recover.ts';
import { auditCommand, flowsCommand, searchCommand } from './stories.ts';
import { limitsCommand, statusCommand } from './status.ts';
import { resumeCommand, stopCommand, stopsCommand } from './stops.ts';
import { resolveCommand } from './resolve.ts';
import { returnCommand, suspenseCommand } from './suspense.ts';
import { windDownCommand } from './wind-down.ts';

const COMMANDS: readonly OperatorCommand[] = [
  statusCommand,
  limitsCommand,
  heldCommand,
  releaseCommand,
  stopsCommand,
  stopCommand,
  resumeCommand,
  reconcileCommand,
  resolveCommand,
  backupCommand,
  suspenseCommand,
  returnCommand,
  screeningsCommand,
  reportsCommand,
  closeReportCommand,
  barPageCommand,
  eventsCommand,
  repeatEventCommand,
  searchCommand,
  flowsCommand,
  auditCommand,
  ledgerCommand,
  exportTableCommand,
  depositFromCommand,
  withdrawCommand,
  linkCommand,
  walletListCommand,
  windDownCommand,
  personCommand,
  adminCommand,
];

/** They work on keys, without the database: it may be gone, or not exist yet. And one makes the rows of another. */
const HOST_COMMANDS: readonly HostCommand[] = [
  createCommand,
  passwordCommand,
  listCommand,
  rotateCommand,
  importCommand,
  exportCommand,
  kmsCommand,
  backupWordsCommand,
  restoreWordsCommand,
  recoverCommand,
  moveCommand,
];

/** The lines to show and the exit code: 0 done, 1 refused or failed with nothing changed, 2 not understood. */
export type OperatorResult = { exitCode: 0 | 1 | 2; text: string };

/** Runs one operator command on the service's database, beside a running service or without one. */
export async function runOperator(
  readConfig: () => Config,
  words: readonly string[],
  nowMs: number,
  host: Host | null = null,
): Promise<OperatorResult> {
  const [first, ...rest] = words;
  const hostCommand = HOST_COMMANDS.find(({ name }) => name === first);
  if (hostCommand !== undefined && host !== null) return runOnHost(hostCommand, host, rest);
  return runOnStore(readConfig, words, { nowMs, who: host?.user ?? 'unknown', say: host?.say ?? (() => undefined) });
}

async function runOnHost(command: HostCommand, host: Host, args: readonly string[]): Promise<OperatorResult> {
  if (args.some((word) => word === '--help' || word === '-h')) return { exitCode: 0, text: usageText(command) };
  const isJson = args.includes('--json');
  try {
    const rest = args.filter((word) => word !== '--json');
    return { exitCode: 0, text: answerText(await command.run(host, rest), isJson) };
  } catch (error) {
    return failed(error, { isJson, usage: usageText(command) });
  }
}

type Asked = { nowMs: number; who: string; say: (line: string) => void };

async function runOnStore(
  readConfig: () => Config,
  words: readonly string[],
  { nowMs, who, say }: Asked,
): Promise<OperatorResult> {
  try {
    const { name, rest, options, wantsHelp } = readWords(words);
    const command = COMMANDS.find((one) => one.name === name);
    if (name === null || name === 'help' || (wantsHelp && command === undefined))
      return { exitCode: 0, text: helpText() };
    if (command === undefined) throw new UsageError(`There is no command ${name}.`);
    if (wantsHelp) return { exitCode: 0, text: usageText(command) };
    const config = readConfig();
    // First of all: what is right for one installation may be wrong for the one that is meant.
    say(placeText(config));
    const store = await openExistingStore(config.databaseUrl);
    try {
      const { payoutId: newPayoutId } = createIds(randomBytes);
      const answer = await command.run({ config, store, nowMs, newPayoutId, words: rest, options, who, say });
      return { exitCode: 0, text: answerText(answer, options.json) };
    } catch (error) {
      return failed(error, { isJson: options.json, usage: usageText(command) });
    } finally {
      await store.close();
    }
  } catch (error) {
    return failed(error, { isJson: words.includes('--json'), usage: `\n${helpText()}` });
  }
}

function answerText({ lines, data }: Answer, isJson: boolean): string {
  return isJson ? toJson(data) : lines.join('\n');
}

/** A program reads why from `error`; a person reads how to write it as well. */
function failed(error: unknown, { isJson, usage }: { isJson: boolean; usage: string }): OperatorResult {
  const text = error instanceof Error ? error.message : String(error);
  const exitCode = error instanceof UsageError ? 2 : 1;
  const kind = error instanceof UsageError ? 'usage' : error instanceof Refused ? 'refused' : 'failed';
  if (isJson) return { exitCode, text: toJson({ error: kind, text }) };
  return { exitCode, text: exitCode === 2 ? `${text}\n${usage}` : text };
}

type Words = {
  name: string | null;
  rest: string[];
  options: { yes: boolean; reason: string | null; json: boolean };
  wantsHelp: boolean;
};

function readWords(words: readonly string[]): Words {
  const read: Words = { name: null, rest: [], options: { yes: false, reason: null, json: false }, wantsHelp: false };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--help' || word === '-h') read.wantsHelp = true;
    else if (word === '--yes') read.options.yes = true;
    else if (word === '--json') read.options.json = true;
    else if (word === '--reason') {
      index += 1;
      read.options.reason = words[index] ?? '';
    } else if (word.startsWith('-')) throw new UsageError(`There is no option ${word}.`);
    else if (read.name === null) read.name = word;
    else read.rest.push(word);
  }
  return read;
}

function usageText({ name, usage, help }: Pick<OperatorCommand, 'name' | 'usage' | 'help'>): string {
  return `npm run operator -- ${name}${usage === '' ? '' : ` ${usage}`}\n  ${help}`;
}

function helpText(): string {
  return [
    'Commands for the operator of this installation. With --json each answers one JSON value:',
    '',
    ...[...COMMANDS, ...HOST_COMMANDS].map(usageText),
  ].join('\n');
}
