import { readSmallFile } from '../terminal/files.ts';
import { Stop } from '../terminal/stop.ts';
import type { Terminal } from '../terminal/terminal.ts';

const LENGTH_MIN = 8;

export type PasswordPlace = { passwordFile: string | null; terminal: Terminal | null };

/** The password of a key file: the first line of the password file, or typed. */
export async function getPassword({ passwordFile, terminal }: PasswordPlace, of: string): Promise<string> {
  if (passwordFile !== null) return readPasswordFile(passwordFile);
  return typed(await needTerminal(terminal).askHidden(`Password of ${of}: `));
}

/** For a new key file: typed twice, because the text is not shown. */
export async function choosePassword({ passwordFile, terminal }: PasswordPlace): Promise<string> {
  const password = passwordFile === null ? await typeTwice(needTerminal(terminal)) : readPasswordFile(passwordFile);
  if (password.length >= LENGTH_MIN) return password;
  throw new Stop(
    'usage',
    'short_password',
    `A password has at least ${LENGTH_MIN} characters.`,
    'Nothing was written.',
  );
}

async function typeTwice(terminal: Terminal): Promise<string> {
  const first = typed(await terminal.askHidden('New password for the key file: '));
  const second = typed(await terminal.askHidden('The same again: '));
  if (first === second) return first;
  throw new Stop('usage', 'password_differs', 'The two are not the same.', 'Nothing was written. Try again.');
}

function readPasswordFile(path: string): string {
  const [line = ''] = readSmallFile(path, 'The password file').split(/\r?\n/);
  return line;
}

function needTerminal(terminal: Terminal | null): Terminal {
  if (terminal !== null) return terminal;
  const next = 'Name a file that holds it with --password-file or PENNYPOST_PASSWORD_FILE.';
  throw new Stop('usage', 'no_password', 'The key file has a password, and nobody is here to type it.', next);
}

function typed(answer: string | null): string {
  if (answer === null || answer === '') throw new Stop('refused', 'no_password', 'No password was typed.', null);
  return answer;
}
