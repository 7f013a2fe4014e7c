import { parsePlainName, type ParsedName } from './parsed-name.ts';

export function parseCode(text: string): ParsedName {
  return parsePlainName(text, /^[A-Za-z0-9-]$/, /^(?=.{1,39}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
}
