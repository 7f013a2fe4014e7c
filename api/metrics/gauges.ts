import { accounts } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { ALERT_KINDS, type AlertState } from '../../core/processes/alerts.ts';
import { PAYMENT_STATES, TRANSFER_STATES } from '../../core/states.ts';
import {
  FINISHED_PAYMENTS,
  FINISHED_PAYOUTS,
  type Finished,
  type InFlight,
  type InFlightCount,
  type LedgerSum,
  type StateCount,
} from '../../db/audit/metrics.ts';
import type { CoinLevel } from '../../core/costs/coins.ts';
import type { MailsSpent } from '../../db/costs/mails.ts';
import type { Spent } from '../../db/costs/spent.ts';
import type { Standing } from '../../db/networks/standing.ts';
import type { StopReason } from '../../core/payments/stops.ts';

/** What was read from the database; null where nothing is known. */
export type Facts = {
  nowMs: number;
  /** The networks that are offered: what a network does not have is reported as zero, so that an alarm has a value. */
  networks: readonly Network[];
  inFlight: InFlight | null;
  finished: Finished | null;
  ledger: readonly LedgerSum[] | null;
  spent?: readonly Spent[] | null;
  mails?: readonly MailsSpent[] | null;
  alerts?: readonly AlertState[] | null;
  standings?: readonly (Standing & { network: Network; coins?: readonly CoinLevel[] })[] | null;
};

export type Sample = { labels: Record<string, string>; value: number };
export type GaugeRow = {
  name: string;
  help: string;
  labelNames: readonly string[];
  samples: (facts: Facts) => Sample[];
};

const STOPS = {
  unexplained_outflow: 0,
  database_restored: 0,
  invariant_broken: 0,
  books_behind_chain: 0,
  operator: 0,
  operator_payments: 0,
  operator_payouts: 0,
  wind_down: 0,
} as const satisfies Record<StopReason, 0>;

/** What the database shows about money on its way. A gauge is a row. */
export const GAUGES: readonly GaugeRow[] = [
  {
    name: 'pennypost_database_up',
    help: 'Whether the database could be read for this answer. What it would have told is left out otherwise.',
    labelNames: [],
    samples: ({ inFlight }) => [sample(inFlight === null ? 0 : 1)],
  },
  {
    name: 'pennypost_payments',
    help: 'Accepted payments by state; of final and rejected ones, how many there ever were.',
    labelNames: ['status', 'network'],
    samples: ({ networks, inFlight, finished }) =>
      countsOf(networks, PAYMENT_STATES, FINISHED_PAYMENTS, inFlight?.payments, finished?.payments),
  },
  {
    name: 'pennypost_payouts',
    help: 'Payouts by state, and why those are held that are; of final and void ones, how many there ever were.',
    labelNames: ['status', 'network', 'held_reason'],
    samples: ({ networks, inFlight, finished }) =>
      countsOf(networks, TRANSFER_STATES, FINISHED_PAYOUTS, inFlight?.payouts, finished?.payouts),
  },
  {
    name: 'pennypost_payment_oldest_open_age_seconds',
    help: 'How long the oldest payment waits that is received or settling; 0 when there is none.',
    labelNames: ['network'],
    samples: ({ nowMs, networks, inFlight }) => oldestOf(nowMs, networks, inFlight?.payments),
  },
  {
    name: 'pennypost_payout_oldest_open_age_seconds',
    help: 'How long the oldest payout waits that is neither held nor confirmed; 0 when there is none.',
    labelNames: ['network'],
    samples: ({ nowMs, networks, inFlight }) =>
      oldestOf(
        nowMs,
        networks,
        inFlight?.payouts.filter(({ status }) => status !== 'held'),
      ),
  },
  {
    name: 'pennypost_outbox_open_items',
    help: 'Work that committed changes ask for and that is not done.',
    labelNames: [],
    samples: ({ inFlight }) => (inFlight === null ? [] : [sample(inFlight.outbox.open)]),
  },
  {
    name: 'pennypost_outbox_oldest_due_age_seconds',
    help: 'How long the most overdue of that work has been due; 0 when none is.',
    labelNames: [],
    samples: ({ nowMs, inFlight }) => (inFlight === null ? [] : [age(nowMs, inFlight.outbox.oldestDueAtMs)]),
  },
  {
    name: 'pennypost_signing_stops',
    help: 'Reasons for which nothing is signed until an operator has looked: 1 while one stands.',
    labelNames: ['reason'],
    samples: ({ inFlight }) => (inFlight === null ? [] : stopsOf(inFlight.stops)),
  },
  {
    name: 'pennypost_network_serves',
    help: 'Whether a network is in the terms of new payments.',
    labelNames: ['network'],
    samples: ({ standings }) =>
      (standings ?? []).map(({ network, outage }) => sample(outage === null ? 1 : 0, { network })),
  },
  {
    name: 'pennypost_native_balance',
    help: 'What our wallets have of the coin of their network, in coins.',
    labelNames: ['network', 'role', 'address'],
    samples: ({ standings }) =>
      (standings ?? []).flatMap(({ network, coins = [] }) =>
        coins.map(({ role, address, units }) => sample(Number(units) / 1e9, { network, role, address })),
      ),
  },
  {
    name: 'pennypost_network_out',
    help: 'Why a network is not in the terms: 1 for the reason that stands, as in GET /health.',
    labelNames: ['network', 'reason'],
    samples: ({ standings }) =>
      (standings ?? []).flatMap(({ network, outage }) =>
        outage === null ? [] : [sample(1, { network, reason: outage })],
      ),
  },
  {
    name: 'pennypost_second_node_compared',
    help: 'Where a network has a second node: 0 while the first is believed alone.',
    labelNames: ['network'],
    samples: ({ standings }) =>
      (standings ?? []).flatMap(({ network, second }) =>
        second === null ? [] : [sample(second === 'compared' ? 1 : 0, { network })],
      ),
  },
  {
    name: 'pennypost_scan_cursor_block',
    help: 'Up to which block, or slot on Solana, the chain is in the books.',
    labelNames: ['network'],
    samples: ({ inFlight }) => (inFlight?.cursors ?? []).map(({ network, block }) => sample(block, { network })),
  },
  {
    name: 'pennypost_worker_heartbeat_age_seconds',
    help: 'Since when the worker has given no sign of life: for each network it follows and, without one, as a whole.',
    labelNames: ['network'],
    samples: ({ nowMs, networks, inFlight }) => heartbeatsOf(nowMs, networks, inFlight?.heartbeats ?? []),
  },
  {
    name: 'pennypost_alerts_ringing',
    help: 'What a worker has told the operator and what is not over yet, by the kind that docs/operating.md lists.',
    labelNames: ['alert'],
    samples: ({ alerts }) => (alerts ? ALERT_KINDS.map((kind) => sample(ringing(alerts, kind), { alert: kind })) : []),
  },
  {
    name: 'pennypost_ledger_balance_usdc',
    help: 'Sum of the accounts of a kind, signed as in the books: what we have is positive, what we owe negative.',
    labelNames: ['account', 'network'],
    samples: ({ networks, ledger }) => (ledger === null ? [] : balancesOf(networks, ledger)),
  },
  {
    name: 'pennypost_native_cost_today',
    help: 'What a network has cost since midnight UTC, in its own coin: gas with what is promised to payments, and rent.',
    labelNames: ['network', 'kind'],
    samples: ({ spent }) =>
      (spent ?? []).flatMap(({ network, gas, rent }) => [
        sample(Number(gas) / 1e9, { network, kind: 'gas' }),
        sample(Number(rent) / 1e9, { network, kind: 'rent' }),
      ]),
  },
  {
    name: 'pennypost_mails_today',
    help: 'Mails since midnight UTC, by whose share of MAIL_DAILY they came out of.',
    labelNames: ['share'],
    samples: ({ mails }) => (mails ?? []).map(({ share, used }) => sample(used, { share })),
  },
];

/** A condition that has not lasted long enough to be reported raises no alert. */
function ringing(alerts: readonly AlertState[], kind: string): number {
  return alerts.filter(({ name, toldAtMs }) => toldAtMs !== null && name.split(':')[0] === kind).length;
}

/** A kind without money is reported as zero. */
function balancesOf(networks: readonly Network[], sums: readonly LedgerSum[]): Sample[] {
  const kinds = Object.values(accounts).map((nameOf) => nameOf('base', '').split(':')[0] ?? '');
  const empty = networks.flatMap((network) => kinds.map((account) => ({ account, network, sumMicroUsdc: 0n })));
  const isKnown = (one: { account: string; network: string }) =>
    sums.some(({ account, network }) => account === one.account && network === one.network);
  return [...sums, ...empty.filter((one) => !isKnown(one))].map(({ account, network, sumMicroUsdc }) =>
    sample(Number(sumMicroUsdc) / 1e6, { account, network }),
  );
}

function sample(value: number, labels: Record<string, string> = {}): Sample {
  return { labels, value };
}

/** Clocks of several hosts differ a little, and what is put off is due in the future. */
function age(nowMs: number, sinceMs: number | null, labels: Record<string, string> = {}): Sample {
  return sample(sinceMs === null ? 0 : Math.max(0, nowMs - sinceMs) / 1_000, labels);
}

/** Zero where a state has no row; nothing where it was not counted. */
function countsOf<State extends string>(
  networks: readonly Network[],
  states: readonly State[],
  finishedStates: readonly State[],
  inFlight: readonly StateCount<State>[] | undefined,
  finished: readonly StateCount<State>[] | undefined,
): Sample[] {
  const counted = states.filter((status) => (finishedStates.includes(status) ? finished : inFlight) !== undefined);
  const counts = new Map<string, Sample>();
  const add = (value: number, labels: Record<string, string>) => {
    const key = Object.values(labels).join(' ');
    counts.set(key, sample(value + (counts.get(key)?.value ?? 0), labels));
  };
  for (const network of networks) for (const status of counted) add(0, { status, network });
  for (const { status, network, heldReason, count } of [...(inFlight ?? []), ...(finished ?? [])]) {
    add(count, { status, network, ...(heldReason === null ? {} : { held_reason: word(heldReason) }) });
  }
  return [...counts.values()];
}

/** Reasons are words of the program. Anything else in that column is private, and unbounded. */
function word(text: string): string {
  return /^[a-z_]{1,40}$/.test(text) ? text : 'other';
}

function oldestOf(
  nowMs: number,
  networks: readonly Network[],
  counts: readonly InFlightCount<string>[] | undefined,
): Sample[] {
  if (counts === undefined) return [];
  const names = new Set([...networks, ...counts.map(({ network }) => network)]);
  return [...names].map((network) => {
    const times = counts.filter((count) => count.network === network).map(({ oldestAtMs }) => oldestAtMs);
    return age(nowMs, times.length === 0 ? null : Math.min(...times), { network });
  });
}

function stopsOf(stops: InFlight['stops']): Sample[] {
  const standing = stops.map(({ reason }) => word(reason));
  const reasons = new Set([...Object.keys(STOPS), ...standing]);
  return [...reasons].map((reason) => sample(standing.includes(reason) ? 1 : 0, { reason }));
}

function heartbeatsOf(nowMs: number, networks: readonly Network[], heartbeats: InFlight['heartbeats']): Sample[] {
  const parts = [
    { name: 'worker', labels: {} },
    ...networks.map((network) => ({ name: `worker:${network}`, labels: { network } })),
  ];
  return parts.flatMap(({ name, labels }) => {
    const heartbeat = heartbeats.find((candidate) => candidate.name === name);
    return heartbeat === undefined ? [] : [age(nowMs, heartbeat.atMs, labels)];
  });
}
