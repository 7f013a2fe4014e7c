/**
 * Which mandatory tests of the official A2A suite say nothing about this server, and why. A test that is not named here must
 * pass or skip itself.
 */
const CASES: readonly (readonly [RegExp, string])[] = [];

/** Null for a test that applies. */
export function reasonAgainstCase(id: string): string | null {
  return CASES.find(([pattern]) => pattern.test(id))?.[1] ?? null;
}
