import { findViolations } from '../audit/invariants.ts';
import { openPgStore } from '../store/store-pg.ts';
import type { Store } from '../store/store.ts';
import { MOVED_TABLES, type MovedTable } from './columns.ts';
import { contentOf, differenceOf } from './compare.ts';
import { MoveRefused } from './refused.ts';
import { BEFORE_ALL, openSource, type Place, type Source } from './source.ts';
import { openTarget, type Chunk, type Target } from './target.ts';

const ROWS_AT_ONCE = 2_000;
/** Stored files and answers differ in size. */
const CHARACTERS_AT_ONCE = 4_000_000;
const BROKEN_SHOWN = 10;

export type MoveOptions = {
  path: string;
  url: string;
  newId: () => string;
  say?: (line: string) => void;
  /** Where the books disagree with themselves; each is a sentence. */
  audit?: (store: Store) => Promise<readonly string[]>;
  /** Before and after each write: a test that throws here ends the move as a crash does. */
  onStep?: (step: string) => void;
  /** How many rows one write holds at most. */
  rowsAtOnce?: number;
};

export type Moved = { kind: 'moved' | 'was-moved'; rows: ReadonlyMap<string, number> };

/**
 * Moves all rows of a stopped service from SQLite to PostgreSQL. From its first write on neither database serves, and
 * once everything was compared only the new one does; in between it may end at any point and be called again. Throws
 * MoveRefused.
 */
export async function moveToPostgres(options: MoveOptions): Promise<Moved> {
  const source = openSource(options.path);
  try {
    const target = await openTarget(options.url);
    try {
      return await move(source, target, options);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

/** Back to a service on SQLite, while the other one has not taken over. */
export function giveUpMove(path: string): void {
  const source = openSource(path);
  try {
    const state = source.state();
    if (state === null) throw new MoveRefused(`The file ${path} does not move.`);
    if (state.state === 'ended')
      throw new MoveRefused(`The file ${path} has moved: its service may have gone on elsewhere, so it stays closed.`);
    source.giveBack();
  } finally {
    source.close();
  }
}

async function move(source: Source, target: Target, options: MoveOptions): Promise<Moved> {
  const { url, say = () => {}, onStep = () => {}, audit = auditBooks, rowsAtOnce = ROWS_AT_ONCE } = options;
  const begun = source.state();
  const there = await target.state();
  if (begun?.state === 'ended' && there.kind === 'empty')
    throw new MoveRefused('The database behind DATABASE_URL is empty: the service works on another one.');
  if (begun?.state === 'ended' && there.kind === 'used') return { kind: 'was-moved', rows: new Map() };
  if (there.kind === 'used')
    throw new MoveRefused('The database behind DATABASE_URL holds rows already. A move needs an empty one.');
  if (there.kind === 'moving' && there.id !== begun?.id)
    throw new MoveRefused('The database behind DATABASE_URL holds a part of another move. Make an empty one.');
  const id = begun?.id ?? options.newId();
  if (begun === null) source.freeze(id);
  onStep('frozen');
  if (there.kind === 'empty') await target.begin(id);
  onStep('begun');
  await copy(source, target, { say, onStep, rowsAtOnce });
  const rows = await compare(source, target, say);
  onStep('compared');
  await target.analyze();
  await refuseUnsound(url, audit);
  onStep('audited');
  // First here: a database that is given back after this could sign beside the other.
  source.end();
  onStep('closed');
  await target.end();
  onStep('ended');
  return { kind: 'moved', rows };
}

type Steps = { say: (line: string) => void; onStep: (step: string) => void; rowsAtOnce: number };

async function copy(source: Source, target: Target, { say, onStep, rowsAtOnce }: Steps): Promise<void> {
  const positions = await target.positions();
  for (const table of MOVED_TABLES) {
    let count = 0;
    const left = source.rows(table, positions.get(table.name) ?? BEFORE_ALL);
    for (const chunk of chunksOf(left, rowsAtOnce)) {
      await target.write(table, chunk, () => onStep(`before ${table.name}`));
      onStep(`after ${table.name}`);
      count += chunk.rows.length;
    }
    await countOn(source, target, table);
    if (count > 0) say(`${table.name}: ${count} rows copied`);
  }
}

/** A number that was given out once is not given out again. */
async function countOn(source: Source, target: Target, table: MovedTable): Promise<void> {
  if (!table.columns.some(({ isSerial }) => isSerial)) return;
  const counted = source.counted(table.name);
  if (counted !== null && counted > 0n) await target.countOn(table, counted);
}

function* chunksOf(places: Iterable<Place>, rowsAtOnce: number): Iterable<Chunk> {
  let rows: Place['row'][] = [];
  let characters = 0;
  let last = 0n;
  for (const { position, row } of places) {
    rows.push(row);
    last = position;
    characters += row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (rows.length < rowsAtOnce && characters < CHARACTERS_AT_ONCE) continue;
    yield { rows, position: last };
    [rows, characters] = [[], 0];
  }
  if (rows.length > 0) yield { rows, position: last };
}

async function compare(source: Source, target: Target, say: (line: string) => void): Promise<Moved['rows']> {
  say('Comparing every table …');
  const counts = new Map<string, number>();
  for (const table of MOVED_TABLES) {
    const there = await contentOf(table, onlyRows(source.rows(table, BEFORE_ALL)));
    const difference = differenceOf(table, there, await contentOf(table, target.rows(table)));
    if (difference !== null) {
      throw new MoveRefused(
        `What arrived is not what was sent. ${difference}. Give the file back with --give-up, and move into an empty database.`,
      );
    }
    counts.set(table.name, there.rows);
  }
  return counts;
}

function* onlyRows(places: Iterable<Place>): Iterable<Place['row']> {
  for (const { row } of places) yield row;
}

async function auditBooks(store: Store): Promise<readonly string[]> {
  return (await findViolations(store)).map(({ rule, detail }) => `${rule}: ${detail}`);
}

async function refuseUnsound(url: string, audit: (store: Store) => Promise<readonly string[]>): Promise<void> {
  const store = await openPgStore({ url });
  try {
    const broken = await audit(store);
    if (broken.length === 0) return;
    const shown = broken.slice(0, BROKEN_SHOWN);
    throw new MoveRefused(['Everything arrived, but the books are not sound:', ...shown].join('\n'));
  } finally {
    await store.close();
  }
}
