import { LANGUAGE_TAGS } from '../../core/languages.ts';
import { NETWORKS } from '../../core/networks.ts';
import { sql } from 'drizzle-orm';
import { NOTICE_KINDS, type PayoutTarget } from '../../core/claims/claims.ts';
import { CLAIM_METHODS } from '../../core/platforms/row.ts';
import { CLAIM_STATES, WITHDRAWAL_STATES } from '../../core/states.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

export const defineClaimTables = (k: Kit) => ({
  /** A request to collect what waits for a name. The claimant fixes the destination before proving to own the name. */
  claims: k.table(
    'claims',
    {
      /** 128 random bits. It is no secret: only the browser with the cookie may go on with the claim. */
      id: k.text('id').primaryKey(),
      platform: k.text('platform').notNull(),
      key: k.text('key').notNull(),
      display: k.text('display').notNull(),
      /** Fixed before the proof, and named in it. Another destination needs another claim. */
      payout: k.json<PayoutTarget>('payout').notNull(),
      method: k.oneOf('method', CLAIM_METHODS).notNull(),
      status: k.oneOf('status', CLAIM_STATES).notNull(),
      /** Of the page that it was opened on; null for the bot's. */
      language: k.oneOf('language', LANGUAGE_TAGS),
      /** The browser that opened it (identity/browsers.ts); null when our bot did, for a person it identified. */
      browserId: k.text('browser_id'),
      /** What the proof needs again (state, nonce, hash of a code). Taken out of the row before it is used, once. */
      proof: k.json<Record<string, unknown>>('proof'),
      /** How often something was typed or asked for this proof. */
      tries: k.int('tries').notNull(),
      /** The receipt whose link brought the person: only then sender, amount and reason are shown before the proof. */
      receiptSlug: k.text('receipt_slug'),
      /** The identity that was proven; null before the proof. */
      identityId: k.text('identity_id'),
      /** The name held at the time of the proof. */
      provenKey: k.text('proven_key'),
      /** SHA-256 of the one-time token that confirms; null before the proof and once it was used. */
      confirmHash: k.text('confirm_hash'),
      /** Why it was rejected: a word of core/claims/claims.ts. */
      rejectReason: k.text('reject_reason'),
      createdAtMs: k.int('created_at_ms').notNull(),
      expiresAtMs: k.int('expires_at_ms').notNull(),
      verifiedAtMs: k.int('verified_at_ms'),
      endedAtMs: k.int('ended_at_ms'),
    },
    (t) => [
      k.index('claims_identity_idx').on(t.identityId, t.status),
      k.index('claims_browser_idx').on(t.browserId, t.createdAtMs),
      k.index('claims_expiry_idx').on(t.expiresAtMs),
    ],
  ),

  /**
   * Mails with a code, for as long as the link in each works. The link is for the mailbox and not for the claim that
   * caused the mail, so that a stranger who asks for mails cannot keep its reader out.
   */
  codeMails: k.table(
    'code_mails',
    {
      /** SHA-256 of the secret in the link, in hex. */
      linkHash: k.text('link_hash').primaryKey(),
      /** The key of an e-mail recipient. */
      address: k.text('address').notNull(),
      sentAtMs: k.int('sent_at_ms').notNull(),
      /** The browser that has collected for this address since: from then on the link opens there only. */
      browserId: k.text('browser_id'),
    },
    (t) => [k.index('code_mails_address_idx').on(t.address, t.sentAtMs), k.index('code_mails_sent_idx').on(t.sentAtMs)],
  ),

  /** The lines that a confirmed claim released. */
  claimLines: k.table(
    'claim_lines',
    { claimId: k.text('claim_id').notNull(), txnId: k.int('txn_id').notNull() },
    (t) => [k.primaryKey({ columns: [t.claimId, t.txnId] }), k.index('claim_lines_txn_idx').on(t.txnId)],
  ),

  /** A new address that replaces the current one at `effectiveAtMs`, a day after the proof. */
  walletChanges: k.table(
    'wallet_changes',
    {
      identityId: k.text('identity_id').notNull(),
      network: k.oneOf('network', NETWORKS).notNull(),
      address: k.text('address').notNull(),
      source: k.text('source').notNull(),
      claimId: k.text('claim_id').notNull(),
      effectiveAtMs: k.int('effective_at_ms').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.identityId, t.network] }),
      k.index('wallet_changes_due_idx').on(t.effectiveAtMs),
    ],
  ),

  /** Which browser or chat account may spend from a personal wallet: the one that proved the identity. */
  walletHolders: k.table(
    'wallet_holders',
    {
      /** `chat:…` of a browser (identity/browsers.ts), `discord:…`, `telegram:…`. */
      holderId: k.text('holder_id').notNull(),
      /** `{platform}:{stable id}`. */
      walletId: k.text('wallet_id').notNull(),
      identityId: k.text('identity_id').notNull(),
      /** The name as the person knows it: `x:alice`. */
      name: k.text('name').notNull(),
      sinceMs: k.int('since_ms').notNull(),
      /** From when it may spend; until then it only looks. 0 for the first. */
      spendsFromMs: k.int('spends_from_ms').notNull(),
      /** Until then it sees nothing: the name may have changed owners. 0 where it looks at once. */
      looksFromMs: k.int('looks_from_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.holderId, t.walletId] }), k.index('wallet_holders_wallet_idx').on(t.walletId)],
  ),

  /** What money leaves a personal wallet with, once there is one. Its key is public, and the name it is for stands nowhere here. */
  passkeys: k.table(
    'passkeys',
    {
      /** The authenticator's own id of it, in base64url. */
      id: k.text('id').primaryKey(),
      walletId: k.text('wallet_id').notNull(),
      identityId: k.text('identity_id').notNull(),
      /** In COSE, as base64url. */
      publicKey: k.text('public_key').notNull(),
      /** How often it has signed, as it says itself; 0 from those that do not count. */
      counter: k.int('counter').notNull(),
      transports: k.json<string[]>('transports').notNull(),
      addedBy: k.text('added_by').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
      holdsFromMs: k.int('holds_from_ms').notNull(),
      /** Given up without it, it counts until then; null: it stays. */
      endsAtMs: k.int('ends_at_ms'),
    },
    (t) => [k.index('passkeys_wallet_idx').on(t.walletId)],
  ),

  /** Notices already sent, so that each is sent once. After `untilMs` the same kind may be sent again. */
  notices: k.table(
    'notices',
    {
      identityId: k.text('identity_id').notNull(),
      kind: k.oneOf('kind', NOTICE_KINDS).notNull(),
      untilMs: k.int('until_ms').notNull(),
      sentAtMs: k.int('sent_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.identityId, t.kind] })],
  ),

  /** Money out of a personal wallet to an address. It is the person's own, so it is in none of our accounts. */
  walletWithdrawals: k.table(
    'wallet_withdrawals',
    {
      /** 128 random bits in hex. Its transfer has the same id, and everything about signing and landing. */
      id: k.text('id').primaryKey(),
      /** The holder who asks, and the holder's key for this request: the same key twice is one withdrawal. */
      holderId: k.text('holder_id').notNull(),
      requestKey: k.text('request_key').notNull(),
      walletId: k.text('wallet_id').notNull(),
      network: k.oneOf('network', NETWORKS).notNull(),
      fromAddress: k.text('from_address').notNull(),
      toAddress: k.text('to_address').notNull(),
      /** The community's treasury that it is given to; null for an address of anyone's own. */
      toTreasury: k.text('to_treasury'),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      /** The passkey that agreed to exactly this; null: none did. */
      passkeyId: k.text('passkey_id'),
      status: k.oneOf('status', WITHDRAWAL_STATES).notNull(),
      failure: k.text('failure'),
      createdAtMs: k.int('created_at_ms').notNull(),
      /**
       * Nothing is signed before this time. Without a wait it equals `createdAtMs`
       * (core/wallets/withdrawal-wait.ts); it moves later when the wallet's holders are notified late.
       */
      notBeforeMs: k.int('not_before_ms').notNull(),
      /**
       * When the last holder of the wallet was notified or given up: a new address's waiting time runs from then
       * on. Null before, and where no holder has to be notified.
       */
      notifiedAtMs: k.int('notified_at_ms'),
      /** The day whose allowance for immediate withdrawals it uses; null where it uses none. */
      countedOn: k.text('counted_on'),
      /** When a holder of the wallet disowned it: it no longer makes its address a known one. */
      calledOffAtMs: k.int('called_off_at_ms'),
      endedAtMs: k.int('ended_at_ms'),
    },
    (t) => [
      k.uniqueIndex('withdrawals_request_uq').on(t.holderId, t.requestKey),
      k.index('withdrawals_status_idx').on(t.network, t.status, t.notBeforeMs),
      k.index('withdrawals_wallet_idx').on(t.walletId, t.createdAtMs),
      k.check('withdrawals_amount_positive', sql`${t.amountMicroUsdc} > 0`),
    ],
  ),
});
