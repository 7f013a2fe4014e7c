import { networkTitle } from '../../core/networks.ts';
import { STOP_SCOPES, type StopScope } from '../../core/payments/outages.ts';
import { kindOfStop, OPERATOR_STOPS, STOP_KINDS, STOP_REASONS, type StopKind } from '../../core/payments/stops.ts';
import { clearStop, listStops, stopByOperator, type Stop } from '../../db/operator/stops.ts';
import { restoredStop } from '../../db/operator/reconcile.ts';
import { explainOutflows } from '../../db/operator/outflows.ts';
import type { Store } from '../../db/store/store.ts';
import { Refused, takeWords, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { countText, timeText } from './text.ts';

export const stopsCommand: OperatorCommand = {
  name: 'stops',
  usage: '',
  help: 'lists what is stopped where, since when, by whom and why',
  run: async (context) => {
    takeWords(context);
    const stops = await listStops(context.store);
    return { data: { stops }, lines: stops.length === 0 ? ['Nothing is stopped.'] : stops.map(stopText) };
  },
};

export const stopCommand: OperatorCommand = {
  name: 'stop',
  usage: `[network | all] [${STOP_KINDS.join(' | ')}] [--reason <why>]`,
  help: 'stops new payments, payouts, or (without a word for it) all signing, there or everywhere; withdrawals from personal wallets go on',
  run: async (context) => {
    const { store, nowMs } = context;
    const { scope = 'all', kind = 'signing' } = readTarget(context.words);
    const command = { name: 'stop', arguments: [scope, kind], who: context.who };
    await stopByOperator(store, { kind, network: scope, detail: recordOf(context) }, command, nowMs);
    const lines = [
      `${STOPPED[kind]} on ${scopeText(scope)}. ${STAYS[kind]}`,
      `It goes on with: npm run operator -- resume ${scope} ${kind} --yes`,
    ];
    return { data: { stopped: kind, network: scope }, lines };
  },
};

const STOPPED = {
  payments: 'New payments are stopped',
  payouts: 'Payouts are stopped',
  signing: 'Signing is stopped',
} as const satisfies Record<StopKind, string>;

const GOES_ON = {
  payments: 'New payments are taken.',
  payouts: 'Payouts go on.',
  signing: 'Signing goes on.',
} as const satisfies Record<StopKind, string>;

const STAYS = {
  payments: 'Those that were taken are settled and paid out.',
  payouts: 'Payments are taken, and their money waits. What is signed already may still land.',
  signing: 'What is signed already may still land.',
} as const satisfies Record<StopKind, string>;

export const resumeCommand: OperatorCommand = {
  name: 'resume',
  usage: `[network | all] [${STOP_KINDS.join(' | ')}] --yes, or: resume <reason> [network | all] --yes`,
  help: 'takes a stop of yours away, or one for a reason; what is still wrong stops it again',
  run: async (context) => {
    const { store, nowMs, options } = context;
    const stop = await findStop(context);
    const was = stopText(stop);
    if (!options.yes)
      throw new Refused(`${was}\nNothing was changed. When you know what happened, repeat it with --yes.`);
    await refuseRestored(store);
    if (stop.reason === 'unexplained_outflow') await refuseUnexplained(store, stop, nowMs);
    const command = { name: 'resume', arguments: [stop.reason, stop.network], who: context.who };
    if (!(await clearStop(store, stop, { command, detail: recordOf(context) }, nowMs)))
      throw new Refused(`${was}\nIt has changed meanwhile; look again.`);
    const left = await listStops(store);
    const verdict = left.length === 0 ? `Cleared. ${GOES_ON[kindOfStop(stop)]}` : 'Cleared. Still stopped:';
    return { data: { cleared: stop, stops: left }, lines: [was, verdict, ...left.map(stopText)] };
  },
};

/** Who gave the command, and why. */
function recordOf({ who, options }: CommandContext): string {
  return `by ${who}${options.reason === null ? '' : `: ${options.reason}`}`;
}

type Target = { scope?: StopScope; kind?: StopKind };

/** A network and a kind, in any order, each at most once. */
function readTarget(words: readonly string[]): Target {
  const target: Target = {};
  for (const word of words) {
    const kind = STOP_KINDS.find((known) => known === word);
    if (kind !== undefined && target.kind === undefined) target.kind = kind;
    else if (target.scope === undefined) target.scope = readScope(word);
    else throw new UsageError(`Expected one network and one of ${STOP_KINDS.join(', ')}; found ${words.join(' ')}.`);
  }
  return target;
}

/** The words name one of the operator's own stops, or a reason. What they leave open must be clear from what stands. */
async function findStop({ store, words }: CommandContext): Promise<Stop> {
  const [first = '', ...rest] = words;
  const isReason = first in STOP_REASONS;
  const { scope, kind } = readTarget(isReason ? rest : words);
  const own: readonly string[] = kind === undefined ? Object.values(OPERATOR_STOPS) : [OPERATOR_STOPS[kind]];
  const reasons = isReason ? [first] : own;
  const found = (await listStops(store)).filter(
    (stop) => reasons.includes(stop.reason) && (scope === undefined || stop.network === scope),
  );
  const [stop, another] = found;
  if (stop === undefined) throw new Refused(`Nothing is stopped by ${isReason ? first : 'the operator'} there.`);
  if (another !== undefined) throw new Refused(['Say which one:', ...found.map(stopText)].join('\n'));
  return stop;
}

/** What does not go on, as the beginning of a line. */
export function haltedText(stop: Stop): string {
  return HALTED[kindOfStop(stop)];
}

const HALTED = { payments: 'Payments', payouts: 'Payouts', signing: 'Signing' } as const satisfies Record<
  StopKind,
  string
>;

export function stopText({ reason, network, detail, sinceMs }: Stop): string {
  return `${reason} on ${scopeText(network)} since ${timeText(sinceMs)}: ${detail}`;
}

const scopeText = (scope: StopScope): string => (scope === 'all' ? 'all networks' : networkTitle(scope, null));

function readScope(word: string): StopScope {
  const scope = STOP_SCOPES.find((known) => known === word);
  if (scope === undefined) throw new UsageError(`Expected ${STOP_SCOPES.join(' or ')}; found ${word}.`);
  return scope;
}

/** Books that have lost their newest part cannot say whose money it is, or what is paid. */
export async function refuseRestored(store: Store): Promise<void> {
  if ((await restoredStop(store)) === null) return;
  throw new Refused(
    'This database is older than what the service has signed: it was restored from a backup. Nothing was changed; run "reconcile" first.',
  );
}

/** While an outflow is in no book, the next audit would stop signing again. */
async function refuseUnexplained(store: Store, stop: Stop, nowMs: number): Promise<void> {
  const { left } = await explainOutflows(store, stop.network, nowMs);
  if (left > 0)
    throw new Refused(`${stopText(stop)}\n${countText(left, 'transfer')} that left us can still not be explained.`);
}
