/** Undefined for what is not JSON: the schema that follows then refuses it like any other wrong answer. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
