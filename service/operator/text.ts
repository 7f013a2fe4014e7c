import { formatUsdcForPeople, microUsdc } from '../../core/money.ts';

/** `12.50 USDC`; a negative amount keeps its sign. */
export function usdcText(amountMicroUsdc: bigint): string {
  const size = amountMicroUsdc < 0n ? -amountMicroUsdc : amountMicroUsdc;
  return `${amountMicroUsdc < 0n ? '-' : ''}${formatUsdcForPeople(microUsdc(size))} USDC`;
}

/** `2026-11-20 09:05 UTC`. */
export function timeText(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1 payout`, `3 payouts`. */
export function countText(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
