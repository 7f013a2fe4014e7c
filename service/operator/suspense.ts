import {
  returnByOperator,
  unexplainedTransfers,
  type ReturnResult,
  type Unexplained,
} from '../../db/operator/suspense.ts';
import { Refused, takeWords, type OperatorCommand } from './command.ts';
import { refuseRestored } from './stops.ts';
import { timeText, usdcText } from './text.ts';

const SHOWN_MAX = 100;

export const suspenseCommand: OperatorCommand = {
  name: 'suspense',
  usage: '',
  help: 'lists transfers to us that nothing explains',
  run: async (context) => {
    takeWords(context);
    const found = await unexplainedTransfers(context.store, SHOWN_MAX + 1);
    const data = { unexplained: found.slice(0, SHOWN_MAX), hasMore: found.length > SHOWN_MAX };
    if (found.length === 0) return { data, lines: ['Nothing is unexplained.'] };
    const lines = found.slice(0, SHOWN_MAX).map(({ transfer, lost }) => {
      const { fact, network, amountMicroUsdc, fromAddress, seenAtMs, consumedBy } = transfer;
      const from = fromAddress === '' ? 'an unknown sender' : fromAddress;
      const state = consumedBy === null ? 'may still be explained' : 'in suspense';
      return `${fact}  ${timeText(seenAtMs)}  ${usdcText(amountMicroUsdc)} on ${network} from ${from}: ${lostText(lost) ?? state}`;
    });
    return {
      data,
      lines: found.length > SHOWN_MAX ? [...lines, `… and more; these are the oldest ${SHOWN_MAX}.`] : lines,
    };
  },
};

export function lostText(lost: Unexplained['lost']): string | null {
  if (lost === null) return null;
  switch (lost.reason) {
    case 'partly_paid':
      return `of a restored database's lost time, ${usdcText(lost.paidMicroUsdc)} paid out`;
    case 'gathered':
      return "of a restored database's lost time, and may have gone back with other money";
    case 'too_new':
      return 'came while signing was stopped';
    case null:
      return null;
  }
}

const RETURNED = {
  returned: 'It goes back with the next payout to its sender (sums below REFUND_MIN_USDC wait for more).',
  'when-safe': 'It goes back as soon as its block is safe.',
} as const satisfies Partial<Record<ReturnResult, string>>;

const REFUSALS: Readonly<Record<Exclude<ReturnResult, 'returned' | 'when-safe'>, string>> = {
  unknown: 'No transfer of that name is on the chain; "suspense" lists them.',
  explained: 'That transfer is explained: it pays for something, or is float.',
  'sender-unknown': 'Nobody can say who sent it, so it cannot go back.',
  'returned-before': 'It is on its way back already.',
  'paid-out': 'Some of it was paid out in the lost time of a restored database: "resolve" gives back the rest.',
};

export const returnCommand: OperatorCommand = {
  name: 'return',
  usage: '<fact> --yes',
  help: 'sends an unexplained transfer back to where it came from',
  run: async (context) => {
    const { store, nowMs, options, who } = context;
    const { fact } = takeWords(context, 'fact');
    if (!options.yes) {
      throw new Refused(
        'It goes to the address that it came from. If that is an exchange, it reaches nobody in particular and may be lost. Nothing was changed; repeat it with --yes.',
      );
    }
    await refuseRestored(store);
    const result = await returnByOperator(store, fact, { name: 'return', arguments: [fact], who }, nowMs);
    if (result === 'returned' || result === 'when-safe') return { data: { fact, result }, lines: [RETURNED[result]] };
    throw new Refused(REFUSALS[result]);
  },
};
