import { BEFORE_BOOKS } from '../../core/transfers/before-books.ts';
import { FORMER_NONCE } from '../../core/payments/former-address.ts';
import { receiptUrl } from '../../core/payments/answers.ts';
import { findLine, type TransferRow } from '../../db/payments/records/find.ts';
import { heldList, heldReasonOf, RELEASED_MAX, releaseByOperator } from '../../db/operator/held.ts';
import { barTipPage } from '../../db/tip-pages/tip-pages.ts';
import { closeReport, openReports, type ReportRow } from '../../db/reports/reports.ts';
import { listDecisions } from '../../db/screening/decisions.ts';
import { Refused, takeWords, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { countText, timeText, usdcText } from './text.ts';

const SHOWN_MAX = 100;

export const heldCommand: OperatorCommand = {
  name: 'held',
  usage: '',
  help: 'lists the payouts that are kept back, the oldest first, and why',
  run: async (context) => {
    takeWords(context);
    const held = await heldList(context.store, SHOWN_MAX + 1);
    const data = {
      held: held
        .slice(0, SHOWN_MAX)
        .map(({ payout, platform, key }) => ({ ...shownTransfer(payout), platform, recipient: key })),
      hasMore: held.length > SHOWN_MAX,
    };
    if (held.length === 0) return { data, lines: ['Nothing is held.'] };
    const lines = held.slice(0, SHOWN_MAX).map(({ payout, platform, key }) => {
      const { id, network, amountMicroUsdc, heldReason, createdAtMs } = payout;
      const whom = platform === null || key === null ? payout.purpose.replace('_', ' ') : `${platform}:${key}`;
      return `${id}  ${timeText(createdAtMs)}  ${usdcText(amountMicroUsdc)} on ${network} for ${whom}: ${heldReason}`;
    });
    return {
      data,
      lines: held.length > SHOWN_MAX ? [...lines, `… and more; these are the oldest ${SHOWN_MAX}.`] : lines,
    };
  },
};

/** Nothing that was signed. */
export function shownTransfer({
  id,
  network,
  purpose,
  amountMicroUsdc,
  toAddress,
  heldReason,
  createdAtMs,
}: TransferRow) {
  return { id, network, purpose, amountMicroUsdc, toAddress, heldReason, createdAtMs };
}

const PAID =
  'The chain shows that it was paid before these books began, so it is not let go: it would be paid twice, or never land. Compare it with the chain. It stays on the list and keeps nothing else back.';

export const releaseCommand: OperatorCommand = {
  name: 'release',
  usage: '<payout> | --reason <reason>',
  help: 'lets a held payout go, or all that are held for a reason',
  run: async (context) => {
    const { store, nowMs, words, options } = context;
    const { reason } = options;
    const [payoutId] = words;
    if (words.length > 1 || (payoutId === undefined) === (reason === null)) {
      throw new UsageError('Name one payout, or --reason and a reason.');
    }
    if (reason === 'paid_before')
      throw new Refused('Each of these may have been paid in the lost time: "resolve" tells their story, one by one.');
    if (reason === FORMER_NONCE)
      throw new Refused(
        'Each of these may have been paid under the key that was replaced: compare it with the chain, and release it by its own id.',
      );
    if (reason === BEFORE_BOOKS) throw new Refused(PAID);
    if (reason === 'screening')
      throw new Refused(
        'Each of these was refused by your lists or your service: look at it, and release it by its own id.',
      );
    if (payoutId !== undefined && (await heldReasonOf(store, payoutId)) === BEFORE_BOOKS) throw new Refused(PAID);
    const which = reason === null ? { payoutId: payoutId ?? '' } : { reason };
    const command = {
      name: 'release',
      arguments: reason === null ? [...words] : ['--reason', reason],
      who: context.who,
    };
    const { count, amountMicroUsdc } = await releaseByOperator(store, which, command, nowMs);
    if (count === 0) throw new Refused(`Nothing is held ${reason === null ? 'under that id' : `for ${reason}`}.`);
    const lines = [
      `Released ${countText(count, 'payout')}, ${usdcText(amountMicroUsdc)}. The worker sends what it can.`,
    ];
    const hasMore = count === RELEASED_MAX;
    const data = { released: count, amountMicroUsdc, hasMore };
    return { data, lines: hasMore ? [...lines, 'There may be more: run it again.'] : lines };
  },
};

export const screeningsCommand: OperatorCommand = {
  name: 'screenings',
  usage: '',
  help: 'lists what the screening refused or nobody answered, and what you released, the newest first',
  run: async (context) => {
    takeWords(context);
    const found = await listDecisions(context.store, SHOWN_MAX);
    if (found.length === 0) return { data: { screenings: found }, lines: ['Nothing was refused.'] };
    const lines = found.map(
      ({ atMs, stage, subject, verdict, source, detail }) =>
        `${timeText(atMs)}  ${stage} ${subject}: ${verdict} by ${source}${detail === null ? '' : ` (${detail})`}`,
    );
    return { data: { screenings: found }, lines };
  },
};

export const reportsCommand: OperatorCommand = {
  name: 'reports',
  usage: '',
  help: 'lists what people have reported and nobody has closed, the oldest first',
  run: async (context) => {
    takeWords(context);
    const found = await openReports(context.store, SHOWN_MAX + 1);
    const hasMore = found.length > SHOWN_MAX;
    const reports = await Promise.all(found.slice(0, SHOWN_MAX).map((report) => shownReport(context, report)));
    const data = { reports, hasMore };
    if (reports.length === 0) return { data, lines: ['Nothing is reported.'] };
    const lines = reports.flatMap(({ id, kind, subject, reason, words, createdAtMs, payment }) => [
      `${id}  ${timeText(createdAtMs)}  ${kind} ${subject}: ${reason}`,
      ...(payment === null
        ? []
        : [
            `  ${usdcText(payment.amountMicroUsdc)} for ${payment.recipient}, paid by ${payment.payer}: ${payment.receipt}`,
          ]),
      // As JSON, so that nothing in a stranger's words acts on a terminal.
      ...(words === null ? [] : [`  ${JSON.stringify(words)}`]),
    ]);
    return { data, lines: hasMore ? [...lines, `… and more; these are the oldest ${SHOWN_MAX}.`] : lines };
  },
};

export async function shownReport(
  { store, config, nowMs }: Pick<CommandContext, 'store' | 'config' | 'nowMs'>,
  report: ReportRow,
) {
  const { id, kind, subject, reason, words, createdAtMs } = report;
  const found = kind === 'payment' ? await findLine(store, Number(subject), nowMs) : null;
  const payment = found && {
    recipient: `${found.line.platform}:${found.line.recipientKey}`,
    amountMicroUsdc: found.line.amountMicroUsdc,
    payer: found.payment.payer,
    receipt: receiptUrl(config.http.baseUrl ?? '', found.line.slug),
  };
  return { id, kind, subject, reason, words, createdAtMs, payment };
}

export const closeReportCommand: OperatorCommand = {
  name: 'close-report',
  usage: '<report> --reason <what came of it>',
  help: 'closes a report; your reason is kept with who closed it',
  run: async (context) => {
    const { store, nowMs, options, who } = context;
    const { report } = takeWords(context, 'report');
    if (options.reason === null || options.reason === '') throw new UsageError('Say with --reason what came of it.');
    const command = { name: 'close-report', arguments: [report, '--reason', options.reason], who };
    if (!(await closeReport(store, report, command, nowMs))) throw new Refused('No report is open under that id.');
    return { data: { closed: report }, lines: [`Closed ${report}.`] };
  },
};

export const barPageCommand: OperatorCommand = {
  name: 'bar-page',
  usage: '<person> --reason <why>',
  help: 'takes a person’s tip page away for good; "reports" names the person as the subject of a reported page',
  run: async (context) => {
    const { store, nowMs, options, who } = context;
    const { person } = takeWords(context, 'person');
    if (options.reason === null || options.reason === '') throw new UsageError('Say with --reason why.');
    const command = { name: 'bar-page', arguments: [person, '--reason', options.reason], who };
    if (!(await barTipPage(store, person, command, nowMs))) throw new Refused('That person has no page to take away.');
    return { data: { barred: person }, lines: [`The page of ${person} is gone, and cannot be switched on again.`] };
  },
};
