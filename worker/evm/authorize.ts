import { SignerAway } from '../../chain/signing/kms/away.ts';
import { TRANSFERS, type Authority } from '../../core/transfers/purposes.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { assignTransfers } from '../../db/transfers/authorize.ts';
import { exposureCounter } from '../../db/transfers/exposure.ts';
import { sweptOf, type EvmWorker } from '../dependencies.ts';

type Hex = `0x${string}`;
type Signed = { authorization: { from: Hex; nonce: Hex }; signature: Hex };
type Sign = (worker: EvmWorker, transfer: TransferRow, validBefore: number) => Promise<Signed>;

/** Long enough for any congestion, short enough that one which cannot land is renewed the same day. */
const VALID_SECONDS = 3_600;

/** Each key signs what its purposes need, and nothing else. Its nonce comes from the id alone. */
const SIGN: Record<Authority, Sign> = {
  treasury: ({ treasury }, { id: payoutId, fromAddress, toAddress, amountMicroUsdc: value }, validBefore) => {
    // Signed by two keys, one payout could land twice.
    if (fromAddress !== treasury.address) throw new Error(`payout ${payoutId} leaves from ${fromAddress}`);
    return treasury.signPayout({ payoutId, to: toAddress as Hex, value, validAfter: 0, validBefore });
  },
  'swept address': (worker, { id: sweepId, fromAddress, amountMicroUsdc: value }, validBefore) => {
    const from = sweptOf(worker).find(({ address }) => address === fromAddress);
    if (from === undefined) throw new Error(`sweep ${sweepId} has no key here`);
    return from.signSweep({ sweepId, value, validBefore });
  },
  wallet: (_worker, { id }) => Promise.reject(new Error(`withdrawal ${id} is signed by its wallet, not here`)),
};

/** A key service takes a while for each. */
const AT_ONCE = 8;

/** `exposed`: the inbound that funds it is not safe yet. */
export type ToAuthorize = { transfer: TransferRow; exposed: boolean };

/** Signs transfers and stores their authorizations before anything that contains them is built. Answers how many. */
export async function authorize(
  worker: EvmWorker,
  wanted: readonly ToAuthorize[],
  { blockTime }: { blockTime: number },
): Promise<number> {
  if (wanted.length === 0) return 0;
  const { network } = worker.profile;
  const passage = { sinceMs: worker.now(), network, transfers: wanted.map(({ transfer }) => transfer.id) };
  const validBefore = blockTime + VALID_SECONDS;
  const signed: ToAssign[] = [];
  try {
    for (let start = 0; start < wanted.length; start += AT_ONCE) {
      const some = wanted.slice(start, start + AT_ONCE);
      const results = await Promise.allSettled(some.map((one) => signOne(worker, one, validBefore)));
      signed.push(...results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      if (failures.length > 0) throw failures.find((reason) => !(reason instanceof SignerAway)) ?? failures[0];
    }
  } catch (error) {
    // What is signed is kept: a key service that takes a few only would be asked for the same ones for ever.
    if (!(error instanceof SignerAway) || signed.length === 0) throw error;
    worker.log.warn(
      { err: error, signed: signed.length, wanted: wanted.length },
      'some payouts wait for their signature',
    );
  }
  const counter = exposureCounter(network);
  worker.failpoint('payout.before-assign', passage);
  const exposure = { counter, capMicroUsdc: worker.settings.exposureCapMicroUsdc };
  const assigned = await assignTransfers(worker.store, signed, exposure, worker.now());
  worker.failpoint('payout.after-assign', passage);
  return assigned.length;
}

type ToAssign = Parameters<typeof assignTransfers>[1][number];

async function signOne(worker: EvmWorker, { transfer, exposed }: ToAuthorize, validBefore: number): Promise<ToAssign> {
  const { id, generation, amountMicroUsdc } = transfer;
  const sign = SIGN[TRANSFERS[transfer.purpose].authority];
  const { authorization, signature } = await sign(worker, transfer, validBefore);
  const { from: fromAddress, nonce } = authorization;
  return { id, fromAddress, generation, amountMicroUsdc, nonce, validBefore, signature, exposed };
}
