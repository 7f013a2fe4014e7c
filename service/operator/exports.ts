import { existsSync, rmSync } from 'node:fs';
import { networkNamed, networkTitle } from '../../core/networks.ts';
import { readSolvency, type Solvency } from '../../db/audit/solvency.ts';
import { heldSince, type HeldSince } from '../../db/ledger/postings.ts';
import { Refused, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { writeLedger } from './exports/ledger.ts';
import { EXPORTED, writeTable } from './exports/tables.ts';
import { countText, usdcText } from './text.ts';

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

export const exportTableCommand: OperatorCommand = {
  name: 'export',
  usage: '<payments | payouts | claims> <file> [<first day> [<last day>]]',
  help: 'writes them as CSV, a line for each recipient, payout or claim, as the books have them now; the file names people',
  run: async (context) => {
    const [what, ...words] = context.words;
    const kind = EXPORTED.find((one) => one === what);
    if (kind === undefined) throw new UsageError(`Expected ${EXPORTED.join(', ')} first; found ${what ?? 'nothing'}.`);
    const { file, fromMs, untilMs } = readPeriod({ ...context, words });
    const lines = await writeTable(kind, context.store, file, { fromMs, untilMs });
    const data = { exported: kind, file, fromMs, untilMs, lines };
    return { data, lines: [`Wrote ${countText(lines, 'line')} of ${kind} to ${file}.`] };
  },
};

/** On PostgreSQL a row with a lower number may still be on its way to its commit for so long. */
const SETTLED_AFTER_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

type FilePeriod = { file: string; fromMs: number; untilMs: number };

/** A file, and the days that it is about; without them everything until a minute ago. */
function readPeriod({ words, nowMs }: Pick<CommandContext, 'words' | 'nowMs'>): FilePeriod {
  const [file, first, last, ...more] = words;
  if (file === undefined || more.length > 0) throw new UsageError('Expected a file, and at most two days.');
  const fromMs = first === undefined ? 0 : dayMs(first);
  const settledMs = nowMs - SETTLED_AFTER_MS;
  const untilMs = last === undefined ? settledMs : Math.min(dayMs(last) + DAY_MS, settledMs);
  if (existsSync(file)) throw new Refused(`${file} is there already and stays as it is.`);
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

function balanceText({ network, now, since }: HeldSince, inFile: bigint, chains: readonly Solvency[]): string {
  const chain = chains.find((one) => one.network === network);
  const later = since === 0n ? '' : `, ${usdcText(since)} since, ${usdcText(now)} by the books now`;
  const compared =
    chain === undefined
      ? 'its chain was not compared yet'
      : `the chain had ${usdcText(chain.onChain)} at block ${chain.block}, of which ${usdcText(chain.assets)} were in the books`;
  return `${networkTitle(networkNamed(network), null)}: ${usdcText(inFile)} on our addresses at the end of it${later}; ${compared}.`;
}
