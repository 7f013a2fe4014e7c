import { parsePlainName, type ParsedName } from './parsed-name.ts';

export function parsePhoto(text: string): ParsedName {
  return parsePlainName(text, /^[A-Za-z0-9._]$/, /^(?=.{1,30}$)[a-z0-9_]+(?:\.[a-z0-9_]+)*$/);
}
