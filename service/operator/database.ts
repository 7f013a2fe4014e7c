import { randomUUID } from 'node:crypto';
import { parseConfig } from '../../core/config/config.ts';
import { giveUpMove, moveToPostgres } from '../../db/moving/move.ts';
import { backupSqlite } from '../../db/operator/backup.ts';
import { Refused, takeWords, UsageError, type OperatorCommand } from './command.ts';
import { readArguments, type HostCommand } from './host.ts';
import { countText, placeText } from './text.ts';

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
