import { findNetworkName, NETWORKS, type Network } from '../../core/networks.ts';
import { keyPath } from '../keys/own-key.ts';
import { settingsPath, writeKeptSettings } from '../paying/kept-settings.ts';
import { readService, type Settings } from '../paying/settings.ts';
import { takeWords, type CommandLine } from '../terminal/command-line.ts';
import type { Context } from '../terminal/context.ts';
import { isThere } from '../terminal/files.ts';
import { badUsage, Stop } from '../terminal/stop.ts';
import type { Command } from './command.ts';
import { importKey } from './key.ts';

/**
 * `pennypost init`: keeps the service and a key, so that later commands need neither. What is not named by an option is
 * asked at a terminal. Nothing that is there already is replaced.
 */
export const init: Command = async (line, settings, context) => {
  takeWords(line.words, 0, 0, 'init');
  const path = settingsPath(settings.home);
  if (isThere(path)) {
    throw new Stop(
      'refused',
      'settings_exist',
      `There are settings already: ${path}`,
      'Change them there, or move them away.',
    );
  }
  const url = await askService(line, settings, context);
  const network = await askNetwork(settings, context);
  const file = keyPath(settings.home, network);
  const isKept = isThere(file);
  const imported = isKept ? null : await importKey({ ...line, words: [network] }, settings, context);
  writeKeptSettings(settings.home, { version: 1, url, solana_rpc_url: settings.chains.solanaRpcUrl });
  const { address = null } = (imported?.report.fields ?? {}) as { address?: string | null };
  const fields = { status: 'initialised', url, network, address, key: file, settings: path };
  const text = [
    `Kept in ${path}: ${url}`,
    isKept ? `The key that is there is used: ${file}` : `Your address on ${network}: ${address ?? ''}`,
    'Next: pennypost send x:alice 0.25 --dry-run',
  ].join('\n');
  return { report: { ending: 'paid', fields, text } };
};

async function askService({ options }: CommandLine, { service }: Settings, context: Context): Promise<string> {
  const { terminal, environment } = context;
  // Checked already.
  if (options.url !== undefined || environment['PENNYPOST_URL']) return service;
  if (terminal === null) throw badUsage('Nobody is here to name the service.', 'Name it with --url or PENNYPOST_URL.');
  return readService(answerOf(await terminal.ask(`Address of the service (${service}): `)) || service);
}

async function askNetwork({ choice }: Settings, { terminal }: Context): Promise<Network> {
  if (choice.network !== null) return choice.network;
  const [usual] = NETWORKS;
  if (terminal === null) return usual;
  const typed = answerOf(await terminal.ask(`Network, ${NETWORKS.join(', ')} (${usual}): `));
  const network = typed === '' ? usual : findNetworkName(typed);
  if (network === null) throw badUsage(`A network is ${NETWORKS.join(' or ')}.`, 'Nothing was written.');
  return network;
}

function answerOf(typed: string | null): string {
  if (typed === null) throw new Stop('refused', 'not_answered', 'Not answered.', 'Nothing was written.');
  return typed.trim();
}
