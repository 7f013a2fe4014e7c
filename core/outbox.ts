import { z } from 'zod';

const id = z.string().min(1);
const txnId = z.number().int().positive();
const passkeyChange = z.enum(['added', 'ends']);

/** Events about money, and for the endpoints of payers: the worker's own rounds find the rows, and are only woken. */
const MONEY_EVENTS = {
  payment_reserved: z.object({ paymentId: id }),
  payout_queued: z.object({ payoutId: id }),
  refund_owed: z.object({ refundId: id }),
  /** A payer's endpoint has to be told something. */
  event_due: z.object({ deliveryId: id }),
} as const;

/**
 * Events that chats are told about. A payment or a payout may concern several chats; then each of its lines becomes an
 * event of its own, so that a chat that does not answer delays no other and makes no other show a receipt twice.
 */
const CHAT_EVENTS = {
  payment_settled: z.object({ paymentId: id }),
  line_settled: z.object({ paymentId: id, txnId }),
  line_resolved: z.object({ paymentId: id, txnId }),
  payout_landed: z.object({ payoutId: id }),
  line_paid: z.object({ payoutId: id, txnId }),
  /** A share of a reward, for a person who uses the bot. */
  line_rewarded: z.object({ paymentId: id, txnId }),
  /** For the channel that a community keeps as a log. */
  order_logged: z.object({ paymentId: id, orderId: id }),
  /** A recipient, or anyone with the receipt, has reported a payment. */
  payment_reported: z.object({ reportId: id }),
  /** `toldTo` is as opaque as `holder` below. */
  report_notice: z.object({ reportId: id, toldTo: id }),
  /** `fact` names the transfer that paid a pay link a second time. */
  link_paid_twice: z.object({ fact: id }),
  /** `lineId` names the small tips of a person and a day; opaque, because outbox rows outlive them. */
  small_tips_due: z.object({ lineId: id }),
  withdrawal_requested: z.object({ withdrawalId: id }),
  /** `holder` is opaque, because outbox rows outlive the time for which names may be kept. */
  withdrawal_notice: z.object({ withdrawalId: id, holder: id }),
  /** Another browser or account has proved that a wallet is theirs. `toldTo` is as opaque as `holder`. */
  holder_added: z.object({ identityId: id, holder: id, fromMs: z.number().int() }),
  holder_notice: z.object({ identityId: id, holder: id, fromMs: z.number().int(), toldTo: id }),
  /** Money of a community may leave for a new address a day after that time. */
  treasury_address_set: z.object({ addressId: id, announcedAtMs: z.number().int() }),
  treasury_address_notice: z.object({ addressId: id, announcedAtMs: z.number().int(), toldTo: id }),
  /** A passkey of a wallet was added, or given up without it; `passkey` is as opaque as `holder`. */
  passkey_changed: z.object({ identityId: id, passkey: id, change: passkeyChange, fromMs: z.number().int() }),
  passkey_notice: z.object({
    identityId: id,
    passkey: id,
    change: passkeyChange,
    fromMs: z.number().int(),
    toldTo: id,
  }),
  /** The service ends, and this wallet has money. `wallet` and `toldTo` are opaque; `sum` is decimal text of micro-USDC. */
  closing_notice: z.object({ wallet: id, sum: z.string(), sinceMs: z.number().int(), toldTo: id }),
} as const;

const EVENTS = { ...MONEY_EVENTS, ...CHAT_EVENTS };

type Payloads = { [Topic in keyof typeof EVENTS]: z.infer<(typeof EVENTS)[Topic]> };
const SCHEMAS: { [Topic in OutboxTopic]: z.ZodType<Payloads[Topic]> } = EVENTS;

/** What a committed change asks the worker for, one topic per event. */
export type OutboxTopic = keyof Payloads;
export type MoneyTopic = keyof typeof MONEY_EVENTS;
export type ChatTopic = keyof typeof CHAT_EVENTS;
export type OutboxPayload<Topic extends OutboxTopic> = Payloads[Topic];

/** A consumer for each topic. It may run twice for one event. */
export type OutboxHandlers<Topics extends OutboxTopic = OutboxTopic> = {
  [Topic in Topics]: (payload: Payloads[Topic]) => Promise<void>;
};

/** Its rows ask for nothing but a look. */
export function isMoneyTopic(topic: string): topic is MoneyTopic {
  return Object.hasOwn(MONEY_EVENTS, topic);
}

/** Its consumer waits for a chat, which may take long. */
export function isChatTopic(topic: OutboxTopic): topic is ChatTopic {
  return Object.hasOwn(CHAT_EVENTS, topic);
}

/** The same payload has the same key, in whatever order its fields were written. */
export function outboxKey<Topic extends OutboxTopic>(topic: Topic, payload: Payloads[Topic]): string {
  return JSON.stringify(SCHEMAS[topic].parse(payload));
}

export async function handleEvent<Topic extends OutboxTopic>(
  handlers: OutboxHandlers<Topic>,
  { topic, key }: { topic: Topic; key: string },
): Promise<void> {
  await handlers[topic](SCHEMAS[topic].parse(JSON.parse(key)));
}
