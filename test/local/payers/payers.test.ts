import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ZERO_USDC } from '../../../core/money.ts';
import { DEFAULT_NETWORKS, type Network } from '../../../core/networks.ts';
import { type PayersChain, ensurePayers } from '../../../local/payers/payers.ts';

type Payer = { network: Network; privateKey: string };

let dir: string;
let file: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pennypost-payers-'));
  file = join(dir, 'local', 'payers.json');
  for (const network of DEFAULT_NETWORKS) await mkdir(join(dir, network));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A chain on which everybody is rich, so that only the file is at stake. */
function chainOf(network: Network, rpcUrl: string): PayersChain<Payer> {
  return {
    network,
    rpcUrl,
    instanceId: 'this one',
    dir: join(dir, network),
    privateKeySchema: z.string(),
    createPrivateKey: () => 'key',
    toPayer: (privateKey) => ({ network, privateKey }),
    usdcBalance: async () => ZERO_USDC,
    fundUsdc: async () => undefined,
    equip: async () => undefined,
  };
}

test('of networks that write their payers at once, no part is lost, and Base comes first', async () => {
  for (let round = 1; round <= 10; round += 1) {
    const rpcUrl = `http://127.0.0.1:${round}`;
    await Promise.all(DEFAULT_NETWORKS.toReversed().map((network) => ensurePayers(chainOf(network, rpcUrl), file)));
    const published = JSON.parse(await readFile(file, 'utf8')) as { rpc: object; payers: Payer[] };
    expect(published.rpc).toEqual({ base: rpcUrl, solana: rpcUrl });
    expect(published.payers.map(({ network }) => network)).toEqual([
      ...Array.from({ length: 10 }, () => 'base'),
      ...Array.from({ length: 10 }, () => 'solana'),
    ]);
  }
});
