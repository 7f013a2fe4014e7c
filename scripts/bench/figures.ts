/** What one round measured, once of ours and, where something runs beside it, once of that. */
export type Sample = {
  what: string;
  unit: string;
  better: 'more' | 'less';
  ours: number;
  beside?: { name: string; value: number };
  /** What must hold: of our own figure, or of its ratio to what runs beside it. */
  gate?: { of: 'ours' | 'ratio'; at: number };
};

/** The same over all rounds of a row. */
export type Figure = Omit<Sample, 'ours' | 'beside'> & {
  ours: Series;
  beside: (Series & { name: string }) | null;
  /** Of each round by itself: what else the machine did in it met both. */
  ratio: Series | null;
  holds: boolean | null;
};

export type Series = { median: number; least: number; most: number };

export function seriesOf(values: readonly number[]): Series {
  const sorted = values.toSorted((one, other) => one - other);
  const [lower, upper] = [
    sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN,
    sorted[Math.floor(sorted.length / 2)] ?? NaN,
  ];
  return { median: (lower + upper) / 2, least: sorted[0] ?? NaN, most: sorted.at(-1) ?? NaN };
}

/** The value below which such a share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** In the order in which the first round named them; a round that lacks one, such as what never came, does not count in it. */
export function figuresOf(rounds: readonly (readonly Sample[])[]): Figure[] {
  const names = [...new Set(rounds.flat().map(({ what }) => what))];
  return names.flatMap((name) => {
    const samples = rounds.flatMap((round) => round.find(({ what }) => what === name) ?? []);
    const [first] = samples;
    return first === undefined ? [] : [figureOf(first, samples)];
  });
}

function figureOf({ what, unit, better, gate }: Sample, samples: readonly Sample[]): Figure {
  const pairs = samples.flatMap(({ ours, beside }) => (beside === undefined ? [] : [{ ours, ...beside }]));
  const ours = seriesOf(samples.map((sample) => sample.ours));
  const [first] = pairs;
  const beside = first === undefined ? null : { name: first.name, ...seriesOf(pairs.map(({ value }) => value)) };
  const ratios = pairs.flatMap((pair) => (pair.value === 0 ? [] : [pair.ours / pair.value]));
  const ratio = ratios.length === 0 ? null : seriesOf(ratios);
  const judged = gate?.of === 'ratio' ? ratio : ours;
  const isMet = ({ median }: Series, at: number) => (better === 'more' ? median >= at : median <= at);
  const holds = gate === undefined || judged === null ? null : isMet(judged, gate.at);
  return { what, unit, better, ...(gate === undefined ? {} : { gate }), ours, beside, ratio, holds };
}

/** Three digits, which is more than a machine with neighbours repeats. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

export function formatSeries({ median, least, most }: Series): string {
  const spread = least === most ? '' : ` (${formatNumber(least)} to ${formatNumber(most)})`;
  return `${formatNumber(median)}${spread}`;
}

/** As it is printed while a row runs. */
export function describe({ what, unit, ours, beside, ratio, gate, holds }: Figure): string {
  const other = beside === null ? '' : `, ${beside.name} ${formatSeries(beside)}`;
  const compared = ratio === null ? '' : `, ours : ${beside?.name} ${formatSeries(ratio)}`;
  const judged = gate === undefined ? '' : `, gate ${formatNumber(gate.at)} ${holds ? 'holds' : 'missed'}`;
  return `${what}: ${formatSeries(ours)} ${unit}${other}${compared}${judged}`;
}
