import { noteLetIn } from '../../db/processes/refused-bots.ts';
import type { Store } from '../../db/store/store.ts';
import type { QueueLog } from '../../queue/outage.ts';

/** Writes down whether a platform lets our bot in, each time that it changes: what a worker raises an alert from. */
export function createLetIn(
  store: Store,
  platform: string,
  { log, now = Date.now }: { log: Pick<QueueLog, 'warn'>; now?: () => number },
): (isIn: boolean) => void {
  let noted: boolean | null = null;
  return (isIn) => {
    if (noted === isIn) return;
    noted = isIn;
    noteLetIn(store, platform, isIn, now()).catch((error: unknown) => {
      noted = null;
      log.warn({ err: error, platform }, 'whether the bot is let in was not written down');
    });
  };
}
