import { createHash } from 'node:crypto';
import type { PayPagesDeps, PlayWallet, SolanaPreparation } from '../bot/pay/dependencies.ts';
import { createPersonalWallets } from '../chain/wallets/personal-wallets.ts';
import { preparePayment } from '../chain/solana/transactions/payment-transaction.ts';
import { createSolanaPersonalWallets } from '../chain/solana/personal-wallets.ts';
import { readSignedPayment } from '../chain/solana/transactions/wallet-additions.ts';
import type { SharedParts } from './shared-parts.ts';
import type { NetworkParts } from './networks.ts';
import type { ServiceOptions } from './options.ts';

/** What the pages of pay links need from the chains. */
export function createPayParts(
  { config }: ServiceOptions,
  shared: SharedParts,
): Pick<PayPagesDeps, 'solana' | 'playWallet'> {
  const playWallet = config.mode === 'local' ? createPlayWallet(shared) : null;
  const all = [...shared.networks.values()].map(preparationOf);
  const parts = all.reduce((sum, one) => ({ ...sum, ...one }), {});
  return { ...parts, ...(playWallet && { playWallet }) };
}

/** Building an authorization asks no chain. */
function preparationOf(parts: NetworkParts): Pick<PayPagesDeps, 'solana'> {
  switch (parts.family) {
    case 'evm':
      return {};
    case 'svm': {
      const { rpc, profile } = parts;
      const preparation: SolanaPreparation = {
        latestBlockhash: () => rpc.latestBlockhash(),
        prepare: (from, transfer) => preparePayment(from, transfer, profile),
        readSigned: readSignedPayment,
      };
      return { solana: preparation };
    }
  }
}

const WALLET = 'play';

/** A wallet of no chat account: its seed derives from the chats' seed, so it keeps its money over a restart. */
function createPlayWallet({ networks, environment }: SharedParts): PlayWallet | null {
  const { chatWalletSeed, faucets } = environment;
  const [parts] = networks.values();
  const faucet = parts && faucets.get(parts.profile.network);
  if (chatWalletSeed === null || parts === undefined || faucet === undefined) return null;
  const seed = createHash('sha256').update(chatWalletSeed).update('pennypost/play').digest();
  switch (parts.family) {
    case 'evm': {
      const { profile } = parts;
      const wallets = createPersonalWallets({ seed, profile });
      const address = wallets.addressOf(WALLET);
      return {
        family: 'evm',
        network: profile.network,
        address,
        fund: () => faucet(address),
        sign: (wanted) => wallets.signTransferAuthorization(WALLET, wanted),
      };
    }
    case 'svm': {
      const { profile } = parts;
      const wallets = createSolanaPersonalWallets({ seed, profile });
      const address = wallets.addressOf(WALLET);
      return {
        family: 'svm',
        network: profile.network,
        address,
        fund: () => faucet(address),
        sign: (transfer) => wallets.signPayment(WALLET, transfer),
      };
    }
  }
}
