import type { AlertKind, Ringing } from '../../core/processes/alerts.ts';
import { formatUsdc, microUsdc } from '../../core/money.ts';
import { isLow, type CoinLevel } from '../../core/costs/coins.ts';
import { coinOf, coinsText, networkTitle, type Network } from '../../core/networks.ts';
import { OUTAGES } from '../../core/payments/outages.ts';
import { isOrdered, type StopOutage } from '../../core/payments/stops.ts';
import { DOUBTS } from '../../core/solvency.ts';
import { dayOf } from '../../db/limits/daily.ts';
import type { Solvency } from '../../db/audit/solvency.ts';
import type { Standing } from '../../db/networks/standing.ts';
import type { HeldSum } from '../../db/operator/held.ts';
import type { Stop } from '../../db/operator/stops.ts';
import type { FormerStanding } from '../../db/rotations/standing.ts';
import type { Holding } from '../../db/processes/holdings.ts';

/** The present state, as reported by the database and the mail server. */
export type AlertFacts = {
  nowMs: number;
  standings: readonly (Standing & { network: Network; coins?: readonly CoinLevel[] })[];
  solvencies: readonly Solvency[];
  stops: readonly Stop[];
  held: readonly HeldSum[];
  /** Addresses that were replaced. */
  formers: readonly FormerStanding[];
  /** How many transfers nothing explains. */
  unexplained: number;
  /** How many questions of the screening were answered by nobody lately. */
  unscreened: number;
  /** When each report was made that nobody has closed. */
  reportedAtMs: readonly number[];
  /** When the oldest waiting work for others was due; null: nothing waits. */
  oldestDueAtMs: number | null;
  /** Null without mail. */
  isMailReachable: boolean | null;
  /** The connections by which the bots listen. */
  listeners: readonly Holding[];
  /** The platforms that did not let our bot in when it last asked. */
  refusedBots: readonly string[];
};

/** Work for others that is this late is more than slow. */
const LATE_MS = 5 * 60_000;

const OF_GAS: ReadonlySet<string> = new Set(['no_gas', 'treasury_unfunded']);
/** Their stop is told. */
const BY_A_STOP: ReadonlySet<string> = new Set<StopOutage>(['stopped', 'payments_stopped', 'wind_down']);

/** Every condition that raises an alert, as a row: what to check, and what to tell the operator. */
export const CONDITIONS: Readonly<Record<AlertKind, (facts: AlertFacts) => readonly Ringing[]>> = {
  gas: ({ standings }) =>
    standings.flatMap(({ network, outage, coins = [] }) =>
      outage !== null && OF_GAS.has(outage)
        ? [on('gas', network, `${OUTAGES[outage]}: send ${coinOf(network)} (npm run doctor names the addresses)`)]
        : coins.filter(isLow).map((coin) => lowCoin(network, coin)),
    ),
  network: ({ standings }) =>
    standings.flatMap(({ network, outage }) =>
      outage === null || OF_GAS.has(outage) || BY_A_STOP.has(outage) ? [] : [on('network', network, OUTAGES[outage])],
    ),
  second_node: ({ standings }) =>
    standings.flatMap(({ network, second }) =>
      second === 'left_out'
        ? [on('second_node', network, 'its second node does not answer, stands still or is behind')]
        : [],
    ),
  // The operator knows about their own stops.
  stop: ({ stops }) =>
    stops.flatMap(({ reason, network, detail }) =>
      isOrdered({ reason })
        ? []
        : [{ name: `stop:${reason}:${network}`, text: `Signing is stopped on ${network}: ${reason}: ${detail}` }],
    ),
  drift: ({ solvencies }) =>
    solvencies.flatMap(({ network, doubt }) =>
      doubt === null || doubt === 'stopped' ? [] : [on('drift', network, DOUBTS[doubt])],
    ),
  float: ({ solvencies }) =>
    solvencies.flatMap(({ network, float }) =>
      float < 0n
        ? [on('float', network, `your own money there is short by ${formatUsdc(microUsdc(0n - float))} USDC`)]
        : [],
    ),
  held: ({ held }) =>
    held.map(({ reason, network, count, amountMicroUsdc }) => {
      const sum = formatUsdc(microUsdc(amountMicroUsdc));
      return {
        ...on('held', network, `payouts are held (${reason}): ${count}, ${sum} USDC`),
        name: `held:${reason}:${network}`,
      };
    }),
  unexplained: ({ unexplained }) =>
    unexplained === 0
      ? []
      : [{ name: 'unexplained', text: `Transfers to us that nothing explains: ${unexplained} (operator -- suspense)` }],
  taken: ({ formers }) =>
    formers.flatMap(({ network, address, taken }) => {
      if (taken === 0n) return [];
      const text = `${formatUsdc(microUsdc(taken))} USDC left the former address ${address}, and nothing of ours explains it: someone else knows its key (docs/operating.md)`;
      return [{ ...on('taken', network, text), name: `taken:${network}:${address}` }];
    }),
  screening: ({ unscreened }) =>
    unscreened === 0
      ? []
      : [{ name: 'screening', text: 'The screening gives no usable answer: look at its lists and its service' }],
  // One a day, however many there are: anyone can report.
  reports: ({ reportedAtMs }) =>
    [...new Set(reportedAtMs.map(dayOf))].map((day) => {
      const count = reportedAtMs.filter((atMs) => dayOf(atMs) === day).length;
      return {
        name: `reports:${day}`,
        text: `Reports of ${day} that nobody has closed: ${count} (operator -- reports)`,
      };
    }),
  bots: ({ listeners, refusedBots }) =>
    listeners.flatMap(({ name, process }) => {
      // `listener:telegram:123`.
      const bot = name.split(':')[1] ?? name;
      if (process === null)
        return [{ name: `bots:${bot}`, text: `Nobody listens on ${bot}: start a process with the bot` }];
      const text = `${bot} does not let our bot in: npm run doctor says whether its token is right`;
      return refusedBots.includes(bot) ? [{ name: `bots:${bot}`, text }] : [];
    }),
  mail: ({ isMailReachable }) =>
    isMailReachable === false ? [{ name: 'mail', text: 'The mail server does not answer or refuses us' }] : [],
  outbox: ({ oldestDueAtMs, nowMs }) =>
    oldestDueAtMs !== null && nowMs - oldestDueAtMs > LATE_MS
      ? [{ name: 'outbox', text: 'Receipts and wake-ups have waited for minutes: the log of the worker says why' }]
      : [],
};

/** Before it is too little, so that there is time. */
function lowCoin(network: Network, { role, address, units }: CoinLevel): Ringing {
  const text = `the ${role} ${address} has ${coinsText(units, network)} left: send some before it is too little`;
  return { ...on('gas', network, text), name: `gas:${network}:${address}` };
}

function on(kind: string, network: Network, text: string): Ringing {
  return { name: `${kind}:${network}`, text: `${networkTitle(network, null)}: ${text}` };
}
