import { heldList, RELEASED_MAX, releaseByOperator } from '../../db/operator/held.ts';
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
    if (held.length === 0) return ['Nothing is held.'];
    const lines = held.slice(0, SHOWN_MAX).map(({ payout, platform, key }) => {
      const { id, network, amountMicroUsdc, heldReason, createdAtMs } = payout;
      const whom = platform === null || key === null ? payout.purpose.replace('_', ' ') : `${platform}:${key}`;
      return `${id}  ${timeText(createdAtMs)}  ${usdcText(amountMicroUsdc)} on ${network} for ${whom}: ${heldReason}`;
    });
    return held.length > SHOWN_MAX ? [...lines, `… and more; these are the oldest ${SHOWN_MAX}.`] : lines;
  },
};

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
    const which = reason === null ? { payoutId: payoutId ?? '' } : { reason };
    const command = { name: 'release', arguments: reason === null ? [...words] : ['--reason', reason] };
    const { count, amountMicroUsdc } = await releaseByOperator(store, which, command, nowMs);
    if (count === 0) throw new Refused(`Nothing is held ${reason === null ? 'under that id' : `for ${reason}`}.`);
    const lines = [
      `Released ${countText(count, 'payout')}, ${usdcText(amountMicroUsdc)}. The worker sends what it can.`,
    ];
    return count === RELEASED_MAX ? [...lines, 'There may be more: run it again.'] : lines;
  },
};
