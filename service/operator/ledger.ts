import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { csvLines, formatCsv, type Cell } from '../../core/csv.ts';
import { networkOfAccount } from '../../core/ledger.ts';
import { coinOf, networkNamed, networkTitle } from '../../core/networks.ts';
import { readSolvency, type Solvency } from '../../db/audit/solvency.ts';
import { heldSince, readPostings, type HeldSince, type PostingRow } from '../../db/ledger/postings.ts';
import type { Store } from '../../db/store/store.ts';
import { Refused, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { countText, usdcText } from './text.ts';

const COLUMNS = ['entry', 'time', 'event', 'cause', 'network', 'account', 'currency', 'amount'] as const;
type Line = Record<(typeof COLUMNS)[number], Cell>;

/** On PostgreSQL an entry with a lower number may still be on its way to its commit for so long. */
const SETTLED_AFTER_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const DECIMALS = { usdc: 6, wei: 18, lamports: 9 } as const;

export const ledgerCommand: OperatorCommand = {
  name: 'ledger',
  usage: '<file> [<first day> [<last day>]]',
  help: 'writes the ledger as CSV: every posting, after the balances before the first day; its sums are compared with books and chain',
  run: async (context) => {
    const { store, config } = context;
    const { file, fromMs, untilMs } = readPeriod(context);
    const { entries, held } = await writeLedger(store, file, { fromMs, untilMs });
    const books = await heldSince(store, untilMs);
    const wrong = books.find(({ network, now, since }) => (held.get(network) ?? 0n) + since !== now);
    if (wrong !== undefined) {
      rmSync(file);
      throw new Error(
        `The postings on ${wrong.network} do not sum to its balances, so nothing was written: run it again.`,
      );
    }
    const { networks } = await readSolvency(store, config.networks);
    const data = {
      file,
      fromMs,
      untilMs,
      events: entries,
      networks: books.map(({ network, now, since }) => ({
        network,
        heldMicroUsdc: held.get(network) ?? 0n,
        sinceMicroUsdc: since,
        nowMicroUsdc: now,
        chain: networks.find((one) => one.network === network) ?? null,
      })),
    };
    const lines = [
      `Wrote ${countText(entries, 'event')} to ${file}. Of each event the amounts of one currency sum to zero.`,
      ...books.map((one) => balanceText(one, held.get(one.network) ?? 0n, networks)),
    ];
    return { data, lines };
  },
};

function readPeriod({ words, nowMs }: CommandContext): { file: string; fromMs: number; untilMs: number } {
  const [file, first, last, ...more] = words;
  if (file === undefined || more.length > 0) throw new UsageError('Expected a file, and at most two days.');
  const fromMs = first === undefined ? 0 : dayMs(first);
  const settledMs = nowMs - SETTLED_AFTER_MS;
  const untilMs = last === undefined ? settledMs : Math.min(dayMs(last) + DAY_MS, settledMs);
  if (fromMs >= untilMs) throw new UsageError('The first day is after the last one, or in the future.');
  return { file, fromMs, untilMs };
}

/** In UTC. */
function dayMs(text: string): number {
  const atMs = Date.parse(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(atMs) && new Date(atMs).toISOString().slice(0, 10) === text;
  if (!isDay) throw new UsageError(`A day is such as 2026-11-20; found ${text}.`);
  return atMs;
}

type Written = { entries: number; held: Map<string, bigint> };

/** For its owner only: it tells what this service has, and when. Nothing is left of one that could not be finished. */
async function writeLedger(store: Store, file: string, period: { fromMs: number; untilMs: number }): Promise<Written> {
  const out = openNew(file);
  try {
    writeSync(out, formatCsv(COLUMNS, []));
    const written: Written = { entries: 0, held: new Map() };
    const opening = await balancesBefore(store, period.fromMs);
    writeSync(out, csvLines(COLUMNS, opening.map(toLine)));
    addHeld(written.held, opening);
    for await (const rows of readPostings(store, period)) {
      writeSync(out, csvLines(COLUMNS, rows.map(toLine)));
      written.entries += new Set(rows.map(({ entryId }) => entryId)).size;
      addHeld(written.held, rows);
    }
    fsyncSync(out);
    return written;
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(out);
  }
}

function openNew(file: string): number {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new Refused(`${file} is there already and stays as it is.`);
    throw error;
  }
}

/** One line for each account that was not empty. */
async function balancesBefore(store: Store, fromMs: number): Promise<PostingRow[]> {
  const sums = new Map<string, PostingRow>();
  if (fromMs === 0) return [];
  for await (const rows of readPostings(store, { fromMs: 0, untilMs: fromMs })) {
    for (const row of rows) {
      const key = `${row.account} ${row.unit}`;
      const amount = (sums.get(key)?.amount ?? 0n) + row.amount;
      sums.set(key, { ...row, entryId: 0, atMs: fromMs, cause: 'before', amount });
    }
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

function addHeld(held: Map<string, bigint>, rows: readonly PostingRow[]): void {
  for (const { account, unit, amount } of rows) {
    if (unit !== 'usdc' || !account.startsWith('chain:')) continue;
    const network = networkOfAccount(account);
    held.set(network, (held.get(network) ?? 0n) + amount);
  }
}

function toLine({ entryId, atMs, cause, account, unit, amount }: PostingRow): Line {
  const network = networkNamed(networkOfAccount(account));
  return {
    entry: entryId === 0 ? '' : String(entryId),
    time: new Date(atMs).toISOString(),
    event: cause.split(':')[0] ?? '',
    cause,
    network,
    account,
    currency: unit === 'usdc' ? 'USDC' : coinOf(network),
    amount: { number: decimalText(amount, DECIMALS[unit]) },
  };
}

function decimalText(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function balanceText({ network, now, since }: HeldSince, inFile: bigint, chains: readonly Solvency[]): string {
  const chain = chains.find((one) => one.network === network);
  const later = since === 0n ? '' : `, ${usdcText(since)} since, ${usdcText(now)} by the books now`;
  const compared =
    chain === undefined
      ? 'its chain was not compared yet'
      : `the chain had ${usdcText(chain.onChain)} at block ${chain.block}, of which ${usdcText(chain.assets)} were in the books`;
  return `${networkTitle(networkNamed(network), null)}: ${usdcText(inFile)} on our addresses at the end of it${later}; ${compared}.`;
}
