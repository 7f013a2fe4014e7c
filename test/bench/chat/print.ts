/** One line of times. */
export function print(platform: string, title: string, rows: Record<string, number[]>): void {
  const parts = Object.entries(rows).map(([name, values]) => {
    const sorted = values.toSorted((one, other) => one - other);
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? NaN);
    return `${name} p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`;
  });
  console.log(`${platform}, ${title}: ${parts.join(' · ')}`);
}

/** A figure beside what was promised of it. */
export function printGate(what: string, value: number, most: number, unit: string): void {
  const shown = Number.isFinite(value) ? `${Math.round(value)}` : 'never';
  console.log(`  ${what}: ${shown} ${unit}, at most ${most} ${value <= most ? 'holds' : 'missed'}`);
}
