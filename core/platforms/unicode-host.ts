import { domainToUnicode } from 'node:url';

/** What the A-labels (`xn--…`) of a host stand for: `xn--bcher-kva.de` is `bücher.de`. */
export function toUnicodeHost(host: string): string {
  return domainToUnicode(host);
}
