/** Starting and stopping the process of the chain. Whether one is needed is decided elsewhere. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { isAlive } from '../base/process-id.ts';
import { RpcUnreachable, callRpc } from '../base/rpc.ts';
import { readIfThere } from '../base/whole-file.ts';
import { type Running, readRunning } from './running.ts';
import type { ServeSettings } from './serve.ts';
import { toRpcUrl } from './urls.ts';

const POLL_MS = 10;
const READY_WITHIN_MS = 25_000;
const ANSWER_WITHIN_MS = 5_000;
const STOP_WITHIN_MS = 20_000;
const LAST_WORDS = 300;

const infoSchema = z.object({ instanceId: z.string(), pid: z.int() });

/**
 * Starts the server in a session of its own, so that it outlives us. The shell writes the process id before it becomes
 * the server: even if we are killed this instant, the next starter knows whom to look for.
 */
export function spawnServer(settings: ServeSettings): number {
  const { dir } = settings;
  const output = openSync(outputFile(dir), 'w', 0o600);
  try {
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    const server = fileURLToPath(new URL('./server.ts', import.meta.url));
    const script = 'echo $$ > "$0" && exec "$@"';
    const child = spawn('/bin/sh', ['-c', script, pidFile(dir), process.execPath, '--import', tsx, server], {
      detached: true,
      stdio: ['pipe', output, output],
      cwd: dir,
      // Variables of its own could change how Node runs; HOME and the like are of no use to it.
      env: { PATH: '/usr/bin:/bin' },
    });
    if (child.pid === undefined) throw new Error('the local Solana network could not be started: /bin/sh does not run');
    // If it ends before it has read them, its last words say why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(settings));
    child.unref();
    return child.pid;
  } finally {
    closeSync(output);
  }
}

/** Waits until the process serves the chain that it says. Answers the last words of a process that ends instead. */
export async function waitUntilReady(
  dir: string,
  pid: number,
  withinMs = READY_WITHIN_MS,
): Promise<Running | { lastWords: string }> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    const isRunning = isAlive(pid);
    const running = await readRunning(dir);
    if (!isRunning) return { lastWords: await readLastWords(dir) };
    const answer = running?.pid === pid ? await askWhoServes(running) : null;
    if (running && answer?.pid === pid && answer.instanceId === running.instanceId) return running;
    if (answer) return { lastWords: 'another chain has taken its place' };
    await sleep(POLL_MS);
  }
  throw new Error(`the local Solana network (process ${pid}) was not ready after ${withinMs / 1000} s`);
}

/** Process id and port of a dead server may have been given to others: only its own word counts. Null without one. */
async function askWhoServes({ port }: Running): Promise<z.infer<typeof infoSchema> | null> {
  const answer = await callRpc(toRpcUrl(port), 'local_info', [], ANSWER_WITHIN_MS).catch(() => null);
  return infoSchema.safeParse(answer).data ?? null;
}

/** Asks the server to end, upon which it saves the chain, and waits for that. */
export async function stopServer({ port, pid, instanceId }: Running): Promise<void> {
  if (!isAlive(pid)) return;
  await callRpc(toRpcUrl(port), 'local_stop', [instanceId]).catch((error: unknown) => {
    // It may have ended by itself this instant; whether it has is seen below.
    if (!(error instanceof RpcUnreachable)) throw error;
  });
  const deadline = Date.now() + STOP_WITHIN_MS;
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      throw new Error(`the local Solana network (process ${pid}) did not stop within ${STOP_WITHIN_MS / 1000} s`);
    }
    await sleep(POLL_MS);
  }
}

/** The process that was started here last, if one with its number still runs. */
export async function readLivePid(dir: string): Promise<number | null> {
  const pid = Number(await readIfThere(pidFile(dir)));
  return isAlive(pid) ? pid : null;
}

async function readLastWords(dir: string): Promise<string> {
  const output = (await readIfThere(outputFile(dir))) ?? '';
  return output.split(/\s+/).filter(Boolean).join(' ').slice(-LAST_WORDS);
}

function pidFile(dir: string): string {
  return join(dir, 'solana.pid');
}

function outputFile(dir: string): string {
  return join(dir, 'solana.log');
}
