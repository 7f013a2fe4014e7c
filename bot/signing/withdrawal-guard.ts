import { sameAddress, familyOf, findNetworkName } from '../../core/networks.ts';
import { isTreasuryWallet } from '../../core/treasury/treasury.ts';
import { isRestored } from '../../db/store/stops.ts';
import { findWithdrawal, type WithdrawalRow } from '../../db/withdrawals/find.ts';
import type { SignedWithdrawal } from '../../db/withdrawals/signed.ts';

import { findWallet } from '../shared/wallets.ts';
import { checkTreasury } from './treasury-guard.ts';
import { checkLeaving } from './leaving-guard.ts';
import {
  AlreadyLanded,
  evmSigning,
  refusal,
  svmSigning,
  toAuthorization,
  type EvmSigning,
  type SignerDeps,
  type SolanaSigning,
  type Wallets,
} from './signing.ts';

/** Enough time for a lane to carry it, through a congested hour. */
const VALID_SECONDS = 3_600;
/** A price that was too low must not stay so: it rises within what the worker's fee payer agrees to. */
const MICRO_LAMPORTS_PER_UNIT = [10_000, 20_000] as const;
const MICRO_LAMPORTS_PER_UNIT_MAX = 40_000;

/**
 * Signs the next generation of a withdrawal, out of its row alone. Throws a plain Error where anything in the row is not
 * as it must be, and where a node does not answer: then nothing is signed. AlreadyLanded where the chain shows that the
 * money has moved: the row may come from a backup, and on Solana another signature would move it once more.
 */
export async function signWithdrawal(deps: SignerDeps, withdrawalId: string): Promise<SignedWithdrawal> {
  const row = await findWithdrawal(deps.store, withdrawalId);
  if (!row) throw refusal('a withdrawal of ours', withdrawalId);
  const network = findNetworkName(row.network);
  if (network === null) throw refusal('a network that is offered', row.network);
  switch (familyOf(network)) {
    case 'evm':
      return signOnEvm(deps, evmSigning(deps, row.network), row);
    case 'svm':
      return signOnSolana(deps, svmSigning(deps, row.network), row);
  }
}

/** The nonce is the withdrawal's, so that the token itself lands a generation at most once. */
async function signOnEvm(deps: SignerDeps, evm: EvmSigning, row: WithdrawalRow): Promise<SignedWithdrawal> {
  const { id, walletId, fromAddress, toAddress, amountMicroUsdc } = row;
  const generation = await checkRow(deps, evm, row);
  const nonce = evm.withdrawalNonce({ id, generation });
  const validBefore = Math.floor(deps.now() / 1_000) + VALID_SECONDS;
  const transfer = { from: fromAddress, to: toAddress, value: amountMicroUsdc, validBefore, nonce };
  const signature = await evm.signTransferAuthorization(walletId, toAuthorization(evm.pinned, transfer));
  return { generation, nonce, validBefore, signature };
}

async function signOnSolana(deps: SignerDeps, solana: SolanaSigning, row: WithdrawalRow): Promise<SignedWithdrawal> {
  const { id, walletId, toAddress: to, amountMicroUsdc } = row;
  const generation = await checkRow(deps, solana, row);
  const opensAccount = !(await solana.hasAccount(to));
  // Last, because its time runs from here on.
  const { blockhash, lastValidHeight } = await solana.latestBlockhash();
  const { feePayer } = solana.pinned;
  const memo = solana.withdrawalMemo({ id, generation });
  const signature = await solana.signWithdrawal(walletId, {
    to,
    feePayer,
    amountMicroUsdc,
    blockhash,
    memo,
    opensAccount,
    microLamportsPerUnit: MICRO_LAMPORTS_PER_UNIT[generation] ?? MICRO_LAMPORTS_PER_UNIT_MAX,
  });
  return { generation, nonce: null, validBefore: lastValidHeight, signature };
}

/** The generation that may be signed now. */
async function checkRow({ store, now }: SignerDeps, wallets: Wallets, row: WithdrawalRow): Promise<number> {
  const { holderId, walletId, fromAddress, toAddress, amountMicroUsdc } = row;
  const { network } = wallets.pinned;
  const generation = nextGeneration(row);
  // It goes on during any other stop. These books may have lost that it was called off.
  if (await isRestored(store.read)) throw refusal('a database that has lost nothing', 'one from a backup');
  if (isTreasuryWallet(walletId)) await checkTreasury(store, row, now());
  else {
    const wallet = await findWallet(store, { userId: holderId, walletId }, now());
    if (!wallet) throw refusal(`a wallet that ${holderId} holds`, walletId);
    await checkLeaving(store, row, now());
  }
  const from = await wallets.addressOf(walletId);
  if (!sameAddress(network, fromAddress, from)) throw refusal(`money from ${from}`, fromAddress);
  if (sameAddress(network, toAddress, from)) throw refusal('another address than the wallet’s own', toAddress);
  if (row.toTreasury !== null) await checkGift(wallets, row.toTreasury, toAddress);
  if (wallets.isForbidden(toAddress)) throw refusal('an address of a person', toAddress);
  if (amountMicroUsdc <= 0n) throw refusal('more than nothing', amountMicroUsdc);
  await refuseLanded(wallets, row, generation);
  return generation;
}

/** Only the address of a treasury is spared the wait of a new address, so it is derived anew and not read from the row. */
async function checkGift(wallets: Wallets, treasury: string, toAddress: string): Promise<void> {
  if (!isTreasuryWallet(treasury)) throw refusal('a treasury of a community', treasury);
  const address = await wallets.addressOf(treasury);
  if (!sameAddress(wallets.pinned.network, toAddress, address)) throw refusal(`a gift to ${address}`, toAddress);
}

/**
 * A dead generation can provably never land, so nothing is asked about the ones before this; and before its time nothing
 * is signed.
 */
async function refuseLanded(wallets: Wallets, row: WithdrawalRow, generation: number): Promise<void> {
  const { id, fromAddress, notBeforeMs: sinceMs } = row;
  const landing = await wallets.findLanding({ id, generation, fromAddress, sinceMs });
  if (landing === null) return;
  if (!landing.isFinal) throw refusal('a withdrawal that nobody has sent', 'one that has landed, though not for good');
  throw new AlreadyLanded(id, landing.transaction);
}

/** While one generation may still land no other is signed. */
function nextGeneration({ status, generation }: WithdrawalRow): number {
  if (status === 'requested' || status === 'dead') return generation;
  throw refusal('a withdrawal that is asked for or dead', status);
}
