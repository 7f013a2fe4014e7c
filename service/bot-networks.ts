import type { PayingNetwork, PayingNetworks } from '../bot/shared/networks.ts';
import type { PinnedEvm, PinnedSolana } from '../bot/shared/terms.ts';
import { GENERATION_MAX, type EvmSigning, type Signings, type SolanaSigning } from '../bot/signing/signing.ts';
import { checkEvmAddress } from '../chain/evm/payout-address.ts';
import { isForbiddenAddress } from '../chain/evm/rpc/profile.ts';
import { withdrawalNonce } from '../chain/evm/nonces.ts';
import { findLanding } from '../chain/evm/withdrawal-history.ts';
import { createEvmDeposits } from '../chain/wallets/evm-deposits.ts';
import { createPersonalWallets } from '../chain/wallets/personal-wallets.ts';
import { createSolanaDeposits } from '../chain/wallets/solana-deposits.ts';
import { isForbiddenAddress as isForbiddenOnSolana, tokenAccountOf } from '../chain/solana/messages/addresses.ts';
import { checkSolanaAddress } from '../chain/solana/payout-address.ts';
import { createSolanaPersonalWallets } from '../chain/solana/personal-wallets.ts';
import { withdrawalMemo } from '../chain/solana/transactions/withdrawal-transaction.ts';
import { microUsdc, ZERO_USDC, type MicroUsdc } from '../core/money.ts';
import type { Network } from '../core/networks.ts';
import type { EvmParts } from './networks/evm.ts';
import type { SharedParts } from './shared-parts.ts';
import type { NetworkParts } from './networks.ts';
import type { ServiceOptions } from './options.ts';
import type { SolanaParts } from './networks/solana.ts';

type Fees = ServiceOptions['config']['fees'] & { costLine?: MicroUsdc };
type Hex = `0x${string}`;

/** The networks that the bot pays from, and what its guard signs with on each. */
export type BotNetworks = { networks: PayingNetworks; signings: Signings };

type OnNetwork = { paying: PayingNetwork; signings: Signings };

/** The offered networks, in order: payments without a named network come from the first. */
export function createBotNetworks({ config }: ServiceOptions, { networks, environment }: SharedParts): BotNetworks {
  const { chatWalletSeed: seed } = environment;
  if (seed === null) throw new Error('CHAT_WALLET_SEED is needed by the bot.');
  const all = [...networks].map(([network, parts]) =>
    payFrom(parts, seed, { ...config.fees, costLine: costLineOf(config, network) }),
  );
  const [first, ...others] = all.map(({ paying }) => paying);
  if (first === undefined) throw new Error('The bot needs a network to pay on.');
  const signings = all.reduce<Signings>((sum, one) => ({ ...sum, ...one.signings }), {});
  return { networks: [first, ...others], signings };
}

function payFrom(parts: NetworkParts, seed: Uint8Array, fees: Fees): OnNetwork {
  switch (parts.family) {
    case 'evm': {
      const { paying, signing } = payFromEvm(parts, seed, fees);
      return { paying, signings: { [parts.profile.network]: signing } };
    }
    case 'svm': {
      const { paying, signing } = payFromSolana(parts, seed, fees);
      return { paying, signings: { [parts.profile.network]: signing } };
    }
  }
}

/** A wallet without an owner: its address tells one seed from another. */
const STAMP_WALLET = 'pennypost:stamp';

/** Ties the books to the seed: with another one the kept money could not be spent, and nothing would show it. */
export async function walletStampOf(networks: PayingNetworks): Promise<Record<string, string>> {
  const stamp: Record<string, string> = {};
  for (const { network, addressOf } of networks) stamp[`${network}:wallets`] = await addressOf(STAMP_WALLET);
  return stamp;
}

/**
 * The derived wallets can sign for one token on one chain only; an order for any other never reaches a key. Exported,
 * like the one for Solana, for tests that pay on a real chain.
 */
export function payFromEvm(
  { profile, rpc, treasury, task, formerTasks, ownAddresses }: EvmParts,
  seed: Uint8Array,
  fees: Fees,
): { paying: PayingNetwork; signing: EvmSigning } {
  const wallets = createPersonalWallets({ seed, profile });
  const pinned: PinnedEvm = {
    family: 'evm',
    aliases: [],
    network: profile.network,
    caip2: profile.caip2,
    chainId: profile.chainId,
    asset: profile.usdc,
    payTo: treasury.address,
    name: profile.eip712Name,
    version: profile.eip712Version,
    ...toFees(fees),
  };
  const { addressOf, signCancellation } = wallets;
  return {
    paying: {
      family: 'evm',
      network: profile.network,
      pinned,
      taskAddresses: [...(task === null ? [] : [task.address]), ...formerTasks],
      addressOf,
      balanceOf: async (address) => microUsdc(await rpc.balanceOf(address as Hex)),
      checkAddress: (text) => checkEvmAddress(rpc, profile, ownAddresses, text),
      deposits: createEvmDeposits(rpc, profile, ownAddresses),
    },
    signing: {
      pinned,
      addressOf,
      isForbidden: (address) => isForbiddenAddress(address as Hex, ownAddresses),
      findLanding: ({ generation, ...withdrawal }) =>
        findLanding(rpc, { ...withdrawal, first: generation, last: GENERATION_MAX }),
      withdrawalNonce,
      signCancellation,
      signTransferAuthorization: (walletId, { asset, chainId, name: _name, version: _version, ...transfer }) => {
        if (asset.toLowerCase() !== profile.usdc.toLowerCase() || chainId !== profile.chainId) {
          throw new Error(`personal wallets sign for ${profile.usdc} on chain ${profile.chainId} only, found ${asset}`);
        }
        return wallets.signTransferAuthorization(walletId, transfer);
      },
    },
  };
}

export function payFromSolana(
  { profile, rpc, treasury, task, formerTasks, feePayer, ownAddresses }: SolanaParts,
  seed: Uint8Array,
  fees: Fees,
): { paying: PayingNetwork; signing: SolanaSigning } {
  const { addressOf, signPayment, signWithdrawal, signCancellation } = createSolanaPersonalWallets({ seed, profile });
  const pinned: PinnedSolana = {
    family: 'svm',
    aliases: profile.aliases,
    network: profile.network,
    caip2: profile.caip2,
    asset: profile.usdc,
    payTo: treasury.address,
    feePayer: feePayer.address,
    ...toFees(fees),
  };
  return {
    paying: {
      family: 'svm',
      network: profile.network,
      pinned,
      taskAddresses: [...(task === null ? [] : [task.key.address]), ...formerTasks],
      addressOf,
      balanceOf: async (address) =>
        microUsdc((await rpc.tokenBalance(tokenAccountOf(address, profile), 'confirmed'))?.amount ?? 0n),
      finalHeight: () => rpc.height('finalized'),
      checkAddress: (text) => checkSolanaAddress(rpc, profile, ownAddresses, text),
      deposits: createSolanaDeposits(rpc, profile, ownAddresses),
    },
    signing: {
      pinned,
      addressOf,
      isForbidden: (address) => isForbiddenOnSolana(address, ownAddresses),
      findLanding: (unsigned) => rpc.findLanding(unsigned),
      withdrawalMemo,
      hasAccount: async (owner) => (await rpc.recipient(owner, tokenAccountOf(owner, profile))).usdc.kind !== 'none',
      latestBlockhash: () => rpc.latestBlockhash(),
      signPayment,
      signWithdrawal,
      signCancellation,
    },
  };
}

function toFees({ bps, flatMicroUsdc, costLine }: Fees): Pick<PinnedEvm, 'feeBps' | 'feeFlat' | 'costLine'> {
  return { feeBps: bps, feeFlat: flatMicroUsdc, costLine: costLine ?? ZERO_USDC };
}

/** Without a budget for gas no cost is ever charged. */
function costLineOf({ costs }: Pick<ServiceOptions['config'], 'costs'>, network: Network): MicroUsdc {
  const { dailyUnits, lineMicroUsdc } = costs[network];
  return dailyUnits === null ? ZERO_USDC : microUsdc(lineMicroUsdc);
}
