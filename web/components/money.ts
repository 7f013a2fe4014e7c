import { html } from 'hono/html';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { Html } from '../html.ts';

/** The class for an amount of at most so many characters. */
const SIZES = [
  [5, ''],
  [6, 'middle'],
  [9, 'long'],
] as const;

/** `$3.20`: people who receive for the first time know dollars. */
export function dollars(amount: MicroUsdc): string {
  return `$${formatUsdcForPeople(amount)}`;
}

/** As large as its length allows on a phone. */
export function largeAmount(amount: MicroUsdc): Html {
  const text = dollars(amount);
  const size = SIZES.find(([characters]) => text.length <= characters)?.[1] ?? 'longer';
  return html`<span class="amount ${size}">${text}</span>`;
}
