import type { TransferRow } from '../../db/payments/records/find.ts';
import { heldList, RELEASED_MAX, releaseByOperator } from '../../db/operator/held.ts';
import { listDecisions } from '../../db/screening/decisions.ts';
import { Refused, takeWords, UsageError, type OperatorCommand } from './command.ts';
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
    if (reason === 'screening')
      throw new Refused(
        'Each of these was refused by your lists or your service: look at it, and release it by its own id.',
      );
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
