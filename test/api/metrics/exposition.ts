/** The text format of Prometheus, read strictly: whatever a scraper could stumble over throws with its line. */
export type Sample = { name: string; labels: Record<string, string>; value: number };
export type Family = { name: string; help: string; type: string; samples: Sample[] };
export type Exposition = Map<string, Family>;

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=.)|$)/;
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/i;
const SUFFIXES: Record<string, readonly string[]> = { histogram: ['_bucket', '_sum', '_count'] };

export function parseExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families: Exposition = new Map();
  const series = new Set<string>();
  let current: Family | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, name = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (kind === 'HELP') {
      if (families.has(name)) throw new Error(`described twice: ${line}`);
      current = { name, help: rest, type: '', samples: [] };
      families.set(name, current);
    } else if (kind === 'TYPE') {
      if (current?.name !== name || current.samples.length > 0) throw new Error(`not below its HELP: ${line}`);
      if (!['counter', 'gauge', 'histogram'].includes(rest)) throw new Error(`unknown type: ${line}`);
      current.type = rest;
    } else {
      const sample = parseSample(line);
      if (current === undefined || !namesOf(current).includes(sample.name)) throw new Error(`not announced: ${line}`);
      const key = `${sample.name} ${keyOf(sample.labels)}`;
      if (series.has(key)) throw new Error(`told twice: ${line}`);
      series.add(key);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family);
  return families;
}

/** The value of one series, given by all its labels; undefined when it is not told. */
export function valueOf(families: Exposition, name: string, labels: Record<string, string> = {}): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ''));
  const wanted = keyOf(labels);
  return family?.samples.find((sample) => sample.name === name && keyOf(sample.labels) === wanted)?.value;
}

/** The same for the same labels, in whatever order they stand. */
function keyOf(labels: Record<string, string>): string {
  const names = Object.keys(labels).toSorted();
  return JSON.stringify(names.map((name) => [name, labels[name]]));
}

function namesOf({ name, type }: Family): readonly string[] {
  return SUFFIXES[type]?.map((suffix) => name + suffix) ?? [name];
}

function parseSample(line: string): Sample {
  const [, name, labelText = '', valueText = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined || !NUMBER.test(valueText)) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  let rest = labelText;
  while (rest !== '') {
    const [all, label, value] = LABEL.exec(rest) ?? [];
    if (all === undefined || label === undefined || value === undefined || label in labels) {
      throw new Error(`broken labels: ${line}`);
    }
    labels[label] = value;
    rest = rest.slice(all.length);
  }
  return { name, labels, value: Number(valueText.replace('Inf', 'Infinity')) };
}

/** Buckets only grow, and the last one holds everything. */
function checkHistogram({ name, samples }: Family): void {
  const groups = new Map<string, { buckets: [number, number][]; count?: number; sum?: number }>();
  for (const { name: sampleName, labels, value } of samples) {
    const { le, ...shared } = labels;
    const key = keyOf(shared);
    const group = groups.get(key) ?? { buckets: [] };
    groups.set(key, group);
    if (sampleName === `${name}_bucket`) group.buckets.push([Number(le?.replace('+Inf', 'Infinity')), value]);
    else if (sampleName === `${name}_count`) group.count = value;
    else group.sum = value;
  }
  for (const [key, { buckets, count, sum }] of groups) {
    const grows = buckets.every(([bound, value], index) => {
      const [earlierBound, earlierValue] = buckets[index - 1] ?? [-Infinity, 0];
      return bound > earlierBound && value >= earlierValue;
    });
    const [bound, value] = buckets.at(-1) ?? [];
    if (!grows || bound !== Infinity || value !== count || sum === undefined) {
      throw new Error(`${name} does not add up: ${key}`);
    }
  }
}
