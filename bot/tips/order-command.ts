import { z } from 'zod';
import { microUsdc, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import { writtenSum } from '../../core/grammar/amount.ts';
import { typedNote } from '../../core/grammar/note.ts';
import { recipientName } from '../../core/platforms/recipient-name.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { recipientsOf } from './order-recipients.ts';

/** Longer commands are no help as an example, and some chats take no button for them. */
const COMMAND_CHARACTERS_MAX = 200;

const body = z.object({ description: z.string().optional() });

type Order = Pick<OrderRow, 'route' | 'body' | 'lines' | 'amountMicroUsdc'>;

/**
 * The command that would make this order again, optionally without one recipient. Null where it would
 * be too long to show, or where no recipient is left.
 */
export function commandOf(order: Order, without: number | null = null): string | null {
  const words = wordsOf(order, without);
  return words.names.length === 0 ? null : tipCommand(words);
}

/** A tip as it would be typed. */
export type TipWords = {
  names: readonly string[];
  /** An amount, `all` or `half`. */
  sum: string;
  sharing: 'each' | 'split';
  note: string | null;
};

/** Null where it would be too long to be shown. */
export function tipCommand({ names, sum, sharing, note }: TipWords): string | null {
  const keyword = names.length > 1 ? [sharing] : [];
  const command = ['/tip', ...names, sum, ...keyword, ...(note === null ? [] : [typedNote(note)])].join(' ');
  return command.length > COMMAND_CHARACTERS_MAX ? null : command;
}

/** An order in words, without one of its people if need be. */
export function wordsOf(order: Order, without: number | null = null): TipWords {
  const { description } = body.parse(order.body);
  const kept = recipientsOf(order).filter((_, index) => index !== without);
  const names = kept.map(({ recipient: { platform, display: key } }) => recipientName({ platform, key }));
  return { names, ...sumOf(kept.map(({ amount }) => amount)), note: description ?? null };
}

function sumOf(amounts: readonly MicroUsdc[]): Pick<TipWords, 'sum' | 'sharing'> {
  const [first = microUsdc(0n)] = amounts;
  const isEqual = amounts.every((amount) => amount === first);
  const sum = writtenSum({ kind: 'exact', amount: isEqual ? first : sumUsdc(amounts) });
  return { sum, sharing: isEqual ? 'each' : 'split' };
}
