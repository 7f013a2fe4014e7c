import { z } from 'zod';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import type { OrderRow } from '../../db/tips/orders.ts';

const line = z.object({ platform: z.string().optional(), receiver: z.string() });
const several = z.object({ receivers: z.array(line) });

type Order = Pick<OrderRow, 'route' | 'body' | 'lines' | 'amountMicroUsdc'>;

/** Whom an order pays, and what each gets, from what is sent. Nobody for one that its person had erased. */
export function recipientsOf({
  route,
  body,
  lines,
  amountMicroUsdc,
}: Order): { recipient: Recipient; amount: MicroUsdc }[] {
  const only = /^\/payments\/([a-z]+)\/(?:batch-)?pay$/.exec(route)?.[1];
  const batch = several.safeParse(body);
  const single = line.safeParse(body);
  const named = batch.success ? batch.data.receivers : single.success ? [single.data] : [];
  return named.map(({ platform: word = only ?? '', receiver }, index) => {
    const platform = findPlatform(word);
    if (platform === null) throw new Error(`an order pays on ${word}, which is no platform`);
    const amount = microUsdc(BigInt(lines?.[index]?.amountMicroUsdc ?? amountMicroUsdc));
    return { recipient: parseRecipient(platform, receiver), amount };
  });
}
