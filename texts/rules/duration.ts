import type { Language } from '../../core/languages.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `30 days`, `36 Stunden`: in the largest unit that is exact, else rounded down to whole seconds. */
export function formatDuration(ms: number, language: Language = 'en'): string {
  const [unit, length] = UNITS.find(([, candidate]) => ms >= candidate && ms % candidate === 0) ?? ['second', 1_000];
  const count = Math.floor(ms / length);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', useGrouping: false }).format(
    count,
  );
}
