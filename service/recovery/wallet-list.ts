/**
 * The list of all personal wallets, a JSON object a line. It holds no secret, but names and ids of people: with the
 * seed's words it is all that is needed to reach their money.
 */
import { z } from 'zod';
import { createPersonalWallets, type PersonalWallets } from '../../chain/wallets/personal-wallets.ts';
import { evmProfile, type NetworkMode } from '../../chain/evm/rpc/profile.ts';
import { createSolanaPersonalWallets, type SolanaPersonalWallets } from '../../chain/solana/personal-wallets.ts';
import { solanaProfile } from '../../chain/solana/messages/profile.ts';
import {
  canonicalAddress,
  eachNetwork,
  NETWORKS,
  type EvmNetwork,
  type Network,
  type SvmNetwork,
} from '../../core/networks.ts';

export type Wallets = { [Name in EvmNetwork]: PersonalWallets } & { [Name in SvmNetwork]: SolanaPersonalWallets };

export function createWallets(seed: Uint8Array, mode: NetworkMode): Wallets {
  const onEvm = (network: EvmNetwork) => createPersonalWallets({ seed, profile: evmProfile(network, mode) });
  return {
    base: onEvm('base'),
    polygon: onEvm('polygon'),
    solana: createSolanaPersonalWallets({ seed, profile: solanaProfile(mode) }),
  };
}

/** A million wallets are about 200 MB. */
export const LIST_BYTES_MAX = 256 * 1024 * 1024;

const walletId = z.string().regex(/^[\x21-\x7e]{1,300}$/);
/** Lines written by hand, for wallets in no list, have no addresses. */
const lineSchema = z.object({
  walletId,
  ...eachNetwork(() => z.string().max(100).optional()),
  name: z.string().max(300).nullish(),
});

export type ListedWallet = { walletId: string; name: string | null } & Record<Network, string>;

export function toListedWallet(wallets: Wallets, { walletId: id, name }: { walletId: string; name: string | null }) {
  return { walletId: id, ...eachNetwork((network) => wallets[network].addressOf(id)), name };
}

export function formatWalletList(list: readonly ListedWallet[]): string {
  return list.map((wallet) => `${JSON.stringify(wallet)}\n`).join('');
}

/**
 * The list, checked against these wallets. Throws where an address differs: then the list was made with another seed,
 * and every wallet would look empty.
 */
export function readWalletList(text: string, wallets: Wallets): ListedWallet[] {
  const found = new Map<string, ListedWallet>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const listed = lineSchema.safeParse(toJson(line));
    if (!listed.success) throw new Error(`Line ${index + 1} of the list of wallets is not a wallet.`);
    const wallet = toListedWallet(wallets, { walletId: listed.data.walletId, name: listed.data.name ?? null });
    const { data } = listed;
    if (NETWORKS.some((network) => canonicalAddress(network, data[network] ?? wallet[network]) !== wallet[network])) {
      throw new Error(
        `Line ${index + 1}: ${wallet.walletId} has other addresses with this seed. The words and the list are not of the same installation.`,
      );
    }
    found.set(wallet.walletId, wallet);
  }
  return [...found.values()];
}

function toJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
