/** What the library offers. Its types stand here alone, so that an installation needs none of our own libraries. */
import type { PaymentSigner } from '../core/payments/signer.ts';
import type { DistributionState, WireStatus } from '../core/states.ts';

/**
 * Keeps what was signed until its fate is known, so that a payment which is tried again after a crash is the same payment.
 * `add` answers false, and changes nothing, where there is something of that id already.
 */
export type PaymentStore = {
  get: (id: string) => string | null | Promise<string | null>;
  add: (id: string, text: string) => boolean | Promise<boolean>;
  /** Only where exactly this text is kept. */
  remove: (id: string, text: string) => unknown;
};

export type PennypostOptions = {
  /** The address of the service. */
  url: string;
  /** Without one nothing can be paid or taken back. */
  signer?: PaymentSigner;
  /** Memory when left out: then only this process knows what it has signed. */
  store?: PaymentStore;
  /** The highest fee of a payment, in USDC; 0.05 when left out. */
  maxFee?: string;
  /** How long one call tries to learn what became of its payment; two minutes when left out. */
  waitMs?: number;
  /** Ends what is waiting. What was signed stays in the store. */
  signal?: AbortSignal;
  fetch?: typeof globalThis.fetch;
};

export type PayOptions = {
  /** What it is for: the recipient reads it. */
  note?: string;
  /**
   * Your name for this payment, such as the number of an order. A call with the same id is the same payment, however often
   * it is made; another id is another payment.
   */
  id?: string;
  maxFee?: string;
};

/** A line of what was paid: one person. */
export type PaidLine = {
  txnId: number;
  receipt: string;
  status: WireStatus;
  /** In USDC; null where the answer omits it. */
  amount: number | null;
  /** With `pending_claim`: where the recipient collects. */
  claimUrl: string | null;
  /** With `pending_claim`: then it goes back to the payer. */
  expiresAt: string | null;
};

/** `lines` in the order of the request. `message` is the service's text for people. */
export type Paid = { id: string; message: string; lines: readonly [PaidLine, ...PaidLine[]] };

export type Payment = {
  txnId: number;
  amount: number;
  receipt: string;
  status: WireStatus;
  network: string;
  settledAt: string | null;
};

export type TakenBack = { txnId: number; amount: number; receipt: string; status: WireStatus };

export type WaitOptions = {
  /** The states to wait for; when left out `paid`, `pending_claim`, `refunded` and `held`: all but on its way. */
  until?: readonly WireStatus[];
  /** Two minutes when left out. */
  limitMs?: number;
};

export type RewardRequest = {
  /** The post on Farcaster: its address, or the hash of the cast. */
  post: string;
  /** In USDC, 0.01 to 1000: what is shared out. */
  budget: string;
  /** What each kind counts, 0 to 100. */
  weights?: { like?: number; comment?: number; repost?: number };
  maxRecipients?: number;
  /** Who gets nothing. */
  exclude?: readonly string[];
};

export type Share = {
  name: string | null;
  /** In USDC. */
  amount: number;
  status: WireStatus | null;
  receipt: string | null;
  claimUrl: string | null;
};

export type Reward = {
  id: string;
  status: DistributionState;
  /** In USDC: shared out, and with the fee. */
  budget: string;
  total: string;
  expiresAt: string;
  page: string;
  shares: readonly Share[];
};

export type Pennypost = {
  /** Pays one person: `x:alice`, `github:octocat`, `farcaster:alice`, `alice@example.com`, `web:example.com`. */
  pay: (to: string, amount: string, options?: PayOptions) => Promise<Paid>;
  /** Pays up to 100 people with one payment: all of them or nobody. */
  batch: (lines: readonly { to: string; amount: string }[], options?: PayOptions) => Promise<Paid>;
  /** What became of a payment. Null: it is not settled yet. */
  validate: (txnId: number) => Promise<Payment | null>;
  /** Asks until it is in one of the wanted states. */
  waitFor: (txnId: number, options?: WaitOptions) => Promise<Payment>;
  /** Takes back what nobody has collected yet. */
  cancel: (txnId: number) => Promise<TakenBack>;
  /** The page on which this person collects what waits for them. */
  claimLink: (to: string) => string;
  /** Says who of those that engaged with a post would get how much. Pays nothing. */
  createReward: (request: RewardRequest) => Promise<Reward>;
  /** Pays a reward. It can be paid once only, by any payer. */
  payReward: (reward: Pick<Reward, 'id' | 'budget'>, options?: Omit<PayOptions, 'note'>) => Promise<Reward>;
  /** How far a reward is. */
  reward: (id: string) => Promise<Reward>;
};

/**
 * Why a call failed. `usage`: it was not understood, and nothing was asked. `refused`: nothing was charged. `unknown`: it
 * is not known whether it was paid; call again with the same `id`, which can never pay twice.
 */
export type FailureKind = 'usage' | 'refused' | 'unknown';

export class PennypostError extends Error {
  readonly kind: FailureKind;
  /** A stable word, the service's where it has refused. */
  readonly reason: string;
  /** The id of the payment, where one was begun. */
  readonly id: string | null;
  /** The line of a batch that was refused, where the service names one. */
  readonly line: number | null;

  constructor(
    kind: FailureKind,
    reason: string,
    text: string,
    more: { id?: string | null; line?: number | null } = {},
  ) {
    super(text);
    this.name = 'PennypostError';
    this.kind = kind;
    this.reason = reason;
    this.id = more.id ?? null;
    this.line = more.line ?? null;
  }
}
