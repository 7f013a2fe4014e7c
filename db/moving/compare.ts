import { createHash } from 'node:crypto';
import type { MovedTable, Row } from './columns.ts';

const DIGEST_BYTES = 16;
const DIGESTS = 1n << BigInt(8 * DIGEST_BYTES);

/** What a table holds, in any order of its rows: how many, the sum of each number, and a digest of every value. */
export type Content = { rows: number; sums: ReadonlyMap<string, bigint>; digest: bigint };

export async function contentOf({ columns }: MovedTable, rows: Iterable<Row> | AsyncIterable<Row>): Promise<Content> {
  const numbers = columns.flatMap(({ name, type }, index) => (type === 'bigint' ? [{ name, index }] : []));
  const sums = new Map(numbers.map(({ name }) => [name, 0n]));
  let [count, digest] = [0, 0n];
  for await (const row of rows) {
    count += 1;
    for (const { name, index } of numbers) sums.set(name, (sums.get(name) ?? 0n) + BigInt(row[index] ?? 0));
    digest = (digest + digestOf(row)) % DIGESTS;
  }
  return { rows: count, sums, digest };
}

function digestOf(row: Row): bigint {
  const bytes = createHash('sha256').update(JSON.stringify(row)).digest();
  return BigInt(`0x${bytes.toString('hex', 0, DIGEST_BYTES)}`);
}

/** Null where both are equal; otherwise the difference, in words. */
export function differenceOf({ name }: MovedTable, there: Content, here: Content): string | null {
  if (there.rows !== here.rows) return `${name}: ${there.rows} rows, and ${here.rows} arrived`;
  for (const [column, sum] of there.sums) {
    const arrived = here.sums.get(column);
    if (arrived !== sum) return `${name}: ${column} sums to ${sum}, and to ${arrived} where it arrived`;
  }
  return there.digest === here.digest ? null : `${name}: as many rows, but not the same values`;
}
