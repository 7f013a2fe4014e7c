/** The file that holds the secrets of an installation: whole or not there at all, and for its owner only. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { formatContent, parseContent, type KeystoreContent } from './content.ts';
import { seal, unseal, type Random } from './sealed.ts';

const BYTES_MAX = 256 * 1024;
const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_NAME = 'KEYSTORE_PASSWORD_FILE';

/** KEYSTORE and KEYSTORE_PASSWORD_FILE. */
export type KeystorePlace = { path: string; passwordFile: string };
export type SealOptions = { random: Random; cost?: number };

/** Null where there is no such file. Throws one line that tells the operator what to do. */
export function readKeystore({ path, passwordFile }: KeystorePlace): KeystoreContent | null {
  const sealed = readGuarded(path);
  if (sealed === null) return null;
  const text = unseal(sealed, readPassword(passwordFile, PASSWORD_NAME));
  if (text !== null) return parseContent(text);
  throw new Error(
    `KEYSTORE ${path} cannot be opened: either the password in KEYSTORE_PASSWORD_FILE is another one, or the file was changed.`,
  );
}

/** The same for a file that must exist. */
export function openKeystore(place: KeystorePlace): KeystoreContent {
  const content = readKeystore(place);
  if (content === null) throw new Error(`KEYSTORE ${place.path} does not exist.`);
  return content;
}

/** False where there is a file already, which is kept. */
export function createKeystore(place: KeystorePlace, content: KeystoreContent, options: SealOptions): boolean {
  mkdirSync(dirname(place.path), { recursive: true, mode: 0o700 });
  return writeSealed(place, content, options, (draft) => {
    try {
      linkSync(draft, place.path);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
  });
}

/** Replaced in one step: after a crash there is the old file or the new one. */
export function replaceKeystore(place: KeystorePlace, content: KeystoreContent, options: SealOptions): void {
  writeSealed(place, content, options, (draft) => {
    renameSync(draft, place.path);
    return true;
  });
}

/** Throws for a password too short to be worth half a second of scrypt. */
export function checkNewPassword(file: string): void {
  if (readPassword(file, PASSWORD_NAME).length < PASSWORD_LENGTH_MIN) {
    throw new Error(`A password has at least ${PASSWORD_LENGTH_MIN} characters; the one in ${file} is shorter.`);
  }
}

function writeSealed(
  { path, passwordFile }: KeystorePlace,
  content: KeystoreContent,
  { random, cost }: SealOptions,
  putInPlace: (draft: string) => boolean,
): boolean {
  const sealed = seal(formatContent(content), readPassword(passwordFile, PASSWORD_NAME), random, cost);
  const draft = `${path}.${Buffer.from(random(6)).toString('hex')}`;
  try {
    const file = openSync(draft, 'wx', 0o600);
    try {
      writeSync(file, sealed);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    const isDone = putInPlace(draft);
    syncDirectory(dirname(path));
    return isDone;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A new name outlives a loss of power only once its directory is on the disk. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Reads the permissions of the open file, so that no other file can be put in between. */
function readGuarded(path: string): string | null {
  const text = readSmall(path, 'KEYSTORE', (mode) => {
    if (process.platform === 'win32' || (mode & 0o077) === 0) return;
    throw new Error(`KEYSTORE ${path} can be read by others. Run: chmod 600 ${path}`);
  });
  return text;
}

/** The first line. */
export function readPassword(path: string, name = 'The password file'): string {
  const text = readSmall(path, name, () => undefined);
  if (text === null) throw new Error(`${name} ${path} does not exist.`);
  const [line = ''] = text.split(/\r?\n/);
  if (line === '') throw new Error(`${name} ${path} has no password in its first line.`);
  return line;
}

/** A file of another program, whose permissions are its own. */
export function readWeb3File(path: string): string {
  const text = readSmall(path, 'The file', () => undefined);
  if (text === null) throw new Error(`The file ${path} does not exist.`);
  return text;
}

function readSmall(path: string, name: string, checkMode: (mode: number) => void): string | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw new Error(`${name} ${path} cannot be read.`, { cause: error });
  }
  try {
    const { mode, size } = fstatSync(file);
    checkMode(mode);
    if (size > BYTES_MAX) throw new Error(`${name} ${path} is larger than ${BYTES_MAX} bytes.`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
