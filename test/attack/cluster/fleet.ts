import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../../core/config/config.ts';
import { spawnKillable } from '../../../scripts/torture/killable.ts';
import { findQuietPort } from '../../support/quiet-port.ts';
import type { Interval } from './evidence.ts';

const READY_EVERY_MS = 250;
export const ROLES = ['api', 'worker', 'bot'] as const satisfies readonly Role[];
const OF_EACH = 2;

type Life = ReturnType<typeof spawnKillable>;

/** One place for a process of one role: the same port in each of its lives. */
export type Member = {
  name: string;
  role: (typeof ROLES)[number];
  url: string;
  start: () => Promise<void>;
  kill: () => Promise<void>;
  freeze: () => void;
  thaw: () => void;
  /** When it did not serve, as far as we brought that about. */
  outages: () => readonly Interval[];
};

export type Fleet = {
  members: readonly Member[];
  of: (role: Member['role']) => readonly Member[];
  /** Ended without a signal of ours. */
  selfExits: () => readonly string[];
  close: () => Promise<void>;
};

type Options = { dataDir: string; env: (ports: readonly number[]) => Record<string, string> };

/** Two processes of each role, each of which may die at any time. */
export async function createFleet({ dataDir, env }: Options): Promise<Fleet> {
  const names = ROLES.flatMap((role) =>
    Array.from({ length: OF_EACH }, (_, index) => ({ role, name: `${role}${index + 1}` })),
  );
  const ports = await Promise.all(names.map(() => findQuietPort()));
  const selfExits: string[] = [];
  const own = env(ports.slice(0, OF_EACH));
  const members = names.map(({ name, role }, index): Member => {
    const port = String(ports[index]);
    const launch = () => spawnKillable({ dataDir, roles: [role], env: { ...own, PORT: port } });
    return createMember({ name, role, url: `http://127.0.0.1:${port}`, launch, selfExits, dataDir });
  });
  return {
    members,
    of: (role) => members.filter((member) => member.role === role),
    selfExits: () => selfExits,
    close: async () => void (await Promise.all(members.map(({ kill }) => kill()))),
  };
}

type Place = Pick<Member, 'name' | 'role' | 'url'> & { launch: () => Life; selfExits: string[]; dataDir: string };

function createMember({ name, role, url, launch, selfExits, dataDir }: Place): Member {
  const outages: Interval[] = [];
  let downFromMs: number | null = Date.now();
  let life: Life | null = null;
  const up = () => {
    if (downFromMs !== null) outages.push({ fromMs: downFromMs, toMs: Date.now() });
    downFromMs = null;
  };
  return {
    name,
    role,
    url,
    async start() {
      const started = launch();
      life = started;
      void started.died.then(() => {
        const { exitCode, signalCode } = started.process;
        appendFileSync(join(dataDir, `${name}.out`), `${started.output()}\n--- ended: ${exitCode ?? signalCode}\n`);
        // A signal that we send takes it off its place first.
        if (life !== started) return;
        life = null;
        downFromMs ??= Date.now();
        selfExits.push(`${name} with ${exitCode ?? signalCode}: ${started.output().trim().split('\n').at(-1) ?? ''}`);
      });
      while (life === started && !(await isReady(url))) await new Promise((ready) => setTimeout(ready, READY_EVERY_MS));
      if (life === started) up();
    },
    async kill() {
      const doomed = life;
      life = null;
      downFromMs ??= Date.now();
      await doomed?.kill();
    },
    freeze() {
      downFromMs ??= Date.now();
      life?.process.kill('SIGSTOP');
    },
    thaw() {
      life?.process.kill('SIGCONT');
      up();
    },
    outages: () => (downFromMs === null ? outages : [...outages, { fromMs: downFromMs, toMs: Date.now() }]),
  };
}

const isReady = (url: string) =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
