/** The process of the chain. The caller decides its arguments, and whether one is needed. */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import {
  type LastOutput,
  type Place,
  readLivePid,
  spawnDetached,
  waitUntilEnded,
  waitUntilReady,
} from '../../processes/detached-process.ts';
import { isAlive } from '../../processes/process-id.ts';
import { RpcUnreachable, callRpc, toRpcUrl } from '../../processes/rpc.ts';
import { type Running, readRunning } from './running.ts';
import type { ServeSettings } from './serve.ts';

const ANSWER_WITHIN_MS = 5_000;

const infoSchema = z.object({ instanceId: z.string(), pid: z.int() });

/** Answers its process id. */
export function spawnServer(settings: ServeSettings): number {
  const server = fileURLToPath(new URL('./main.ts', import.meta.url));
  return spawnDetached(placeIn(settings.dir), {
    program: process.execPath,
    arguments: [...compilerOf(server), server],
    // HOME and the like are of no use to it.
    env: { PATH: '/usr/bin:/bin' },
    input: JSON.stringify(settings),
  });
}

/** What Node needs to run it. A bundler has put its own output in the place of the source. */
function compilerOf(server: string): string[] {
  if (!server.endsWith('.ts')) return [];
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];
}

/** Waits until the process serves its chain. */
export function waitForServer(dir: string, pid: number, withinMs?: number): Promise<Running | LastOutput> {
  return waitUntilReady<Running | LastOutput>(placeIn(dir), pid, () => findServer(dir, pid), withinMs);
}

async function findServer(dir: string, pid: number): Promise<Running | LastOutput | null> {
  const running = await readRunning(dir);
  const answer = running?.pid === pid ? await askWhoServes(running) : null;
  if (!running || !answer) return null;
  const isOurs = answer.pid === pid && answer.instanceId === running.instanceId;
  return isOurs ? running : { lastOutput: 'another chain has taken its place' };
}

/** Process id and port of a dead server may have been given to others: only its own answer counts. Null without one. */
async function askWhoServes({ port }: Running): Promise<z.infer<typeof infoSchema> | null> {
  const answer = await callRpc(toRpcUrl(port), 'local_info', [], ANSWER_WITHIN_MS).catch(() => null);
  return infoSchema.safeParse(answer).data ?? null;
}

/** Asks the server to end, upon which it saves the chain, and waits for that. */
export async function stopServer(dir: string, { port, pid, instanceId }: Running): Promise<void> {
  if (!isAlive(pid)) return;
  await callRpc(toRpcUrl(port), 'local_stop', [instanceId]).catch((error: unknown) => {
    // It may have ended by itself this instant; whether it has is seen below.
    if (!(error instanceof RpcUnreachable)) throw error;
  });
  await waitUntilEnded(placeIn(dir), pid);
}

/** The process that was started here last, if one with its number still runs. */
export function readServerPid(dir: string): Promise<number | null> {
  return readLivePid(placeIn(dir));
}

function placeIn(dir: string): Place {
  return { dir, name: 'solana', title: 'the local Solana network' };
}
