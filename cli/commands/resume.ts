import { openBooks } from '../paying/client.ts';
import { takeWords } from '../terminal/command-line.ts';
import { learnFate, mayAskAgain, type Fate } from '../paying/fate.ts';
import { fateReport, type Report } from '../paying/report.ts';
import type { Ending } from '../terminal/stop.ts';
import type { Command } from './command.ts';
import { endPaid } from './pay.ts';

/** Per payment; a service that has not answered by then will not answer soon. */
const WAIT_MS = 30_000;

/**
 * `pennypost resume`: finishes what a crash, a lost answer or a closed terminal left open, with the headers that were
 * signed then. It signs nothing, so it needs no key. A refused payment is asked about only when it can no longer take
 * effect, because a payer who was told "refused" must not be charged by this command.
 */
export const resume: Command = async ({ words }, settings, context) => {
  takeWords(words, 0, 0, 'resume');
  const deps = openBooks(settings, context);
  const fates: Fate[] = [];
  let waiting = 0;
  for (const kept of deps.journal.open()) {
    if (await mayAskAgain(deps, kept)) fates.push(await learnFate(deps, kept, WAIT_MS));
    else waiting += 1;
  }
  const report = summarise(fates.map(fateReport), waiting);
  return { report, shown: () => fates.forEach((fate) => endPaid(deps.journal, fate)) };
};

function summarise(reports: readonly Report[], waiting: number): Report {
  const later = waiting === 0 ? [] : [`${waiting} refused before, and not run out yet: nothing was charged for them.`];
  const text = [...reports.map((report) => report.text), ...later].join('\n') || 'No payment is open.';
  const fields = { status: 'resumed', payments: reports.map((report) => report.fields), refused_before: waiting };
  return { ending: worst(reports), text, fields };
}

/** Only a payment whose fate is unknown is worth another try. */
function worst(reports: readonly Report[]): Ending {
  return reports.some(({ ending }) => ending === 'unknown') ? 'unknown' : 'paid';
}
