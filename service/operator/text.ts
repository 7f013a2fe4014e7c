import { resolve } from 'node:path';
import type { Config } from '../../core/config/config.ts';
import { formatUsdcForPeople, microUsdc } from '../../core/money.ts';
import { networkTitle } from '../../core/networks.ts';

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

/** Which installation a command means, in one line: its mode, networks and database. */
export function placeText({ mode, networks, databaseUrl }: Pick<Config, 'mode' | 'networks' | 'databaseUrl'>): string {
  const titles = networks.map((network) => networkTitle(network, null)).join(', ');
  return `Mode ${mode}; networks ${titles}; database ${databaseText(databaseUrl)}`;
}

/** Without user and password. */
function databaseText(database: Config['databaseUrl']): string {
  switch (database.kind) {
    case 'sqlite':
      return `SQLite ${resolve(database.path)}`;
    case 'postgres':
      return URL.canParse(database.url) ? `PostgreSQL ${hostAndName(new URL(database.url))}` : 'PostgreSQL';
  }
}

const hostAndName = ({ host, pathname }: URL): string => `${host}${pathname}`;
