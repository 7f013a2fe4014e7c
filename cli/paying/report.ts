import { formatUsdcForPeople, microUsdc, toJsonAmount } from '../../core/money.ts';
import { networkTitle } from '../../core/networks.ts';
import { platformRow } from '../../core/platforms/platforms.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import { nameForPayer } from '../../texts/names/person.ts';
import { hasMoved, totalOf, type Fate } from './fate.ts';
import type { PaymentRecord } from '../journal/record.ts';
import type { Outcome } from './paying.ts';
import type { Purse } from './purse.ts';
import type { PaidAnswer, PaidLine } from './service.ts';
import type { Ending } from '../terminal/stop.ts';
import type { Quote } from './terms.ts';

/** The output of a command: fields for programs, lines for people. */
export type Report = { ending: Ending; fields: Record<string, unknown>; text: string };

const usdc = (amount: bigint) => `${formatUsdcForPeople(microUsdc(amount))} USDC`;

/** People read `@alice on X`, also where others follow: `@alice on X and 2 more`. Fields for programs keep `x:alice`. */
function shownName(name: string): string {
  const [first = '', ...more] = name.split(' ');
  return [nameForPayer(first), ...more].join(' ');
}

/** The text that the payer confirms. */
export function priceText({ order, total, fee, payTo }: Quote, purse: Purse, service: string): string {
  const lines = order.lines.map(({ recipient, amount }) => {
    return `  ${shownName(formatRecipient(recipient)).padEnd(43)} ${usdc(amount)}`;
  });
  return [
    ...lines,
    ...(order.note === null ? [] : [`  Note       ${JSON.stringify(order.note)}`]),
    `  Fee        ${usdc(fee)}`,
    `  Total      ${usdc(total)}`,
    `  From       ${purse.address} on ${networkTitle(purse.pinned.network, purse.pinned.caip2)}`,
    `  To         ${payTo} (${service})`,
    ...repeated(order.lines.map(({ recipient }) => shownName(formatRecipient(recipient)))),
  ].join('\n');
}

function repeated(names: readonly string[]): string[] {
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return twice.length === 0 ? [] : [`  Named more than once: ${[...new Set(twice)].join(', ')}`];
}

export function priceReport(quote: Quote, purse: Purse, service: string): Report {
  const { order, total, fee, payTo } = quote;
  return {
    ending: 'paid',
    text: `${priceText(quote, purse, service)}\nNothing was signed: this was a dry run.`,
    fields: {
      status: 'dry_run',
      recipients: order.lines.map(({ recipient, amount }) => ({
        recipient: formatRecipient(recipient),
        platform: platformRow(recipient.platform).title,
        amount: toJsonAmount(amount),
      })),
      amount: toJsonAmount(order.sum),
      fee: toJsonAmount(fee),
      total: toJsonAmount(total),
      network: purse.pinned.network,
      from: purse.address,
      pay_to: payTo,
      service,
    },
  };
}

export function outcomeReport({ fate, earlier }: Outcome): Report {
  const report = fateReport(fate);
  const words = ' This is a payment of the same that was begun before; no second one was made.';
  return earlier ? { ...report, text: report.text + words, fields: { ...report.fields, earlier } } : report;
}

export function fateReport(fate: Fate): Report {
  switch (fate.kind) {
    case 'paid':
      return paidReport(fate.kept.record, fate.answer);
    case 'refused': {
      const { word, text } = fate.refusal;
      const next = hasMoved(fate.refusal)
        ? 'This signed payment has moved its money before, for something else or back; it is not sent again.'
        : `${untilText(fate.kept.record)} The same command sends the same signed payment again until then.`;
      return failed('refused', word, `${shownName(fate.kept.record.name)}: ${text}`, next, fate.kept.record);
    }
    case 'dead': {
      const { word, text } = fate.refusal;
      return failed(
        'refused',
        word,
        `${shownName(fate.record.name)}: ${text}`,
        'Nothing was charged, and nothing will be.',
        fate.record,
      );
    }
    case 'unknown': {
      const { record } = fate.kept;
      const text = `It is not known yet whether ${usdc(sumSigned(record))} for ${shownName(record.name)} was paid.`;
      const next = 'It is never paid twice: run "pennypost resume", or the same command again.';
      return failed('unknown', 'fate_unknown', text, next, record);
    }
  }
}

/** The service has refused it and could still take it; only its end makes that certain. */
function untilText({ end }: PaymentRecord): string {
  return 'validBefore' in end
    ? `Not charged so far; it cannot be after ${new Date(end.validBefore * 1_000).toISOString()}.`
    : `Not charged so far; it cannot be after block ${end.lastValidHeight}, in a minute or two.`;
}

function sumSigned({ sumMicroUsdc }: PaymentRecord): bigint {
  return BigInt(sumMicroUsdc);
}

function failed(ending: Ending, error: string, message: string, next: string, record: PaymentRecord): Report {
  const { id, name, network, from, service } = record;
  const fields = { status: ending, error, message, next, payment: id, recipient: name, network, from, service };
  return { ending, fields, text: `${message}\n${next}` };
}

function paidReport(record: PaymentRecord, answer: PaidAnswer): Report {
  const total = totalOf(record);
  const sum = microUsdc(sumSigned(record));
  const [first] = answer.lines;
  const isSingle = first !== undefined && answer.lines.length === 1;
  return {
    ending: 'paid',
    text: [answer.message, ...answer.lines.flatMap((line) => lineText(line, isSingle))].join('\n'),
    fields: {
      status: 'paid',
      message: answer.message,
      ...(isSingle && lineFields(first)),
      amount: toJsonAmount(sum),
      fee: toJsonAmount(microUsdc(total - sum)),
      total: toJsonAmount(total),
      lines: answer.lines.map(lineFields),
      payment: record.id,
      recipient: record.name,
      network: record.network,
      from: record.from,
      service: record.service,
    },
  };
}

function lineFields({ txnId, amount, receipt, status, claimUrl, expiresAt }: PaidLine): Record<string, unknown> {
  return {
    txn_id: txnId,
    amount,
    receipt,
    payment_status: status,
    ...(claimUrl === null ? {} : { claim_url: claimUrl }),
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
  };
}

function lineText({ txnId, receipt, status, claimUrl }: PaidLine, isSingle: boolean): string[] {
  if (!isSingle) return [`  ${String(txnId).padEnd(17)} ${status.padEnd(14)} ${receipt}`];
  return [
    `  Receipt    ${receipt}`,
    ...(claimUrl === null ? [] : [`  To collect ${claimUrl}  (send them this link)`]),
    `  Ask later  pennypost check ${txnId}`,
  ];
}
