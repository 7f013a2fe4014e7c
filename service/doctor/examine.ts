import { checkChains } from './chains.ts';
import { checkConsole } from './console.ts';
import { checkKeys } from './keys.ts';
import { checkScreening } from './screening.ts';
import { checkOutside } from './outside.ts';
import { checkSettings } from './settings.ts';
import { checkStores } from './stores.ts';
import type { Finding } from './finding.ts';
import type { World } from './world.ts';

/** Everything that can be checked before real money moves. It changes nothing. */
export async function examine(world: World): Promise<Finding[]> {
  if (world.config.mode === 'local') {
    return [{ subject: 'mode', state: 'fine', text: 'local: play money needs no doctor' }];
  }
  const [chains, keys, stores, outside, screening, admins] = await Promise.all([
    checkChains(world),
    checkKeys(world),
    checkStores(world),
    checkOutside(world),
    checkScreening(world),
    checkConsole(world),
  ]);
  return [...checkSettings(world), ...keys, ...chains, ...stores, ...outside, ...screening, ...admins];
}
