import type { ProxyTrust } from '../http/proxies.ts';
import type { ChallengeSeal } from '../../chain/evm/challenge-seal.ts';
import type { EventSecrets } from '../../chain/event-secrets.ts';
import type { Role } from '../../core/config/config.ts';
import type { PassPoint } from '../../core/failpoints.ts';
import type { Logger } from 'pino';
import type { Ids, RandomBytes } from '../../core/ids.ts';
import type { MicroUsdc } from '../../core/money.ts';
import type { Network } from '../../core/networks.ts';
import type { Outage } from '../../core/payments/outages.ts';
import type { Screen } from '../../core/screening/screening.ts';
import type { NetworkTerms } from '../../core/payments/x402.ts';
import type { Store } from '../../db/store/store.ts';
import type { Identity } from '../../identity/port.ts';
import type { GuardedFetch } from '../../identity/guarded-fetch.ts';
import type { Operator } from '../../web/page.ts';
import type { Costs } from '../costs/costs.ts';
import type { Admission } from '../admission/admission.ts';
import type { Claims } from '../claims/claims.ts';
import type { AddressChecks } from '../claims/dependencies.ts';
import type { ClaimOffers } from '../claims/offers/page-context.ts';
import type { Responses } from '../responses/responses.ts';
import type { ProofChecker } from '../proofs/proof-check.ts';
import type { RateLimiter } from '../../queue/rate-limiter.ts';
import type { Rewards } from '../rewards/offers/offer.ts';
import type { TransferReader } from '../transfers/transfer-reader.ts';
import type { RequestTraces } from './trace-requests.ts';

/** Everything the API needs from outside, handed in by `main.ts` or by a test. */
export type ApiDependencies = {
  store: Store;
  identity: Identity;
  ids: Ids;
  now: () => number;
  log: Logger;
  settings: ApiSettings;
  /** Per IP and minute; callers with the bot's token are not counted. */
  callerLimiter: RateLimiter;
  /** Per link that only its holder has, once `callerLimiter` is used up. Absent: links grant nothing beyond it. */
  linkLimiter?: RateLimiter;
  /** Per payer and minute, counted once the payer's signature is checked. */
  payerLimiter: RateLimiter;
  /** Event streams that may be open at once, of all callers. */
  streamsMax?: number;
  /** One entry per enabled network. */
  networks: readonly ApiNetwork[];
  /** Why payments on a network are not settled now, from memory; null: they are. Absent: all of them are. */
  outageOf?: (network: Network) => Outage | null;
  /** Absent: every payment is let in. */
  admission?: Admission;
  /** Who pays for gas. Absent: we do, without a limit. */
  costs?: Costs;
  /** Asked before a payment is reserved. Null or absent: every payment may come. */
  screen?: Screen | null;
  /** Wakes the worker for a new outbox row; never waits and never fails. */
  notify: (outboxId: number | null) => void;
  /** Resolves early when something about the payment changed anywhere; false after the time is over. */
  waitForChange: (paymentId: string, timeoutMs: number, signal?: AbortSignal) => Promise<boolean>;
  /** The callers that wait for an answer here, and in other processes. */
  responses: Responses;
  /** Whether the queue takes wake-ups; asked by the readiness check only. */
  queueAnswers: () => Promise<boolean>;
  collecting: Collecting;
  /** Absent: nobody is told of events. */
  events?: Events;
  /** Null or absent: no reward can be created here. */
  rewards?: Rewards | null;
  startedAtMs: number;
  /** What this process serves, for its health checks. */
  process?: ProcessState;
  /** Named points at which a test kills the process, and traces see who passes. */
  failpoint: PassPoint;
  /** Absent: no request leaves a trace. */
  traces?: RequestTraces;
};

export type ProcessState = {
  roles: readonly Role[];
  /** What it waits for, in words. */
  waitingFor: () => readonly string[];
  isStopping: () => boolean;
};

/** A challenge is a request to a stranger's host: so many a minute for a caller, by a caller to a host, to a host, and in all. */
export type ChallengeLimits = { caller: RateLimiter; callerToHost: RateLimiter; host: RateLimiter; all: RateLimiter };

/** How payers have themselves told what becomes of their payments. */
export type Events = {
  secrets: Pick<EventSecrets, 'secretOf'>;
  /** Refuses addresses that are not on the public internet, and follows no redirect. */
  fetch: Pick<GuardedFetch, 'send'>;
  limits: ChallengeLimits & {
    /** Anyone may open a task and name a host for it, so what that costs is not taken from those who sign. */
    tasks: Omit<ChallengeLimits, 'caller'>;
  };
  /** In local mode receivers need no certificate. */
  allowsHttp: boolean;
};

/** How recipients collect their money. */
export type Collecting = {
  claims: Claims;
  /** Whether a caller's address may be paid; a network without a check pays out to no such address. */
  checkAddress?: AddressChecks;
  /** Resolves early when something about the claim changed anywhere; false after the time is over. */
  waitForChange: (claimId: string, timeoutMs: number, signal?: AbortSignal) => Promise<boolean>;
  /** What pages say about this installation. */
  offers: Pick<ClaimOffers, 'keeps' | 'purseMaxMicroUsdc' | 'signInOrigin' | 'localPages'>;
  /** Cookies are made of it. */
  random: RandomBytes;
};

export type ApiNetwork = {
  terms: NetworkTerms;
  checker: ProofChecker;
  /** Whether a proof may name this address, which the treasury has replaced. Absent: it has replaced none. */
  takesFormer?: (address: string, nowMs: number) => boolean;
  /** Null or absent: tasks cannot be paid by a plain transfer here. */
  transfers?: TransferReader | null;
  /** Absent: the Machine Payments Protocol has no method for this network. */
  seal?: ChallengeSeal;
};

export type ApiSettings = {
  baseUrl: string;
  feeBps: number;
  feeFlat: MicroUsdc;
  claimTtlMs: number;
  /** How long a request waits for its settlement before it answers `settlement_pending`. */
  settlementWaitMs: number;
  localMode: boolean;
  /** Where drawn pictures of receipts are kept; null: only in memory. */
  picturesDir: string | null;
  /** A2A tasks of one caller that wait for their payment; null for any number. */
  reservationsMax: number | null;
  botApiToken: string | null;
  /** Whether a 402 carries challenges of the Machine Payments Protocol. Absent: it does. */
  paymentChallenges?: boolean;
  /** Addresses whose `X-Forwarded-For` is trusted. */
  isTrustedProxy: ProxyTrust;
  operator: Operator;
};
