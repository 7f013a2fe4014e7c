/** The CPU that it takes to verify a payment proof, before anything is reserved: ours and that of stock `@x402/evm`. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { createEvmProofs } from '../../api/proofs/evm.ts';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../chain/evm/rpc/rpc.ts';
import { readHeader } from '../../core/payments/x402.ts';
import { runRow } from '../../scripts/bench/row.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { startBaseChain } from '../support/chains/base-chain.ts';
import { USDC } from '../support/pay.ts';
import { createPayers, PRICE_MICRO_USDC, signPayment } from './load/payers.ts';
import { createFacilitator, NETWORK } from './programs/facilitator.ts';

const settings = readSettings(process.argv.slice(2));
const proofs = settings.number('proofs', 500);
const VALID_MS = 300_000;

const requirements: Omit<PaymentRequirements, 'payTo'> = {
  scheme: 'exact',
  network: NETWORK,
  asset: USDC,
  amount: PRICE_MICRO_USDC.toString(),
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};

/** In microseconds of this process. */
async function cpuEach(headers: readonly string[], verify: (header: string) => Promise<boolean>): Promise<number> {
  const before = process.cpuUsage();
  for (const header of headers) if (!(await verify(header))) throw new Error('a proof is good, and was refused');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / headers.length;
}

await runRow({
  name: settings.row,
  about: `${proofs} proofs one after the other, each of its own payer; no database`,
  read: 'Stock asks the node three times for each; ours asks nothing before it reserves.',
  rounds: settings.number('rounds', 5),
  async open() {
    const chain = await startBaseChain({ blockTimeMs: 0 });
    const payTo = privateKeyToAccount(generatePrivateKey()).address;
    const profile = evmProfile('base', 'local');
    const rpc = createEvmRpc({ url: chain.rpcUrl, timeoutMs: 5_000, profile });
    const checker = createEvmProofs({ profile, payTo: payTo.toLowerCase() as `0x${string}`, ownAddresses: [], rpc });
    const facilitator = createFacilitator(chain.rpcUrl, generatePrivateKey());
    const payers = await createPayers(chain.rpcUrl, proofs);
    return {
      ...chain,
      payTo,
      payers,
      ours: async (header: string) => {
        const payload = readHeader(header);
        const read = payload === null ? null : checker.read(payload.payload);
        if (read === null) return false;
        const proof = { ...read, authorization: read.authorization };
        return (await checker.check(proof, PRICE_MICRO_USDC, Math.floor(Date.now() / 1_000))) === 'ok';
      },
      stock: async (header: string) => {
        const payload = JSON.parse(Buffer.from(header, 'base64').toString()) as PaymentPayload;
        const verdict = await facilitator.verify(payload, { ...requirements, payTo });
        return verdict.isValid;
      },
    };
  },
  async round(world) {
    const headers = [];
    for (const payer of world.payers) headers.push(await signPayment(payer, world.payTo, Date.now() + VALID_MS));
    const ours = await cpuEach(headers, world.ours);
    const value = await cpuEach(headers, world.stock);
    return [
      {
        what: 'CPU of a verification',
        unit: 'µs',
        better: 'less',
        ours,
        beside: { name: 'stock', value },
        gate: { of: 'ratio', at: 1 },
      },
    ];
  },
  close: (world) => world.close(),
});
process.exit();
