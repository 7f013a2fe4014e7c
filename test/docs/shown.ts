import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../docs');

export const readDocument = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** The first block of code after these words of a document. */
export function shownAfter(name: string, words: string): string {
  const document = readDocument(name);
  const [, code] = /```\w+\n(.*?)```/s.exec(document.slice(document.indexOf(words))) ?? [];
  if (!document.includes(words) || code === undefined) throw new Error(`${name} shows nothing after "${words}"`);
  return code;
}
