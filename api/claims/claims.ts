import type { ClaimWireStatus, NetworkSum, PayoutTarget } from '../../core/claims/claims.ts';
import type { Language } from '../../core/languages.ts';
import type { ClaimMethod } from '../../core/platforms/row.ts';
import type { MicroUsdc } from '../../core/money.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import type { ReturnedLines, WaitsForRoute } from '../../db/payments/records/waiting-lines.ts';

/** The caller: a browser, known by its cookie, or our bot, known by its token, which vouches for the account it saw. */
export type Opener = { kind: 'browser'; browserId: string } | { kind: 'bot' };

/** What a person must do to prove the name; one of these, by the method of the platform. */
export type ClaimSteps = {
  /** Where to sign in. */
  oauth?: { url: string };
  /** A link on the phone, a QR code elsewhere. */
  siwf?: { url: string };
  /** What to publish, in the one place or the other. */
  domain?: { txtName: string; fileUrl: string; line: string };
  /**
   * Where mails go. `codeExpiresAtMs` is null for a claim that no code was sent for, because another mail went there a
   * moment before; `lastMailAtMs` is of the last one whose link works, no matter who asked for it.
   */
  email?: { to: string; codeExpiresAtMs: number | null; triesLeft: number; lastMailAtMs: number | null };
};

/** A claim as the visitor who opened it may see it. */
export type ClaimView = {
  claimId: string;
  recipient: Recipient;
  method: ClaimMethod;
  payout: PayoutTarget;
  status: ClaimWireStatus;
  expiresAtMs: number;
  /** Only while it is pending. */
  steps: ClaimSteps;
  /** Why it was rejected, for programs; null otherwise. */
  reason: string | null;
  /** The proven name, such as `x:alice`. This and everything below is null until a proof succeeds. */
  provenName: string | null;
  /** What waits, or what the claim released. */
  total: MicroUsdc | null;
  sums: readonly NetworkSum[] | null;
  /** The part of a confirmed claim that no address of the person can take yet. */
  waitsForRoute: WaitsForRoute | null;
  /** What the claim had released, and what goes back to its payer after all; null: nothing does. */
  returned: ReturnedLines | null;
  /** Every address that the claim records, with money or without, also for `keep`. Null for what is declined. */
  destinations: readonly { network: string; address: string }[] | null;
  /** When the new address takes effect, where another one is recorded already. */
  effectiveAtMs: number | null;
  /** For a proven claim that signs a browser in to kept money: from when that browser may send it; null: at once. */
  spendsFromMs: number | null;
  /** The same for seeing it, where the name may have a new owner; null: at once. */
  looksFromMs: number | null;
  /** From that time on a passkey of the kept money has to agree to what leaves. */
  isGuarded: boolean;
  txnIds: readonly number[];
  transactionHashes: readonly string[];
  receiptSlug: string | null;
};

export type OpenRequest = {
  /** As it was written. */
  platform: string;
  handle: string;
  payout: unknown;
  receiptSlug: string | null;
  /** The token in the link of a notice, for limits; null or absent where the caller came another way. */
  readerToken?: string | null;
  /** For limits; null for our bot. */
  callerIp: string | null;
  /** Of the mail with the code. */
  language?: Language;
};

/** A claim of the browser in which a mail's link was opened. */
export type FromMailRequest = { secret: string; payout: unknown; language: Language };

/** What the person did, by method; `chat` only from our bot. OAuth comes back by the callback instead. */
export type ProofStep =
  | { method: 'email'; code: string }
  | { method: 'domain' | 'siwf' }
  | { method: 'chat'; userId: string };

/** Throws AppError with what went wrong. Each answers what is true afterwards. */
export type Claims = {
  open: (request: OpenRequest, opener: Opener) => Promise<ClaimView>;
  /** The mailbox that the link was sent to; null where the link is over, or another browser has used it. */
  mailboxOf: (secret: string, opener: Opener | null) => Promise<string | null>;
  /** By the link in a mail: proven as soon as it is opened. */
  openFromMail: (request: FromMailRequest, opener: Opener) => Promise<ClaimView>;
  /**
   * The browser came back from the provider: `callbackUrl` is the requested address with its query. Answers the claim
   * it belongs to.
   */
  finishOauth: (answer: { platform: string; callbackUrl: string }, opener: Opener) => Promise<ClaimView>;
  prove: (claimId: string, step: ProofStep, opener: Opener) => Promise<ClaimView>;
  /** Another code to the same address, within the limits. */
  sendCodeAgain: (
    claimId: string,
    opener: Opener,
    caller: { ip: string | null; language: Language },
  ) => Promise<ClaimView>;
  /** A fresh one-time token for a verified claim; the one before ends. */
  issueConfirmToken: (claimId: string, opener: Opener) => Promise<string>;
  confirm: (claimId: string, token: string, opener: Opener) => Promise<ClaimView>;
  /** Everything that waits goes back; with `optOut` later payments are refused. */
  decline: (claimId: string, token: string, opener: Opener, options: { optOut: boolean }) => Promise<ClaimView>;
  read: (claimId: string, opener: Opener) => Promise<ClaimView>;
  /** Resolves when something about the claim may have changed, or the time is over. */
  waitForChange: (claimId: string, timeoutMs: number, signal: AbortSignal) => Promise<void>;
};
