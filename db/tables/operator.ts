import { ADMIN_ROLES } from '../../core/admins/admins.ts';
import { NETWORKS } from '../../core/networks.ts';
import { REPORT_REASONS, REPORT_SHARES, REPORTED_KINDS } from '../../core/reports/reports.ts';
import { SCREENING_SOURCES, SCREENING_STAGES, SCREENING_VERDICTS } from '../../core/screening/screening.ts';
import { LOST_REASONS, LOST_STATES } from '../../core/transfers/lost.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

export const defineOperatorTables = (k: Kit) => ({
  /** What an operator changed, by a command. Written in the transaction of the change, and never changed. */
  operatorActions: k.table('operator_actions', {
    id: k.serial('id'),
    /** The user of the operator's computer who gave it. */
    who: k.text('who').notNull(),
    command: k.text('command').notNull(),
    arguments: k.json<readonly string[]>('arguments').notNull(),
    /** What came of it, as the operator was told. */
    result: k.text('result').notNull(),
    atMs: k.int('at_ms').notNull(),
  }),

  /** Addresses whose transfers to us are the operator's own money. */
  operatorAddresses: k.table(
    'operator_addresses',
    {
      network: k.oneOf('network', NETWORKS).notNull(),
      address: k.text('address').notNull(),
      sinceMs: k.int('since_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.network, t.address] })],
  ),

  /** What one of another money was worth on a day in UTC, as the operator last said on it. Statements value money by it. */
  dayRates: k.table(
    'day_rates',
    {
      currency: k.text('currency').notNull(),
      /** `2026-11-20` */
      day: k.text('day').notNull(),
      worthMicroUsdc: k.bigint('worth_micro_usdc').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.currency, t.day] })],
  ),

  /** How far a restored database had read each chain when it was noticed: what is above belongs to the lost time. */
  restoredCursors: k.table('restored_cursors', {
    network: k.oneOf('network', NETWORKS).primaryKey(),
    block: k.int('block').notNull(),
  }),

  /** Each restore that `operator reconcile` has ended. */
  reconciliations: k.table('reconciliations', {
    id: k.serial('id'),
    noticedAtMs: k.int('noticed_at_ms').notNull(),
    atMs: k.int('at_ms').notNull(),
  }),

  /** What came in during the lost time, and what the chain says became of it. */
  lostInbounds: k.table(
    'lost_inbounds',
    {
      /** The observed transfer. */
      fact: k.text('fact').primaryKey(),
      network: k.oneOf('network', NETWORKS).notNull(),
      payer: k.text('payer').notNull(),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      /** What has left for its lines, by their ids. */
      paidMicroUsdc: k.bigint('paid_micro_usdc').notNull(),
      state: k.oneOf('state', LOST_STATES).notNull(),
      /** Why it is held; null for any other. */
      heldReason: k.oneOf('held_reason', LOST_REASONS),
      atMs: k.int('at_ms').notNull(),
    },
    (t) => [k.index('lost_inbounds_payer_idx').on(t.payer)],
  ),

  /** Payers who got a transfer in the lost time that may have gathered more lines than its name says. */
  doubtfulPayers: k.table(
    'doubtful_payers',
    {
      network: k.oneOf('network', NETWORKS).notNull(),
      payer: k.text('payer').notNull(),
      /** The transfer that they got. */
      fact: k.text('fact').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.network, t.payer, t.fact] })],
  ),

  /** What people have reported. It moves no money, and its payer never learns of it. */
  reports: k.table(
    'reports',
    {
      id: k.text('id').primaryKey(),
      kind: k.oneOf('kind', REPORTED_KINDS).notNull(),
      /** A payment's `txn_id`; the person whose page it is. */
      subject: k.text('subject').notNull(),
      reason: k.oneOf('reason', REPORT_REASONS).notNull(),
      /** What the reporter wrote, for the operator alone. */
      words: k.text('words'),
      /** A hash that stands for the caller, for the limits. */
      reporter: k.text('reporter').notNull(),
      share: k.oneOf('share', REPORT_SHARES).notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
      /** Null: the operator has not closed it. */
      closedAtMs: k.int('closed_at_ms'),
    },
    (t) => [
      k.uniqueIndex('reports_reporter_uq').on(t.kind, t.subject, t.reporter),
      k.index('reports_caller_idx').on(t.reporter, t.createdAtMs),
      k.index('reports_created_idx').on(t.createdAtMs),
      k.index('reports_open_idx').on(t.closedAtMs, t.createdAtMs),
    ],
  ),

  /** Payments whose stored answer may name a person no more: the one reason for which it changes. */
  erasedAnswers: k.table('erased_answers', { paymentId: k.text('payment_id').primaryKey() }),

  /** While the service ends: every wallet that may hold money of others, until it is seen to be empty. */
  closingWallets: k.table(
    'closing_wallets',
    {
      /** Opaque, so that events may name it. */
      id: k.text('id').primaryKey(),
      walletId: k.text('wallet_id').notNull(),
      /** What was there at the last look, over all networks that answered; null before the first. */
      foundMicroUsdc: k.bigint('found_micro_usdc'),
      /** Something of it is on its way to an address that its owner had given before. */
      isLeaving: k.bool('is_leaving').notNull(),
      lookedAtMs: k.int('looked_at_ms'),
      nextLookAtMs: k.int('next_look_at_ms').notNull(),
      /** When those who hold it were to be told. */
      toldAtMs: k.int('told_at_ms'),
    },
    (t) => [k.index('closing_wallets_next_idx').on(t.nextLookAtMs)],
  ),

  /** What an operator's lists or service, or the operator, decided last about a payment, a payout or a claim. */
  screenings: k.table(
    'screenings',
    {
      stage: k.oneOf('stage', SCREENING_STAGES).notNull(),
      /** A payment by network, payer and nonce; a transfer or a claim by its id. */
      subject: k.text('subject').notNull(),
      verdict: k.oneOf('verdict', SCREENING_VERDICTS).notNull(),
      source: k.oneOf('source', SCREENING_SOURCES).notNull(),
      /** The entry of a list that fits, or the service's own reference. */
      detail: k.text('detail'),
      /** Whether it may go on. */
      passes: k.bool('passes').notNull(),
      atMs: k.int('at_ms').notNull(),
      /** When it is asked about again, if it is still there; null: never. */
      untilMs: k.int('until_ms'),
    },
    (t) => [k.primaryKey({ columns: [t.stage, t.subject] }), k.index('screenings_verdict_idx').on(t.verdict, t.atMs)],
  ),

  /** Who may use the console. One that was removed stays, because the audit names it. */
  admins: k.table('admins', {
    name: k.text('name').primaryKey(),
    role: k.oneOf('role', ADMIN_ROLES).notNull(),
    createdAtMs: k.int('created_at_ms').notNull(),
    removedAtMs: k.int('removed_at_ms'),
  }),

  /** A link that makes a person an admin, or gives an admin a new passkey. A name has one at most. */
  adminInvites: k.table('admin_invites', {
    name: k.text('name').primaryKey(),
    /** SHA-256 of the secret in the link, so that reading the table opens none. */
    linkHash: k.text('link_hash').notNull(),
    role: k.oneOf('role', ADMIN_ROLES).notNull(),
    expiresAtMs: k.int('expires_at_ms').notNull(),
  }),

  /** What an admin signs in with. */
  adminPasskeys: k.table(
    'admin_passkeys',
    {
      id: k.text('id').primaryKey(),
      admin: k.text('admin').notNull(),
      publicKey: k.text('public_key').notNull(),
      counter: k.int('counter').notNull(),
      transports: k.json<string[]>('transports').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [k.uniqueIndex('admin_passkeys_admin_uq').on(t.admin)],
  ),

  /** A browser in which an admin has signed in. It is kept for a while after its end, so that no signature counts twice. */
  adminSessions: k.table(
    'admin_sessions',
    {
      /** SHA-256 of the cookie. */
      cookieHash: k.text('cookie_hash').primaryKey(),
      admin: k.text('admin').notNull(),
      /** SHA-256 of what was signed. */
      challengeHash: k.text('challenge_hash').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
      seenAtMs: k.int('seen_at_ms').notNull(),
      endsAtMs: k.int('ends_at_ms').notNull(),
    },
    (t) => [
      k.uniqueIndex('admin_sessions_challenge_uq').on(t.challengeHash),
      k.index('admin_sessions_admin_idx').on(t.admin),
      k.index('admin_sessions_created_idx').on(t.createdAtMs),
    ],
  ),
});
