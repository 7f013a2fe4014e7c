/** Starting and stopping the anvil process itself. What it is told, and whether one is needed, is decided elsewhere. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_CHAIN_ID } from './anvil-command.ts';
import { isAlive } from './process-id.ts';
import { callHex, callRpc } from './rpc.ts';
import { readIfThere } from './whole-file.ts';

const POLL_MS = 10;
const READY_WITHIN_MS = 25_000;
const STOP_WITHIN_MS = 20_000;

/**
 * Starts anvil in a session of its own, so that it outlives us. The shell writes the process id before it becomes
 * anvil: even if we are killed this instant, the next starter knows whom to look for.
 */
export function spawnAnvil(dir: string, program: string, programArguments: string[]): number {
  const output = openSync(outputFile(dir), 'w', 0o600);
  try {
    const script = 'echo $$ > "$0" && exec "$@"';
    const child = spawn('/bin/sh', ['-c', script, pidFile(dir), program, ...programArguments], {
      detached: true,
      stdio: ['ignore', output, output],
      cwd: dir,
      // Variables of its own could change the address it listens on, and it keeps caches below HOME.
      env: { HOME: dir, PATH: '/usr/bin:/bin' },
    });
    child.unref();
    if (child.pid === undefined) throw new Error('the local Base network could not be started: /bin/sh does not run');
    return child.pid;
  } finally {
    closeSync(output);
  }
}

/**
 * Waits until the process serves Base on a port of its own, which it names in its output: another program that answers
 * on the port we asked for proves nothing. Answers the last words of a process that ends instead.
 */
export async function waitUntilReady(
  dir: string,
  pid: number,
  withinMs = READY_WITHIN_MS,
): Promise<{ port: number } | { lastWords: string }> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    const alive = isAlive(pid);
    const output = (await readIfThere(outputFile(dir))) ?? '';
    if (!alive) return { lastWords: output.split(/\s+/).filter(Boolean).join(' ').slice(-300) };
    const port = Number(/Listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
    if (port > 0 && (await answersAsBase(toRpcUrl(port)))) {
      // From here on it would write several lines per block.
      await callRpc(toRpcUrl(port), 'anvil_setLoggingEnabled', [false]);
      return { port };
    }
    await sleep(POLL_MS);
  }
  throw new Error(`the local Base network (anvil, process ${pid}) was not ready after ${withinMs / 1000} s`);
}

/** Asks the process to end, upon which it writes its state, and waits for that. */
export async function stopAnvil(pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + STOP_WITHIN_MS;
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      throw new Error(`the local Base network (anvil, process ${pid}) did not stop within ${STOP_WITHIN_MS / 1000} s`);
    }
    await sleep(POLL_MS);
  }
}

/** The process that was started here last, if one with its number still runs. */
export async function readLivePid(dir: string): Promise<number | null> {
  const pid = Number(await readIfThere(pidFile(dir)));
  return isAlive(pid) ? pid : null;
}

export function toRpcUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function answersAsBase(rpcUrl: string): Promise<boolean> {
  const chainId = await callHex(rpcUrl, 'eth_chainId').catch(() => null);
  return chainId !== null && Number(chainId) === BASE_CHAIN_ID;
}

function pidFile(dir: string): string {
  return join(dir, 'anvil.pid');
}

function outputFile(dir: string): string {
  return join(dir, 'anvil.log');
}
