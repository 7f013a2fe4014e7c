import { AUDIT_EVERY_MS, startPass } from '../db/audit/pass.ts';
import { auditRound } from '../db/audit/round.ts';
import { applyDueChanges } from '../db/claims/changes.ts';
import { forgetClaims } from '../db/claims/forget.ts';
import { forgetReports } from '../db/reports/reports.ts';
import { beat } from '../db/store/heartbeats.ts';
import { storePayoutSettings, type PayoutSettings } from '../db/limits/settings.ts';
import type { Holder } from '../db/processes/holdings.ts';
import { jobHolding } from '../db/processes/owner.ts';
import { startWalk } from '../db/payments/records/waiting-people.ts';
import { sealEntries } from '../db/ledger/seal.ts';
import { forgetOld } from '../db/retention/forget.ts';
import type { Identity } from '../identity/port.ts';
import type { WorkerContext } from './dependencies.ts';
import { startEvents, type EventTools } from './events/events.ts';
import { limitsRound } from './limits.ts';
import { startJob, type Job, type JobOptions } from '../queue/job.ts';
import type { WakeUp } from '../queue/wake-up.ts';
import { stopFor } from './may-sign.ts';
import type { HolderMail } from './chat/holder-mails.ts';
import { noticesRound, watchMails, type NoticeMail } from './notices.ts';
import { startRelay, type Relay } from './outbox/relay.ts';
import { createPublishedRounds, type PublishedSources, type PublishedWorker } from './published.ts';
import { refundRound, returnNameless } from './refunds.ts';
import type { ChatSender } from './chat/sender.ts';
import { receiptHandlers } from './receipts.ts';
import { resolvingRound } from './resolving.ts';
import type { NetworkSettlement, RunningSettlement } from './settlement.ts';

export type WorkerOptions = WorkerContext & {
  networks: readonly NetworkSettlement[];
  /** Resolves again the names whose platforms did not answer before the payment. */
  identity: Pick<Identity, 'resolve'>;
  senders: Readonly<Record<string, ChatSender>>;
  /** Tells the bot that the messages of tips have news; absent, it finds that by looking. */
  announceOrders?: () => void;
  /** Writes to e-mail recipients; null or absent: no mail is sent. */
  mail?: NoticeMail | null;
  /** Tells payers' endpoints what becomes of their payments; absent: nobody is told. */
  events?: EventTools;
  /** Finds published addresses and checks them; null or absent: no published address is used. */
  published?: PublishedSources | null;
  /** The rules for every payout; stored, so that every process that makes one follows the same rules. */
  payouts: PayoutSettings;
  notify: (items: readonly { id: number; topic: string }[]) => boolean;
};

export type RunningWorker = {
  /** New work is in the database. */
  wake: () => void;
  /** A wake-up has come for this outbox row. */
  onWakeUp: (wakeUp: WakeUp) => Promise<void>;
  close: () => Promise<void>;
};

const BEAT_EVERY_MS = 2_000;
const REFUNDS_EVERY_MS = 5_000;
const SEAL_EVERY_MS = 30_000;
const RESOLVING_EVERY_MS = 2_000;
const LIMITS_EVERY_MS = 5_000;
/** With `MAILS_MAX` per round, this limits how many mails are sent. */
const NOTICES_EVERY_MS = 10_000;
const CHANGES_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** Recipients who were just paid do not wait for it. */
const PUBLISHED_EVERY_MS = 5_000;

/** Starts everything that acts on committed changes: settlement, the outbox relay, receipts. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { store, log, now } = options;
  const context: WorkerContext = { ...options, announce: announceAndWake };
  // A settlement may announce something before the relay runs; the relay's first sweep finds it.
  const begun: { relay: Relay | null } = { relay: null };
  // Before the first line can be settled.
  await storePayoutSettings(store, options.payouts);
  const settlements = await startNetworks(options.networks, context);
  const wakeSettlement = (payments = 0) => settlements.forEach((settlement) => settlement.wake(payments));
  const receipts = receiptHandlers({ ...options, baseUrl: options.settings.baseUrl, mail: holderMailOf(options) });
  const relay = startRelay({
    store,
    now,
    log,
    hold: options.holder.want(jobHolding('outbox')),
    notify: options.notify,
    wakes: {
      payment_reserved: wakeSettlement,
      payout_queued: () => wakeSettlement(),
      refund_owed: () => upkeep.refunds.wake(),
      event_due: () => events?.wake(),
    },
    handlers: {
      ...receipts,
      payment_settled: async (payload) => {
        recipients.noteReceipt(payload.paymentId);
        await receipts.payment_settled(payload);
      },
      line_resolved: async (payload) => {
        recipients.noteReceipt(payload.paymentId);
        await receipts.line_resolved(payload);
      },
    },
  });
  begun.relay = relay;
  const upkeep = startUpkeep(options, context, wakeSettlement);
  const recipients = startRecipientRounds(options, wakeSettlement);
  const events = options.events === undefined ? null : startEvents({ ...options, ...options.events });

  /** Settled payments have receipts to post. */
  function announceAndWake(paymentIds: readonly string[]): void {
    options.announce(paymentIds);
    begun.relay?.wake();
  }

  return {
    wake: () => {
      wakeSettlement(1);
      relay.wake();
    },
    onWakeUp: relay.handle,
    close: async () => {
      await Promise.all([relay, upkeep, recipients, ...settlements].map((running) => running.close()));
      await events?.close();
    },
  };
}

function holderMailOf({ mail, settings, ids }: WorkerOptions): HolderMail | null {
  return mail ? { proof: mail, dailyMax: settings.mailsDailyMax, newSecret: ids.slug } : null;
}

/** A job that two workers would do twice: one of them does it. */
function startAlone(holder: Holder, options: JobOptions): Job {
  return startJob({ ...options, hold: holder.want(jobHolding(options.name)) });
}

/** Jobs that run on their own clocks, whether or not anything has happened. */
function startUpkeep(options: WorkerOptions, context: WorkerContext, wakeSettlement: () => void) {
  const { store, log, now } = options;
  const begun = { isNamelessReturned: false };
  const refunds = startAlone(options.holder, {
    name: 'refunds',
    everyMs: REFUNDS_EVERY_MS,
    log,
    step: async () => {
      if (!begun.isNamelessReturned) await returnNameless(context);
      begun.isNamelessReturned = true;
      const networks = options.networks.map(({ network }) => network);
      if ((await refundRound(context, networks)) > 0) wakeSettlement();
    },
  });
  const walk = startWalk();
  const limits = startAlone(options.holder, {
    name: 'limits',
    everyMs: LIMITS_EVERY_MS,
    log,
    step: async () => {
      const { released, made, hasMore } = await limitsRound(context, walk);
      if (released + made > 0) wakeSettlement();
      if (hasMore) limits.wake();
    },
  });
  const resolving = startAlone(options.holder, {
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
  const sealer = startAlone(options.holder, {
    name: 'sealer',
    everyMs: SEAL_EVERY_MS,
    log,
    step: async () => void (await sealEntries(store, now())),
  });
  // One for all networks: books that disagree with themselves stop all of them, an outflow only its own.
  const pass = startPass();
  const auditor = startAlone(options.holder, {
    name: 'audit of the books',
    everyMs: AUDIT_EVERY_MS,
    log,
    step: async () => stopFor(options, await auditRound(store, pass, now())),
  });
  return {
    refunds,
    close: async () => {
      await Promise.all([heart, sealer, refunds, limits, resolving, auditor].map((job) => job.close()));
    },
  };
}

/** Jobs that bring money to its recipients: mails, published addresses, and new addresses that take effect. */
function startRecipientRounds(options: WorkerOptions, wakeSettlement: () => void) {
  const { store, transferIdOf, now, log, mail, published } = options;
  const closing = new AbortController();
  const jobs: Job[] = [
    startAlone(options.holder, {
      name: 'address changes',
      everyMs: CHANGES_EVERY_MS,
      log,
      step: async () => {
        const applied = await applyDueChanges(store, { transferIdOf, nowMs: now() });
        if (applied > 0) wakeSettlement();
      },
    }),
    startAlone(options.holder, {
      name: 'old claims',
      everyMs: FORGET_EVERY_MS,
      log,
      step: async () => {
        await forgetClaims(store, now());
        await forgetReports(store, now());
        await forgetOld(store, now() - options.settings.retentionDays * DAY_MS);
      },
    }),
  ];
  if (mail) {
    const lookAtMails = watchMails(options);
    const walk = startWalk();
    const step = async () => {
      await lookAtMails();
      await noticesRound({ ...options, mail }, closing.signal, walk);
    };
    jobs.push(startAlone(options.holder, { name: 'notices', everyMs: NOTICES_EVERY_MS, log, step }));
  }
  const search = published ? startPublishedSearch({ ...options, published }, wakeSettlement) : null;
  if (search !== null) jobs.push(search.job);
  return {
    /** A recipient without an address when a payment settles may have published one. */
    noteReceipt: (paymentId: string) => search?.noteReceipt(paymentId),
    close: async () => {
      // Stops between mails: a mail that has begun is either sent or not.
      closing.abort();
      await Promise.all(jobs.map((job) => job.close()));
    },
  };
}

function startPublishedSearch(worker: PublishedWorker & Pick<WorkerContext, 'holder'>, wakeSettlement: () => void) {
  const rounds = createPublishedRounds(worker);
  const step = async () => {
    if ((await rounds.round()) > 0) wakeSettlement();
  };
  const job = startAlone(worker.holder, {
    name: 'published addresses',
    everyMs: PUBLISHED_EVERY_MS,
    log: worker.log,
    step,
  });
  const noteReceipt = (paymentId: string): void => {
    rounds.hint(paymentId);
    job.wake();
  };
  return { job, noteReceipt };
}

/** If one network cannot start, those already running are closed. */
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
