import type { Config } from '../core/config/config.ts';
import { backupInThread } from '../db/operator/backup.ts';
import { startJob, type Job, type JobOptions } from '../queue/job.ts';

type Scheduled = { config: Pick<Config, 'backups' | 'databaseUrl'>; log: JobOptions['log'] };

/** Copies of a SQLite database by the clock; null where none are wanted. PostgreSQL has its own recovery. */
export function startBackups({ config, log }: Scheduled): Job | null {
  const { backups, databaseUrl } = config;
  const { folder, everyMinutes, keep } = backups;
  if (folder === undefined || databaseUrl.kind !== 'sqlite') return null;
  const { path } = databaseUrl;
  return startJob({
    name: 'backup',
    everyMs: everyMinutes * 60_000,
    log,
    step: async () => void (await backupInThread(path, folder, keep, Date.now())),
  });
}
