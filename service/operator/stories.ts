import { networkTitle } from '../../core/networks.ts';
import { listActions } from '../../db/operator/actions.ts';
import type { PaymentRow, TransferRow } from '../../db/payments/records/find.ts';
import { DAY_MS, readFlows } from '../../db/stories/flows.ts';
import { onlyStory, type OnlyStory } from '../../db/stories/only-story.ts';
import { searchStories } from '../../db/stories/search.ts';
import type { ActionRow, Story } from '../../db/stories/story.ts';
import { takeWords, UsageError, type OperatorCommand } from './command.ts';
import { shownTransfer } from './held.ts';
import { timeText, usdcText } from './text.ts';

const DAYS = 30;
const ACTIONS_MAX = 50;

export const searchCommand: OperatorCommand = {
  name: 'search',
  usage: '<txn_id | id | name | wallet | transaction | receipt>',
  help: 'finds payments and all else by what is known of them; what alone fits is told as a whole',
  run: async ({ store, words }) => {
    const text = words.join(' ').trim();
    if (text === '') throw new UsageError('Say what to look for.');
    const found = await searchStories(store, text);
    const { payments, others, unexplained, hasMore } = found;
    const only = await onlyStory(store, found);
    const story = only && tellOnly(only);
    const data = {
      payments: payments.map(shownPayment),
      others,
      unexplained: unexplained.map(({ fact, network, amountMicroUsdc, transaction, outgoing, seenAtMs }) => ({
        fact,
        network,
        amountMicroUsdc,
        transaction,
        outgoing,
        seenAtMs,
      })),
      hasMore,
      story: story?.data ?? null,
    };
    const lines = [
      ...payments.map(paymentText),
      ...others.map(
        ({ kind, id, amountMicroUsdc, atMs }) => `${kind} ${id}: ${usdcText(amountMicroUsdc)}, ${timeText(atMs)}`,
      ),
      ...unexplained.map(({ fact, amountMicroUsdc }) => `unexplained: ${usdcText(amountMicroUsdc)}, ${fact}`),
      ...(story?.lines ?? []).map((line) => `  ${line}`),
      ...(hasMore ? ['… and more; these are the newest.'] : []),
    ];
    return { data, lines: lines.length === 0 ? ['Nothing fits.'] : lines };
  },
};

export const flowsCommand: OperatorCommand = {
  name: 'flows',
  usage: '',
  help: `shows what came in and went out on each network, on each of the last ${DAYS} days`,
  run: async (context) => {
    takeWords(context);
    const flows = [...(await readFlows(context.store, context.nowMs, DAYS))];
    const lines = flows.flatMap(([network, days]) => [
      networkTitle(network, null),
      ...days
        .filter(({ inMicroUsdc, outMicroUsdc }) => inMicroUsdc > 0n || outMicroUsdc > 0n)
        .map(
          ({ day, inMicroUsdc, outMicroUsdc, endMicroUsdc }) =>
            `  ${dateOf(day)}: in ${usdcText(inMicroUsdc)}, out ${usdcText(outMicroUsdc)}, at its end ${usdcText(endMicroUsdc)}`,
        ),
    ]);
    const data = Object.fromEntries(
      flows.map(([network, days]) => [network, days.map(({ day, ...sums }) => ({ date: dateOf(day), ...sums }))]),
    );
    return { data: { flows: data }, lines: lines.length === 0 ? ['Nothing has come in yet.'] : lines };
  },
};

export const auditCommand: OperatorCommand = {
  name: 'audit',
  usage: '[before-id]',
  help: `shows what operators did, by command or on the console, the newest ${ACTIONS_MAX} first`,
  run: async ({ store, words }) => {
    const [before] = words;
    if (words.length > 1 || (before !== undefined && !/^[1-9][0-9]{0,14}$/.test(before)))
      throw new UsageError('Expected nothing, or the number of an action.');
    const actions = await listActions(store, before === undefined ? null : Number(before), ACTIONS_MAX);
    const lines = actions.map((action) => `${action.id}  ${actionText(action)}`);
    return { data: { actions }, lines: lines.length === 0 ? ['Nothing was done yet.'] : lines };
  },
};

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Nothing that was signed. */
function shownPayment({
  id,
  network,
  status,
  sumMicroUsdc,
  feeMicroUsdc,
  payer,
  landedTransaction,
  createdAtMs,
}: Omit<PaymentRow, 'signature' | 'answer'>) {
  return { id, network, status, sumMicroUsdc, feeMicroUsdc, payer, landedTransaction, createdAtMs };
}

const paymentText = ({ id, network, status, sumMicroUsdc, payer, createdAtMs }: PaymentRow): string =>
  `payment ${id}: ${usdcText(sumMicroUsdc)} on ${network}, ${status}, paid by ${payer}, ${timeText(createdAtMs)}`;

const actionText = ({ who, command, arguments: words, result, atMs }: ActionRow): string =>
  `${timeText(atMs)}  ${who}: ${[command, ...words].join(' ')}: ${result}`;

const payoutText = (payout: TransferRow | null): string =>
  payout === null
    ? 'no payout'
    : `payout ${payout.id} ${payout.status}${payout.heldReason === null ? '' : ` (${payout.heldReason})`}`;

type Told = { data: Record<string, unknown>; lines: string[] };

const tellOnly = (story: OnlyStory): Told =>
  'payment' in story ? tellStory(story.payment) : { data: story.other, lines: [] };

function tellStory({ payment, lines, refunds, claims, entries, actions, behind }: Story): Told {
  return {
    data: {
      payment: shownPayment(payment),
      lines: lines.map(({ line, payout }) => ({
        txnId: line.txnId,
        recipient: `${line.platform}:${line.recipientKey}`,
        amountMicroUsdc: line.amountMicroUsdc,
        status: line.status,
        payout: payout && shownTransfer(payout),
      })),
      refunds: refunds.map(({ refund, payout }) => ({ ...refund, payout: payout && shownTransfer(payout) })),
      claims: claims.map(({ claim, txnId }) => ({ id: claim.id, txnId, status: claim.status, method: claim.method })),
      entries: entries.map(({ cause, atMs, postings }) => ({
        cause,
        atMs,
        postings: postings.map(({ account, amount, amountWei }) => ({ account, amount, amountWei })),
      })),
      actions,
      behind,
    },
    lines: [
      ...lines.map(
        ({ line, payout }) =>
          `${line.txnId} for ${line.platform}:${line.recipientKey}: ${usdcText(line.amountMicroUsdc)}, ${line.status}, ${payoutText(payout)}`,
      ),
      ...refunds.map(({ refund, payout }) => `refund of ${usdcText(refund.amountMicroUsdc)}: ${payoutText(payout)}`),
      ...claims.map(({ claim, txnId }) => `claim ${claim.id} of ${txnId}: ${claim.status}`),
      ...behind.map(({ kind, id }) => `behind it: ${kind} ${id}`),
      ...entries.map(({ cause, atMs }) => `${timeText(atMs)}  ${cause}`),
      ...actions.map(actionText),
    ],
  };
}
