/** PostgreSQL is put back to a moment, as docs/backup.md says, and what the chains did since is booked. */
import { setTimeout as sleep } from 'node:timers/promises';
import { shownAfter } from '../docs/shown.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { tip } from './people.ts';
import type { See, Step } from './report.ts';
import { payCollector } from './using.ts';
import type { World } from './world.ts';

const POSTGRES = { user: 'postgres' } as const;
/** More than what was signed in the lost time may take to land. */
const LATER_SECONDS = 66 * 60;
const RECONCILED_MS = 120_000;

const versionOf = async ({ machine }: World): Promise<string> => (await machine.run('ls /etc/postgresql')).trim();

async function backUp(world: World, see: See): Promise<void> {
  const { machine } = world;
  const version = await versionOf(world);
  await machine.run(shownAfter('backup.md', 'The folder of the archive'));
  const conf = `/etc/postgresql/${version}/main/postgresql.conf`;
  machine.write(conf, `${machine.read(conf)}\n${shownAfter('backup.md', 'in `postgresql.conf`')}`);
  await machine.run(`pg_ctlcluster ${version} main restart -m fast`);
  see('PostgreSQL restarted with an archive; the roles are not told of it');
  await machine.run(shownAfter('backup.md', 'makes a base backup'), POSTGRES);
  see(await machine.run('ls /backup/base /backup/wal | head -20'));
  await eventually(async () => void (await world.operate('status')), RECONCILED_MS);
}

async function loseTime(world: World, see: See): Promise<string> {
  const { machine } = world;
  const scene = world.sceneOf('telegram');
  const query = (text: string) => machine.run(`psql -qtAc "${text}"`, POSTGRES);
  see(`before: ${await tip(scene, 'x:dora 1.25')}`);
  const moment = await query(
    "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || ' UTC'",
  );
  see(`the moment: ${moment}`);
  // The lost time begins with a statement that is later than the moment.
  await sleep(1_000);
  const lost = await payCollector(world, '1.75', (text) => see(`lost: ${text}`));
  await lost.untilArrived();
  see(`lost: ${await tip(scene, 'x:erna 1.75')}`);
  // By itself the archive is a minute behind.
  await query('SELECT pg_switch_wal()');
  return moment;
}

async function restore(world: World, see: See): Promise<void> {
  const { machine } = world;
  const version = await versionOf(world);
  const moment = await loseTime(world, see);
  await world.stop();
  await machine.run(`pg_ctlcluster ${version} main stop -m fast`);
  const data = `/var/lib/postgresql/${version}/main`;
  await machine.run(`mv ${data} ${data}.damaged && mkdir -m 0700 ${data}`, POSTGRES);
  const day = (await machine.run('ls /backup/base')).trim();
  const script = shownAfter('backup.md', 'To restore, with the server stopped')
    .replace('/2026-11-23/.', `/${day}/.`)
    .replace('2026-11-23 09:40:00 UTC', moment);
  await machine.run(script, { ...POSTGRES, env: { PGDATA: data } });
  await machine.run(`pg_ctlcluster ${version} main start`);
  await world.start();
  await eventually(async () => {
    const stops = await world.operate('stops');
    if (!stops.includes('database_restored')) throw new Error(`the loss was not noticed: ${stops}`);
    see(stops);
  }, RECONCILED_MS);
}

async function reconcile(world: World, see: See): Promise<void> {
  const early = await world.tryOperate('reconcile');
  if (early.code !== 1) throw new Error(`reconcile did not wait: ${early.output}`);
  see(early.output.trim());
  await world.pass(LATER_SECONDS);
  see('66 minutes pass: the clocks of the chains and of the service go ahead');
  const output = await eventually(() => world.operate('reconcile'), RECONCILED_MS);
  if (!output.includes('Signing goes on')) throw new Error(output);
  see(output);
  for (const words of ['stops', 'suspense', 'held', 'status']) see(`${words}: ${await world.operate(words)}`);
}

export const RESTORING: readonly Step<World>[] = [
  { title: 'backup', run: backUp },
  { title: 'restore', run: restore },
  { title: 'reconcile', run: reconcile },
];
