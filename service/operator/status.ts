import { networkTitle } from '../../core/networks.ts';
import { heldSums } from '../../db/operator/held.ts';
import { listStops } from '../../db/operator/stops.ts';
import { unexplainedTransfers } from '../../db/operator/suspense.ts';
import { readFloat } from '../../db/transfers/float.ts';
import { readPayoutSettings } from '../../db/limits/settings.ts';
import { readSolvency, type Solvency } from '../../db/audit/solvency.ts';
import type { Store } from '../../db/store/store.ts';
import { takeWords, type OperatorCommand } from './command.ts';
import { countText, timeText, usdcText } from './text.ts';

/** Unexplained transfers are counted up to here. */
const UNEXPLAINED_MAX = 1_000;

export const statusCommand: OperatorCommand = {
  name: 'status',
  usage: '',
  help: 'shows whether anything is stopped or held, and what is there and owed on each network',
  run: async (context) => {
    takeWords(context);
    const { store } = context;
    const stops = await listStops(store);
    const networks = await readSolvency(store);
    const sections = await Promise.all(networks.map((solvency) => networkLines(store, solvency)));
    return [
      ...(stops.length === 0 ? ['Signing: runs'] : stops.map(stopLine)),
      ...(await heldLines(store)),
      ...sections.flat(),
    ];
  },
};

const stopLine = ({ reason, detail, sinceMs }: { reason: string; detail: string; sinceMs: number }) =>
  `Signing: STOPPED since ${timeText(sinceMs)}: ${reason} (${detail})`;

async function heldLines(store: Store): Promise<string[]> {
  const sums = await heldSums(store);
  if (sums.length === 0) return ['Held: nothing'];
  const count = sums.reduce((total, held) => total + held.count, 0);
  const amount = sums.reduce((total, held) => total + held.amountMicroUsdc, 0n);
  return [
    `Held: ${countText(count, 'payout')}, ${usdcText(amount)}`,
    ...sums.map((held) => `  ${held.reason} on ${held.network}: ${held.count}, ${usdcText(held.amountMicroUsdc)}`),
  ];
}

async function networkLines(store: Store, solvency: Solvency): Promise<string[]> {
  const { network, block, assets, liabilities, reorgLoss, isSolvent } = solvency;
  const treasury = (await readPayoutSettings(store.read, store.tables)).treasuries[network];
  const float = await readFloat(store.read, store.tables, { network, treasury: treasury ?? '' });
  const open = (await unexplainedTransfers(store, UNEXPLAINED_MAX)).filter((row) => row.network === network);
  const unexplained = open.reduce((sum, row) => sum + row.amountMicroUsdc, 0n);
  return [
    `${networkTitle(network, null)}: ${isSolvent ? 'solvent' : 'NOT SOLVENT'} at block ${block ?? 'none'}`,
    `  there ${usdcText(assets)}, owed ${usdcText(liabilities)}, lost to reorganisations ${usdcText(reorgLoss)}`,
    `  float ${usdcText(float.own)}${treasury === undefined ? '; no worker serves this network' : `, of which ${usdcText(float.available)} may be spent`}`,
    `  suspense: ${countText(open.length, 'unexplained transfer')}, ${usdcText(unexplained)}`,
  ];
}
