import { randomBytes } from 'node:crypto';
import { CARRIERS } from '../core/transfers/carriers.ts';
import { createIds } from '../core/ids.ts';
import type { PayoutSettings } from '../db/limits/settings.ts';
import type { Holder } from '../db/processes/holdings.ts';
import { jobHolding } from '../db/processes/owner.ts';
import { openFindPublished } from '../identity/platforms/published.ts';
import type { CoinLevel } from '../core/costs/coins.ts';
import type { Outage } from '../core/payments/outages.ts';
import { rememberHeads } from '../chain/evm/heads.ts';
import { createSigningGuard } from '../worker/may-sign.ts';
import { watchEvm } from '../worker/evm/outage.ts';
import { startEvmSettlement } from '../worker/evm/start.ts';
import { createPublishedChecks } from '../worker/published-checks.ts';
import { findSolanaOutage } from '../worker/solana/outage.ts';
import { startSolanaSettlement } from '../worker/solana/start.ts';
import { watchSpending } from '../worker/networks/spending.ts';
import { startStanding } from '../worker/networks/standing.ts';
import type { WorkerSettings } from '../worker/dependencies.ts';
import type { NetworkSettlement, RunningSettlement } from '../worker/settlement.ts';
import { startAlerts, type AlertsWorker } from '../worker/alerts/round.ts';
import type { ChatSender } from '../worker/chat/sender.ts';
import { startWorker, type RunningWorker, type WorkerOptions } from '../worker/start.ts';
import { discordSenders } from './discord.ts';
import type { SharedParts } from './shared-parts.ts';
import type { NetworkParts, Opening } from './networks.ts';
import { sendUnder, signUnder } from './networks/guarded.ts';
import { startScreening } from '../worker/screening/screening.ts';
import { startBackups } from './backups.ts';
import { createScreen } from './screening/screen.ts';
import { createHolder } from './readiness/holder.ts';
import { ORDERS_CHANNEL } from './queue/queue.ts';
import type { ServiceOptions } from './options.ts';
import { telegramSender } from './telegram.ts';
import { openTransferIds } from './transfer-ids.ts';

const DAY_MS = 24 * 3_600_000;
/** Far more than fit into one transaction: the rest waits for the next. */
const COMPANY_MAX = 32;
/** How long a withdrawal stored by another process may go unnoticed at worst. */
const IDLE_EVERY_MS = 3_000;
/** About 1,000 lamports for a full payout transaction; each expired attempt doubles it. */
const MICRO_LAMPORTS_PER_UNIT = 10_000;

/** Starts the worker role on the parts that the process shares. */
export async function startWorkerRole(options: ServiceOptions, shared: SharedParts): Promise<RunningWorker> {
  const { log } = options;
  const { networks, environment } = shared;
  // Preview and payout read the same hub.
  const { farcasterHubUrl: hubUrl, proofs } = environment;
  const { findPublishedWallets: findWallets } = proofs;
  const { find, close } = openFindPublished({ hubUrl, findWallets }, { log, now: () => Date.now() });
  const check = createPublishedChecks(networks.values());
  const holder = createHolder({ ...shared, announcer: shared.queue, log });
  try {
    const given = workerOptionsOf(options, shared, holder);
    const worker = await startWorker({ ...given, published: { find, check } });
    const screening = given.screen ? startScreening({ ...given, wake: worker.wake }, holder) : null;
    const backups = startBackups(options);
    const alerts = startAlerts(alertsOf(options, shared), holder);
    return {
      ...worker,
      close: async () => {
        await backups?.close();
        await alerts.close();
        await screening?.close();
        await worker.close();
        await holder.close();
        await close();
      },
    };
  } catch (error) {
    await holder.close();
    await close();
    throw error;
  }
}

/** Local mode's mail stays on this computer, so only a configured server has mailboxes for alerts. */
function alertsOf(options: ServiceOptions, shared: SharedParts): AlertsWorker {
  const { config, log } = options;
  const { store, networks, environment } = shared;
  const { mail: mailTo = null, chat: userId } = config.alerts;
  const sender = userId === undefined ? undefined : sendersOf(options, shared, Date.now)[userId.split(':')[0] ?? ''];
  return {
    store,
    now: () => Date.now(),
    log,
    networks: [...networks.keys()],
    chat: userId === undefined || sender === undefined ? null : { userId, sender },
    mailTo,
    mail: config.identity.smtpUrl === undefined ? null : environment.proofs.email,
  };
}

/** How the worker posts, by the name of each chat. */
function sendersOf(options: ServiceOptions, shared: SharedParts, now: () => number): Record<string, ChatSender> {
  return {
    web: shared.queue.webSender(shared.store, now),
    telegram: telegramSender(shared, now),
    ...discordSenders(options, shared, now),
  };
}

function workerOptionsOf(options: ServiceOptions, shared: SharedParts, holder: Holder): WorkerOptions {
  const { config, log, failpoint } = options;
  const { store, queue, environment, baseUrl } = shared;
  const now = () => Date.now();
  return {
    store,
    ids: createIds(randomBytes),
    transferIdOf: openTransferIds(config),
    screen: createScreen(config, { store, now, log }),
    now,
    log,
    failpoint,
    holder,
    announce: (paymentIds) => paymentIds.forEach((id) => queue.announce(`payment:${id}`)),
    settings: {
      baseUrl,
      mailsDailyMax: config.limits.mailsDailyMax,
      retentionDays: config.limits.retentionDays,
      exposureCapMicroUsdc: config.limits.exposureCapMicroUsdc,
      refundMinMicroUsdc: config.limits.refundMinMicroUsdc,
      carriers: CARRIERS,
    },
    payouts: payoutSettingsOf(options, shared),
    networks: settlementsOf(options, shared),
    identity: environment.identity,
    senders: sendersOf(options, shared, now),
    announceOrders: () => queue.announce(ORDERS_CHANNEL),
    mail: environment.proofs.email,
    events: shared.events.worker,
    notify: queue.notify,
  };
}

function payoutSettingsOf({ config }: ServiceOptions, { networks }: SharedParts): PayoutSettings {
  const { payerDailyMicroUsdc: payer, recipientDailyMicroUsdc: recipient } = config.limits;
  return {
    dailyMicroUsdc: { payer, recipient },
    purseMaxMicroUsdc: config.limits.purseMaxMicroUsdc,
    treasuries: Object.fromEntries([...networks].map(([network, { treasury }]) => [network, treasury.address])),
  };
}

function settlementsOf(
  { config, log }: ServiceOptions,
  { networks, openings, lease, store }: SharedParts,
): NetworkSettlement[] {
  return [...networks].map(([network, parts]) => {
    const asking = { store, settings: { carriers: CARRIERS }, profile: { network }, now: () => Date.now() };
    const guarded = signUnder(createSigningGuard(asking, lease), parts);
    const { start, look, coins } = settlingOf(config, sendUnder(lease, guarded), log);
    const opening = openings.get(network);
    if (opening === undefined) throw new Error(`${network} was never opened`);
    return {
      network,
      start: async (context) => {
        const hold = context.holder.want(jobHolding(`standing of ${network}`));
        const isSpent = watchSpending({ ...context, network, rules: config.costs[network] });
        const isSigning = async () => ((await parts.areKeysAway()) ? ('signer_away' as const) : null);
        const lookAtAll = async () => (await look()) ?? (await isSpent()) ?? isSigning();
        const comparison = parts.second?.comparison ?? null;
        const asked = { look: lookAtAll, coins, comparison };
        const looked = { isOpen: opening.isOpen, hold, ...asked, wallets: walletsOf(parts) };
        const standing = await startStanding({ ...context, ...looked, network });
        const { wake, close } = startOnceOpen(opening, () => start(context), log);
        return { wake, close: async () => void (await Promise.all([standing.close(), close()])) };
      },
    };
  });
}

/** Who needs the network's coin. */
function walletsOf(parts: NetworkParts): Record<string, string | readonly string[]> {
  switch (parts.family) {
    case 'evm':
      return { lanes: parts.lanes.map(({ address }) => address) };
    case 'svm':
      return { feePayer: parts.feePayer.address, treasury: parts.treasury.address };
  }
}

/** Nothing may be read or signed on a chain that has not answered yet: it may be another one. */
function startOnceOpen(
  { whenOpen }: Opening,
  start: () => Promise<RunningSettlement>,
  log: ServiceOptions['log'],
): RunningSettlement {
  let running: RunningSettlement | null = null;
  let starting: Promise<void> | null = null;
  let isClosed = false;
  const begin = async (): Promise<void> => {
    running = await start();
  };
  // Rejected only when the process is stopped.
  const opened = whenOpen().then(
    () => true,
    () => false,
  );
  opened
    .then((isOpen) => (isOpen && !isClosed ? (starting = begin()) : undefined))
    .catch((error: unknown) => {
      if (!isClosed) log.error({ err: error }, 'a settlement did not start');
    });
  return {
    wake: (payments) => running?.wake(payments),
    // A chain that never answers does not hold up the end.
    close: async () => {
      isClosed = true;
      await starting;
      await running?.close();
    },
  };
}

/** A chain that reorganises deeper is trusted with less, whatever is configured. */
function withinCap(settings: WorkerSettings, mostMicroUsdc: bigint): WorkerSettings {
  const { exposureCapMicroUsdc: chosen } = settings;
  return { ...settings, exposureCapMicroUsdc: chosen < mostMicroUsdc ? chosen : mostMicroUsdc };
}

type Settling = {
  start: NetworkSettlement['start'];
  look: () => Promise<Outage | null>;
  coins: () => readonly CoinLevel[];
};

function settlingOf(config: ServiceOptions['config'], parts: NetworkParts, log: ServiceOptions['log']): Settling {
  const isLocal = config.mode === 'local';
  switch (parts.family) {
    case 'evm': {
      const { creditedDepth, secondsPerBlock, exposureCapMicroUsdc } = parts.profile.rules;
      const blockMs = isLocal ? config.localBlockMs : secondsPerBlock * 1_000;
      const replaceAfterMs = (isLocal ? 5_000 : 8_000) + creditedDepth * blockMs;
      const scanPace = isLocal ? { scanEveryMs: 150, dueScanEveryMs: 40 } : { scanEveryMs: 500, dueScanEveryMs: 100 };
      const pace = { ...scanPace, replaceAfterMs, blockMs, idleEveryMs: IDLE_EVERY_MS };
      const heads = rememberHeads(parts.rpc);
      const { findOutage: look, isDry, coins } = watchEvm({ ...parts, heads, log, now: () => Date.now() });
      return {
        look,
        coins,
        start: (context) => {
          const settings = withinCap(context.settings, exposureCapMicroUsdc);
          return startEvmSettlement({ ...context, ...parts, rpc: heads.rpc, heads, settings, pace, isDry });
        },
      };
    }
    case 'svm': {
      const { accountPolicy: policy, accountMinMicroUsdc: minMicroUsdc, accountsDailyMax: dailyMax } = config.solana;
      const accounts = { policy, minMicroUsdc, dailyMax, ageMinMs: config.solana.accountAgeDays * DAY_MS };
      // A slot takes 200 to 400 ms; providers charge by the request, so outside local mode they are asked more rarely.
      const pace = {
        followEveryMs: isLocal ? 100 : 400,
        scanEveryMs: isLocal ? 200 : 1_000,
        idleScanEveryMs: 5_000,
        idleEveryMs: IDLE_EVERY_MS,
        microLamportsPerUnit: MICRO_LAMPORTS_PER_UNIT,
        companyMax: COMPANY_MAX,
      };
      let coins: readonly CoinLevel[] = [];
      return {
        look: () => findSolanaOutage(parts, (found) => void (coins = found)),
        coins: () => coins,
        start: (context) => startSolanaSettlement({ ...context, ...parts, accounts, pace }),
      };
    }
  }
}
