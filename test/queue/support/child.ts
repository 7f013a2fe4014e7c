/**
 * A process of its own that rings, hears and announces: `child.ts <socket path>`. The parent tells it what to do; its
 * last word is what still keeps it alive.
 */
import { createAnnouncer } from '../../../queue/announcer.ts';
import type { Bell } from '../../../queue/bell.ts';
import { startBellWorker } from '../../../queue/bell-worker.ts';
import { createDoorbell } from '../../../queue/doorbell.ts';

const target = { path: process.argv[2] ?? '' };
const log = { info: () => undefined, warn: () => undefined };

const announcer = createAnnouncer({ target, log });
const doorbell = createDoorbell({ target, log });
const worker = startBellWorker({ target, concurrency: 2, log, onBell, graceMs: 200 });

/** Bells of the topic `stuck` never end. */
async function onBell({ id, topic }: Bell): Promise<void> {
  tell({ heard: id });
  if (topic === 'stuck') await new Promise(() => undefined);
}

announcer.subscribe('to-child', () => tell({ announced: 'to-child' }));

process.on('message', (order: { ring?: Bell; announce?: string; close?: true; leave?: true }) => {
  if (order.ring !== undefined) doorbell.ring([order.ring]);
  if (order.announce !== undefined) announcer.announce(order.announce);
  if (order.close) void Promise.all([announcer.close(), doorbell.close(), worker.close()]).then(leave);
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
