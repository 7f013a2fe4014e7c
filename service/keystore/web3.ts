/** One key of the keystore as a file of Web3 Secret Storage, and back. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { addressOfKey } from '../../chain/evm/key.ts';
import { openWeb3Keystore, sealWeb3Keystore } from '../../chain/evm/web3-keystore.ts';
import { NETWORK_KEYS, type KeptName } from '../../core/config/networks.ts';
import type { KeystoreContent } from './content.ts';
import { readPassword, readWeb3File, type SealOptions } from './file.ts';

const EVM_NAMES = NETWORK_KEYS.filter(({ family }) => family === 'evm');

/** Throws a line for any other name: the format knows keys of EVM networks only. */
function evmName(text: string): { name: KeptName; isList: boolean } {
  const found = EVM_NAMES.find(({ name }) => name === text);
  if (found !== undefined) return found;
  throw new Error(`This format holds keys of EVM networks: ${EVM_NAMES.map(({ name }) => name).join(', ')}.`);
}

export type Imported = { content: KeystoreContent; address: string; isNew: boolean };

/** Puts the key of a file under a name. Lanes take any number; a key under another name is never written over. */
export function importWeb3(
  content: KeystoreContent,
  text: string,
  file: { path: string; passwordFile: string },
): Imported {
  const { name, isList } = evmName(text);
  const opened = openWeb3Keystore(readWeb3File(file.path), readPassword(file.passwordFile));
  if (opened.kind !== 'key') throw new Error(`${file.path}: ${REFUSALS[opened.kind]}`);
  const kept = (content.secrets[name] ?? '').split(',').filter((one) => one !== '');
  const address = addressOfKey(opened.key);
  const isKept = kept.some((one) => one.toLowerCase() === opened.key);
  if (isKept) return { content, address, isNew: false };
  const others = Object.entries(content.secrets).filter(([other]) => other !== name);
  const owner = others.find(([, value]) => value.toLowerCase().split(',').includes(opened.key))?.[0];
  if (owner !== undefined) throw new Error(`${owner} is this key already, and every key has one job.`);
  if (kept.length > 0 && !isList)
    throw new Error(`The keystore holds another ${name}, and money behind it. Nothing was changed.`);
  const secrets = { ...content.secrets, [name]: [...kept, opened.key].join(',') };
  return { content: { ...content, secrets }, address, isNew: true };
}

const REFUSALS = {
  'no-such-file': 'it is no file of Web3 Secret Storage, version 3 (scrypt or pbkdf2, aes-128-ctr).',
  'wrong-password': 'the password is another one, or the file was changed.',
  'other-address': 'the key in it is not of the address that it names.',
} as const;

/** Writes the key of an address under a name into a new file, for its owner only. */
export function exportWeb3(
  { secrets }: KeystoreContent,
  { name: text, address }: { name: string; address: string | null },
  file: { path: string; passwordFile: string },
  options: SealOptions,
): string {
  const { name } = evmName(text);
  const kept = (secrets[name] ?? '').split(',').filter((one) => one !== '') as `0x${string}`[];
  const [key, ...others] = kept.filter((one) => address === null || addressOfKey(one) === address.toLowerCase());
  if (key === undefined) throw new Error(`The keystore holds no such ${name}.`);
  if (others.length > 0) throw new Error(`${name} are several: say which, with --address and one of keystore-list.`);
  const sealed = sealWeb3Keystore(key, readPassword(file.passwordFile), options);
  const opened = openSync(file.path, 'wx', 0o600);
  try {
    writeSync(opened, sealed);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  return addressOfKey(key);
}
