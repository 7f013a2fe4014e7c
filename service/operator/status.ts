import { shownAddress } from '../../chain/shown-address.ts';
import type { CostRules } from '../../core/costs/allowance.ts';
import { mailsOf } from '../../core/costs/mails.ts';
import { isLow, type CoinLevel } from '../../core/costs/coins.ts';
import { coinsText, networkTitle, type Network } from '../../core/networks.ts';
import { OUTAGES } from '../../core/payments/outages.ts';
import type { StopOutage } from '../../core/payments/stops.ts';
import { DOUBTS } from '../../core/solvency.ts';
import { readMails, type MailsSpent } from '../../db/costs/mails.ts';
import { readSpent, type Spent } from '../../db/costs/spent.ts';
import { readFormerStandings } from '../../db/rotations/standing.ts';
import { readStandings, type StandingWithCoins } from '../../db/networks/standing.ts';
import { readAlerts } from '../../db/operator/alerts.ts';
import { heldSums, type HeldSum } from '../../db/operator/held.ts';
import { listStops } from '../../db/operator/stops.ts';
import { unexplainedTransfers } from '../../db/operator/suspense.ts';
import { readFloat } from '../../db/transfers/float.ts';
import { readPayoutSettings } from '../../db/limits/settings.ts';
import { readSolvency, type Solvency } from '../../db/audit/solvency.ts';
import type { Store } from '../../db/store/store.ts';
import { takeWords, type CommandContext, type OperatorCommand } from './command.ts';
import { haltedText, stopText } from './stops.ts';
import { countText, formerText, usdcText } from './text.ts';

/** The first lines say those. */
const BY_A_STOP: ReadonlySet<string> = new Set<StopOutage>(['stopped', 'payments_stopped', 'wind_down']);
/** Unexplained transfers are counted up to here. */
const UNEXPLAINED_MAX = 1_000;

export const statusCommand: OperatorCommand = {
  name: 'status',
  usage: '',
  help: 'shows whether anything is stopped or held, and what is there and owed on each network',
  run: async (context) => {
    takeWords(context);
    const data = await readStatus(context);
    const { stops, alerts, standings, held, networks: places, formers, notCompared, costsToday, mailsToday } = data;
    const lines = [
      ...(stops.length === 0
        ? ['Signing: runs']
        : stops.map((stop) => `${haltedText(stop)}: STOPPED: ${stopText(stop)}`)),
      ...alerts.map(({ text }) => `ALERT: ${text}`),
      ...standings.flatMap(standingLines),
      ...heldLines(held),
      ...places.flatMap(networkLines),
      ...formers.map((former) => `${networkTitle(former.network, null)}: ${formerText(former)}`),
      ...costsToday.map((one) => spentText(one, context.config.costs[one.network])),
      mailsText(mailsToday, context.config.limits.mailsDailyMax),
      ...notCompared.map((network) => `${networkTitle(network, null)}: books and chain were not compared yet`),
    ];
    return { data, lines };
  },
};

export type Status = Awaited<ReturnType<typeof readStatus>>;

export async function readStatus({ store, config }: Pick<CommandContext, 'store' | 'config'>) {
  const { networks, unknown } = await readSolvency(store, config.networks);
  return {
    stops: await listStops(store),
    alerts: (await readAlerts(store)).filter(({ toldAtMs }) => toldAtMs !== null),
    standings: await readStandings(store, config.networks, Date.now()),
    held: await heldSums(store),
    networks: await Promise.all(networks.map((solvency) => readPlace(store, solvency))),
    formers: await readFormerStandings(store, Date.now()),
    notCompared: unknown,
    costsToday: await readSpent(store, config.networks, Date.now()),
    mailsToday: await readMails(store, Date.now()),
  };
}

export const limitsCommand: OperatorCommand = {
  name: 'limits',
  usage: '',
  help: 'shows limits (the first three as the worker has them that started last, the others as set here) and what is spent today',
  run: async (context) => {
    takeWords(context);
    const data = await readLimits(context);
    const lines = [...data.limits.map(({ label, text }) => `${label}: ${text}`), ...data.spent, HOW_TO_CHANGE];
    return { data, lines };
  },
};

export const HOW_TO_CHANGE =
  'They are changed in the environment of the service, and count after its next start; on mainnet that needs a new pass of the doctor.';

/** `microUsdc`: null where there is no limit. */
type Limit = { label: string; text: string; microUsdc: bigint | null };

/** The first three count for every process, whatever its own environment says; the others are of this one. */
export async function readLimits({ store, config }: Pick<CommandContext, 'store' | 'config'>) {
  const stored = await readPayoutSettings(store.read, store.tables);
  const hasWorker = Object.keys(stored.treasuries).length > 0;
  const { limits: own } = config;
  const inForce = (label: string, microUsdc: bigint | null): Limit => {
    const text = !hasWorker
      ? 'no worker has started yet'
      : microUsdc === null
        ? 'without a limit'
        : usdcText(microUsdc);
    return { label, microUsdc, text };
  };
  const ofThis = (label: string, microUsdc: bigint): Limit => ({ label, microUsdc, text: usdcText(microUsdc) });
  return {
    limits: [
      inForce('Paid out for a payer, a day', stored.dailyMicroUsdc.payer),
      inForce('Paid out to a recipient, a day', stored.dailyMicroUsdc.recipient),
      inForce('Kept for one person', stored.purseMaxMicroUsdc ?? null),
      ofThis('Paid out before its block is safe', own.exposureCapMicroUsdc),
      ofThis('Least refund', own.refundMinMicroUsdc),
    ],
    spent: [
      ...(await readSpent(store, config.networks, Date.now())).map((one) => spentText(one, config.costs[one.network])),
      mailsText(await readMails(store, Date.now()), own.mailsDailyMax),
    ],
  };
}

/** Nothing while it serves; otherwise what keeps a network out, or takes a safeguard away. */
function standingLines({ network, outage, second, coins }: StandingWithCoins & { network: Network }): string[] {
  const title = networkTitle(network, null);
  const alone = `${title}: its second node does not answer, stands still or is behind; the first is believed alone`;
  return [
    ...(outage === null || BY_A_STOP.has(outage) ? [] : [`${title}: OUT: ${OUTAGES[outage]}`]),
    ...(second === 'left_out' ? [alone] : []),
    ...coins.map((level) => `${title}: ${coinText(network, level)}`),
  ];
}

export function coinText(network: Network, level: CoinLevel): string {
  const { role, address, units } = level;
  return `${role} ${shownAddress(address)}: ${coinsText(units, network)}${isLow(level) ? ' (LOW)' : ''}`;
}

export function spentText({ network, gas, rent }: Spent, { dailyUnits }: CostRules): string {
  const coins = (units: bigint) => coinsText(units, network);
  const budget = dailyUnits === null ? 'without a limit' : `of ${coins(dailyUnits)}`;
  const alarm = dailyUnits !== null && gas * 2n >= dailyUnits ? ' (MORE THAN HALF)' : '';
  return `${networkTitle(network, null)}: cost today ${coins(gas)} ${budget}${alarm}, and rent of accounts ${coins(rent)}`;
}

export function mailsText(spent: readonly MailsSpent[], dailyMax: number | null): string {
  const shares = spent.map(({ share, used }) => {
    const max = dailyMax === null ? null : mailsOf(share, dailyMax);
    const alarm = max !== null && used * 2 >= max ? ' (MORE THAN HALF)' : '';
    return `${share} ${used}${max === null ? '' : ` of ${max}`}${alarm}`;
  });
  return `Mails today: ${shares.join(', ')}${dailyMax === null ? '; without a limit' : ''}`;
}

function heldLines(sums: readonly HeldSum[]): string[] {
  if (sums.length === 0) return ['Held: nothing'];
  const count = sums.reduce((total, held) => total + held.count, 0);
  const amount = sums.reduce((total, held) => total + held.amountMicroUsdc, 0n);
  return [
    `Held: ${countText(count, 'payout')}, ${usdcText(amount)}`,
    ...sums.map((held) => `  ${held.reason} on ${held.network}: ${held.count}, ${usdcText(held.amountMicroUsdc)}`),
  ];
}

/** What is there and owed on a network, and what of the operator's own money. */
type Place = Solvency & {
  isServed: boolean;
  own: bigint;
  available: bigint;
  unexplainedCount: number;
  unexplainedMicroUsdc: bigint;
};

async function readPlace(store: Store, solvency: Solvency): Promise<Place> {
  const { network } = solvency;
  const treasury = (await readPayoutSettings(store.read, store.tables)).treasuries[network];
  const float = await readFloat(store.read, store.tables, { network, treasury: treasury ?? '' });
  const all = await unexplainedTransfers(store, UNEXPLAINED_MAX);
  const open = all.flatMap(({ transfer }) => (transfer.network === network ? [transfer] : []));
  const unexplained = open.reduce((sum, row) => sum + row.amountMicroUsdc, 0n);
  return {
    ...solvency,
    isServed: treasury !== undefined,
    ...float,
    unexplainedCount: open.length,
    unexplainedMicroUsdc: unexplained,
  };
}

function networkLines(place: Place): string[] {
  const { network, block, assets, onChain, liabilities, reorgLoss, doubt, ageMs, own, available } = place;
  const verdict = doubt === null ? 'solvent' : `NOT SHOWN TO BE SOLVENT (${DOUBTS[doubt]})`;
  return [
    `${networkTitle(network, null)}: ${verdict} at block ${block}, ${Math.floor(ageMs / 1_000)} s ago`,
    `  there ${usdcText(onChain)}, by the books ${usdcText(assets)}, owed ${usdcText(liabilities)}, lost to reorganisations ${usdcText(reorgLoss)}`,
    `  float ${usdcText(own)}${place.isServed ? `, of which ${usdcText(available)} may be spent` : '; no worker serves this network'}`,
    `  suspense: ${countText(place.unexplainedCount, 'unexplained transfer')}, ${usdcText(place.unexplainedMicroUsdc)}`,
  ];
}
