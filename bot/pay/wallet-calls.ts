import { z } from 'zod';
import { transferForWallet } from '../../chain/evm/wallet-forms.ts';
import { isOf, NETWORKS, type Family, type NetworkOf } from '../../core/networks.ts';
import { readHolding } from '../paying/balance.ts';
import { findNetwork } from '../shared/networks.ts';
import { totalFor, type PinnedEvm, type PinnedSolana } from '../shared/terms.ts';
import { within } from '../../queue/deadline.ts';
import type { PayPagesDeps, Payer } from './dependencies.ts';
import type { Payable, Refused } from './payable.ts';
import {
  evmHeader,
  newEvmParts,
  newNonce,
  solanaHeader,
  authorizationFor,
  toTransfer,
  type Asked,
  type SignedHeader,
} from './payment.ts';

const BLOCKHASH_LIMIT_MS = 8_000;

const address = z.string().regex(/^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/);
const networkOf = <F extends Family>(family: F) =>
  z.enum(NETWORKS).refine((network): network is NetworkOf<F> => isOf(family, network));
const nonce = z.string().regex(/^[0-9a-f]{64}$/);
export const prepareSchema = z.object({ network: z.enum(NETWORKS), address });
export const signedSchema = z.union([
  z.object({
    network: networkOf('evm'),
    address,
    nonce,
    validBefore: z.int().positive(),
    // A contract's signature may be long; it has to fit into what the API reads.
    signature: z.string().regex(/^0x(?:[0-9a-fA-F]{2}){1,6000}$/),
  }),
  z.object({
    network: networkOf('svm'),
    address,
    memo: nonce,
    blockhash: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
    transaction: z.string().regex(/^[A-Za-z0-9+/]{4,1644}={0,2}$/),
  }),
]);
export type Prepared = { kind: 'prepared'; answer: Record<string, unknown> };

const refuse = (reason: string): Refused => ({ kind: 'refused', reason });

/** What this wallet has to sign. Each call gives another nonce for the same sum, and only one of them can be paid. */
export async function prepareForWallet(
  deps: PayPagesDeps,
  payable: Payable,
  payer: Payer,
): Promise<Prepared | Refused> {
  if (await isShort(deps, payable, payer)) return refuse('insufficient_funds');
  const ready = await readyAsk(deps, payable, payer);
  if (ready.kind === 'refused') return ready;
  const { asked, paying } = ready;
  const { pinned } = paying;
  if (pinned.family === 'evm') {
    const parts = newEvmParts(deps, asked);
    const authorization = authorizationFor(asked, pinned, parts);
    const typedData = transferForWallet(authorization, authorization);
    return { kind: 'prepared', answer: { ...parts, typedData, chainId: `0x${pinned.chainId.toString(16)}` } };
  }
  if (!deps.solana) return refuse('network_off');
  const { blockhash } = await within(deps.solana.latestBlockhash(), BLOCKHASH_LIMIT_MS, 'reading a blockhash');
  const parts = { blockhash, memo: newNonce(deps, asked) };
  const transaction = deps.solana.prepare(payer.address, toTransfer(asked, pinned, parts));
  return { kind: 'prepared', answer: { ...parts, transaction, chain: standardChain(pinned.caip2) } };
}

/** Writes down what a wallet has signed; from then on nothing else is sent until its end is known. */
export async function acceptSigned(
  deps: PayPagesDeps,
  payable: Payable,
  signed: Signed,
): Promise<{ kind: 'accepted' } | Refused> {
  // Checked again, since a caller can skip the preparation and send a signature.
  if (await isShort(deps, payable, signed)) return refuse('insufficient_funds');
  const ready = await readyAsk(deps, payable, signed);
  if (ready.kind === 'refused') return ready;
  const { asked, paying } = ready;
  const { pinned } = paying;
  const read = readSigned(deps, asked, pinned, signed);
  if (read.kind === 'refused') return read;
  const isFirst = await payable.present(read.header, asked);
  return isFirst ? { kind: 'accepted' } : refuse('order_in_progress');
}

type Signed = z.infer<typeof signedSchema>;

function readSigned(
  deps: Pick<PayPagesDeps, 'clock' | 'solana'>,
  asked: Asked,
  pinned: PinnedEvm | PinnedSolana,
  signed: Signed,
): SignedHeader {
  if (pinned.family === 'evm' && 'signature' in signed) return evmHeader(deps, asked, pinned, signed);
  if (pinned.family === 'svm' && 'transaction' in signed) return solanaHeader(deps, asked, pinned, signed);
  throw new Error(`a payment on ${signed.network} was read for ${pinned.network}`);
}

/** Asked before a task is opened for it; where the network does not answer, the API decides. */
async function isShort(deps: PayPagesDeps, { amount: wanted }: Payable, { network, address: from }: Payer) {
  const paying = findNetwork(deps.networks, network);
  if (!paying) return false;
  const { amount } = await readHolding(deps, { ...paying, addressOf: () => from }, 'the wallet of a visitor');
  return amount !== null && amount < totalFor(wanted, paying.pinned);
}

async function readyAsk(deps: Pick<PayPagesDeps, 'networks'>, payable: Payable, { network, address: from }: Payer) {
  const paying = findNetwork(deps.networks, network);
  if (!paying) return refuse('network_off');
  const check = await paying.checkAddress(from);
  if (check.kind !== 'fine') return refuse(check.kind === 'unavailable' ? 'unreachable' : 'payer_not_allowed');
  const priced = await payable.price({ network, address: check.address });
  return priced.kind === 'refused' ? priced : { kind: 'ready' as const, asked: priced.asked, paying };
}

/** Wallets have short names for the clusters (Wallet Standard, "Solana chains"). */
function standardChain(caip2: string): string {
  return caip2 === 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' ? 'solana:devnet' : 'solana:mainnet';
}
