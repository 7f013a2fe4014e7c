import { z } from 'zod';
import { formatUsdc, microUsdc, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import { recipientName } from '../../core/receipt-text.ts';
import type { OrderRow } from '../../db/bot/orders.ts';

/** Longer commands are no help as an example, and some chats take no button for them. */
const COMMAND_CHARACTERS_MAX = 200;

const receiver = z.object({ platform: z.string().optional(), receiver: z.string() });
const body = z.object({ receivers: z.array(receiver), description: z.string().optional() });

type Several = Pick<OrderRow, 'route' | 'body' | 'lines'>;

/**
 * The command that would make this order for several people again, without one of them if need be. Null where it would
 * be too long to be shown, or nobody is left.
 */
export function commandOf({ route, body: sent, lines }: Several, without: number | null = null): string | null {
  const { receivers, description } = body.parse(sent);
  const only = /^\/payments\/([a-z]+)\/batch-pay$/.exec(route)?.[1];
  const all = receivers.map((one, index) => ({
    name: recipientName({ platform: one.platform ?? only ?? '', key: one.receiver }),
    amount: microUsdc(BigInt(lines?.[index]?.amountMicroUsdc ?? 0)),
  }));
  const kept = all.filter((_, index) => index !== without);
  if (kept.length === 0) return null;
  const names = kept.map(({ name }) => name).join(' ');
  const note = description === undefined ? '' : ` ${description}`;
  const command = `/tip ${names} ${sharing(kept.map(({ amount }) => amount))}${note}`;
  return command.length > COMMAND_CHARACTERS_MAX ? null : command;
}

function sharing(amounts: readonly MicroUsdc[]): string {
  const [first] = amounts;
  if (first === undefined || amounts.length === 1) return formatUsdc(first ?? microUsdc(0n));
  const isEqual = amounts.every((amount) => amount === first);
  return isEqual ? `${formatUsdc(first)} each` : `${formatUsdc(sumUsdc(amounts))} split`;
}
