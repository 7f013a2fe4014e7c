import { parsePlainName, type ParsedName } from './parsed-name.ts';

export function parseX(text: string): ParsedName {
  return parsePlainName(text, /^[A-Za-z0-9_]$/, /^[a-z0-9_]{1,15}$/);
}
