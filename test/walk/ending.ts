/** The next release beside the old one, and the end of the service. */
import { shownAfter } from '../docs/shown.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { unpackTree } from './debian.ts';
import { hears, tip } from './people.ts';
import { rotate } from './rotating.ts';
import type { See, Step } from './report.ts';
import { startRole, stopRole } from './units.ts';
import { PLACE, withoutSystemd, type World } from './world.ts';

const LEFT_MS = 300_000;

async function upgrade(world: World, see: See): Promise<void> {
  const { machine, running, extra } = world;
  const next = `${PLACE}.next`;
  unpackTree(machine.root, 'HEAD', next);
  // Whatever changes between releases: here a line of the program, so that it is compiled anew.
  machine.write(`${next}/main.ts`, `${machine.read(`${next}/main.ts`)}\n// The next release.\n`);
  await machine.run(withoutSystemd(shownAfter('operating.md', '## Upgrade')), { downloads: true });
  see('the next release is in place, and the old processes run on');
  const scene = world.sceneOf('telegram');
  await stopRole(running, 'worker');
  await startRole(machine, running, 'worker', extra());
  see(`the new worker beside the old API and bot: ${await tip(scene, 'x:fred 1')}`);
  for (const role of ['api', 'bot'] as const) {
    await stopRole(running, role);
    await startRole(machine, running, role, extra());
  }
  see(`all of the next release: ${await tip(scene, 'x:gerd 1')}`);
}

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

/** Before any restore, after which everybody's spending is locked until they open it themselves. */
export const CHANGING: readonly Step<World>[] = [
  { title: 'upgrade', run: upgrade },
  { title: 'another key for the treasury', run: rotate },
];

export const ENDING: readonly Step<World>[] = [{ title: 'wind-down', run: windDown }];
