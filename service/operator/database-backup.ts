import { backupSqlite } from '../../db/operator/backup.ts';
import { Refused, takeWords, UsageError, type OperatorCommand } from './command.ts';
import { countText } from './text.ts';

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
    return [`Wrote ${file}.`, ...(removed.length === 0 ? [] : [`Removed ${countText(removed.length, 'older file')}.`])];
  },
};
