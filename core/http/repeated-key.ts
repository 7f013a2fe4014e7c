const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/gs;

/** What this JSON says; null where it is none, or one object in it names a key twice. */
export function parseUnambiguous(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return findRepeatedKey(json) === null ? value : null;
  } catch {
    return null;
  }
}

/**
 * A key that one object of this text names twice, or null. Readers differ in which of the two they take, so a policy in
 * front of us could approve another payment than we make. The text must be valid JSON.
 */
export function findRepeatedKey(json: string): string | null {
  const open: Set<string>[] = [];
  for (const [token, text, colon] of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    if (text === undefined || colon === undefined) continue;
    // Written with escapes, it is the same key.
    const key = String(JSON.parse(text));
    const keys = open.at(-1);
    if (keys?.has(key)) return key;
    keys?.add(key);
  }
  return null;
}
