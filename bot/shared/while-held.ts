import type { Hold } from '../../db/processes/owner.ts';
import type { Log } from './log.ts';

/**
 * Does something while this process holds the right to, and stops when that is lost; absent: it always holds it. One period
 * ends before the next begins.
 */
export function whileHeld(
  hold: Hold | undefined,
  begin: () => { close: () => Promise<void> },
  log: Log,
): { close: () => Promise<void> } {
  let running: { close: () => Promise<void> } | null = null;
  let isClosed = false;
  let turns: Promise<void> = Promise.resolve();

  async function turn(): Promise<void> {
    const isWanted = !isClosed && hold?.isHeld() !== false;
    if (isWanted === (running !== null)) return;
    const ended = running;
    running = isWanted ? begin() : null;
    await ended?.close();
  }

  function follow(): Promise<void> {
    turns = turns.then(turn).catch((error: unknown) => log.error({ error: String(error) }, 'listening did not change'));
    return turns;
  }

  hold?.onTaken(() => void follow());
  hold?.onLost(() => void follow());
  void follow();
  return {
    close: () => {
      isClosed = true;
      return follow();
    },
  };
}
