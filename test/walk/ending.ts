/** What comes at the end of a service. */
import { eventually } from '../../scripts/torture/eventually.ts';
import { hears } from './people.ts';
import type { See, Step } from './report.ts';
import type { World } from './world.ts';

const LEFT_MS = 300_000;

/** A place that waits for its step. */
const notWalked = (why: string) => async (_world: World, see: See) => see(`not walked: ${why}`);

async function windDown(world: World, see: See): Promise<void> {
  const shown = await world.tryOperate('wind-down');
  if (shown.code !== 1) throw new Error(`wind-down without --yes ended with ${shown.code}: ${shown.output}`);
  see(shown.output.trim());
  see(await world.operate(`wind-down --reason 'the company closes' --yes`));
  const left = await eventually(async () => {
    const now = await world.operate('wind-down');
    if (/Waits for recipients on|Owed to payers on|on their way on|, of which [1-9]/.test(now)) throw new Error(now);
    return now;
  }, LEFT_MS);
  see(left);
  const scene = world.sceneOf('telegram');
  see(`told: ${(await hears(scene, scene.alice, /clos|end/i)).text.split('\n')[0]}`);
  await world.operate('ledger /tmp/ledger.csv').then(see);
}

export const ENDING: readonly Step<World>[] = [
  { title: 'upgrade', run: notWalked('the commands of the document were tried by hand only') },
  { title: 'rotation of keys', run: notWalked('this tree has no command for it') },
  { title: 'wind-down', run: windDown },
];
