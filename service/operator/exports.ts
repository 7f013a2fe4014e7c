import { randomUUID } from 'node:crypto';
import { parseConfig } from '../../core/config/config.ts';
import { giveUpMove, moveToPostgres } from '../../db/moving/move.ts';
import { backupSqlite } from '../../db/operator/backup.ts';
import { readArguments, type HostCommand } from './host.ts';
import { existsSync, rmSync } from 'node:fs';
import { networkNamed, networkTitle } from '../../core/networks.ts';
import { readSolvency, type Solvency } from '../../db/audit/solvency.ts';
import { heldSince, type HeldSince } from '../../db/ledger/postings.ts';
import { Refused, takeWords, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { writeLedger } from './exports/ledger.ts';
import { EXPORTED, writeTable } from './exports/tables.ts';
import { countText, placeText, usdcText } from './text.ts';

export const ledgerCommand: OperatorCommand = {
  name: 'ledger',
  usage: '<file> [<first day> [<last day>]]',
  help: 'writes the ledger as CSV: every posting, after the balances before the first day; its sums are compared with books and chain',
  run: async (context) => {
    const { store, config } = context;
    const { file, fromMs, untilMs } = readPeriod(context);
    const { entries, held } = await writeLedger(store, file, { fromMs, untilMs });
    const books = await heldSince(store, untilMs);
    const wrong = books.find(({ network, now, since }) => (held.get(network) ?? 0n) + since !== now);
    if (wrong !== undefined) {
      rmSync(file);
      throw new Error(
        `The postings on ${wrong.network} do not sum to its balances, so nothing was written: run it again.`,
      );
    }
    const { networks } = await readSolvency(store, config.networks);
    const data = {
      file,
      fromMs,
      untilMs,
      events: entries,
      networks: books.map(({ network, now, since }) => ({
        network,
        heldMicroUsdc: held.get(network) ?? 0n,
        sinceMicroUsdc: since,
        nowMicroUsdc: now,
        chain: networks.find((one) => one.network === network) ?? null,
      })),
    };
    const lines = [
      `Wrote ${countText(entries, 'event')} to ${file}. Of each event the amounts of one currency sum to zero.`,
      ...books.map((one) => balanceText(one, held.get(one.network) ?? 0n, networks)),
    ];
    return { data, lines };
  },
};

export const exportTableCommand: OperatorCommand = {
  name: 'export',
  usage: '<payments | payouts | claims> <file> [<first day> [<last day>]]',
  help: 'writes them as CSV, a line for each recipient, payout or claim, as the books have them now; the file names people',
  run: async (context) => {
    const [what, ...words] = context.words;
    const kind = EXPORTED.find((one) => one === what);
    if (kind === undefined) throw new UsageError(`Expected ${EXPORTED.join(', ')} first; found ${what ?? 'nothing'}.`);
    const { file, fromMs, untilMs } = readPeriod({ ...context, words });
    const lines = await writeTable(kind, context.store, file, { fromMs, untilMs });
    const data = { exported: kind, file, fromMs, untilMs, lines };
    return { data, lines: [`Wrote ${countText(lines, 'line')} of ${kind} to ${file}.`] };
  },
};

/** On PostgreSQL a row with a lower number may still be on its way to its commit for so long. */
const SETTLED_AFTER_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

type FilePeriod = { file: string; fromMs: number; untilMs: number };

/** A file, and the days that it is about; without them everything until a minute ago. */
function readPeriod({ words, nowMs }: Pick<CommandContext, 'words' | 'nowMs'>): FilePeriod {
  const [file, first, last, ...more] = words;
  if (file === undefined || more.length > 0) throw new UsageError('Expected a file, and at most two days.');
  const fromMs = first === undefined ? 0 : dayMs(first);
  const settledMs = nowMs - SETTLED_AFTER_MS;
  const untilMs = last === undefined ? settledMs : Math.min(dayMs(last) + DAY_MS, settledMs);
  if (existsSync(file)) throw new Refused(`${file} is there already and stays as it is.`);
  if (fromMs >= untilMs) throw new UsageError('The first day is after the last one, or in the future.');
  return { file, fromMs, untilMs };
}

/** In UTC. */
function dayMs(text: string): number {
  const atMs = Date.parse(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(atMs) && new Date(atMs).toISOString().slice(0, 10) === text;
  if (!isDay) throw new UsageError(`A day is such as 2026-11-20; found ${text}.`);
  return atMs;
}

function balanceText({ network, now, since }: HeldSince, inFile: bigint, chains: readonly Solvency[]): string {
  const chain = chains.find((one) => one.network === network);
  const later = since === 0n ? '' : `, ${usdcText(since)} since, ${usdcText(now)} by the books now`;
  const compared =
    chain === undefined
      ? 'its chain was not compared yet'
      : `the chain had ${usdcText(chain.onChain)} at block ${chain.block}, of which ${usdcText(chain.assets)} were in the books`;
  return `${networkTitle(networkNamed(network), null)}: ${usdcText(inFile)} on our addresses at the end of it${later}; ${compared}.`;
}

const KEEP_MAX = 10_000;

export const backupCommand: OperatorCommand = {
  name: 'backup',
  usage: '<folder> <keep>',
  help: 'writes a checked copy of the SQLite database into a folder and keeps the newest ones, such as: backup /backup 48',
  run: async (context) => {
    const { folder, keep } = takeWords(context, 'folder', 'keep');
    const { databaseUrl } = context.config;
    if (!/^[1-9]\d*$/.test(keep) || Number(keep) > KEEP_MAX)
      throw new UsageError(`Keep from 1 to ${KEEP_MAX} copies; found ${keep}.`);
    if (databaseUrl.kind !== 'sqlite')
      throw new Refused('A PostgreSQL database is backed up by its own tools: docs/backup.md says how.');
    const { file, removed } = backupSqlite(databaseUrl.path, folder, Number(keep), context.nowMs);
    const lines = [
      `Wrote ${file}.`,
      ...(removed.length === 0 ? [] : [`Removed ${countText(removed.length, 'older file')}.`]),
    ];
    return { data: { file, removed }, lines };
  },
};

export const moveCommand: HostCommand = {
  name: 'move',
  usage: '<sqlite file> [--give-up]',
  help: 'moves a stopped service from a SQLite file to the empty PostgreSQL database that DATABASE_URL names; may be run again after a crash; --give-up takes the file back into use instead, before the move has ended',
  run: async (host, args) => {
    const { values, positionals } = readArguments(args, { 'give-up': { type: 'boolean' } }, 1);
    const [path = ''] = positionals;
    if (values['give-up'] === true) {
      giveUpMove(path);
      const line = `${path} is in use again: name it in DATABASE_URL. What arrived elsewhere is worth nothing.`;
      return { data: { file: path, state: 'given back' }, lines: [line] };
    }
    const config = parseConfig(host.environment);
    host.say(placeText(config));
    const { databaseUrl } = config;
    if (databaseUrl.kind !== 'postgres')
      throw new UsageError('DATABASE_URL names the PostgreSQL database that the rows go to.');
    if (databaseUrl.pooled === true)
      throw new Refused('A move talks to the server itself: name it in DATABASE_URL, without DATABASE_POOLER.');
    const moved = await moveToPostgres({ path, url: databaseUrl.url, newId: randomUUID, say: host.say });
    if (moved.kind === 'was-moved')
      return {
        data: { file: path, state: 'moved before' },
        lines: [`${path} has moved before. There is nothing to do.`],
      };
    const counts = [...moved.rows].filter(([, rows]) => rows > 0);
    const rows = counts.reduce((sum, [, count]) => sum + count, 0);
    const lines = [
      ...counts.map(([name, count]) => `${name}: ${count}`),
      `${countText(rows, 'row')} arrived, equal in number, sums and every value, and the books are sound.`,
      `Start the service with this DATABASE_URL and the same DATA_DIR. ${path} is closed for good; keep it as a backup.`,
    ];
    return { data: { file: path, state: 'moved', rows: Object.fromEntries(counts) }, lines };
  },
};
