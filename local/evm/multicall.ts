/**
 * Multicall3, byte for byte what viem carries for chains without one: same interface as the deployment on Base, compiled
 * with other settings. viem does not export it, so it is loaded by its path; viem is pinned to one version.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import { hexSchema } from './rpc.ts';

export const MULTICALL3_ADDRESS: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

const viemSchema = z.object({ multicall3Bytecode: hexSchema });

export function readMulticallCreationCode(): Hex {
  const require = createRequire(import.meta.url);
  const file = join(dirname(require.resolve('viem')), 'constants', 'contracts.js');
  return viemSchema.parse(require(file)).multicall3Bytecode;
}
