import { readSolanaKey } from '../../chain/solana/messages/key.ts';
import { ensurePayers } from '../payers/payers.ts';
import type { LocalSolana } from './network.ts';
import { createPrivateKey, privateKeySchema } from './ground/private-key.ts';

export type SolanaPayer = { network: 'solana'; address: string; privateKey: string };

/** See `ensurePayers`. They need no SOL: the taker of an x402 payment pays for its transaction. */
export function ensureSolanaPayers(localSolana: LocalSolana, file: string): Promise<SolanaPayer[]> {
  const { rpcUrl, instanceId, dir } = localSolana;
  return ensurePayers<SolanaPayer>(
    {
      network: 'solana',
      rpcUrl,
      instanceId,
      dir,
      privateKeySchema,
      createPrivateKey,
      toPayer: (privateKey) => ({ network: 'solana', address: readSolanaKey(privateKey).address, privateKey }),
      usdcBalance: ({ address }) => localSolana.usdcBalance(address),
      fundUsdc: ({ address }, amount) => localSolana.fundUsdc(address, amount),
      // Clients read finalized balances, and the first payment should not have to wait.
      equip: () => localSolana.finalize(),
    },
    file,
  );
}
