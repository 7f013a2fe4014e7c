import { z } from 'zod';
import { parsePaymentAmount } from '../amounts.ts';
import { quoteText } from '../characters.ts';
import { AppError } from '../errors.ts';
import { findHttpPlatform, type Platform } from '../platforms/platforms.ts';
import { parseRecipient } from '../platforms/recipient.ts';
import {
  amountField,
  checkCurrency,
  currencyField,
  descriptionField,
  metaField,
  parseBody,
  receiverField,
} from './fields.ts';
import type { OrderedLine, Purchase, PlatformOffer } from './order.ts';

/** Limits of the published interface (section 8). */
export const RECEIVERS_MAX = 100;

const receiverItem = z.object({
  receiver: receiverField.optional(),
  username: receiverField.optional().meta({ description: 'another name of receiver', deprecated: true }),
  amount: amountField,
});

const batchFields = { currency: currencyField, description: descriptionField, meta: metaField };

/** One platform, 1 to 100 receivers. */
export const batchPaymentBody = z.object({
  receivers: z.array(receiverItem).min(1).max(RECEIVERS_MAX),
  ...batchFields,
});

/** The extension across platforms: each receiver names its own platform. */
export const crossBatchPaymentBody = z.object({
  receivers: z
    .array(receiverItem.extend({ platform: z.string().min(1) }))
    .min(1)
    .max(RECEIVERS_MAX),
  ...batchFields,
});

/** `batch_pay` of MCP: the same, and each receiver may have its own note. */
export const batchToolArguments = z.object({
  payments: z
    .array(receiverItem.extend({ platform: z.string().min(1), description: descriptionField }))
    .min(1)
    .max(RECEIVERS_MAX),
  currency: currencyField,
  meta: metaField,
});

/** Reads a batch for one platform. One wrong line refuses the whole batch; the error names its index. */
export function parseBatchPayment(platform: Platform, body: unknown): Purchase {
  const data = parseBody(batchPaymentBody, body);
  return finish(
    data,
    data.receivers.map((item, index) => toLine(platform, item, `receivers[${index}]`)),
  );
}

/** Reads a batch whose lines name their own platforms, aliases included. */
export function parseCrossBatchPayment(body: unknown, offer: PlatformOffer): Purchase {
  const data = parseBody(crossBatchPaymentBody, body);
  return finish(
    data,
    data.receivers.map((item, index) => toCrossLine(item, `receivers[${index}]`, offer)),
  );
}

/** Reads the arguments of `batch_pay`. */
export function parseBatchTool(toolArguments: unknown, offer: PlatformOffer): Purchase {
  const data = parseBody(batchToolArguments, toolArguments);
  const lines = data.payments.map((item, index) => ({
    ...toCrossLine(item, `payments[${index}]`, offer),
    note: item.description ?? null,
  }));
  return finish(data, lines);
}

type Item = z.infer<typeof receiverItem>;

function toCrossLine(item: Item & { platform: string }, place: string, { isBot, check }: PlatformOffer): OrderedLine {
  const field = `${place}.platform`;
  const platform = findHttpPlatform(item.platform, isBot);
  if (platform === null) {
    const detail = `${quoteText(item.platform)} is not a platform; wanted: x, decsocial, code, email or web.`;
    throw new AppError('platform_unavailable', { field, detail });
  }
  check(platform, field);
  return toLine(platform, item, place);
}

function toLine(platform: Platform, item: Item, place: string): OrderedLine {
  const field = `${place}.receiver`;
  const receiver = item.receiver ?? item.username;
  if (receiver === undefined) {
    throw new AppError('validation_failed', { field, detail: `Name who gets the money in "${field}".` });
  }
  const amount = parsePaymentAmount(item.amount, `${place}.amount`);
  return { recipient: parseRecipient(platform, receiver, field), receiver, amount, field, note: null };
}

type Common = { currency?: unknown; description?: string | null; meta?: Record<string, unknown> | null };

function finish(data: Common, lines: OrderedLine[]): Purchase {
  checkCurrency(data.currency);
  return { lines, description: data.description ?? null, meta: data.meta ?? null, payerReference: null };
}
