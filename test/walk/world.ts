/** An installation while it is walked through: the machine, what is around it, and the commands of its operator. */
import type { Scene } from '../bot/scenarios/drivers/chat-driver.ts';
import { clockOff } from '../support/clock-off.ts';
import { readDocument } from '../docs/shown.ts';
import type { Machine, Ran } from './machine.ts';
import type { Surroundings } from './surroundings.ts';
import type { Tls } from './tls.ts';
import { ROLES, startRole, stopRole, type Running } from './units.ts';

export const PLACE = '/opt/pennypost';
export const USER = 'pennypost';
const CERTIFICATE = '/etc/nginx/tls/fullchain.pem';
const DOCUMENTS = ['operating.md', 'backup.md', 'keys.md'].map(readDocument).join('\n');

export type World = Awaited<ReturnType<typeof openWorld>>;

export function openWorld({ machine, around, tls }: { machine: Machine; around: Surroundings; tls: Tls }) {
  const running: Running = new Map();
  const scenes = new Map<string, Scene>();
  let skewMs = 0;

  /** The authority behind the certificate of the walk, and its clock; nothing that an operator would set. */
  const extra = (): Record<string, string> => ({
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
    ...(skewMs === 0 ? {} : { NODE_OPTIONS: `--import=${clockOff(skewMs)}` }),
  });

  const asUser = (command: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    machine.tryTo(command, { user: USER, cwd: PLACE, env: { HOME: PLACE, ...extra(), ...env } });

  const world = {
    machine,
    around,
    tls,
    running,
    scenes,
    /** What a later step reads again. */
    kept: { advice: '', collectedAt: new Map<string, string>() },
    extra,
    asUser,
    /** `npm run operator -- …`, which has to be in the documents; answers what it said, also where it refused. */
    tryOperate: async (words: string): Promise<Ran> => {
      const [name = ''] = words.split(' ');
      if (!DOCUMENTS.includes(`operator -- ${name}`) && !DOCUMENTS.includes(`\`${name}`))
        throw new Error(`no document tells of the command ${name}`);
      return asUser(`npm run -s operator -- ${words}`);
    },
    operate: async (words: string): Promise<string> => {
      const { code, output } = await world.tryOperate(words);
      if (code !== 0) throw new Error(`operator ${words} ended with ${code}: ${output}`);
      return output.trim();
    },
    start: async (): Promise<void> => {
      for (const role of ROLES) await startRole(machine, running, role, extra());
    },
    stop: async (): Promise<void> => {
      for (const role of ROLES) await stopRole(running, role);
    },
    /** So much time passes for the chains, for the service, and for those who stand in for the others. */
    pass: async (seconds: number): Promise<void> => {
      await world.stop();
      // Never the same number twice: a module that was loaded before does nothing.
      const byMs = seconds * 1_000 + skewMs / 1_000;
      skewMs += byMs;
      await import(clockOff(byMs));
      await around.advance(seconds);
      await world.start();
    },
    sceneOf: (name: string): Scene => {
      const scene = scenes.get(name);
      if (scene === undefined) throw new Error(`nobody has opened ${name} yet`);
      return scene;
    },
  };
  return world;
}

/** The lines of a shown block that this root can run: systemd cannot, and `units.ts` does what it would. */
export const withoutSystemd = (block: string): string =>
  block
    .split('\n')
    .map((line) => line.replace(/(?:^| && )systemctl .*$/, ''))
    .join('\n');
