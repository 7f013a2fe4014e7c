import { z } from 'zod';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { inContext, transactionError } from '../messages/rpc-shapes.ts';

/**
 * Why a transaction would fail now: `blockhash`: too old, or too new for this node. `already-processed`: it has landed.
 * `fee-payer`: the fee payer has too little SOL, which no other transaction changes. `failed`: an instruction fails;
 * its place in the message and its program's error number, where there are any.
 */
export type SimulationFailure =
  | { reason: 'blockhash' | 'already-processed' | 'fee-payer' }
  | { reason: 'failed'; instruction: number | null; code: number | null };

/** `slot`: the state on which it was tried. */
export type Simulation = { slot: number } & ({ ok: true } | ({ ok: false } & SimulationFailure));

/** Names of `TransactionError` (solana-transaction-error) that mean that the first account cannot pay. */
const FEE_PAYER_ERRORS: ReadonlySet<unknown> = new Set([
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
]);

const answerSchema = inContext(z.object({ err: transactionError }));
const rentError = z.object({ InsufficientFundsForRent: z.object({ account_index: z.int() }) });
const instructionError = z.object({ InstructionError: z.tuple([z.int().nonnegative(), z.unknown()]) });
const customError = z.object({ Custom: z.int().nonnegative() });

/** Simulates and sends transactions. Part of `createSolanaRpc`. */
export function sending(ask: JsonRpc) {
  return {
    /** Simulates a transaction, signed or not, on the newest state. Its blockhash must be good. */
    async simulate(wire: string): Promise<Simulation> {
      const config = { commitment: 'processed', encoding: 'base64', sigVerify: false, replaceRecentBlockhash: false };
      const { context, value } = await ask('simulateTransaction', [wire, config], answerSchema);
      const { slot } = context;
      return value.err === null ? { slot, ok: true } : { slot, ok: false, ...toFailure(value.err) };
    },

    /**
     * Sends bytes. Nothing follows from a refusal, a lost reply or success: ask the chain what happened. The node must
     * not repeat them by itself, because we do as long as that can help.
     */
    async sendRaw(wire: string): Promise<void> {
      const config = { encoding: 'base64', skipPreflight: true, preflightCommitment: 'processed', maxRetries: 0 };
      try {
        await ask('sendTransaction', [wire, config], z.unknown());
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
      }
    },
  };
}

function toFailure(error: unknown): SimulationFailure {
  if (error === 'BlockhashNotFound') return { reason: 'blockhash' };
  if (error === 'AlreadyProcessed') return { reason: 'already-processed' };
  const rent = rentError.safeParse(error);
  const isOfFeePayer = rent.success && rent.data.InsufficientFundsForRent.account_index === 0;
  if (isOfFeePayer || FEE_PAYER_ERRORS.has(error)) return { reason: 'fee-payer' };
  const [instruction, cause] = instructionError.safeParse(error).data?.InstructionError ?? [null, null];
  return { reason: 'failed', instruction, code: customError.safeParse(cause).data?.Custom ?? null };
}
