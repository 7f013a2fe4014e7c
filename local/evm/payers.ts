import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { EvmNetwork } from '../../core/networks.ts';
import { ensurePayers } from '../payers/payers.ts';
import { privateKeySchema } from './keys.ts';
import type { LocalEvm } from './network.ts';

const ETH_EACH_WEI = 10n ** 18n;

export type EvmPayer = { network: EvmNetwork; address: Address; privateKey: Hex };

/** See `ensurePayers`. They also get 1 ETH each. */
export function ensureEvmPayers(chain: LocalEvm, file: string): Promise<EvmPayer[]> {
  const { network, rpcUrl, instanceId, dir } = chain;
  return ensurePayers<EvmPayer>(
    {
      network,
      rpcUrl,
      instanceId,
      dir,
      privateKeySchema,
      createPrivateKey: generatePrivateKey,
      toPayer: (privateKey) => ({ network, address: privateKeyToAccount(privateKey).address, privateKey }),
      usdcBalance: ({ address }) => chain.usdcBalance(address),
      fundUsdc: ({ address }, amount) => chain.fundUsdc(address, amount),
      async equip(payers) {
        for (const { address } of payers) await chain.fundEth(address, ETH_EACH_WEI);
      },
    },
    file,
  );
}
