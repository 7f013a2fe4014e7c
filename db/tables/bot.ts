import { NETWORKS, type Network } from '../../core/networks.ts';
import { ORDER_STATES, PAY_LINK_STATES, type WireStatus } from '../../core/states.ts';
import type { StoredLimits } from '../../core/wallets/spending-limits.ts';
import type { View } from '../../core/view.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';
import { BUTTON_ACTIONS, CHAT_FILES, type SaidCommand } from './button-actions.ts';

export const CHAT_AUTHORS = ['visitor', 'bot'] as const;

/** One person's part of an order for several, as the payer was shown it; the amount is text, see `PayLinkTransfer`. */
export type OrderLine = {
  recipient: string;
  amountMicroUsdc: string;
  /** Named more than once; it counts once. */
  again?: true;
};

/** What the answer said about it, in the same order. */
export type LineResult = {
  txnId: number;
  receipt: string;
  status: WireStatus;
  /** Its payer took it back. */
  undone?: true;
};

/** What a pay link asks for: the API's terms for a signature, and on each network what a plain transfer has to be. */
export type PayLinkTerms = {
  /** `x402.payment.required` as it came. */
  required: Record<string, unknown>;
  transfers: PayLinkTransfer[];
};

/** Amounts are decimal text of micro-USDC: JSON has no integers of that size. */
export type PayLinkTransfer = { network: Network; address: string; amountMicroUsdc: string };

/** The withdrawal that a button sends, as its user was shown it; the amount is text, see `PayLinkTransfer`. */
export type ShownWithdrawal = {
  /** The id of the withdrawal, chosen before the press, so that it can be found after any crash. */
  id: string;
  network: Network;
  toAddress: string;
  /** The community's treasury whose address that is. */
  toTreasury?: string | null;
  amountMicroUsdc: string;
};

export const defineBotTables = (k: Kit) => ({
  /** One command that pays. The key is the platform's own event id, so a redelivered event is the same order. */
  orders: k.table(
    'orders',
    {
      /** Random; sent as `Idempotency-Key`. */
      id: k.text('id').primaryKey(),
      transport: k.text('transport').notNull(),
      eventId: k.text('event_id').notNull(),
      chatId: k.text('chat_id').notNull(),
      /** The message that shows the order's progress, edited in place. */
      messageId: k.text('message_id').notNull(),
      /** The platform's id of the community it was written in; null in a private chat. */
      communityId: k.text('community_id'),
      userId: k.text('user_id').notNull(),
      /** The wallet that pays: the user's own wallet of this chat, or one kept for a name (`wallet_holders`). */
      walletId: k.text('wallet_id').notNull(),
      /** The name that the wallet is kept for, such as `x:alice`; null for the chat's own. */
      walletName: k.text('wallet_name'),
      /** The network it is paid on. Never changes once signed: a second header elsewhere could land beside the first. */
      network: k.oneOf('network', NETWORKS).notNull(),
      payerAddress: k.text('payer_address').notNull(),
      /** Path and body of the request, sent the same way each time: the API knows a repeat by them. */
      route: k.text('route').notNull(),
      body: k.json<Record<string, unknown>>('body').notNull(),
      /** The message whose author it tips, where those who tip it get one answer together (`tipSummaries`). */
      tippedMessageId: k.text('tipped_message_id'),
      /** For people: `x:alice`. */
      recipient: k.text('recipient').notNull(),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      /** Who gets what, where it is paid over a batch route; null for one person. */
      lines: k.json<OrderLine[]>('lines'),
      /** Amount and fee as the API asked for them, checked; null until priced. */
      totalMicroUsdc: k.bigint('total_micro_usdc'),
      /** The most that its payer has agreed to, as a page named it; null: whatever the price is. */
      agreedMicroUsdc: k.bigint('agreed_micro_usdc'),
      /** How much of it counts against the wallet's limit of the day that it was made on; null where nothing does. */
      countedMicroUsdc: k.bigint('counted_micro_usdc'),
      /** Which one of the wallet's agreed to exactly this order. */
      passkeyId: k.text('passkey_id'),
      status: k.oneOf('status', ORDER_STATES).notNull(),
      /**
       * The payer asked for a pay link; null: the order gets one only when the payer's wallet has too little; false: never.
       */
      viaLink: k.bool('via_link'),
      /** The signed header, stored before it is first sent; only this one is sent again. */
      header: k.text('header'),
      /** Seconds; after it a header for Base can no longer land. */
      validBefore: k.int('valid_before'),
      /** The last block that a header for Solana can be in. */
      lastValidHeight: k.int('last_valid_height'),
      txnId: k.int('txn_id'),
      receipt: k.text('receipt'),
      /** What became of each line when the answer came; the two above are those of the first. */
      results: k.json<LineResult[]>('results'),
      /** Why it failed: an error word of the API, or one of ours. */
      failure: k.text('failure'),
      /** The line that it failed for, where the API named one. */
      failedLine: k.int('failed_line'),
      /** The language of its progress messages. */
      language: k.text('language'),
      /** The payer had it erased. The bare row is kept, so that its event still counts as handled. */
      erasedAtMs: k.int('erased_at_ms'),
      /** When the payer last took back an uncollected line; `results` says which. */
      undoneAtMs: k.int('undone_at_ms'),
      /** When its final state was shown in the chat; until then a restart takes it up again. */
      shownAtMs: k.int('shown_at_ms'),
      /** How often its message had to be shown once more; below zero until anybody has shown the end. */
      newsCount: k.int('news_count').notNull().default(0),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.uniqueIndex('orders_event_uq').on(t.transport, t.eventId),
      k.index('orders_txn_idx').on(t.txnId),
      k.index('orders_open_idx').on(t.shownAtMs, t.createdAtMs),
      k.index('orders_tipped_idx').on(t.transport, t.chatId, t.tippedMessageId),
      k.index('orders_user_idx').on(t.userId, t.createdAtMs),
      k.index('orders_wallet_idx').on(t.walletId, t.status),
      k.index('orders_counted_idx').on(t.status, t.countedMicroUsdc),
    ],
  ),

  /** How another wallet pays an order: anyone with one of its keys sees the price and may pay, once. */
  payLinks: k.table(
    'pay_links',
    {
      orderId: k.text('order_id').primaryKey(),
      status: k.oneOf('status', PAY_LINK_STATES).notNull(),
      /** Until then the page lets people pay. */
      untilMs: k.int('until_ms').notNull(),
      /** The API's task, which can be paid only once by any means; null until the first visitor wants to pay. */
      taskId: k.text('task_id'),
      terms: k.json<PayLinkTerms>('terms'),
      /** The signed payment, stored before it is sent; until its outcome is known only this one is sent. */
      header: k.text('header'),
      /** Why the last one was refused: a word of the API's. */
      refusal: k.text('refusal'),
      /** When the chat showed it; until then a restart shows it. */
      shownAtMs: k.int('shown_at_ms'),
      /** When to ask for the task again; null once there is nothing left to wait for. */
      nextLookAtMs: k.int('next_look_at_ms'),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [k.uniqueIndex('pay_links_task_uq').on(t.taskId), k.index('pay_links_look_idx').on(t.nextLookAtMs)],
  ),

  /** What opens a pay link. A message shown again gets a new key, because only hashes of the old ones are stored. */
  payLinkKeys: k.table(
    'pay_link_keys',
    {
      /** SHA-256 of the key in the URL, so that reading the table opens no link. */
      id: k.text('id').primaryKey(),
      orderId: k.text('order_id').notNull(),
    },
    (t) => [k.index('pay_link_keys_order_idx').on(t.orderId)],
  ),

  /** A chat that is stored here (the web chat). Its counter is raised by every post and edit, in one order for all. */
  chats: k.table('chats', { id: k.text('id').primaryKey(), lastRevision: k.int('last_revision').notNull() }),

  /** What the web chat shows; `revision` rises with each edit so that a page can follow changes. */
  chatMessages: k.table(
    'chat_messages',
    {
      id: k.text('id').primaryKey(),
      chatId: k.text('chat_id').notNull(),
      author: k.oneOf('author', CHAT_AUTHORS).notNull(),
      view: k.json<View>('view').notNull(),
      /** Set for messages that must appear once however often they are posted. */
      onceKey: k.text('once_key'),
      /** The revision at which it was posted: its place in the chat, never changed by an edit. */
      position: k.int('position').notNull(),
      revision: k.int('revision').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.uniqueIndex('chat_messages_once_uq').on(t.chatId, t.onceKey),
      k.index('chat_messages_chat_idx').on(t.chatId, t.revision),
    ],
  ),

  /** A person who has talked to the bot. The id is the wallet's too: `chat:{visitor}` in the web chat. */
  chatUsers: k.table(
    'chat_users',
    {
      id: k.text('id').primaryKey(),
      transport: k.text('transport').notNull(),
      walletAddress: k.text('wallet_address').notNull(),
      fundedAtMs: k.int('funded_at_ms'),
      /** The wallet the user chose to pay from; a wallet kept after that choice comes first. */
      chosenWalletId: k.text('chosen_wallet_id'),
      chosenAtMs: k.int('chosen_at_ms'),
      /** The language the user chose; null: the platform's. */
      language: k.text('language'),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [k.index('chat_users_wallet_idx').on(t.walletAddress)],
  ),

  /** What tips may take out of a personal wallet, where a holder has changed the defaults. */
  walletLimits: k.table('wallet_limits', {
    walletId: k.text('wallet_id').primaryKey(),
    limits: k.json<StoredLimits>('limits').notNull(),
    /** Raised by each change, so that of two at once neither undoes the other. */
    revision: k.int('revision').notNull(),
    changedBy: k.text('changed_by').notNull(),
    changedAtMs: k.int('changed_at_ms').notNull(),
  }),

  /** Locked wallets and locked holders: nothing is spent from or by them. Wallet ids and holder ids never collide. */
  spendingLocks: k.table('spending_locks', {
    id: k.text('id').primaryKey(),
    lockedBy: k.text('locked_by').notNull(),
    lockedAtMs: k.int('locked_at_ms').notNull(),
    /** When it ends; null: not by itself. */
    untilMs: k.int('until_ms'),
  }),

  /** Recipients a user has tipped before: tips to them need no confirmation as a new recipient. */
  knownRecipients: k.table(
    'known_recipients',
    {
      userId: k.text('user_id').notNull(),
      /** `x:alice`, never masked. */
      recipient: k.text('recipient').notNull(),
      sinceMs: k.int('since_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.userId, t.recipient] })],
  ),

  /** What a button does. Only the id leaves the server, and it works once, for one user. */
  chatButtons: k.table(
    'chat_buttons',
    {
      id: k.text('id').primaryKey(),
      userId: k.text('user_id').notNull(),
      action: k.oneOf('action', BUTTON_ACTIONS).notNull(),
      /** The wallet of `choose_wallet`, `cancel_raises`, `withdraw` and `cancel_withdrawal`. */
      walletId: k.text('wallet_id'),
      withdrawal: k.json<ShownWithdrawal>('withdrawal'),
      said: k.json<SaidCommand>('said'),
      /** The order that it confirms, cancels, sends or takes back; the proven claim that `keep_claim` confirms. */
      orderId: k.text('order_id'),
      claimId: k.text('claim_id'),
      /** The language that `choose_language` means; null: the platform's. */
      language: k.text('language'),
      /** A tip to this person, whose giver `block_giver` and `allow_giver` are about. */
      txnId: k.int('txn_id'),
      /** What it is about: a treasury's withdrawal or address, a reward's card, a request, a drop, and which list of that. */
      treasuryId: k.text('treasury_id'),
      rewardId: k.text('reward_id'),
      requestId: k.text('request_id'),
      dropId: k.text('drop_id'),
      listHash: k.text('list_hash'),
      /** The press that counted; the same event delivered again is the same press. */
      pressedByEvent: k.text('pressed_by_event'),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [k.index('chat_buttons_action_idx').on(t.action, t.createdAtMs)],
  ),

  /** The one answer under a message that people have tipped, edited with each of them. */
  tipSummaries: k.table(
    'tip_summaries',
    {
      transport: k.text('transport').notNull(),
      chatId: k.text('chat_id').notNull(),
      tippedMessageId: k.text('tipped_message_id').notNull(),
      messageId: k.text('message_id').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.transport, t.chatId, t.tippedMessageId] })],
  ),

  /** A short-lived link to a user's own data: anyone who knows the URL can open it. */
  chatFiles: k.table('chat_files', {
    /** SHA-256 of the key in the URL, so that reading the table opens no link. */
    id: k.text('id').primaryKey(),
    userId: k.text('user_id').notNull(),
    kind: k.oneOf('kind', CHAT_FILES).notNull(),
    /** The wallet that `deposit_page` shows the addresses of, that `treasury_csv` is about, and that `browser_link` moves. */
    walletId: k.text('wallet_id'),
    /** The language of the page; null for files, which have none. */
    language: k.text('language'),
    untilMs: k.int('until_ms').notNull(),
  }),
});
