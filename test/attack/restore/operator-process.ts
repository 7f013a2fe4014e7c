import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import { clockOff } from '../../support/clock-off.ts';
import type { World } from './world.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The operator's command line, in a process of its own whose clock is that of the world. Null where signing goes on. */
export async function reconcileInProcess(world: World, database: DatabaseAddress): Promise<string | null> {
  const env = {
    PATH: process.env['PATH'],
    NETWORK_MODE: 'local',
    NETWORKS: world.side.network,
    DATA_DIR: world.config.dataDir,
    DATABASE_URL: database.kind === 'sqlite' ? `sqlite:${database.path}` : database.url,
  };
  const words = ['--import', clockOff(world.skewMs()), 'scripts/program.mjs', 'scripts/operator.ts', 'reconcile'];
  const ended = promisify(execFile)(process.execPath, words, { cwd: ROOT, env });
  const { stdout, stderr } = await ended.catch((error: unknown) => ({ stdout: '', stderr: String(error) }));
  return stdout.includes('Signing goes on.') ? null : `${stdout}${stderr}`;
}
