import { sql } from 'drizzle-orm';
import { MONEY_REQUEST_STATES } from '../../core/states.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

/** What members of a group ask each other for. Times in epoch milliseconds; people are accounts of the chat. */
export const defineMoneyRequestTables = (k: Kit) => ({
  moneyRequests: k.table(
    'money_requests',
    {
      id: k.text('id').primaryKey(),
      /** One message that asks several people: its first request has this id. Null where one person is asked. */
      billId: k.text('bill_id'),
      /** The event that asked: a repeated delivery is the same row. */
      eventKey: k.text('event_key').notNull(),
      transport: k.text('transport').notNull(),
      /** The card; its message is null until it stood there. */
      chatId: k.text('chat_id').notNull(),
      messageId: k.text('message_id'),
      language: k.text('language'),
      askerId: k.text('asker_id').notNull(),
      /** Who alone can pay it as asked. */
      askedId: k.text('asked_id').notNull(),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      /** What for, in the asker's words. */
      reason: k.text('reason'),
      status: k.oneOf('status', MONEY_REQUEST_STATES).notNull(),
      /** The one order that pays it; how that ended, the order says. */
      orderId: k.text('order_id'),
      createdAtMs: k.int('created_at_ms').notNull(),
      endsAtMs: k.int('ends_at_ms').notNull(),
      /** When the bot next looks at it without a press; null: its end is shown. */
      nextLookAtMs: k.int('next_look_at_ms'),
    },
    (t) => [
      k.uniqueIndex('money_requests_event_uq').on(t.eventKey, t.askedId),
      k.index('money_requests_asker_idx').on(t.askerId, t.createdAtMs),
      k.index('money_requests_asked_idx').on(t.askedId, t.createdAtMs),
      k.index('money_requests_bill_idx').on(t.billId),
      k.index('money_requests_look_idx').on(t.nextLookAtMs, t.createdAtMs),
      k.check('money_requests_amount_positive', sql`${t.amountMicroUsdc} > 0`),
      k.check('money_requests_agreed_order', sql`(${t.status} = 'agreed') = (${t.orderId} IS NOT NULL)`),
    ],
  ),

  /** Whether a person may be asked, by everybody (`*`) or by one other person, who is never told. */
  requestChoices: k.table(
    'request_choices',
    {
      userId: k.text('user_id').notNull(),
      otherId: k.text('other_id').notNull(),
      isAllowed: k.bool('is_allowed').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.userId, t.otherId] })],
  ),
});
