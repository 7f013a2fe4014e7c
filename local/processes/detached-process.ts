/** Programs that outlive us. The caller decides their arguments, and whether one is needed. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-id.ts';
import { readIfThere } from './whole-file.ts';

const POLL_MS = 10;
const READY_WITHIN_MS = 25_000;
const STOP_WITHIN_MS = 20_000;
const LAST_OUTPUT_LENGTH = 300;

/** Where the next starter finds it: `NAME.pid` and `NAME.log`, which holds the output of the newest run. */
export type Place = {
  dir: string;
  name: string;
  /** As errors call it. */
  title: string;
};

export type Command = {
  program: string;
  arguments: readonly string[];
  /** All that it gets. Variables of ours could change what it does. */
  env: Readonly<Record<string, string>>;
  /** For its standard input. */
  input?: string;
};

/** The end of a process's output, in one line. */
export type LastOutput = { lastOutput: string };

/**
 * Starts the program in a session of its own, so that it outlives us. The shell writes the process id before it becomes
 * the program, so that the next starter finds it even if we are killed this instant.
 */
export function spawnDetached(place: Place, { program, arguments: words, env, input }: Command): number {
  const output = openSync(logFile(place), 'w', 0o600);
  try {
    const script = 'echo $$ > "$0" && exec "$@"';
    const child = spawn('/bin/sh', ['-c', script, pidFile(place), program, ...words], {
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', output, output],
      cwd: place.dir,
      env,
    });
    if (child.pid === undefined) throw new Error(`${place.title} could not be started: /bin/sh does not run`);
    // If it ends before it has read them, its last output says why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.unref();
    return child.pid;
  } finally {
    closeSync(output);
  }
}

/**
 * Calls `probe` with the output so far until it answers something. Answers the last output of a process that ends
 * instead, and throws when the time is over.
 */
export async function waitUntilReady<T extends object>(
  place: Place,
  pid: number,
  probe: (output: string) => Promise<T | null>,
  withinMs = READY_WITHIN_MS,
): Promise<T | LastOutput> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    // In this order, so that all output of an ended process is there.
    const isRunning = isAlive(pid);
    const output = (await readIfThere(logFile(place))) ?? '';
    if (!isRunning) return { lastOutput: output.split(/\s+/).filter(Boolean).join(' ').slice(-LAST_OUTPUT_LENGTH) };
    const ready = await probe(output);
    if (ready) return ready;
    await sleep(POLL_MS);
  }
  throw new Error(`${place.title} (process ${pid}) was not ready after ${withinMs / 1000} s`);
}

/** For a process that was asked to end. */
export async function waitUntilEnded({ title }: Place, pid: number): Promise<void> {
  const deadline = Date.now() + STOP_WITHIN_MS;
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      throw new Error(`${title} (process ${pid}) did not stop within ${STOP_WITHIN_MS / 1000} s`);
    }
    await sleep(POLL_MS);
  }
}

/** The process that was started here last, if one with its number still runs: perhaps another, which was given it. */
export async function readLivePid(place: Place): Promise<number | null> {
  const pid = Number(await readIfThere(pidFile(place)));
  return isAlive(pid) ? pid : null;
}

function pidFile({ dir, name }: Place): string {
  return join(dir, `${name}.pid`);
}

function logFile({ dir, name }: Place): string {
  return join(dir, `${name}.log`);
}
