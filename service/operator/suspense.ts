import { shownAddress } from '../../chain/shown-address.ts';
import { giveBackHeld, type NotGivenBack } from '../../db/operator/give-back.ts';
import {
  returnByOperator,
  unexplainedTransfers,
  type ReturnResult,
  type Unexplained,
} from '../../db/operator/suspense.ts';
import { Refused, takeWords, type Answer, type CommandContext, type OperatorCommand } from './command.ts';
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
      const from = fromAddress === '' ? 'an unknown sender' : shownAddress(fromAddress);
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

const OWED = 'goes back with the next payout to its sender (sums below REFUND_MIN_USDC wait for more).';
const RETURNED = {
  returned: `It ${OWED}`,
  'when-safe': 'It goes back as soon as its block is safe.',
} as const satisfies Partial<Record<ReturnResult, string>>;

const REFUSALS: Readonly<Record<Exclude<ReturnResult, 'returned' | 'when-safe'>, string>> = {
  unknown: 'No transfer of that name is on the chain; "suspense" lists them.',
  explained: 'That transfer is explained: it pays for something, or is float.',
  'sender-unknown': 'Nobody can say who sent it, so it cannot go back.',
  'returned-before': 'It is on its way back already.',
  'paid-out': 'Some of it was paid out in the lost time of a restored database: "resolve" gives back the rest.',
};

/** As a payout is named; a fact has colons. */
const PAYOUT = /^[0-9a-f]{32}(-2)?$/;

const BEFORE_YES = {
  payout: 'It goes back to its payer, and the person that it was for does not get it.',
  fact: 'It goes to the address that it came from. If that is an exchange, it reaches nobody in particular and may be lost.',
} as const;

export const returnCommand: OperatorCommand = {
  name: 'return',
  usage: '<fact | payout> --yes',
  help: 'sends an unexplained transfer, or a held payout, back to where it came from',
  run: async (context) => {
    const { store, options } = context;
    const { name } = takeWords(context, 'name');
    const kind = PAYOUT.test(name) ? 'payout' : 'fact';
    if (!options.yes) throw new Refused(`${BEFORE_YES[kind]} Nothing was changed; repeat it with --yes.`);
    await refuseRestored(store);
    return kind === 'payout' ? giveBack(context, name) : giveFactBack(context, name);
  },
};

async function giveFactBack({ store, nowMs, who }: CommandContext, fact: string): Promise<Answer> {
  const result = await returnByOperator(store, fact, { name: 'return', arguments: [fact], who }, nowMs);
  if (result === 'returned' || result === 'when-safe') return { data: { fact, result }, lines: [RETURNED[result]] };
  throw new Refused(REFUSALS[result]);
}

const NOT_GIVEN_BACK: Readonly<Record<NotGivenBack, string>> = {
  unknown: 'Nothing is held under that id.',
  no_line: 'It pays no recipient: it goes back to a payer already, or is your own money. "release" lets it go.',
  before_books: 'The chain shows that it was paid before these books began: nothing of it is owed to its payer.',
  paid_before: 'It may have been paid in the lost time of a restored database: "resolve" tells its story.',
  unsettled: 'Its payment is not on the chain at this moment, after a reorganisation. Try again in a few minutes.',
  may_land:
    'What was signed for it before it was held may still land, or has. Try again in an hour; "stops" tells of what nothing explains.',
};

async function giveBack({ store, nowMs, who }: CommandContext, payout: string): Promise<Answer> {
  const result = await giveBackHeld(store, payout, { name: 'return', arguments: [payout], who }, nowMs);
  if (result.kind !== 'given_back') throw new Refused(NOT_GIVEN_BACK[result.kind]);
  const { txnId, amountMicroUsdc } = result;
  const data = { payout, result: 'returned', txnId, amountMicroUsdc };
  return { data, lines: [`${usdcText(amountMicroUsdc)} of ${txnId} ${OWED}`] };
}
