const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `30 days`, `36 hours`: in the largest unit that is exact, else rounded down to whole seconds. */
export function formatDuration(ms: number): string {
  const [unit, length] = UNITS.find(([, candidate]) => ms >= candidate && ms % candidate === 0) ?? ['second', 1_000];
  const count = Math.floor(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
