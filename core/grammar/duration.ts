const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
]);

/** Reads `30s`, `5m` or `1h` as seconds. Null for anything else: a bare number could mean any unit. */
export function parseDuration(text: string): number | null {
  const [, digits, unit] = /^([0-9]{1,6})(s|m|h)$/.exec(text.normalize('NFKC').toLowerCase()) ?? [];
  const seconds = unit === undefined ? undefined : SECONDS.get(unit);
  return seconds === undefined ? null : Number(digits) * seconds;
}

/** In the largest unit that is exact; `parseDuration` reads it back. */
export function formatDuration(seconds: number): string {
  const [unit, size] = [...SECONDS].findLast(([, one]) => seconds >= one && seconds % one === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}

/** For a person who waits: rounded up, and without needless seconds. */
export function formatWait(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  return formatDuration(seconds < 120 ? seconds : Math.ceil(seconds / 60) * 60);
}
