/** Methods that take transactions. */
import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import type { Simulation } from '../chain/simulate.ts';
import type { Transaction } from '../wire/transaction.ts';
import { blockFor, inContext } from '../rpc/context.ts';
import type { Mailroom } from './mailroom.ts';
import { type Methods, defineMethod } from '../rpc/method.ts';
import { addressSchema, commitmentSchema, contextFields, contextSchema, slotSchema } from '../rpc/params.ts';
import { invalidParams, preflightFailed, wrongSignature } from '../rpc/rpc-error.ts';
import { toReplacement, toSimulationJson } from '../rpc/simulation-json.ts';
import { describeTransactionError } from '../rpc/transaction-error-text.ts';
import { readTransaction, wireEncodingSchema } from '../rpc/wire-text.ts';

const ACCOUNTS_MAX = 128;
/** An airdrop may not empty the faucet. */
const AIRDROP_LAMPORTS_MAX = 10 ** 14;

const sendConfigSchema = z
  .strictObject({
    skipPreflight: z.boolean().optional(),
    preflightCommitment: commitmentSchema.optional(),
    encoding: wireEncodingSchema.optional(),
    maxRetries: z.int().nonnegative().nullish(),
    minContextSlot: slotSchema.optional(),
  })
  .nullish();

const simulateConfigSchema = z
  .strictObject({
    ...contextFields,
    sigVerify: z.boolean().optional(),
    replaceRecentBlockhash: z.boolean().optional(),
    encoding: wireEncodingSchema.optional(),
    innerInstructions: z.boolean().optional(),
    accounts: z
      .strictObject({
        addresses: z.array(addressSchema).max(ACCOUNTS_MAX),
        encoding: z.enum(['base64', 'jsonParsed']).optional(),
      })
      .nullish(),
  })
  .nullish();

export function sendMethods(chain: Chain, mailroom: Mailroom): Methods {
  const { blocks } = chain;

  /** As a node does before it passes a transaction on, on the state that the caller trusts. */
  function preflight(transaction: Transaction, config: z.output<typeof sendConfigSchema>): void {
    const { preflightCommitment: commitment, minContextSlot } = config ?? {};
    const at = blockFor(blocks, { commitment, minContextSlot });
    const simulation = chain.simulate(transaction, { at, verifiesSignatures: true, replacesBlockhash: false });
    assertSigned(simulation);
    if (simulation.error === null) return;
    throw preflightFailed(describeTransactionError(simulation.error), toSimulationJson(simulation, {}, chain));
  }

  return {
    sendTransaction: defineMethod(z.tuple([z.string(), sendConfigSchema]), ([text, config]) => {
      const transaction = readTransaction(text, config?.encoding);
      if (!config?.skipPreflight) preflight(transaction, config);
      mailroom.deliver(transaction);
      return transaction.signature;
    }),
    simulateTransaction: defineMethod(z.tuple([z.string(), simulateConfigSchema]), ([text, config]) => {
      const { sigVerify = false, replaceRecentBlockhash = false } = config ?? {};
      if (sigVerify && replaceRecentBlockhash) {
        throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
      }
      const transaction = readTransaction(text, config?.encoding);
      const at = blockFor(blocks, config);
      const options = { at, verifiesSignatures: sigVerify, replacesBlockhash: replaceRecentBlockhash };
      const simulation = chain.simulate(transaction, options);
      if (sigVerify) assertSigned(simulation);
      const replacement = replaceRecentBlockhash ? { replacementBlockhash: toReplacement(at) } : {};
      return inContext(at, { ...toSimulationJson(simulation, config ?? {}, chain), ...replacement });
    }),
    requestAirdrop: defineMethod(
      z.tuple([addressSchema, z.int().positive().max(AIRDROP_LAMPORTS_MAX), contextSchema]),
      ([address, lamports]) => chain.act(chain.faucet.giveSol(address, BigInt(lamports))).signature,
    ),
  };
}

function assertSigned({ error }: Simulation): void {
  if (error === 'SignatureFailure') throw wrongSignature();
}
