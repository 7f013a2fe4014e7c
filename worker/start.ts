import { applyDueChanges } from '../db/claims/changes.ts';
import { forgetClaims } from '../db/claims/forget.ts';
import { beat } from '../db/store/heartbeats.ts';
import { storePayoutSettings, type PayoutSettings } from '../db/limits/settings.ts';
import { sealEntries } from '../db/ledger/seal.ts';
import type { Identity } from '../identity/port.ts';
import type { WorkerContext } from './dependencies.ts';
import { limitsRound } from './limits.ts';
import { startJob, type Job } from '../queue/job.ts';
import { noticesRound, type NoticeMail } from './notices.ts';
import { startRelay, type Relay } from './outbox/relay.ts';
import { createPublishedRounds, type PublishedSources, type PublishedWorker } from './published.ts';
import { refundRound } from './refunds.ts';
import type { ChatSender } from './chat/sender.ts';
import { postReceipts } from './receipts.ts';
import { resolvingRound } from './resolving.ts';
import type { NetworkSettlement, RunningSettlement } from './settlement.ts';

export type WorkerOptions = WorkerContext & {
  networks: readonly NetworkSettlement[];
  /** Names whose platforms did not answer before the payment are asked for again. */
  identity: Pick<Identity, 'resolve'>;
  senders: Readonly<Record<string, ChatSender>>;
  /** Writes to e-mail recipients; null or absent: nobody is written to. */
  mail?: NoticeMail | null;
  /** Who says what people have published, and what is at an address; null or absent: nothing published is used. */
  published?: PublishedSources | null;
  /** What every payout has to keep to; stored, so that whoever makes one keeps to the same. */
  payouts: PayoutSettings;
  notify: (items: readonly { id: number; topic: string }[]) => boolean;
};

export type RunningWorker = {
  /** New work is in the database. */
  wake: () => void;
  /** A wake-up has notified for this outbox row. */
  onWakeUp: (id: number) => Promise<void>;
  close: () => Promise<void>;
};

const BEAT_EVERY_MS = 2_000;
const REFUNDS_EVERY_MS = 5_000;
const SEAL_EVERY_MS = 30_000;
const RESOLVING_EVERY_MS = 2_000;
const LIMITS_EVERY_MS = 5_000;
/** With so many mails a round it is what limits their number. */
const NOTICES_EVERY_MS = 10_000;
const CHANGES_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 10 * 60_000;
/** Whoever was just paid is asked for at once. */
const PUBLISHED_EVERY_MS = 5_000;

/** Starts everything that acts on committed changes: settlement, the outbox relay, receipts. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { store, log, now } = options;
  const context: WorkerContext = { ...options, announce: announceAndWake };
  // A settlement may announce something before the relay runs; its first sweep finds that by itself.
  const begun: { relay: Relay | null } = { relay: null };
  // Before the first line can be settled.
  await storePayoutSettings(store, options.payouts);
  const settlements = await startNetworks(options.networks, context);
  const wakeSettlement = async () => settlements.forEach((settlement) => settlement.wake());
  const receipts = { ...options, baseUrl: options.settings.baseUrl };
  const relay = startRelay({
    store,
    now,
    log,
    notify: options.notify,
    handlers: {
      payment: wakeSettlement,
      payout: wakeSettlement,
      refund: async () => upkeep.refunds.wake(),
      receipt: async (key) => {
        recipients.noteReceipt(key);
        await postReceipts(receipts, key);
      },
    },
  });
  begun.relay = relay;
  const upkeep = startUpkeep(options, context, wakeSettlement);
  const recipients = startRecipientRounds(options, wakeSettlement);

  /** What was settled has left receipts to post. */
  function announceAndWake(paymentIds: readonly string[]): void {
    options.announce(paymentIds);
    begun.relay?.wake();
  }

  return {
    wake: () => {
      void wakeSettlement();
      relay.wake();
    },
    onWakeUp: relay.handle,
    close: async () => {
      await Promise.all([relay, upkeep, recipients, ...settlements].map((running) => running.close()));
    },
  };
}

/** What is looked after at its own pace, whether or not anything has happened. */
function startUpkeep(options: WorkerOptions, context: WorkerContext, wakeSettlement: () => Promise<void>) {
  const { store, log, now } = options;
  const refunds = startJob({
    name: 'refunds',
    everyMs: REFUNDS_EVERY_MS,
    log,
    step: async () => {
      const networks = options.networks.map(({ network }) => network);
      if ((await refundRound(context, networks)) > 0) await wakeSettlement();
    },
  });
  const limits = startJob({
    name: 'limits',
    everyMs: LIMITS_EVERY_MS,
    log,
    step: async () => {
      const { released, made } = await limitsRound(context);
      if (released + made > 0) await wakeSettlement();
    },
  });
  const resolving = startJob({
    name: 'resolving',
    everyMs: RESOLVING_EVERY_MS,
    log,
    step: async () => void (await resolvingRound({ ...context, identity: options.identity })),
  });
  const heart = startJob({
    name: 'heartbeat',
    everyMs: BEAT_EVERY_MS,
    log,
    step: () => beat(store, 'worker', { atMs: now(), detail: {} }),
  });
  const sealer = startJob({
    name: 'sealer',
    everyMs: SEAL_EVERY_MS,
    log,
    step: async () => void (await sealEntries(store, now())),
  });
  return {
    refunds,
    close: async () => {
      await Promise.all([heart, sealer, refunds, limits, resolving].map((job) => job.close()));
    },
  };
}

/** What brings money closer to the people it is for: mails, published addresses, and new addresses whose day has come. */
function startRecipientRounds(options: WorkerOptions, wakeSettlement: () => Promise<void>) {
  const { store, ids, now, log, mail, published } = options;
  const closing = new AbortController();
  const jobs: Job[] = [
    startJob({
      name: 'address changes',
      everyMs: CHANGES_EVERY_MS,
      log,
      step: async () => {
        const applied = await applyDueChanges(store, { newPayoutId: ids.payoutId, nowMs: now() });
        if (applied > 0) await wakeSettlement();
      },
    }),
    startJob({
      name: 'old claims',
      everyMs: FORGET_EVERY_MS,
      log,
      step: async () => void (await forgetClaims(store, now())),
    }),
  ];
  if (mail) {
    const step = async () => void (await noticesRound({ ...options, mail }, closing.signal));
    jobs.push(startJob({ name: 'notices', everyMs: NOTICES_EVERY_MS, log, step }));
  }
  const search = published ? startPublishedSearch({ ...options, published }, wakeSettlement) : null;
  if (search !== null) jobs.push(search.job);
  return {
    /** Whoever has no address yet when a payment has settled may have published one. */
    noteReceipt: (key: string) => search?.noteReceipt(key),
    close: async () => {
      // Before a mail, not within it: what was begun is either sent or not.
      closing.abort();
      await Promise.all(jobs.map((job) => job.close()));
    },
  };
}

function startPublishedSearch(worker: PublishedWorker, wakeSettlement: () => Promise<void>) {
  const rounds = createPublishedRounds(worker);
  const step = async () => {
    if ((await rounds.round()) > 0) await wakeSettlement();
  };
  const job = startJob({ name: 'published addresses', everyMs: PUBLISHED_EVERY_MS, log: worker.log, step });
  const noteReceipt = (key: string): void => {
    const [event, paymentId] = key.split(':');
    if (paymentId === undefined || (event !== 'settled' && event !== 'resolved')) return;
    rounds.hint(paymentId);
    job.wake();
  };
  return { job, noteReceipt };
}

/** One network that cannot start must not leave another running behind it. */
async function startNetworks(networks: readonly NetworkSettlement[], context: WorkerContext) {
  const running: RunningSettlement[] = [];
  try {
    for (const network of networks) running.push(await network.start(context));
    return running;
  } catch (error) {
    await Promise.all(running.map((settlement) => settlement.close()));
    throw error;
  }
}
