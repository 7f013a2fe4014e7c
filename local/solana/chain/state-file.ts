/** The chain on disk. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, writeWhole } from '../../processes/whole-file.ts';
import type { Chain } from './chain.ts';
import { type ChainState, formatState, parseState } from './chain-state.ts';

export async function saveState(dir: string, chain: Chain, isClean: boolean): Promise<void> {
  await writeWhole(stateFile(dir), formatState(chain.toState(isClean)));
}

/** Null where there is none. One that cannot be read is put aside, with a warning. */
export async function loadState(dir: string, warn: (text: string) => void): Promise<ChainState | null> {
  const text = await readIfThere(stateFile(dir));
  if (text === null) return null;
  try {
    return parseState(text);
  } catch {
    await rename(stateFile(dir), `${stateFile(dir)}.unreadable`);
    warn('the state of the local Solana network cannot be read; it starts anew');
    return null;
  }
}

function stateFile(dir: string): string {
  return join(dir, 'state.json');
}
