import { openClient, warnOfPlayMoney } from '../paying/client.ts';
import type { CommandLine } from '../terminal/command-line.ts';
import { readCsv } from '../paying/csv.ts';
import type { Fate } from '../paying/fate.ts';
import { readSmallFile } from '../terminal/files.ts';
import type { Journal } from '../journal/payments.ts';
import { batchOrder, readAmount, singleOrder, type Order } from '../paying/order.ts';
import { takeWords } from '../terminal/command-line.ts';
import { finishEarlier, pay, quote, type PayingDeps } from '../paying/paying.ts';
import { readRecipient } from '../paying/recipient.ts';
import { outcomeReport, priceReport, priceText } from '../paying/report.ts';
import type { Settings } from '../paying/settings.ts';
import { badUsage, Stop } from '../terminal/stop.ts';
import { say, type Context } from '../terminal/context.ts';
import type { Command, Done } from './command.ts';

/** Longer than a service needs; after it `resume` finds out the fate. */
const WAIT_MS = 120_000;
const TABLE_BYTES_MAX = 256 * 1024;

/** `pennypost send x:alice 1 [note]` */
export const send: Command = async (line, settings, context) => {
  const [name = '', amount, ...note] = takeWords(line.words, 2, 3, 'send <recipient> <amount> [note]');
  const order = singleOrder(
    { recipient: readRecipient(name), amount: readAmount(amount) },
    oneNote(line, note[0] ?? null),
  );
  return payOrder(order, line, settings, context);
};

/** `pennypost batch file.csv`: one payment for all lines, so that no half-paid batch can remain. */
export const batch: Command = async (line, settings, context) => {
  const [path = ''] = takeWords(line.words, 1, 1, 'batch <file.csv>');
  const { lines, note } = readCsv(readSmallFile(path, 'The table', TABLE_BYTES_MAX));
  return payOrder(batchOrder(lines, oneNote(line, note)), line, settings, context);
};

function oneNote({ options }: CommandLine, note: string | null): string | null {
  if (options.note === undefined || note === null) return options.note ?? note;
  throw badUsage('There are two notes, and a payment has one.', null);
}

async function payOrder(order: Order, { options }: CommandLine, settings: Settings, context: Context): Promise<Done> {
  const isDry = options['dry-run'] === true;
  if (!isDry) mustBeAgreed(options.yes === true, context);
  const deps = openClient(settings, context, WAIT_MS);
  const fate = isDry ? null : await finishEarlier(deps, order);
  if (fate !== null) return answer(deps, { fate, earlier: true });
  warnOfPlayMoney(settings, context);
  const agreed = await quote(deps, order);
  if (isDry) return { report: priceReport(agreed, deps.purse, settings.service) };
  say(context, priceText(agreed, deps.purse, settings.service));
  if (options.yes !== true) await askToPay(context);
  return answer(deps, await pay(deps, agreed));
}

function answer({ journal }: PayingDeps, outcome: { fate: Fate; earlier: boolean }): Done {
  return { report: outcomeReport(outcome), shown: () => endPaid(journal, outcome.fate) };
}

/** A payment is over only when its payer has been told; otherwise they would pay again. */
export function endPaid(journal: Journal, fate: Fate): void {
  if (fate.kind === 'paid') journal.end(fate.kept);
}

function mustBeAgreed(isAgreed: boolean, { terminal }: Context): void {
  if (isAgreed || terminal !== null) return;
  const next = 'Look at the price with --dry-run, then pay with --yes.';
  throw new Stop('usage', 'not_confirmed', 'Nobody is here to agree to the price.', next);
}

async function askToPay({ terminal }: Context): Promise<void> {
  const typed = await terminal?.ask('Pay this? [y/N] ');
  if (/^y(es)?$/i.test((typed ?? '').trim())) return;
  throw new Stop('refused', 'not_confirmed', 'Not paid: nobody agreed.', 'Nothing was signed.');
}
