import type { EvmNetwork } from '../../core/networks.ts';
import { openEvm, type EvmInstallation, type EvmService, type EvmWorld } from './evm-world.ts';
import { createSuite } from './suite.ts';

/**
 * A suite on an EVM network that knows what its own service is installed on: a case may close that one, and let another
 * follow it there.
 */
export function createInstalledSuite(network: EvmNetwork) {
  let installation: EvmInstallation;
  const suite = createSuite<EvmService, EvmWorld>(network, async () => {
    const world = await openEvm(network);
    installation = world.install();
    const unused = [installation];
    return { ...world, install: () => unused.pop() ?? world.install() };
  });
  return { ...suite, installation: () => installation };
}
