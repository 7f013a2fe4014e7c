/** A minimal Debian in a folder, as an operator's machine: commands and processes run in it, and nothing else of this one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the process that entered the namespace: the network of this machine, for downloads. */
const OUTER_NETWORK = 3;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** How this machine reaches the registries; none of it is part of the walk. */
const REGISTRY = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'npm_config_registry', 'npm_config_cafile'];

export type How = {
  /** Root when left out. */
  user?: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** What a person types. */
  input?: string;
  /** With the network of this machine. */
  downloads?: true;
};
export type Ran = { code: number | null; output: string };
export type Daemon = {
  process: ChildProcess;
  output: () => string;
  /** Answers its exit code; null where a signal ended it. */
  end: (signal?: NodeJS.Signals) => Promise<number | null>;
};

export type Machine = ReturnType<typeof openMachine>;

export function openMachine(root: string, logs: string) {
  mkdirSync(logs, { recursive: true });
  const inside = (path: string) => join(root, path);

  function launch(command: string, how: How): ChildProcess {
    const { user, cwd = '/', env = {}, downloads = false } = how;
    const all = {
      PATH,
      HOME: user === undefined ? '/root' : '/',
      LANG: 'C.UTF-8',
      ...(downloads ? registryOf(inside) : {}),
      ...env,
    };
    const words = [
      ...(downloads ? ['nsenter', `--net=/proc/self/fd/${OUTER_NETWORK}`] : []),
      'chroot',
      root,
      'env',
      '-i',
      ...Object.entries(all).map(([name, value]) => `${name}=${value}`),
      ...(user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups']),
      'bash',
      '-euo',
      'pipefail',
      '-c',
      `cd ${cwd}\n${command}`,
    ];
    const [program = '', ...args] = words;
    return spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe', downloads ? OUTER_NETWORK : 'ignore'] });
  }

  /** Answers how it ended, with what it wrote. */
  async function tryTo(command: string, how: How = {}): Promise<Ran> {
    const child = launch(command, how);
    const output = collect(child);
    child.stdin?.on('error', () => undefined).end(how.input ?? '');
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output: output() };
  }

  return {
    root,
    inside,
    launch,
    tryTo,
    read: (path: string) => readFileSync(inside(path), 'utf8'),
    has: (path: string) => existsSync(inside(path)),
    write: (path: string, text: string, mode = 0o644) => writeFileSync(inside(path), text, { mode }),
    /** One that has to end well. */
    async run(command: string, how: How = {}): Promise<string> {
      const { code, output } = await tryTo(command, how);
      if (code !== 0) throw new Error(`ended with ${code}:\n${command}\n${output.slice(-4_000)}`);
      return output.trim();
    },
    /** One that goes on. What it writes is in the folder of logs too. */
    start(name: string, command: string, how: How = {}): Daemon {
      const child = launch(`exec ${command}`, how);
      const output = collect(child);
      const file = createWriteStream(join(logs, `${name}.log`), { flags: 'a' });
      for (const stream of [child.stdout, child.stderr]) stream?.pipe(file, { end: false });
      const died = once(child, 'close');
      return {
        process: child,
        output,
        end: async (signal = 'SIGTERM') => {
          child.kill(signal);
          await died;
          return child.exitCode;
        },
      };
    },
  };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}

/** With the authorities that this machine trusts, and the ways of its npm. */
function registryOf(inside: (path: string) => string): Record<string, string> {
  const found = REGISTRY.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  for (const [, path] of found) {
    if (!existsSync(path)) continue;
    mkdirSync(inside(join(path, '..')), { recursive: true });
    copyFileSync(path, inside(path));
  }
  return { ...Object.fromEntries(found), DEBIAN_FRONTEND: 'noninteractive' };
}
