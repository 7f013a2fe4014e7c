const RANGES_MAX = 32;

type Range = { type: string; quality: number };

/**
 * The media type out of `offered` that an Accept header asks for (RFC 9110, section 12.5.1): the highest quality wins,
 * then the one that was named more exactly, then the order of `offered`. Null when the header is missing or asks for
 * none of them; the caller then has its own default.
 */
export function preferredType<const T extends string>(header: string | undefined, offered: readonly T[]): T | null {
  const ranges = parseRanges(header ?? '');
  let best: { type: T; quality: number; exactness: number } | null = null;
  for (const type of offered) {
    const match = matchOf(type, ranges);
    if (match === null || match.quality === 0) continue;
    const isBetter =
      best === null ||
      match.quality > best.quality ||
      (match.quality === best.quality && match.exactness > best.exactness);
    if (isBetter) best = { type, ...match };
  }
  return best?.type ?? null;
}

function parseRanges(header: string): Range[] {
  return header
    .toLowerCase()
    .split(',', RANGES_MAX)
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      return { type, quality: qualityOf(parameters) };
    });
}

function qualityOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (text === undefined) return 1;
  return /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

/** The most exact range that covers the type decides, even when its quality is lower than a wider one's. */
function matchOf(type: string, ranges: readonly Range[]): { quality: number; exactness: number } | null {
  const wider = ['*/*', `${type.slice(0, type.indexOf('/'))}/*`, type];
  for (let exactness = wider.length - 1; exactness >= 0; exactness -= 1) {
    const range = ranges.find((candidate) => candidate.type === wider[exactness]);
    if (range) return { quality: range.quality, exactness };
  }
  return null;
}
