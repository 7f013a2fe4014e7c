import { networkTitle, type Network } from '../../core/networks.ts';
import { beginClosing, closingSince, listClosingWallets } from '../../db/closing/begin.ts';
import { readClosingLeft, type ClosingLeft, type Left } from '../../db/closing/left.ts';
import { heldSums } from '../../db/operator/held.ts';
import { unexplainedTransfers } from '../../db/operator/suspense.ts';
import { Refused, takeWords, type OperatorCommand } from './command.ts';
import { refuseRestored } from './stops.ts';
import { countText, timeText, usdcText } from './text.ts';

/** Unexplained transfers are counted up to here. */
const UNEXPLAINED_MAX = 1_000;

export const windDownCommand: OperatorCommand = {
  name: 'wind-down',
  usage: '[--reason <why>] --yes',
  help: 'ends the service: takes no more payments, gives back what waits, empties wallets to addresses that their owners gave, tells those who still keep money here, and shows what is left; run it again to see how far it is',
  run: async (context) => {
    takeWords(context);
    const { store, nowMs, options, who, say } = context;
    const sinceMs = await closingSince(store);
    if (sinceMs === null && !options.yes) {
      const lines = leftLines(await readClosingLeft(store));
      throw new Refused(
        [
          ...lines,
          'Nothing was changed. To end the service, which takes no payment from then on, repeat it with --yes.',
        ].join('\n'),
      );
    }
    await refuseRestored(store);
    if (sinceMs === null) {
      const detail = `by ${who}${options.reason === null ? '' : `: ${options.reason}`}`;
      await beginClosing(store, { name: 'wind-down', arguments: [], who }, detail, nowMs);
      say('No new payments are taken. Listing the wallets of people…');
    }
    // Also when it was said before: a crash may have cut the list off, and newcomers may have come.
    const listed = await listClosingWallets(store, nowMs);
    say(`${countText(listed, 'wallet')} listed. A running worker and bot do the rest.`);
    const since = sinceMs ?? nowMs;
    const left = await readClosingLeft(store);
    const held = await heldSums(store);
    const unexplained = (await unexplainedTransfers(store, UNEXPLAINED_MAX)).length;
    const isDone = isEmpty(left) && held.length === 0 && unexplained === 0;
    const lines = [
      `The service ends since ${timeText(since)}: it takes no payments. "resume wind_down --yes" opens it again.`,
      ...leftLines(left),
      ...held.map(
        ({ reason, network, count, amountMicroUsdc }) =>
          `Held (${reason}) on ${networkTitle(network, null)}: ${count}, ${usdcText(amountMicroUsdc)}: "held" lists them`,
      ),
      ...(unexplained === 0 ? [] : [`Unexplained: ${countText(unexplained, 'transfer')}: "suspense" lists them`]),
      isDone
        ? 'Nothing of others is left. Your own money leaves with "withdraw".'
        : 'Run it again to see how far it is. Stop nothing before nothing is left.',
    ];
    return { data: { sinceMs: since, left, held, unexplained, isDone }, lines };
  },
};

function isEmpty({ waiting, owed, onItsWay, withdrawals, wallets }: ClosingLeft): boolean {
  const isNone = [waiting, owed, onItsWay, withdrawals].every((sums) => sums.length === 0);
  return isNone && wallets.notLookedAt === 0 && wallets.withMoney === 0;
}

function leftLines({ waiting, owed, onItsWay, withdrawals, wallets }: ClosingLeft): string[] {
  const { listed, notLookedAt, withMoney, foundMicroUsdc, leaving, told } = wallets;
  return [
    ...sumLines('Waits for recipients', waiting),
    ...sumLines('Owed to payers', owed),
    ...sumLines('Payouts and refunds on their way', onItsWay),
    ...sumLines('Withdrawals from wallets on their way', withdrawals),
    ...(listed === 0
      ? []
      : [
          `Wallets of people: ${listed}, of which ${notLookedAt} were not looked into yet`,
          `  ${withMoney} with money, ${usdcText(foundMicroUsdc)}; ${leaving} on their way to an address of their owner, ${told} told`,
        ]),
  ];
}

function sumLines(what: string, sums: readonly Left[]): string[] {
  const text = ({ network, count, amountMicroUsdc }: Left) =>
    `${what} on ${titleOf(network)}: ${count}, ${usdcText(amountMicroUsdc)}`;
  return sums.length === 0 ? [`${what}: nothing`] : sums.map(text);
}

const titleOf = (network: Network): string => networkTitle(network, null);
