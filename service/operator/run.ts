import { randomBytes } from 'node:crypto';
import type { Config } from '../../core/config/config.ts';
import { createIds } from '../../core/ids.ts';
import { openExistingStore } from '../../db/store/open.ts';
import { backupWordsCommand, restoreWordsCommand } from './backup.ts';
import { Refused, UsageError, type OperatorCommand } from './command.ts';
import { backupCommand } from './database-backup.ts';
import { heldCommand, releaseCommand } from './held.ts';
import type { Host, HostCommand } from './host.ts';
import { createCommand, listCommand, passwordCommand } from './keystore.ts';
import { depositFromCommand, linkCommand, withdrawCommand } from './money.ts';
import { placeText } from './place.ts';
import { reconcileCommand } from './reconcile.ts';
import { recoverCommand } from './recover.ts';
import { statusCommand } from './status.ts';
import { resumeCommand, stopCommand, stopsCommand } from './stops.ts';
import { resolveCommand } from './resolve.ts';
import { returnCommand, suspenseCommand } from './suspense.ts';
import { walletListCommand } from './wallet-list.ts';

const COMMANDS: readonly OperatorCommand[] = [
  statusCommand,
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
  depositFromCommand,
  withdrawCommand,
  linkCommand,
  walletListCommand,
];

/** They work on keys, without the database: it may be gone, or not exist yet. */
const HOST_COMMANDS: readonly HostCommand[] = [
  createCommand,
  passwordCommand,
  listCommand,
  backupWordsCommand,
  restoreWordsCommand,
  recoverCommand,
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
  return runOnStore(readConfig, words, { nowMs, say: host?.say ?? (() => undefined) });
}

async function runOnHost(command: HostCommand, host: Host, args: readonly string[]): Promise<OperatorResult> {
  if (args.some((word) => word === '--help' || word === '-h')) return { exitCode: 0, text: usageText(command) };
  try {
    return { exitCode: 0, text: (await command.run(host, args)).join('\n') };
  } catch (error) {
    if (error instanceof UsageError) return { exitCode: 2, text: `${error.message}\n${usageText(command)}` };
    return { exitCode: 1, text: error instanceof Error ? error.message : String(error) };
  }
}

type Asked = { nowMs: number; say: (line: string) => void };

async function runOnStore(
  readConfig: () => Config,
  words: readonly string[],
  { nowMs, say }: Asked,
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
      const lines = await command.run({ config, store, nowMs, newPayoutId, words: rest, options });
      return { exitCode: 0, text: lines.join('\n') };
    } catch (error) {
      if (error instanceof UsageError) return { exitCode: 2, text: `${error.message}\n${usageText(command)}` };
      throw error;
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof UsageError) return { exitCode: 2, text: `${error.message}\n\n${helpText()}` };
    if (error instanceof Refused) return { exitCode: 1, text: error.message };
    return { exitCode: 1, text: error instanceof Error ? error.message : String(error) };
  }
}

type Words = {
  name: string | null;
  rest: string[];
  options: { yes: boolean; reason: string | null };
  wantsHelp: boolean;
};

function readWords(words: readonly string[]): Words {
  const read: Words = { name: null, rest: [], options: { yes: false, reason: null }, wantsHelp: false };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--help' || word === '-h') read.wantsHelp = true;
    else if (word === '--yes') read.options.yes = true;
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
  return ['Commands for whoever runs this installation:', '', ...[...COMMANDS, ...HOST_COMMANDS].map(usageText)].join(
    '\n',
  );
}
