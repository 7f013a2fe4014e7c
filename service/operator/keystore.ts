import { shownAddress } from '../../chain/shown-address.ts';
import { openKms } from '../../chain/signing/kms/client.ts';
import { addressInKms } from '../../chain/signing/kms/keys.ts';
import { readKmsKey } from '../../core/config/keys.ts';
import { KEPT_NAMES } from '../../core/config/networks.ts';
import { namesInKms, readSecrets } from '../keystore/content.ts';
import {
  checkNewPassword,
  createKeystore,
  openKeystore,
  replaceKeystore,
  type KeystorePlace,
} from '../keystore/file.ts';
import { addMissingKeys, addressesOf } from '../keystore/new-keys.ts';
import { rotateKey } from '../keystore/rotate.ts';
import { exportWeb3, importWeb3 } from '../keystore/web3.ts';
import { Refused, UsageError } from './command.ts';
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
    const secrets = values.new === true ? addMissingKeys(given, host.random, namesInKms(host.environment)) : given;
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

export const importCommand: HostCommand = {
  name: 'keystore-import',
  usage: '<NAME> <file> <file with its password>',
  help: 'puts the key of a Web3 Secret Storage file (geth, most wallets) into KEYSTORE under NAME, such as TREASURY_KEY; LANE_KEYS takes several',
  run: async (host, args) => {
    const [name = '', path = '', passwordFile = ''] = readArguments(args, {}, 3).positionals;
    const place = keystorePlace(host);
    const { content, address, isNew } = importWeb3(openKeystore(place), name, { path, passwordFile });
    if (isNew) replaceKeystore(place, content, host);
    const line = isNew
      ? `${name} holds the key of ${shownAddress(address)} from the next start on.`
      : `${name} holds the key of ${shownAddress(address)} already.`;
    return {
      data: { name, address, isNew },
      lines: [line, ...(isNew ? [`Put ${path} away: anyone with its password has the key.`] : [])],
    };
  },
};

export const exportCommand: HostCommand = {
  name: 'keystore-export',
  usage: '<NAME> <new file> <file with a password for it> [--address 0x…]',
  help: 'writes a key of KEYSTORE into a new Web3 Secret Storage file, for its owner only; the key stays in KEYSTORE',
  run: async (host, args) => {
    const { values, positionals } = readArguments(args, { address: { type: 'string' } }, 3);
    const [name = '', path = '', passwordFile = ''] = positionals;
    checkNewPassword(passwordFile);
    const wanted = { name, address: values.address ?? null };
    const address = exportWeb3(openKeystore(keystorePlace(host)), wanted, { path, passwordFile }, host);
    return {
      data: { name, address, file: path },
      lines: [
        `Wrote the key of ${shownAddress(address)} to ${path}. It is encrypted, and it is the key: keep it apart from its password.`,
      ],
    };
  },
};

export const rotateCommand: HostCommand = {
  name: 'keystore-rotate',
  usage: '<NAME> [--elsewhere] [--compromised]',
  help: 'puts a new key in the place of TREASURY_KEY or TASK_KEY (of any network) and keeps the old one as a former key; with --elsewhere the new one is set by you, as one in AWS KMS; with --compromised others may know the old one, so nobody may pay its address by a signed payment any more',
  run: async (host, args) => {
    const { values, positionals } = readArguments(
      args,
      { elsewhere: { type: 'boolean' }, compromised: { type: 'boolean' } },
      1,
    );
    const [name = ''] = positionals;
    const place = keystorePlace(host);
    const { environment, random } = host;
    const isElsewhere = values.elsewhere === true;
    const isCompromised = values.compromised === true;
    const given = { environment, random, isElsewhere, isCompromised };
    const rotated = rotateKey(openKeystore(place), name, given);
    const { content, former, replaced, address, wasInKms } = rotated;
    replaceKeystore(place, content, host);
    const lines = [
      address === null ? `Set ${name} to the new key now.` : `${name} holds the new key of ${shownAddress(address)}.`,
      ...(wasInKms ? [`Take ${name} of ${shownAddress(replaced)} out of the environment.`] : []),
      `The key of ${shownAddress(replaced)} stays in ${former}, and is never deleted. Back ${place.path} up before anything is paid to the new address.`,
      ...(isCompromised ? [`No signed payment to ${shownAddress(replaced)} is taken any more.`] : []),
      'Then stop every process, run the doctor (on mainnet with --approve), and start again: docs/keys.md.',
    ];
    return { data: { name, replaced, address, isCompromised }, lines };
  },
};

export const kmsCommand: HostCommand = {
  name: 'kms-address',
  usage: '<ARN>',
  help: 'asks AWS KMS for the address of a key, and shows what to set',
  run: async (host, args) => {
    const [keyId = ''] = readArguments(args, {}, 1).positionals;
    // The address is what is asked for, so any stands in its place.
    if (readKmsKey(`kms:${keyId}@${'1'.repeat(32)}`) === null) {
      throw new UsageError('Name the key by its ARN: arn:aws:kms:REGION:ACCOUNT:key/ID.');
    }
    const { kind, address } = await addressInKms(host.kms ?? openKms(), keyId);
    return {
      data: { keyId, kind, address, setting: `kms:${keyId}@${address}` },
      lines: [`${kind}, address ${shownAddress(address)}. Set:`, `kms:${keyId}@${address}`],
    };
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
    ({ name, addresses }) => `  ${name}${addresses.length === 0 ? '' : `: ${addresses.map(shownAddress).join(', ')}`}`,
  );
}
