import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ensurePayers } from '../payers.ts';
import { privateKeySchema } from './keys.ts';
import type { LocalBase } from './network.ts';

const ETH_EACH_WEI = 10n ** 18n;

export type BasePayer = { network: 'base'; address: Address; privateKey: Hex };

/** See `ensurePayers`. They also get 1 ETH each. */
export function ensureBasePayers(localBase: LocalBase, file: string): Promise<BasePayer[]> {
  const { rpcUrl, instanceId, dir } = localBase;
  return ensurePayers<BasePayer>(
    {
      network: 'base',
      rpcUrl,
      instanceId,
      dir,
      privateKeySchema,
      createPrivateKey: generatePrivateKey,
      toPayer: (privateKey) => ({ network: 'base', address: privateKeyToAccount(privateKey).address, privateKey }),
      usdcBalance: ({ address }) => localBase.usdcBalance(address),
      fundUsdc: ({ address }, amount) => localBase.fundUsdc(address, amount),
      async equip(payers) {
        for (const { address } of payers) await localBase.fundEth(address, ETH_EACH_WEI);
      },
    },
    file,
  );
}
