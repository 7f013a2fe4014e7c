import { findNetwork } from '../shared/networks.ts';
import { within } from '../../queue/deadline.ts';
import type { PayPagesDeps, PlayWallet } from './dependencies.ts';
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

const FUND_LIMIT_MS = 30_000;

/** Pays with play money as a stranger's wallet would: the same is signed, checked and sent. */
export async function payWithPlayWallet(deps: PayPagesDeps, payable: Payable): Promise<{ kind: 'accepted' } | Refused> {
  const { playWallet: wallet } = deps;
  const refuse = (reason: string): Refused => ({ kind: 'refused', reason });
  if (!wallet || !deps.faucet) return refuse('network_off');
  const paying = findNetwork(deps.networks, wallet.network);
  if (!paying) return refuse('network_off');
  const priced = await payable.price({ network: wallet.network, address: wallet.address });
  if (priced.kind === 'refused') return priced;
  const { asked } = priced;
  if ((await paying.balanceOf(wallet.address)) < asked.total) {
    await within(wallet.fund(), FUND_LIMIT_MS, 'filling the play wallet');
  }
  const signed = await signPlay(deps, wallet, asked);
  if (signed?.kind !== 'signed') throw new Error('the play wallet signed something else than it was asked to');
  const isFirst = await payable.present(signed.header, asked);
  return isFirst ? { kind: 'accepted' } : refuse('order_in_progress');
}

async function signPlay(
  deps: Pick<PayPagesDeps, 'networks' | 'solana' | 'clock' | 'random'>,
  wallet: PlayWallet,
  asked: Asked,
): Promise<SignedHeader | null> {
  const pinned = findNetwork(deps.networks, wallet.network)?.pinned;
  if (wallet.family === 'evm' && pinned?.family === 'evm') {
    const parts = newEvmParts(deps, asked);
    const signature = await wallet.sign(authorizationFor(asked, pinned, parts));
    return evmHeader(deps, asked, pinned, { ...parts, signature });
  }
  if (wallet.family !== 'svm' || pinned?.family !== 'svm' || !deps.solana) return null;
  const { blockhash } = await deps.solana.latestBlockhash();
  const parts = { blockhash, memo: newNonce(deps, asked) };
  const transaction = await wallet.sign(toTransfer(asked, pinned, parts));
  return solanaHeader(deps, asked, pinned, { ...parts, transaction });
}
