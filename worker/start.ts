import type { Failpoint } from '../core/failpoints.ts';
import type { Logger } from 'pino';
import { beat } from '../db/heartbeats.ts';
import { sealEntries } from '../db/seal.ts';
import type { Store } from '../db/store.ts';
import { startBaseSettlement } from './base/start.ts';
import type { BaseWorker } from './dependencies.ts';
import { startLoop } from './loop.ts';
import { startRelay, type Relay } from './outbox/relay.ts';
import { refundRound } from './refunds.ts';
import { postReceipts, type ChatSender } from './receipts.ts';

export type WorkerOptions = {
  store: Store;
  base: BaseWorker;
  baseUrl: string;
  now: () => number;
  log: Logger;
  senders: Readonly<Record<string, ChatSender>>;
  ring: (items: readonly { id: number; topic: string }[]) => boolean;
  failpoint: (name: Failpoint) => void;
};

export type RunningWorker = {
  /** New work is in the database. */
  wake: () => void;
  /** A bell has rung for this outbox row. */
  onBell: (id: number) => Promise<void>;
  close: () => Promise<void>;
};

const BEAT_EVERY_MS = 2_000;
const REFUNDS_EVERY_MS = 5_000;
const SEAL_EVERY_MS = 30_000;

/** Starts everything that acts on committed changes: settlement, the outbox relay, receipts. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { store, log, now } = options;
  const base: BaseWorker = { ...options.base, announce: announceAndWake };
  const settlement = await startBaseSettlement(base);
  const wakeSettlement = async () => settlement.wake();
  const relay: Relay = startRelay({
    store,
    now,
    log,
    ring: options.ring,
    handlers: {
      payment: wakeSettlement,
      payout: wakeSettlement,
      refund: async () => refunds.wake(),
      receipt: (key) => postReceipts(options, key),
    },
  });
  const refunds = startLoop({
    name: 'refunds',
    everyMs: REFUNDS_EVERY_MS,
    log,
    step: async () => {
      const made = await refundRound(base);
      if (made > 0) settlement.wake();
    },
  });
  const heart = startLoop({
    name: 'heartbeat',
    everyMs: BEAT_EVERY_MS,
    log,
    step: () => beat(store, 'worker', { atMs: now(), detail: {} }),
  });

  const sealer = startLoop({
    name: 'sealer',
    everyMs: SEAL_EVERY_MS,
    log,
    step: async () => void (await sealEntries(store, now())),
  });

  /** What was settled has left receipts to post. */
  function announceAndWake(paymentIds: readonly string[]): void {
    options.base.announce(paymentIds);
    relay.wake();
  }

  return {
    wake: () => {
      settlement.wake();
      relay.wake();
    },
    onBell: relay.handle,
    close: async () => {
      await Promise.all([settlement.close(), relay.close(), heart.close(), sealer.close(), refunds.close()]);
    },
  };
}
