/** What systemd would do with the units, in a root where it cannot run: folders, user, environment, command. */
import { parseEnv } from 'node:util';
import type { Role } from '../../core/config/config.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Daemon, Machine } from './machine.ts';

export const ROLES = ['worker', 'api', 'bot'] as const satisfies readonly Role[];
const READY_MS = 300_000;

export type Unit = { command: string; user: string; cwd: string; environment: Record<string, string>; folder: string };

export function readUnit(machine: Machine, role: Role): Unit {
  const text = machine.read(`/etc/systemd/system/pennypost-${role}.service`);
  const of = (name: string): string => {
    const value = new RegExp(`^${name}=(.+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`the unit of ${role} has no ${name}`);
    return value;
  };
  return {
    command: of('ExecStart'),
    user: of('User'),
    cwd: of('WorkingDirectory'),
    folder: `/var/lib/${of('StateDirectory')}`,
    // What the file says, and over it what the unit sets.
    environment: {
      ...valuesIn(machine.read(of('EnvironmentFile'))),
      ...valuesIn(of('Environment').replaceAll(' ', '\n')),
    },
  };
}

const valuesIn = (text: string): Record<string, string> =>
  Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']));

/** The last start of each role; a role that is started again was ended before. */
export type Running = Map<Role, Daemon>;

/** As `systemctl start`, and until it says that it serves. */
export async function startRole(
  machine: Machine,
  running: Running,
  role: Role,
  extra: Readonly<Record<string, string>>,
): Promise<void> {
  const { command, user, cwd, environment, folder } = readUnit(machine, role);
  await machine.run(`install -d -o ${user} -g ${user} -m 0700 ${folder}`);
  const env = { ...environment, ...extra, HOME: cwd };
  const daemon = machine.start(`pennypost-${role}`, command, { user, cwd, env });
  running.set(role, daemon);
  await eventually(async () => {
    if (daemon.process.exitCode !== null) throw new Error(`${role} has ended: ${daemon.output().slice(-2_000)}`);
    const { status } = await fetch(`http://127.0.0.1:${environment['PORT']}/health/ready`);
    if (status !== 200) throw new Error(`${role} answers ${status}: ${daemon.output().slice(-1_000)}`);
  }, READY_MS);
}

/** As `systemctl stop`. */
export async function stopRole(running: Running, role: Role): Promise<void> {
  const code = await running.get(role)?.end();
  running.delete(role);
  if (code !== undefined && code !== 0) throw new Error(`the role ${role} ended with ${code}`);
}
