/** What a gate ignores: a file, or a folder with a trailing slash and everything below it. */
export type Exemption = { path: string; reason: string };

/** Maps that hold promises. In `queue/` they are what runs now; elsewhere each is a runner in disguise until shown not to be. */
export const PROMISE_MAPS: readonly Exemption[] = [
  { path: 'queue/', reason: 'the one runner' },
  {
    path: 'identity/resolve.ts',
    reason: 'shares the lookup of a name, and stands on the floor of `queue/`, which it may not import',
  },
];

/** Functions that may be longer than seventy lines. */
export const LONG_FUNCTIONS: readonly Exemption[] = [
  { path: 'db/tables/', reason: 'the definition of a table is a list of columns, not steps to be read' },
];

/** A test stands under `test/` where its code stands at the root, so one exemption serves both. */
export function isExempt(exemptions: readonly Exemption[], file: string): boolean {
  const code = file.replace(/^test\//, '');
  return exemptions.some(({ path }) => path === code || (path.endsWith('/') && code.startsWith(path)));
}
