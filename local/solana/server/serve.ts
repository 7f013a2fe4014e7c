/** Keeps a chain running, on disk and on its ports, until it is stopped. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type Chain, createChain } from '../chain/chain.ts';
import type { ChainState } from '../chain/chain-state.ts';
import { startPacemaker } from '../chain/pacemaker.ts';
import { startRpcServer } from './server.ts';
import { writeRunning } from './running.ts';
import { loadState, saveState } from '../chain/state-file.ts';

const SAVE_MS = 10_000;
const LOOK_FOR_DIR_MS = 2_000;

export const serveSettingsSchema = z.object({
  dir: z.string(),
  slotMs: z.number().nonnegative(),
  port: z.int().optional(),
  preferredPort: z.int().optional(),
});
export type ServeSettings = z.infer<typeof serveSettingsSchema>;

/** Answers when it is ready. `onStop` is called when it should end; `close` then has to be called. */
export async function serveChain({ dir, slotMs, port, preferredPort }: ServeSettings, onStop: () => void) {
  const warnings: string[] = [];
  const state = await loadState(dir, (text) => void warnings.push(text));
  if (state && !state.isClean) {
    const since = new Date(state.savedAtMs).toISOString();
    warnings.push(`the local Solana network was killed; what landed on it after ${since} may be lost`);
  }
  const chain = createChain(state ? { state, missedSlots: missedSlots(state, slotMs) } : {});
  const pacemaker = startPacemaker(chain, slotMs);
  const about = () => ({ pid: process.pid, slotMs });
  const host = { freeze: pacemaker.freeze, stop: onStop, about };
  const rpc = await startRpcServer({ chain, host, port, preferredPort }).catch((error: unknown) => {
    pacemaker.close();
    throw error;
  });
  const saver = startSaver(dir, chain);
  // The folder was deleted: this chain could not be found again, and would run for good.
  const home = setInterval(() => existsSync(dir) || onStop(), LOOK_FOR_DIR_MS);
  async function close(): Promise<void> {
    clearInterval(home);
    pacemaker.close();
    await rpc.close();
    await saver.close();
  }
  const origin = state ? 'restored' : 'fresh';
  const running = { pid: process.pid, port: rpc.port, instanceId: chain.instanceId, origin, warnings } as const;
  await writeRunning(dir, running).catch(async (error: unknown) => {
    // Without the file it could not be found.
    await close();
    throw error;
  });
  return { close };
}

/** Slots pass while the server is down: they never go back, even when the saved state is older than the last shown. */
function missedSlots({ savedAtMs }: ChainState, slotMs: number): number {
  return slotMs > 0 ? Math.max(0, Math.ceil((Date.now() - savedAtMs) / slotMs)) : 0;
}

/** Saves now and then when something has changed, and at the end. */
function startSaver(dir: string, chain: Chain) {
  let saved = -1;
  let last: Promise<void> = Promise.resolve();

  async function saveNow(): Promise<void> {
    const revision = chain.versions.revision();
    if (revision === saved) return;
    await saveState(dir, chain, false);
    saved = revision;
  }

  // A full disk does not stop the chain: the next time may do better.
  const timer = setInterval(() => {
    last = last.then(saveNow).catch((error: unknown) => void process.stderr.write(`not saved: ${String(error)}\n`));
  }, SAVE_MS);
  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await last;
      if (existsSync(dir)) await saveState(dir, chain, true);
    },
  };
}
