/**
 * A process of its own that notifies, hears and announces: `child.ts <socket path>`. The parent tells it what to do; it
 * ends by telling what still keeps it alive.
 */
import { createAnnouncer } from '../../../queue/announcer.ts';
import type { WakeUp } from '../../../queue/wake-up.ts';
import { startWakeUpWorker } from '../../../queue/wake-up-worker.ts';
import { createNotifier } from '../../../queue/notifier.ts';

const target = { path: process.argv[2] ?? '' };
const log = { info: () => undefined, warn: () => undefined };

const announcer = createAnnouncer({ target, log });
const notifier = createNotifier({ target, log });
const worker = startWakeUpWorker({ target, concurrency: 2, log, onWakeUp, graceMs: 200 });

/** Wake-ups of the topic `stuck` never end. */
async function onWakeUp({ id, topic }: WakeUp): Promise<void> {
  tell({ heard: id });
  if (topic === 'stuck') await new Promise(() => undefined);
}

announcer.subscribe('to-child', () => tell({ announced: 'to-child' }));

process.on('message', (order: { notify?: WakeUp; announce?: string; close?: true; leave?: true }) => {
  if (order.notify !== undefined) notifier.notify([order.notify]);
  if (order.announce !== undefined) announcer.announce(order.announce);
  if (order.close) void Promise.all([announcer.close(), notifier.close(), worker.close()]).then(leave);
  if (order.leave) leave();
});
tell({ started: true });

/** Only what this process opened keeps it alive from here on. */
function leave(): void {
  process.disconnect();
}

function tell(message: object): void {
  process.send?.(message);
}
