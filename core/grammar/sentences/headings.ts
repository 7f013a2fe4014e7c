const HEADING =
  /^(?:[#*]+ ?)?([A-Za-z.]+) (?:payouts?|payments|tips|bounties|rewards|prizes)(?: to (?:make|send))?\*{0,2}:?$/i;
const LINE =
  /^(?:(?:[-*•]|\d{1,2}[.)])\s+)?(@?[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,37}[A-Za-z0-9_])?)(?:\s*[:=]|\s+[–—-]|,)?\s+(\$\d+(?:\.\d+)?|\d+(?:\.\d+)? ?(?:usdc|usd|\$))$/i;
/** What is counted in tables and is nobody: days, states of payments, columns. */
const COUNTED =
  /^@?(?:mon|tues|wednes|thurs|fri|satur|sun)day$|^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|q[1-4]|week.*|day.*|month.*|year.*|h[12])$|^(?:(?:sub)?totals?|sum|fees?|tax(?:es)?|budget|balance|limit|max(?:imum)?|min(?:imum)?|average|mean|spent|paid|unpaid|open|closed|due|left|remaining|rest|pending|failed|declined|rejected|cancell?ed|done|sent|received|scheduled|planned|estimated?|draft|before|after|old|new|previous|next|count|number|amount|price|cost|rate|gas|tips?|rewards?|bounty|bounties|grants?|bonus|others?|misc|unknown|test|example|name|user|account)$/i;

/**
 * `farcaster payouts`, and below it a name and a sum on each line, as one sentence with the platform beside each name; any
 * other text as it is. Plain words could be the rows of any table, so one of the names has to look like a handle.
 */
export function underHeading(text: string, isPlace: (word: string) => boolean): string {
  const [first = '', ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [, place = ''] = HEADING.exec(first) ?? [];
  const rows = lines.map((line) => LINE.exec(line)?.slice(1) ?? []);
  if (!isPlace(place) || rows.length === 0) return text;
  const names = rows.map(([name = '']) => name);
  const isList = names.every((name) => name !== '' && !COUNTED.test(name));
  if (!isList || !names.some((name) => /[@\d._-]/.test(name))) return text;
  return rows.map(([name = '', sum = '']) => `${place} account "${name.replace(/^@/, '')}" ${sum}`).join('\n');
}
