import { findNetworkName, NETWORKS, type Network } from '../../core/networks.ts';
import { takeWords, type CommandLine } from '../terminal/command-line.ts';
import { isThere, readSmallFile, writeNew } from '../terminal/files.ts';
import { sealKey } from '../keys/key-file.ts';
import { keyPath, ownKeys } from '../keys/own-key.ts';
import { choosePassword } from '../keys/password.ts';
import { readPrivateKey } from '../keys/private-key.ts';
import type { Settings } from '../paying/settings.ts';
import { badUsage, Stop } from '../terminal/stop.ts';
import type { Context } from '../terminal/context.ts';
import type { Command, Done } from './command.ts';

/** `pennypost key import <network>` and `pennypost key address` */
export const key: Command = async (line, settings, context) => {
  const [action, ...words] = line.words;
  if (action === 'import') return importKey({ ...line, words }, settings, context);
  if (action === 'address') return showAddresses({ ...line, words }, settings);
  throw badUsage(`Usage: pennypost key import ${NETWORKS.join('|')}, or pennypost key address`);
};

/** An existing key file is never replaced, because it may be the only key to money. */
export async function importKey({ words, options }: CommandLine, settings: Settings, context: Context): Promise<Done> {
  const [word] = takeWords(words, 1, 1, `key import ${NETWORKS.join('|')}`);
  const network = findNetworkName(word ?? '');
  if (network === null) throw badUsage(`A key is for ${NETWORKS.join(' or ')}.`);
  const path = keyPath(settings.home, network);
  if (isThere(path)) {
    throw new Stop('refused', 'key_exists', `There is a key file already: ${path}`, 'Move it away first, and keep it.');
  }
  const text = await readKeyText(network, options['key-file'] ?? null, settings, context);
  const secret = { network, ...readPrivateKey(network, text) };
  const file = await sealKey(secret, await choosePassword(settings.keys), context.random);
  writeNew(path, `${JSON.stringify(file, null, 2)}\n`);
  const fields = { status: 'imported', network, address: secret.address, file: path };
  return { report: { ending: 'paid', fields, text: `${secret.address}\nKept, encrypted, in ${path}` } };
}

async function readKeyText(
  network: Network,
  file: string | null,
  { keys }: Settings,
  { terminal }: Context,
): Promise<string> {
  if (file !== null) return readSmallFile(file, 'The file with the key');
  const text = keys.environmentKeys[network];
  if (text !== null) return text;
  // Never as an argument: arguments appear in the shell's history and in the list of processes.
  const next = `Type it at a terminal, name a file with --key-file, or set PENNYPOST_${network.toUpperCase()}_KEY.`;
  if (terminal === null) throw new Stop('usage', 'no_key', 'There is no key to import.', next);
  const typed = await terminal.askHidden(`Private key for ${network}: `);
  if (typed === null || typed === '') throw new Stop('refused', 'no_key', 'No key was typed.', 'Nothing was written.');
  return typed;
}

async function showAddresses({ words }: CommandLine, { keys }: Settings): Promise<Done> {
  takeWords(words, 0, 0, 'key address');
  const found = ownKeys(keys);
  const [first] = found;
  if (first === undefined)
    throw new Stop('refused', 'no_key', 'There is no key.', 'Import one with: pennypost key import base');
  const fields = {
    status: 'keys',
    addresses: Object.fromEntries(found.map(({ network, address }) => [network, address])),
  };
  const text = found.map(({ network, address }) => `${network.padEnd(7)} ${address}`).join('\n');
  return { report: { ending: 'paid', fields, text } };
}
