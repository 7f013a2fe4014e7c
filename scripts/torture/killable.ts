import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export type Killable = {
  url: string;
  process: ChildProcess;
  /** What it wrote to the terminal so far. */
  output: () => string;
  /** Resolves when it has died by itself. */
  died: Promise<void>;
  kill: () => Promise<void>;
  /** Ctrl-C, and the wait for a clean end; resolves with the exit code. */
  stop: () => Promise<number | null>;
};

export type KillableOptions = {
  dataDir: string;
  /** The tree that is run; this one when left out. */
  root?: string;
  failpoint?: string;
  env?: Record<string, string>;
  /** All when left out. */
  roles?: readonly string[];
  /** For Node itself, before `main.ts`. */
  nodeArguments?: readonly string[];
};

/** The service as people run it, in a process of its own that can be killed at a named point. */
export async function startKillable(options: KillableOptions): Promise<Killable> {
  const spawned = spawnKillable(options);
  const url = await spawned.listening;
  if (url === null) throw new Error(`the service did not start: ${spawned.output()}`);
  return { ...spawned, url };
}

/** A test that is broken off leaves no service behind that uses up the machine. */
const END_WITH_PARENT = `process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));`;

/**
 * The same without the wait. A failpoint may fire while earlier work is taken up, before anybody could ask for the address:
 * then `listening` answers null.
 */
export function spawnKillable(options: KillableOptions): Omit<Killable, 'url'> & { listening: Promise<string | null> } {
  const { root = ROOT, nodeArguments = [], roles = [] } = options;
  const own = ['--import', `data:text/javascript,${encodeURIComponent(END_WITH_PARENT)}`];
  const child = spawn(process.execPath, [...own, ...nodeArguments, ...programOf(root), ...roles], {
    cwd: root,
    // Not the whole environment: the test runner puts names of its own (BASE_URL) into it.
    env: {
      ...inherited(),
      PORT: '0',
      DATA_DIR: options.dataDir,
      FAILPOINT: options.failpoint ?? '',
      // What tortures it asks more often than people.
      RATE_LIMIT_PER_MINUTE: '0',
      ...options.env,
    },
    // The last one is for messages to what `nodeArguments` load; the service itself knows nothing of it.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const died = once(child, 'exit').then(() => undefined);
  return {
    listening: untilListening(child, () => text),
    process: child,
    output: () => text,
    died,
    kill: async () => {
      child.kill('SIGKILL');
      await died;
    },
    stop: async () => {
      child.kill('SIGINT');
      await died;
      return child.exitCode;
    },
  };
}

/** An earlier checkout may have no programs that are compiled once. */
function programOf(root: string): readonly string[] {
  const hasPrograms = existsSync(join(root, 'scripts/program.mjs'));
  return hasPrograms ? ['scripts/program.mjs', 'main.ts'] : ['--import', 'tsx', 'main.ts'];
}

function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** For what hangs: where much else runs a start takes a minute and more. */
const START_MS = 300_000;

async function untilListening(child: ChildProcess, output: () => string): Promise<string | null> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const found = /Listening on (\S+)/.exec(output());
    if (found?.[1] !== undefined) return found[1];
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) return null;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
