/** The anvil process itself. What it is told, and whether one is needed, is decided elsewhere. */
import {
  type LastWords,
  type Place,
  readLivePid,
  spawnDetached,
  waitUntilEnded,
  waitUntilReady,
} from '../detached-process.ts';
import { isAlive } from '../process-id.ts';
import { callRpc, toRpcUrl } from '../rpc.ts';
import { BASE_CHAIN_ID } from './anvil-command.ts';
import { callHex } from './rpc.ts';

/** Answers its process id. */
export function spawnAnvil(dir: string, program: string, programArguments: string[]): number {
  // It keeps caches below HOME.
  const env = { HOME: dir, PATH: '/usr/bin:/bin' };
  return spawnDetached(placeIn(dir), { program, arguments: programArguments, env });
}

/**
 * Waits until the process serves Base on a port of its own, which it names in its output: another program that answers
 * on the port we asked for proves nothing.
 */
export function waitForAnvil(dir: string, pid: number, withinMs?: number): Promise<{ port: number } | LastWords> {
  return waitUntilReady(placeIn(dir), pid, findPort, withinMs);
}

async function findPort(output: string): Promise<{ port: number } | null> {
  const port = Number(/Listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
  if (!(port > 0 && (await answersAsBase(toRpcUrl(port))))) return null;
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

async function answersAsBase(rpcUrl: string): Promise<boolean> {
  const chainId = await callHex(rpcUrl, 'eth_chainId').catch(() => null);
  return chainId !== null && Number(chainId) === BASE_CHAIN_ID;
}

function placeIn(dir: string): Place {
  return { dir, name: 'anvil', title: 'the local Base network' };
}
