const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
]);
/** What people type for each. */
const UNITS: readonly (readonly [unit: string, words: RegExp])[] = [
  ['s', /^(?:s|secs?|seconds?|sek|sekunden?|segundos?|秒間?)$/],
  ['m', /^(?:m|min|mins|minutes?|minuten?|minutos?|分間?)$/],
  ['h', /^(?:h|hrs?|hours?|std|stunden?|horas?|時間)$/],
];

/** Reads `30s`, `5 minutes` or `1時間` as seconds. Null for anything else: a bare number could mean any unit. */
export function parseDuration(text: string): number | null {
  const [, digits, word = ''] = /^([0-9]{1,6})\s*(\p{L}+)\.?$/u.exec(text.normalize('NFKC').toLowerCase()) ?? [];
  const unit = UNITS.find(([, words]) => words.test(word))?.[0];
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
