/** Stands in place of a name that its person had erased: no name of any platform has it, and it reads as hidden in every language. */
export const ERASED_NAME = '•••';

export type ErasedLine = { txnId: number; platform: string; key: string };

/**
 * A stored answer without the recipient of this line: `username`, `user_id` and `receiver` of its part become null, and sentences
 * and links no longer name the person. Everything else of the answer stays as it was given.
 */
export function withoutName(answer: Record<string, unknown>, line: ErasedLine): Record<string, unknown> {
  const { platform, key } = line;
  const names: [string, string][] = [
    [`/claim/${platform}/${encodeURIComponent(key)}`, `/claim/${platform}`],
    [`${platform}:${key}`, `${platform}:${ERASED_NAME}`],
  ];
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, strip(value, line, names)]));
}

const OF_PERSON: ReadonlySet<string> = new Set(['username', 'user_id', 'receiver', 'wallet_address']);

function strip(value: unknown, line: ErasedLine, names: readonly [string, string][]): unknown {
  if (typeof value === 'string')
    return names.reduce((text, [found, instead]) => replaceName(text, found, instead), value);
  if (Array.isArray(value)) return value.map((one: unknown) => strip(one, line, names));
  if (typeof value !== 'object' || value === null) return value;
  const isIts = 'txn_id' in value && value.txn_id === line.txnId;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isIts && OF_PERSON.has(name) ? null : strip(inner, line, names),
    ]),
  );
}

/** Not inside a longer name: `x:al` stands in `x:alice`. */
function replaceName(text: string, found: string, instead: string): string {
  const parts = text.split(found);
  return parts.reduce((all, part) => `${all}${/^[\p{L}\p{N}_-]/u.test(part) ? found : instead}${part}`);
}
