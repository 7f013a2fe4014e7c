import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalAddress, eachNetwork, NETWORKS, type Network } from '../../core/networks.ts';
import { isThere, readSmallFile } from '../terminal/files.ts';
import { badUsage, Stop } from '../terminal/stop.ts';
import { openKey, readKeyFile, type KeyFile } from './key-file.ts';
import { getPassword, type PasswordPlace } from './password.ts';
import { readPrivateKey } from './private-key.ts';

/** A key that is used only once it is opened. Its address is known before. */
export type OwnKey = { network: Network; address: string; open: () => Promise<string> };

export type KeyPlaces = PasswordPlace & {
  home: string;
  /** PENNYPOST_BASE_KEY and the like. */
  environmentKeys: Readonly<Record<Network, string | null>>;
  /** The file that local mode writes; null for real keys. */
  payersFile: string | null;
};

export type KeyChoice = {
  /** Null: the first network that there is a key for. */
  network: Network | null;
  /** One of the play-money payers by address; null for the first. */
  from: string | null;
};

const payersSchema = z.object({
  rpc: z.object(eachNetwork(() => z.string().optional())),
  payers: z.array(z.object({ network: z.enum(NETWORKS), address: z.string(), privateKey: z.string() })).max(1_000),
});
export type Payers = z.infer<typeof payersSchema>;

export function keyPath(home: string, network: Network): string {
  return join(home, 'keys', `${network}.json`);
}

/** The key to pay with. Throws Stop where there is none. */
export function findOwnKey(places: KeyPlaces, { network, from }: KeyChoice): OwnKey {
  if (places.payersFile !== null) return findPayer(readPayers(places.payersFile), { network, from });
  const key = findFirst(places, network === null ? NETWORKS : [network]);
  if (key === null) {
    const text = network === null ? 'There is no key to pay with.' : `There is no key to pay with on ${network}.`;
    throw new Stop(
      'usage',
      'no_key',
      text,
      'Import one with: pennypost key import. For play money: --play <payers.json>.',
    );
  }
  if (from !== null && canonicalAddress(key.network, from) !== canonicalAddress(key.network, key.address)) {
    throw badUsage(`The key that is there is of ${key.address}, not of ${from}.`, null);
  }
  return key;
}

/** One at a time, so that a fault of a key that is not needed is not reported. */
function findFirst(places: KeyPlaces, networks: readonly Network[]): OwnKey | null {
  for (const network of networks) {
    const key = findOn(places, network);
    if (key !== null) return key;
  }
  return null;
}

/** All keys that are there, for `key address`. */
export function ownKeys(places: KeyPlaces): OwnKey[] {
  return NETWORKS.map((network) => findOn(places, network)).filter((key) => key !== null);
}

export function readPayers(path: string): Payers {
  const text = readSmallFile(path, 'The file of play-money payers');
  const parsed = payersSchema.safeParse(toJson(text));
  if (parsed.success) return parsed.data;
  const next = 'Local mode writes one: $DATA_DIR/local/payers.json.';
  throw new Stop('usage', 'bad_file', 'That is not a file of play-money payers.', next);
}

function findPayer({ payers }: Payers, { network, from }: KeyChoice): OwnKey {
  const isMeant = (payer: Payers['payers'][number]) =>
    (network === null || payer.network === network) &&
    (from === null || canonicalAddress(payer.network, payer.address) === canonicalAddress(payer.network, from));
  const payer = payers.find(isMeant);
  if (payer === undefined)
    throw new Stop('usage', 'no_key', 'No such payer is in the file of play-money payers.', null);
  const { address } = readPrivateKey(payer.network, payer.privateKey);
  return { network: payer.network, address, open: async () => payer.privateKey };
}

function findOn(places: KeyPlaces, network: Network): OwnKey | null {
  const text = places.environmentKeys[network];
  if (text !== null) {
    const { address, privateKey } = readPrivateKey(network, text);
    return { network, address, open: async () => privateKey };
  }
  const path = keyPath(places.home, network);
  if (!isThere(path)) return null;
  const file = loadKeyFile(path, network);
  return { network, address: file.address, open: () => unlock(places, path, file) };
}

function loadKeyFile(path: string, network: Network): KeyFile {
  // The password may be weak, so nobody else may read the file.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new Stop('usage', 'open_key_file', `Others can read the key file ${path}.`, `Run: chmod 600 ${path}`);
  }
  const file = readKeyFile(readSmallFile(path, 'The key file'));
  if (file?.network !== network) throw new Stop('usage', 'bad_file', `${path} is not a key file for ${network}.`, null);
  return file;
}

async function unlock(places: KeyPlaces, path: string, file: KeyFile): Promise<string> {
  const privateKey = await openKey(file, await getPassword(places, path));
  const { address } = readPrivateKey(file.network, privateKey);
  if (address !== file.address) throw new Error(`the key in ${path} must be of ${file.address}, found ${address}`);
  return privateKey;
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
