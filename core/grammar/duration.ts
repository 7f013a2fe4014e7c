const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
]);
/** What people type for each. */
const UNITS: readonly (readonly [seconds: number, words: RegExp])[] = [
  [1, /^(?:s|secs?|seconds?|sek|sekunden?|segundos?|秒間?)$/],
  [60, /^(?:m|min|mins|minutes?|minuten?|minutos?|minutitos?|minutinhos?|分間?)$/],
  [3_600, /^(?:h|hrs?|hours?|std|stunden?|horas?|horitas?|horinhas?|時間)$/],
  [86_400, /^(?:d|days?|tage?|d[ií]as?|日間?)$/],
];

/** Reads `30s`, `5 minutes` or `1時間` as seconds. Null for anything else: a bare number could mean any unit. */
export function parseDuration(text: string): number | null {
  const [, digits, word = ''] = /^([0-9]{1,6})\s*(\p{L}+)\.?$/u.exec(text.normalize('NFKC').toLowerCase()) ?? [];
  const seconds = UNITS.find(([, words]) => words.test(word))?.[0];
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
