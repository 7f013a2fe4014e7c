/** The walk itself, within the namespaces that `run.ts` has made for it. */
import { join } from 'node:path';
import { layOver, nameHosts, prepareRoot, unpackDebian, unpackTree } from './debian.ts';
import { CHANGING, ENDING } from './ending.ts';
import { walkImage } from './image.ts';
import { openMachine } from './machine.ts';
import { say, walk } from './report.ts';
import { RESTORING } from './restoring.ts';
import { install, SETTING_UP } from './setting-up.ts';
import { NAMES, startSurroundings } from './surroundings.ts';
import { USING } from './using.ts';
import { openWorld, PLACE } from './world.ts';

const [, , folder = '', earlier] = process.argv;
const root = join(folder, 'root');
const tls = { certificate: join(folder, 'fullchain.pem'), key: join(folder, 'privkey.pem') };
nameHosts(folder, NAMES);
if (earlier === 'image') {
  await walkImage(folder, say);
  say('done');
  process.exit(0);
}
if (earlier === undefined) unpackDebian(root, say);
else layOver(earlier, root);
prepareRoot(root, NAMES);
const machine = openMachine(root, join(folder, 'logs'));
say(`tree: ${unpackTree(root, 'HEAD', PLACE)}`);
await install(machine, earlier === undefined, say);
say('systemd does not run in this root: its units are read, and done as they say');
const around = await startSurroundings(tls);
say(
  'chains with the ids of the test networks, sign-ins, names, mail, Telegram and Discord, each strict and of this machine',
);
const world = openWorld({ machine, around, tls });
await walk(world, [...SETTING_UP, ...USING, ...CHANGING, ...RESTORING, ...ENDING]);
say('done');
process.exit(0);
