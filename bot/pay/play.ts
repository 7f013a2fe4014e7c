import type { LinkedOrder } from '../../db/bot/pay-links.ts';
import { findNetwork } from '../core/networks.ts';
import { readyTask } from '../core/pay-link.ts';
import { withTimeLimit } from '../time-limit.ts';
import type { PayPagesDeps, PlayWallet } from './dependencies.ts';
import {
  baseHeader,
  newBaseParts,
  newNonce,
  solanaHeader,
  termsFor,
  toAuthorization,
  toTransfer,
  type Asked,
  type SignedHeader,
} from './payment.ts';
import { writeDown, type Refused } from './wallet-calls.ts';

const FUND_LIMIT_MS = 30_000;

/** Pays with play money, as a wallet of somebody would: the same is signed, checked and sent. */
export async function payWithPlayWallet(
  deps: PayPagesDeps,
  found: LinkedOrder,
): Promise<{ kind: 'accepted' } | Refused> {
  const { playWallet: wallet } = deps;
  const refuse = (reason: string): Refused => ({ kind: 'refused', reason });
  if (!wallet || !deps.faucet) return refuse('network_off');
  const task = await readyTask(deps, found);
  if (task.kind === 'refused') return task;
  const asked = termsFor(deps, found.order, task.terms, wallet);
  const paying = findNetwork(deps.networks, wallet.network);
  if (!asked || !paying) return refuse('network_off');
  if ((await paying.balanceOf(wallet.address)) < asked.total) {
    await withTimeLimit(wallet.fund(), FUND_LIMIT_MS, 'filling the play wallet');
  }
  const signed = await signPlay(deps, wallet, asked);
  if (signed?.kind !== 'signed') throw new Error('the play wallet signed something else than it was asked to');
  const isFirst = await writeDown(deps, found, signed.header);
  return isFirst ? { kind: 'accepted' } : refuse('order_in_progress');
}

async function signPlay(deps: PayPagesDeps, wallet: PlayWallet, asked: Asked): Promise<SignedHeader | null> {
  const pinned = findNetwork(deps.networks, wallet.network)?.pinned;
  if (wallet.network === 'base' && pinned?.network === 'base') {
    const parts = newBaseParts(deps, asked);
    const signature = await wallet.sign(toAuthorization(asked, pinned, parts));
    return baseHeader(deps, asked, pinned, { ...parts, signature });
  }
  if (wallet.network !== 'solana' || pinned?.network !== 'solana' || !deps.solana) return null;
  const { blockhash } = await deps.solana.latestBlockhash();
  const parts = { blockhash, memo: newNonce(deps, asked) };
  const transaction = await wallet.sign(toTransfer(asked, pinned, parts));
  return solanaHeader(deps, asked, pinned, { ...parts, transaction });
}
