import { createHash } from 'node:crypto';
import type { PayPagesDeps, PlayWallet } from '../bot/pay/dependencies.ts';
import { createPersonalWallets } from '../chain/personal-wallets.ts';
import { preparePayment } from '../chain/solana/payment-transaction.ts';
import { createSolanaPersonalWallets } from '../chain/solana/personal-wallets.ts';
import { readSignedPayment } from '../chain/solana/wallet-additions.ts';
import type { Foundations } from './foundations.ts';
import type { ServiceOptions } from './options.ts';

/** What the pages of pay links need of the chains. */
export function createPayParts(
  { config }: ServiceOptions,
  foundations: Foundations,
): Pick<PayPagesDeps, 'solana' | 'playWallet'> {
  const { solana } = foundations;
  const playWallet = config.mode === 'local' ? createPlayWallet(config.networks.includes('base'), foundations) : null;
  return {
    ...(solana && {
      solana: {
        latestBlockhash: () => solana.rpc.latestBlockhash(),
        prepare: (from, transfer) => preparePayment(from, transfer, solana.profile),
        readSigned: readSignedPayment,
      },
    }),
    ...(playWallet && { playWallet }),
  };
}

const WALLET = 'play';

/** A wallet that belongs to nobody's chat: its seed is made of that of the chats, so it keeps its money over a restart. */
function createPlayWallet(isOnBase: boolean, { base, solana, surroundings }: Foundations): PlayWallet | null {
  const { chatWalletSeed, faucet, solanaFaucet } = surroundings;
  if (chatWalletSeed === null) return null;
  const seed = createHash('sha256').update(chatWalletSeed).update('pennypost/play').digest();
  if (isOnBase && base && faucet) {
    const wallets = createPersonalWallets({ seed, profile: base.profile });
    const address = wallets.addressOf(WALLET);
    return {
      network: 'base',
      address,
      fund: () => faucet(address),
      sign: ({ value, validAfter, validBefore, nonce, from, to }) =>
        wallets.signTransferAuthorization(WALLET, toAuthorization({ value, validAfter, validBefore, nonce, from, to })),
    };
  }
  if (!solana || !solanaFaucet) return null;
  const wallets = createSolanaPersonalWallets({ seed, profile: solana.profile });
  const address = wallets.addressOf(WALLET);
  return {
    network: 'solana',
    address,
    fund: () => solanaFaucet(address),
    sign: (transfer) => wallets.signPayment(WALLET, transfer),
  };
}

type Authorization = Parameters<ReturnType<typeof createPersonalWallets>['signTransferAuthorization']>[1];
type Wanted = Omit<Authorization, 'from' | 'to'> & { from: string; to: string };

/** Addresses of Base are text to the bot; the wallet compares them before it signs. */
function toAuthorization({ from, to, ...rest }: Wanted): Authorization {
  return { ...rest, from: from as `0x${string}`, to: to as `0x${string}` };
}
