import { z } from 'zod';
import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import { parseDecimalUsdc, type MicroUsdc } from '../../core/money.ts';
import { refusal } from './signing.ts';

/** As in one batch of the API. */
const LINES_MAX = 100;
const SINGLE_ROUTE = /^\/payments\/[a-z]+\/pay$/;
const BATCH_ROUTE = /^\/payments\/(?:[a-z]+\/)?batch-pay$/;

const line = z.object({ receiver: z.string().min(1), amount: z.string() });
const batch = z.object({ receivers: z.array(line).min(1).max(LINES_MAX) });

type Request = { route: string; body: Record<string, unknown> };

/**
 * What a request pays each recipient, read from what is sent rather than from what the order says about it. Throws for a
 * route that pays nobody, and for a line outside the limits: a sum that fits could hide one.
 */
export function amountsOfRequest({ route, body }: Request): MicroUsdc[] {
  const lines = linesOf(route, body);
  if (lines === null) throw refusal('a request with recipients', route);
  return lines.map(({ amount }) => readAmount(amount));
}

/** Whom it pays, in the same order, as the request names them. */
export function receiversOfRequest({ route, body }: Request): string[] {
  const lines = linesOf(route, body);
  if (lines === null) throw refusal('a request with recipients', route);
  return lines.map(({ receiver }) => receiver);
}

function linesOf(route: string, body: Record<string, unknown>): z.infer<typeof line>[] | null {
  if (SINGLE_ROUTE.test(route)) {
    const single = line.safeParse(body);
    // A body that names several would be read differently by another route.
    return single.success && !('receivers' in body) ? [single.data] : null;
  }
  if (!BATCH_ROUTE.test(route)) return null;
  const several = batch.safeParse(body);
  return several.success ? several.data.receivers : null;
}

function readAmount(text: string): MicroUsdc {
  const amount = parseDecimalUsdc(text);
  if (amount === null || amount < PAYMENT_AMOUNT_MIN || amount > PAYMENT_AMOUNT_MAX) {
    throw refusal('an amount within the limits', text);
  }
  return amount;
}
