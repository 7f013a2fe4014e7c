import { networkTitle } from '../../core/networks.ts';
import { STOP_SCOPES, type StopScope } from '../../core/payments/outages.ts';
import { clearStop, listStops, stopByOperator, type Stop } from '../../db/operator/stops.ts';
import { restoredStop } from '../../db/operator/reconcile.ts';
import { explainOutflows } from '../../db/operator/outflows.ts';
import type { Store } from '../../db/store/store.ts';
import { Refused, takeWords, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { countText, timeText } from './text.ts';

export const stopsCommand: OperatorCommand = {
  name: 'stops',
  usage: '',
  help: 'lists where signing is stopped, and why',
  run: async (context) => {
    takeWords(context);
    const stops = await listStops(context.store);
    return stops.length === 0 ? ['Nothing is stopped.'] : stops.map(stopText);
  },
};

export const stopCommand: OperatorCommand = {
  name: 'stop',
  usage: '<network | all>',
  help: 'stops signing there: no new payments, payouts or sweeps; withdrawals from personal wallets go on',
  run: async (context) => {
    const { store, nowMs } = context;
    const scope = readScope(takeWords(context, 'network').network);
    await stopByOperator(store, scope, { name: 'stop', arguments: [scope] }, nowMs);
    const back = `npm run operator -- resume operator ${scope} --yes`;
    return [
      `Signing is stopped on ${scopeText(scope)}. What is signed already may still land.`,
      `It goes on with: ${back}`,
    ];
  },
};

export const resumeCommand: OperatorCommand = {
  name: 'resume',
  usage: '<reason> [network | all] --yes',
  help: 'takes a stop away, so that signing goes on; what is still wrong stops it again',
  run: async (context) => {
    const { store, nowMs, options } = context;
    const stop = await findStop(context);
    const was = stopText(stop);
    if (!options.yes)
      throw new Refused(`${was}\nNothing was changed. When you know what happened, repeat it with --yes.`);
    await refuseRestored(store);
    if (stop.reason === 'unexplained_outflow') await refuseUnexplained(store, stop, nowMs);
    const command = { name: 'resume', arguments: [stop.reason, stop.network] };
    if (!(await clearStop(store, stop, command, nowMs)))
      throw new Refused(`${was}\nIt has changed meanwhile; look again.`);
    const left = await listStops(store);
    return [was, left.length === 0 ? 'Cleared. Signing goes on.' : 'Cleared. Still stopped:', ...left.map(stopText)];
  },
};

/** The network may be left out where only one is stopped for this reason. */
async function findStop({ store, words }: CommandContext): Promise<Stop> {
  const [reason, scopeWord, ...more] = words;
  if (reason === undefined || more.length > 0) throw new UsageError('Expected reason and, if needed, a network.');
  const scope = scopeWord === undefined ? null : readScope(scopeWord);
  const found = (await listStops(store)).filter(
    (stop) => stop.reason === reason && (scope === null || stop.network === scope),
  );
  const [stop, another] = found;
  if (stop === undefined) throw new Refused(`Nothing is stopped by ${words.join(' on ')}.`);
  if (another !== undefined) throw new Refused(['Say which one:', ...found.map(stopText)].join('\n'));
  return stop;
}

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
