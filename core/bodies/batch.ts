import { z } from 'zod';
import { parsePaymentAmount } from '../amounts.ts';
import { quoteText } from '../characters.ts';
import { AppError } from '../errors.ts';
import type { MicroUsdc } from '../money.ts';
import { findHttpPlatform, type Platform } from '../platforms.ts';
import { parseRecipient, type Recipient } from '../recipients/recipient.ts';
import {
  amountField,
  checkCurrency,
  currencyField,
  descriptionField,
  metaField,
  parseBody,
  receiverField,
} from './fields.ts';

/** Limits of the published interface (section 8). */
const RECEIVERS_MAX = 100;

const receiverItem = z.object({
  receiver: receiverField.optional(),
  username: receiverField.optional().meta({ description: 'another name of receiver', deprecated: true }),
  amount: amountField,
});

const batchFields = { currency: currencyField, description: descriptionField, meta: metaField };

/** One platform, 1 to 100 receivers (interface 2.3). */
export const batchPaymentBody = z.object({
  receivers: z.array(receiverItem).min(1).max(RECEIVERS_MAX),
  ...batchFields,
});

/** The extension across platforms: each receiver names its own. */
export const crossBatchPaymentBody = z.object({
  receivers: z
    .array(receiverItem.extend({ platform: z.string().min(1) }))
    .min(1)
    .max(RECEIVERS_MAX),
  ...batchFields,
});

export type BatchLine = { recipient: Recipient; receiver: string; amount: MicroUsdc };
export type BatchPayment = {
  lines: BatchLine[];
  description: string | null;
  meta: Record<string, unknown> | null;
};

export type PlatformOffer = {
  /** Whether our bot asks, for whom there are more platforms. */
  isBot: boolean;
  /** Throws AppError for a platform that is not offered here. */
  check: (platform: Platform, field: string) => void;
};

/** Reads a batch for one platform. One wrong line refuses all of it, naming its index. */
export function parseBatchPayment(platform: Platform, body: unknown): BatchPayment {
  const data = parseBody(batchPaymentBody, body);
  return finish(
    data,
    data.receivers.map((item, index) => toLine(platform, item, index)),
  );
}

/** Reads a batch whose lines name their own platforms, aliases included. */
export function parseCrossBatchPayment(body: unknown, { isBot, check }: PlatformOffer): BatchPayment {
  const data = parseBody(crossBatchPaymentBody, body);
  return finish(
    data,
    data.receivers.map((item, index) => {
      const field = `receivers[${index}].platform`;
      const platform = findHttpPlatform(item.platform, isBot);
      if (platform === null) {
        const detail = `${quoteText(item.platform)} is not a platform; wanted: x, decsocial, code, email or web.`;
        throw new AppError('platform_unavailable', { field, detail });
      }
      check(platform, field);
      return toLine(platform, item, index);
    }),
  );
}

type Item = z.infer<typeof receiverItem>;

function toLine(platform: Platform, item: Item, index: number): BatchLine {
  const field = `receivers[${index}].receiver`;
  const receiver = item.receiver ?? item.username;
  if (receiver === undefined) {
    throw new AppError('validation_failed', { field, detail: `Name who gets the money in "${field}".` });
  }
  const amount = parsePaymentAmount(item.amount, `receivers[${index}].amount`);
  return { recipient: parseRecipient(platform, receiver, field), receiver, amount };
}

type Common = { currency?: unknown; description?: string | null; meta?: Record<string, unknown> | null };

function finish(data: Common, lines: BatchLine[]): BatchPayment {
  checkCurrency(data.currency);
  return { lines, description: data.description ?? null, meta: data.meta ?? null };
}
