/** The anvil process itself. The caller decides its arguments, and whether one is needed. */
import {
  type LastOutput,
  type Place,
  readLivePid,
  spawnDetached,
  waitUntilEnded,
  waitUntilReady,
} from '../processes/detached-process.ts';
import { isAlive } from '../processes/process-id.ts';
import { callRpc, toRpcUrl } from '../processes/rpc.ts';
import { callHex } from './rpc.ts';

/** Answers its process id. */
export function spawnAnvil(dir: string, program: string, programArguments: string[]): number {
  // It keeps caches below HOME.
  const env = { HOME: dir, PATH: '/usr/bin:/bin' };
  return spawnDetached(placeIn(dir), { program, arguments: programArguments, env });
}

/**
 * Waits until the process serves the chain on a port of its own, which it names in its output: another program that answers
 * on the port we asked for proves nothing.
 */
export function waitForAnvil(
  { dir, pid, chainId }: Awaited,
  withinMs?: number,
): Promise<{ port: number } | LastOutput> {
  return waitUntilReady(placeIn(dir), pid, (output) => findPort(output, chainId), withinMs);
}

/** `chainId`: null where any chain will do. */
type Awaited = { dir: string; pid: number; chainId: number | null };

async function findPort(output: string, chainId: number | null): Promise<{ port: number } | null> {
  const port = Number(/Listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
  if (!(port > 0 && (await answersAs(chainId, toRpcUrl(port))))) return null;
  // From here on it would write several lines per block.
  await callRpc(toRpcUrl(port), 'anvil_setLoggingEnabled', [false]);
  return { port };
}

/** Asks the process to end, upon which it writes its state, and waits for that. */
export async function stopAnvil(dir: string, pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  await waitUntilEnded(placeIn(dir), pid);
}

/** The process that was started here last, if one with its number still runs. */
export function readAnvilPid(dir: string): Promise<number | null> {
  return readLivePid(placeIn(dir));
}

async function answersAs(chainId: number | null, rpcUrl: string): Promise<boolean> {
  const found = await callHex(rpcUrl, 'eth_chainId').catch(() => null);
  return found !== null && (chainId === null || Number(found) === chainId);
}

function placeIn(dir: string): Place {
  return { dir, name: 'anvil', title: 'the local EVM chain' };
}
