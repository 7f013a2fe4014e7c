import { KEPT_NAMES } from '../../core/config/networks.ts';
import { readSecrets } from '../keystore/content.ts';
import {
  checkNewPassword,
  createKeystore,
  openKeystore,
  replaceKeystore,
  type KeystorePlace,
} from '../keystore/file.ts';
import { addMissingKeys, addressesOf } from '../keystore/new-keys.ts';
import { Refused } from './command.ts';
import { readArguments, type Host, type HostCommand } from './host.ts';
import { timeText } from './text.ts';

export const createCommand: HostCommand = {
  name: 'keystore-create',
  usage: '[--new]',
  help: 'moves the keys of the environment into a new file KEYSTORE; with --new it makes those that are not set',
  run: async (host, args) => {
    const { values } = readArguments(args, { new: { type: 'boolean' } }, 0);
    const place = keystorePlace(host);
    checkNewPassword(place.passwordFile);
    const given = readSecrets(host.environment);
    const secrets = values.new === true ? addMissingKeys(given, host.random) : given;
    if (Object.keys(secrets).length === 0)
      throw new Refused('No key is set, so there is nothing to keep. --new makes them.');
    if (!createKeystore(place, { secrets, wordsConfirmedAtMs: null }, host)) {
      throw new Refused(`${place.path} is there already and stays as it is.`);
    }
    const isMoved = Object.keys(given).length > 0;
    const lines = [
      `Wrote ${place.path}. It holds:`,
      ...contentLines(secrets),
      ...(isMoved ? ['Take these keys out of the environment now: beside KEYSTORE they are refused.'] : []),
      ...(secrets.CHAT_WALLET_SEED === undefined
        ? []
        : ['Write the words of the seed down next: npm run operator -- backup-words']),
    ];
    return { data: { file: place.path, keys: contentOf(secrets) }, lines };
  },
};

export const passwordCommand: HostCommand = {
  name: 'keystore-password',
  usage: '<file with the new password>',
  help: 'gives KEYSTORE another password; the old one is in KEYSTORE_PASSWORD_FILE',
  run: async (host, args) => {
    const [passwordFile = ''] = readArguments(args, {}, 1).positionals;
    const place = keystorePlace(host);
    checkNewPassword(passwordFile);
    replaceKeystore({ ...place, passwordFile }, openKeystore(place), host);
    const lines = [
      `${place.path} has the password in ${passwordFile} from now on: let KEYSTORE_PASSWORD_FILE name that file.`,
      'Copies of the old file still open with the old password. If anyone else may know it, move the money to new keys.',
    ];
    return { data: { file: place.path, passwordFile }, lines };
  },
};

export const listCommand: HostCommand = {
  name: 'keystore-list',
  usage: '',
  help: 'says which keys KEYSTORE holds, by name and address',
  run: async (host, args) => {
    readArguments(args, {}, 0);
    const { secrets, wordsConfirmedAtMs } = openKeystore(keystorePlace(host));
    const backup = wordsConfirmedAtMs === null ? 'nobody has written them down yet' : timeText(wordsConfirmedAtMs);
    const lines = [
      ...contentLines(secrets),
      ...(secrets.CHAT_WALLET_SEED === undefined ? [] : [`Backup of the seed’s words: ${backup}`]),
    ];
    return { data: { keys: contentOf(secrets), wordsConfirmedAtMs }, lines };
  },
};

/** The keystore's place, from the environment. */
export function keystorePlace({ environment }: Pick<Host, 'environment'>): KeystorePlace {
  const [path, passwordFile] = [environment['KEYSTORE']?.trim(), environment['KEYSTORE_PASSWORD_FILE']?.trim()];
  if (path && passwordFile) return { path, passwordFile };
  throw new Refused(
    'Set KEYSTORE to the path of the keystore, and KEYSTORE_PASSWORD_FILE to a file that holds its password.',
  );
}

/** By name and address; never a key. */
function contentOf(secrets: ReturnType<typeof readSecrets>): { name: string; addresses: readonly string[] }[] {
  return KEPT_NAMES.flatMap((name) => {
    const text = secrets[name];
    return text === undefined ? [] : [{ name, addresses: addressesOf(name, text) }];
  });
}

function contentLines(secrets: ReturnType<typeof readSecrets>): string[] {
  return contentOf(secrets).map(
    ({ name, addresses }) => `  ${name}${addresses.length === 0 ? '' : `: ${addresses.join(', ')}`}`,
  );
}
