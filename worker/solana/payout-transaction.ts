import { buildPayoutTransaction, signPayoutTransaction } from '../../chain/solana/transactions/payout-transaction.ts';
import { openTransfers, type TransactionCaps } from '../../db/carriers/open-transaction.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { capsFor } from './account-quota.ts';
import { hold, putOff, storeAndSend, type Ready } from './send.ts';

/** A payout that fails alone may pass later or never: it is tried rarely. */
const POISONOUS_WAIT_MS = 60_000;

/** `done`: sent, put off or held, so not to be sent again in this round. */
export type SendResult = { done: string[]; wasSent: boolean };

/**
 * Sends one transaction with as many of the payouts as fit. It is simulated before it is signed; where that fails, the
 * failing payout is set aside: the one whose instruction failed, or the one left after halving.
 */
export async function sendPayoutTransaction(worker: SolanaWorker, company: readonly Ready[]): Promise<SendResult> {
  const { profile, rpc, treasury, pace, ids } = worker;
  const { blockhash, lastValidHeight } = await rpc.latestBlockhash();
  const carrierId = ids.carrierId();
  // Each transaction that died doubles the price, so that a price that was too low does not stay so.
  const deaths = Math.max(...company.map(({ payout }) => payout.generation));
  const built = buildPayoutTransaction(
    company.map(({ item }) => item),
    {
      payer: treasury.address,
      profile,
      carrierId,
      blockhash,
      lastValidHeight,
      microLamportsPerUnit: pace.microLamportsPerUnit * 2 ** Math.min(deaths, 6),
    },
  );
  const picked = built.itemIds.map((id) => findIn(company, id));
  const simulated = await rpc.simulate(built.unsignedWire);
  if (!simulated.ok) {
    if (simulated.reason === 'fee-payer') {
      worker.log.error({ address: treasury.address }, 'the treasury has too little SOL for fees; payouts wait');
    }
    // Missing SOL, or a node that does not know the blockhash yet, says nothing about the recipients.
    if (simulated.reason !== 'failed') return { done: await putOff(worker, company), wasSent: false };
    return sortOut(worker, picked, built.itemOfInstruction[simulated.instruction ?? -1] ?? null);
  }
  const sinceMs = worker.now();
  const signed = await signPayoutTransaction(built, treasury);
  const parts = picked.map(({ payout, exposed }, index) => ({
    id: payout.id,
    generation: payout.generation,
    nonce: signed.nonces[index] ?? '',
    amountMicroUsdc: payout.amountMicroUsdc,
    exposed,
  }));
  const transaction = {
    id: carrierId,
    network: profile.network,
    signed: { hash: signed.signature, bytes: signed.wire },
    sender: treasury.address,
    lastValidHeight,
  };
  const opened = await storeAndSend(worker, 'payout', transaction, {
    open: (stored) =>
      openTransfers(worker.store, { ...stored, kind: 'payout' }, parts, transactionCaps(worker, picked), worker.now()),
    opened: 'opened',
    sinceMs,
    transfers: built.itemIds,
  });
  if (opened === 'exposure-limit') return { done: await putOffExposed(worker, picked), wasSent: false };
  if (opened === 'accounts-limit') return { done: await holdOpening(worker, picked), wasSent: false };
  return { done: picked.map(({ payout }) => payout.id), wasSent: true };
}

/** Sets aside the payout whose instruction failed; where no single one is to blame, halves the transaction. */
async function sortOut(worker: SolanaWorker, picked: readonly Ready[], culprit: string | null): Promise<SendResult> {
  if (culprit !== null) {
    worker.log.warn({ payoutId: culprit }, 'payout would fail; it waits');
    return { done: await putOff(worker, [findIn(picked, culprit)], POISONOUS_WAIT_MS), wasSent: false };
  }
  if (picked.length > 1) return sendPayoutTransaction(worker, picked.slice(0, Math.ceil(picked.length / 2)));
  for (const { payout } of picked) worker.log.warn({ payoutId: payout.id }, 'payout would fail alone; it waits');
  return { done: await putOff(worker, picked, POISONOUS_WAIT_MS), wasSent: false };
}

function transactionCaps(worker: SolanaWorker, picked: readonly Ready[]): TransactionCaps {
  const openings = picked.flatMap(({ opening }) => opening ?? []);
  return { exposureCapMicroUsdc: worker.settings.exposureCapMicroUsdc, accounts: capsFor(worker, openings) };
}

/** Payouts wait until the payments that fund them are final; the others go on without them. */
function putOffExposed(worker: SolanaWorker, picked: readonly Ready[]): Promise<string[]> {
  return putOff(
    worker,
    picked.filter(({ exposed }) => exposed),
  );
}

async function holdOpening(worker: SolanaWorker, picked: readonly Ready[]): Promise<string[]> {
  const opens = picked.filter(({ opening }) => opening !== null);
  for (const { payout } of opens) await hold(worker, payout, 'account_quota');
  return opens.map(({ payout }) => payout.id);
}

function findIn(company: readonly Ready[], id: string): Ready {
  const found = company.find(({ payout }) => payout.id === id);
  if (found === undefined) throw new Error(`the transaction carries ${id}, which was not given to it`);
  return found;
}
