import { createEvmPayer } from '../../chain/evm/payer.ts';
import { evmProfile, pinEvm, type EvmProfile } from '../../chain/evm/rpc/profile.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import { readSolanaKey } from '../../chain/solana/messages/key.ts';
import { signPayment } from '../../chain/solana/transactions/payment-transaction.ts';
import { solanaProfile } from '../../chain/solana/messages/profile.ts';
import { pinSolana } from '../../chain/solana/messages/addresses.ts';
import { createSolanaRpc } from '../../chain/solana/rpc/rpc.ts';
import type { HeaderEnd } from '../../core/payments/charge.ts';
import { HEADER_LIFE_SECONDS, isTimeOver, type PinnedPayer } from '../../core/payments/signer.ts';
import { evmPayload, solanaPayload } from '../../core/payments/payment-header.ts';
import { inFamily } from '../../core/networks.ts';
import type { OwnKey } from '../keys/own-key.ts';
import { Stop } from '../terminal/stop.ts';
import type { Quote } from './terms.ts';

export type Signed = { payload: Record<string, unknown>; end: HeaderEnd };

/** Signs what was agreed and nothing else. `binding`: 32 bytes in hex that bind it to its request. */
export type Sign = (quote: Quote, binding: string) => Signed;

export type Purse = {
  pinned: PinnedPayer;
  address: string;
  /** Opens the key and fetches what signing needs. Signs nothing yet. */
  prepare: () => Promise<Sign>;
};

/** The chain of each network that is meant. */
export type Chains = { mode: 'mainnet' | 'testnet'; solanaRpcUrl: string | null };

type Clock = { now: () => number };

const RPC_LIMIT_MS = 10_000;

export function createPurse(key: OwnKey, chains: Chains, clock: Clock): Purse {
  const place = inFamily(key.network);
  switch (place.family) {
    case 'evm':
      return createEvmPurse(key, evmProfile(place.network, chains.mode), clock);
    case 'svm':
      return createSolanaPurse(key, chains);
  }
}

/** Whether a header can certainly take no effect any more. False also where that is unknown. */
export async function isOver(end: HeaderEnd, chains: Chains, { now }: Clock): Promise<boolean> {
  if ('validBefore' in end) return isTimeOver(end.validBefore, now());
  if (chains.solanaRpcUrl === null) return false;
  try {
    return (await openSolana(chains).height('finalized')) > end.lastValidHeight;
  } catch (error) {
    if (error instanceof ChainUnavailable) return false;
    throw error;
  }
}

function createEvmPurse(key: OwnKey, profile: EvmProfile, { now }: Clock): Purse {
  return {
    pinned: pinEvm(profile),
    address: key.address,
    async prepare() {
      const payer = createEvmPayer(await key.open(), profile);
      return ({ payTo, total }, binding) => {
        const validBefore = Math.floor(now() / 1_000) + HEADER_LIFE_SECONDS;
        // Valid at once, whatever the chain's clock says.
        const transfer = { to: payTo, value: total, validAfter: 0, validBefore, nonce: `0x${binding}` };
        const { authorization, signature } = payer.signTransfer(transfer);
        return { payload: evmPayload(authorization, signature), end: { validBefore } };
      };
    },
  };
}

function createSolanaPurse(key: OwnKey, chains: Chains): Purse {
  const profile = solanaProfile(chains.mode);
  return {
    pinned: pinSolana(profile),
    address: key.address,
    async prepare() {
      const payer = readSolanaKey(await key.open());
      const { blockhash, lastValidHeight } = await latestBlockhash(chains);
      return ({ payTo, feePayer, total }, memo) => {
        if (feePayer === null) throw new Error('a payment on Solana needs a fee payer, found none');
        const terms = { payTo, feePayer, amountMicroUsdc: total, blockhash, memo };
        return { payload: solanaPayload(signPayment(payer, terms, profile)), end: { lastValidHeight } };
      };
    },
  };
}

async function latestBlockhash(chains: Chains) {
  try {
    return await openSolana(chains).latestBlockhash();
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    const next = 'Nothing was signed. Check --solana-rpc, and try again.';
    throw new Stop('refused', 'solana_unavailable', 'The Solana node does not answer.', next);
  }
}

function openSolana({ mode, solanaRpcUrl }: Chains) {
  if (solanaRpcUrl === null) {
    const next = 'Name a node with --solana-rpc or PENNYPOST_SOLANA_RPC_URL.';
    throw new Stop('usage', 'no_solana_node', 'A payment on Solana needs a recent blockhash from a node.', next);
  }
  return createSolanaRpc({ url: solanaRpcUrl, timeoutMs: RPC_LIMIT_MS, profile: solanaProfile(mode), ownAccounts: [] });
}
