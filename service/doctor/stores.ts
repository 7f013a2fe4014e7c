import { formerFindings } from './keys.ts';
import { fine, looking, note, wrong, type Finding } from './finding.ts';
import type { World } from './world.ts';

const DAY_MS = 24 * 3_600_000;
/** A restore that was tried longer ago than this proves nothing. */
const REHEARSED_WITHIN_MS = 90 * DAY_MS;

/** Where the books are, what wakes the service, and whether the books can be got back. */
export async function checkStores(world: World): Promise<Finding[]> {
  const found = await Promise.all([checkDatabase(world), checkRedis(world), checkBackups(world)]);
  return [...found.flat(), checkRehearsal(world)];
}

function checkDatabase(world: World): Promise<readonly Finding[]> {
  const { config, asks } = world;
  const subject = 'database';
  return looking(subject, 'check DATABASE_URL and that the server answers this computer', async () => {
    const { missing, stops, formers = [] } = await asks.database();
    if (missing === null) return note(subject, 'there is none yet', 'the first start makes it');
    if (missing > 0) {
      return note(
        subject,
        `${missing} migrations are not run yet`,
        'back it up; the next start of this version runs them',
      );
    }
    // It holds after the start too, so a mended release starts under it.
    const cure = 'find out why (npm run operator -- stops); do not resume for this: the stop holds after the start';
    const standing = stops.map((text) => note(subject, `stopped: ${text}`, cure));
    const found = fine(subject, config.databaseUrl.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL');
    return [found, ...standing, ...formerFindings(world, formers)];
  });
}

function checkRedis({ config, asks }: World): Promise<readonly Finding[]> {
  const subject = 'Redis';
  if (config.redisUrl.kind === 'private')
    return Promise.resolve([fine(subject, 'a private one, started with the service')]);
  const cure = 'check REDIS_URL; set maxmemory-policy noeviction on each server';
  return looking(subject, cure, async () => {
    const policy = await asks.redisPolicy();
    if (policy === 'noeviction') return fine(subject, 'keeps all keys (noeviction)');
    return note(subject, 'it refuses to tell its maxmemory-policy', 'make sure that it is noeviction');
  });
}

function checkBackups({ config, asks, nowMs }: World): Promise<readonly Finding[]> {
  const subject = 'backups';
  if (config.databaseUrl.kind === 'postgres') {
    const text = 'PostgreSQL is backed up by its own tools';
    return Promise.resolve([note(subject, text, 'archive its log all the time, as docs/backup.md says')]);
  }
  const { folder, everyMinutes } = config.backups;
  if (folder === undefined) {
    return Promise.resolve([wrong(subject, 'BACKUP_DIR is not set', 'set BACKUP_DIR to a folder on another disk')]);
  }
  return looking(subject, 'make BACKUP_DIR, and let the user of the service write there', async () => {
    if (asks.isSameDisk(folder, config.dataDir)) {
      return wrong(subject, 'BACKUP_DIR is on the disk of the database', 'set BACKUP_DIR to a folder on another disk');
    }
    const newest = await asks.newestBackup();
    if (newest === null) return note(subject, 'no copy was written yet', 'the worker writes the first after its start');
    if (!newest.isUsable)
      return wrong(subject, `${newest.name} cannot be opened`, 'npm run operator -- backup <folder> <keep>');
    const isOld = nowMs - newest.atMs > 4 * everyMinutes * 60_000;
    return isOld
      ? note(subject, `${newest.name} is the newest`, 'start the worker, or look into its log why it writes none')
      : fine(subject, newest.name);
  });
}

function checkRehearsal({ config, restoredAtMs, nowMs }: World): Finding {
  const subject = 'restore';
  const cure =
    'restore once on another machine (docs/backup.md), then run doctor with --restored <day>, such as 2026-11-20';
  const isReal = config.mode === 'mainnet';
  const text = restoredAtMs === null ? 'nobody has said that a restore was tried' : 'tried more than 90 days ago';
  if (restoredAtMs !== null && restoredAtMs <= nowMs && nowMs - restoredAtMs <= REHEARSED_WITHIN_MS) {
    return fine(subject, `tried on ${new Date(restoredAtMs).toISOString().slice(0, 10)}`);
  }
  return isReal ? wrong(subject, text, cure) : note(subject, text, cure);
}
