import { clearStop, listStops } from '../../db/operator/stops.ts';
import { explainOutflows } from '../../db/operator/outflows.ts';
import type { Store } from '../../db/store/store.ts';
import { Refused, takeWords, type OperatorCommand } from './command.ts';
import { countText, timeText } from './text.ts';

export const stopsCommand: OperatorCommand = {
  name: 'stops',
  usage: '',
  help: 'lists why signing is stopped',
  run: async (context) => {
    takeWords(context);
    const stops = await listStops(context.store);
    if (stops.length === 0) return ['Nothing is stopped.'];
    return stops.map(({ reason, detail, sinceMs }) => `${reason} since ${timeText(sinceMs)}: ${detail}`);
  },
};

export const resumeCommand: OperatorCommand = {
  name: 'resume',
  usage: '<reason> --yes',
  help: 'takes a stop away, so that signing goes on; what is still wrong stops it again',
  run: async (context) => {
    const { store, nowMs, options } = context;
    const { reason } = takeWords(context, 'reason');
    const stop = (await listStops(store)).find((one) => one.reason === reason);
    if (stop === undefined) throw new Refused(`Nothing is stopped by ${reason}.`);
    const was = `${stop.reason} since ${timeText(stop.sinceMs)}: ${stop.detail}`;
    if (!options.yes)
      throw new Refused(`${was}\nNothing was changed. When you know what happened, repeat it with --yes.`);
    if (reason === 'unexplained_outflow') await refuseUnexplained(store, was, nowMs);
    const command = { name: 'resume', arguments: [reason] };
    if (!(await clearStop(store, stop, command, nowMs)))
      throw new Refused(`${was}\nIt has changed meanwhile; look again.`);
    const left = (await listStops(store)).length;
    return [was, left === 0 ? 'Cleared. Signing goes on.' : `Cleared. ${left} more reasons keep signing stopped.`];
  },
};

/** While an outflow is in no book, the next audit would stop signing again. */
async function refuseUnexplained(store: Store, was: string, nowMs: number): Promise<void> {
  const { left } = await explainOutflows(store, nowMs);
  if (left > 0) throw new Refused(`${was}\n${countText(left, 'transfer')} that left us can still not be explained.`);
}
