const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
]);

/** Reads `30s`, `5m` or `1h` as seconds. Null for anything else: a number alone could mean any of them. */
export function parseDuration(text: string): number | null {
  const [, digits, unit] = /^([0-9]{1,6})(s|m|h)$/.exec(text.normalize('NFKC').toLowerCase()) ?? [];
  const seconds = unit === undefined ? undefined : SECONDS.get(unit);
  return seconds === undefined ? null : Number(digits) * seconds;
}

/** In the largest unit that says it exactly, so that it can be typed again as it stands. */
export function formatDuration(seconds: number): string {
  const [unit, size] = [...SECONDS].findLast(([, one]) => seconds >= one && seconds % one === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}

/** For somebody who waits: never too short, and without seconds that nobody counts. */
export function formatWait(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  return formatDuration(seconds < 120 ? seconds : Math.ceil(seconds / 60) * 60);
}
