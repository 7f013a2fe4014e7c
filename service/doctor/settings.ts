import { isLoopback } from '../../core/config/readers.ts';
import { formatUsdc } from '../../core/money.ts';
import { listOffers } from '../offers/table.ts';
import { fine, note, wrong, type Finding } from './finding.ts';
import type { World } from './world.ts';

/** What can be seen in the settings alone. */
export function checkSettings(world: World): Finding[] {
  return [
    ...strange(world),
    ...checkLimits(world),
    checkPurses(world),
    ...checkMetrics(world),
    ...checkAlerts(world),
    ...checkOffers(world),
  ];
}

function strange({ asks }: World): Finding[] {
  return asks.strangeNames().map((line) => wrong('settings', line, 'correct the name, or take it out'));
}

function checkLimits({ config }: World): Finding[] {
  const { limits, costs, networks } = config;
  const zero = Object.entries({
    PAYER_DAILY_USDC: limits.payerDailyMicroUsdc,
    RECIPIENT_DAILY_USDC: limits.recipientDailyMicroUsdc,
    EXPOSURE_CAP_USDC: limits.exposureCapMicroUsdc,
  }).filter(([, amount]) => amount === 0n);
  const budgets = networks.filter((network) => costs[network].dailyUnits === 0n);
  const unlimited = limits.requestsPerMinute === 0;
  const found = [
    ...zero.map(([name]) => wrong('limits', `${name} is 0, so every payout would be held`, `set ${name} above 0`)),
    ...budgets.map((network) => {
      const name = `${network.toUpperCase()}_GAS_DAILY`;
      return wrong(
        'limits',
        `${name} is 0, so ${network} is never offered`,
        `set ${name}, or take ${network} out of NETWORKS`,
      );
    }),
    ...(unlimited
      ? [
          wrong(
            'limits',
            'RATE_LIMIT_PER_MINUTE is 0: anyone may ask without end',
            'set RATE_LIMIT_PER_MINUTE, such as 600',
          ),
        ]
      : []),
  ];
  const day = `${formatUsdc(limits.payerDailyMicroUsdc)} USDC a day for a payer, ${formatUsdc(limits.recipientDailyMicroUsdc)} for a recipient`;
  return found.length > 0 ? found : [fine('limits', day)];
}

/** The operator answers for money that is kept for people, and the ceiling says for how much. */
function checkPurses({ config }: World): Finding {
  const { purseMaxMicroUsdc: most } = config.limits;
  const subject = 'purses';
  if (config.chatWalletSeed === undefined) return fine(subject, 'no money is kept for anyone');
  if (most === 0n) return fine(subject, 'closed for new money');
  const who = `${config.operator.name} keeps`;
  if (most !== null) return fine(subject, `${who} at most ${formatUsdc(most)} USDC for a person`);
  return note(subject, `${who} any sum for a person`, 'set PURSE_MAX_USDC to what you can answer for');
}

function checkMetrics({ config }: World): Finding[] {
  const { token, metricsPort } = config.admin;
  if (token === undefined && metricsPort === undefined) {
    return [
      note('metrics', 'nobody can read them', 'set METRICS_PORT or ADMIN_TOKEN, and let Prometheus read /metrics'),
    ];
  }
  if (metricsPort !== undefined && !isLoopback(config.http.host)) {
    const text = `port ${metricsPort} listens on ${config.http.host} and asks for no token`;
    return [note('metrics', text, 'keep that port from strangers, by a firewall or by HOST=127.0.0.1')];
  }
  return [fine('metrics', metricsPort === undefined ? 'with ADMIN_TOKEN' : `port ${metricsPort}`)];
}

function checkAlerts({ config }: World): Finding[] {
  const { mail, chat } = config.alerts;
  const ways = [mail, chat].filter((way) => way !== undefined);
  if (ways.length > 0) return [fine('alerts', ways.join(', '))];
  const cure = 'set ALERT_MAIL, or ALERT_CHAT to your own number, such as telegram:12345';
  const text = 'nobody is told when gas runs out or money is held';
  return [config.mode === 'mainnet' ? wrong('alerts', text, cure) : note('alerts', text, cure)];
}

/** A platform that is half configured is a mistake; one without any setting is a choice. */
function checkOffers({ config, roles }: World): Finding[] {
  const offers = listOffers(config, roles).filter(({ kind }) => kind === 'platform');
  const offered = offers.flatMap(({ title, missing }) => (missing === null ? [title] : []));
  const half = Object.entries(config.identity).flatMap(([name, value]) => {
    if (typeof value !== 'object' || !('clientId' in value)) return [];
    const isBegun = value.clientId !== undefined || value.clientSecret !== undefined || value.appToken !== undefined;
    const offer = listOffers({ ...config, platforms: 'configured' }, roles).find(
      ({ kind, key }) => kind === 'platform' && key === name,
    );
    return isBegun && offer !== undefined && offer.missing !== null ? [offer] : [];
  });
  return [
    ...half.map(({ title, missing }) => wrong('platforms', `${title}: ${missing}`, 'set it, or take the others out')),
    fine('platforms', offered.join(', ')),
  ];
}
