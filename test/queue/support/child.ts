/**
 * A process of its own that rings, hears and announces: `child.ts <socket path>`. The parent tells it what to do; its
 * last word is what still keeps it alive.
 */
import { createAnnouncer } from '../../../queue/announcer.ts';
import { startBellWorker } from '../../../queue/bell-worker.ts';
import { createDoorbell } from '../../../queue/doorbell.ts';

const target = { path: process.argv[2] ?? '' };
const log = { info: () => undefined, warn: () => undefined };

const announcer = createAnnouncer({ target, log });
const doorbell = createDoorbell({ target, log });
const worker = startBellWorker({ target, concurrency: 2, log, onBell: async ({ id }) => tell({ heard: id }) });

announcer.subscribe('to-child', () => tell({ announced: 'to-child' }));

process.on('message', (order: { ring?: number; announce?: string; close?: true; leave?: true }) => {
  if (order.ring !== undefined) doorbell.ring([{ id: order.ring, topic: 'settle' }]);
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
