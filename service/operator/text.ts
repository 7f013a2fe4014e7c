import { shownAddress } from '../../chain/shown-address.ts';
import { resolve } from 'node:path';
import type { Config } from '../../core/config/config.ts';
import { formatUsdcForPeople, microUsdc } from '../../core/money.ts';
import type { FormerStanding } from '../../db/rotations/standing.ts';
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

/** An address that was replaced, and what keeps it from being retired. */
export function formerText(former: FormerStanding): string {
  const { address, sinceMs, held, unexplained, signed, planned, payments, tasks, waiting, taken } = former;
  const open = [
    held > 0n && `${usdcText(held)} there`,
    unexplained > 0n && `${usdcText(unexplained)} there that nothing explains`,
    signed > 0 && `${countText(signed, 'payout')} signed`,
    planned > 0 && `${countText(planned, 'payout')} planned`,
    payments > 0 && `${countText(payments, 'payment')} on the way`,
    tasks > 0 && `${countText(tasks, 'task')} to be paid there`,
    waiting > 0 && `${countText(waiting, 'payout')} queued for money that came there`,
    taken > 0n && `${usdcText(taken)} left it today and nothing of ours explains it`,
  ].filter((part) => part !== false);
  const words = open.length === 0 ? 'nothing is open there' : open.join(', ');
  return `former address ${shownAddress(address)}, replaced ${timeText(sinceMs)}: ${former.isRetired ? 'retired' : words}`;
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
