/**
 * What the rows of payments compare: ours and stock on one chain, or ours with many payments stored and with few, or, with
 * `before=FOLDER`, ours and an earlier checkout.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client } from 'pg';
import type { Settings } from '../../../scripts/bench/settings.ts';
import { findPostgres, startPostgres } from '../../support/postgres.ts';
import { storedFolder } from '../stored/folder.ts';
import { makeTokenDear } from './dear-token.ts';
import { openOurs, openStock, type Opened, type Side } from './sides.ts';

export type World = { ours: Side; other: Side; close: () => Promise<void> };

export const BLOCK_MS = 2_000;
/** What many are compared with. */
export const FEW = 1_000;

type Closers = (() => Promise<void>)[];

export async function openWorld(settings: Settings): Promise<World> {
  const closers: Closers = [];
  const close = async () => {
    while (closers.length > 0) await closers.pop()?.();
  };
  const keep = ({ side, close: closeSide }: Opened) => (closers.push(closeSide), side);
  try {
    const stored = settings.number('stored', 0);
    const blockMs = settings.number('blockMs', BLOCK_MS);
    if (stored > 0) {
      const open = async (count: number) =>
        keep(await openOurs({ blockMs, dataDir: await storedFolder(count), name: `${count} stored` }));
      return { ours: await open(stored), other: await open(FEW), close };
    }
    const before = settings.text('before', '');
    if (before !== '') {
      const ours = keep(await openOurs({ blockMs }));
      return { ours, other: keep(await openOurs({ blockMs, root: resolve(before), name: 'before' })), close };
    }
    const apis = settings.number('apis', 1);
    const databaseUrl = await openDatabase(settings, closers);
    const ours = keep(await openOurs({ blockMs, apis, ...(databaseUrl === null ? {} : { databaseUrl }) }));
    if (settings.text('token', 'local') === 'dear') await makeTokenDear(ours.chain.rpcUrl);
    return { ours, other: keep(await openStock(ours.chain)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Null is the SQLite of the service itself. PostgreSQL writes to its disk, as a real one does. */
export async function openDatabase(settings: Settings, closers: Closers): Promise<string | null> {
  if (settings.text('database', 'sqlite') === 'sqlite') return null;
  const bin = findPostgres();
  if (bin === null || !existsSync(bin)) throw new Error('this needs PostgreSQL: apt install postgresql');
  const server = await startPostgres(bin, { settings: ['fsync=on'] });
  closers.push(server.close);
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query('CREATE DATABASE bench TEMPLATE template0');
  await client.end();
  return server.url('bench');
}

/** In words, for the page. */
export function aboutWorld(settings: Settings): string {
  const stored = settings.number('stored', 0);
  const apis = settings.number('apis', 1);
  const isPostgres = settings.text('database', 'sqlite') === 'postgres';
  const database = isPostgres ? `PostgreSQL with fsync, ${apis} API${apis === 1 ? '' : 's'}` : 'SQLite';
  const parts = [`${settings.number('blockMs', BLOCK_MS) / 1_000} s blocks`, database];
  if (settings.text('before', '') !== '') parts.push('beside an earlier checkout, each on a chain of its own');
  if (stored > 0) parts.push(`${stored} stored payments beside ${FEW}, each on a chain of its own`);
  if (settings.text('token', 'local') === 'dear') parts.push('a token as dear as Circle’s');
  return parts.join(', ');
}

/** Both, the other one first in every second round, so that what grows in a round does not meet the same one each time. */
export async function inTurn<T>(
  { ours, other }: Pick<World, 'ours' | 'other'>,
  round: number,
  measure: (side: Side) => Promise<T>,
): Promise<{ name: string; ours: T; other: T }> {
  const name = other.name;
  if (round % 2 === 0) return { name, ours: await measure(ours), other: await measure(other) };
  const first = await measure(other);
  return { name, ours: await measure(ours), other: first };
}
