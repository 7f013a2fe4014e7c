import {
  authorizationDigest,
  encodeTransfer,
  isErc6492,
  normaliseSignature,
  recoverSigner,
  type Authorization as SignedAuthorization,
} from '../../chain/evm/authorization.ts';
import { isCancelledBy } from '../../chain/evm/cancellation.ts';
import { isEndpointOf } from '../../chain/evm/endpoint-consent.ts';
import { CONTRACT_PAYER_GAS } from '../../chain/evm/rpc/fees.ts';
import { isForbiddenAddress, type EvmProfile } from '../../chain/evm/rpc/profile.ts';
import type { AuthorizationKey } from '../../chain/evm/rpc/authorization-reads.ts';
import type { EvmRpc } from '../../chain/evm/rpc/rpc.ts';
import { createGathered } from '../../chain/gathered.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import type { ProofRefusal, TransferRefusal } from '../../core/payments/refusals.ts';
import { isBoundNonce } from '../../core/request-hash.ts';
import { exactEvmPayloadSchema, VALIDITY_MAX_SECONDS } from '../../core/payments/x402.ts';
import type { Authorization, ProofChecker, ReadPayload } from './proof-check.ts';

type Hex = `0x${string}`;

/** With less time than a few blocks left, the transfer would most likely miss its window. */
const REMAINING_MIN_SECONDS = 6;

type EvmProofs = {
  profile: EvmProfile;
  rpc: Pick<
    EvmRpc,
    'code' | 'isValidSignature' | 'authorizationStates' | 'simulateBatch' | 'balanceOf' | 'settlingState'
  >;
  payTo: Hex;
  /** Whether a proof may name this former address in place of `payTo`. Absent: none was replaced. */
  takesFormer?: (address: string, nowMs: number) => boolean;
  /** Addresses that can never pay. */
  ownAddresses: readonly Hex[];
};

/** Proofs on Base: authorizations under EIP-3009, judged as USDC would judge them. */
export function createEvmProofs(options: EvmProofs): ProofChecker {
  const { profile, rpc, payTo, takesFormer, ownAddresses } = options;
  const isUsed = createGathered((keys: readonly AuthorizationKey[]) => rpc.authorizationStates(keys, 'latest'));
  const checkSignature = createSignatureCheck(profile, rpc);
  return {
    read: readPayload,
    async check({ authorization, signature }, total, nowSeconds) {
      const isPayTo = authorization.to === payTo.toLowerCase();
      if (!isPayTo && takesFormer?.(authorization.to, nowSeconds * 1_000) !== true) {
        return 'invalid_exact_evm_payload_recipient_mismatch';
      }
      // The amount must be exact, because what is paid beyond the price would have no owner.
      if (authorization.value !== total) return 'invalid_exact_evm_payload_authorization_value';
      if (isForbiddenAddress(authorization.from as Hex, ownAddresses)) return 'payer_not_allowed';
      if (authorization.validAfter >= nowSeconds) return 'invalid_exact_evm_payload_authorization_valid_after';
      const remaining = authorization.validBefore - nowSeconds;
      if (remaining < REMAINING_MIN_SECONDS || remaining > VALIDITY_MAX_SECONDS) {
        return 'invalid_exact_evm_payload_authorization_valid_before';
      }
      return checkSignature(authorization, signature);
    },
    isCancelledBy: async (payer, cancellation, signature) =>
      isHex(signature) && isCancelledBy(payer as Hex, cancellation, signature.toLowerCase() as Hex, { profile, rpc }),
    isEndpointOf: async (payer, consent, signature) =>
      isHex(signature) && isEndpointOf(payer as Hex, consent, signature.toLowerCase() as Hex, { profile, rpc }),
    endpointWords: () => `RegisterEndpoint(url, validBefore) of the domain pennypost 1 on chain ${profile.chainId}.`,
    // A failed look-up must not keep payments out; the reservation itself notices a transfer that the scan has seen.
    isUsed: async (authorization) => (await lookUp(isUsed, authorization)) === 'used',
    lookUp: (authorization) => lookUp(isUsed, authorization),
    tryOut: (proof) => unlessUnknown(() => tryOut(options, proof)),
    isBound: ({ nonce }, requestHash) => isBoundNonce(nonce, requestHash),
  };
}

const isHex = (signature: string): boolean => /^0x(?:[0-9a-fA-F]{2})+$/.test(signature);

async function lookUp(isUsed: (key: AuthorizationKey) => Promise<boolean>, { from, nonce }: Authorization) {
  try {
    return (await isUsed({ authorizer: from as Hex, nonce: nonce as Hex })) ? 'used' : 'unused';
  } catch (error) {
    if (error instanceof ChainUnavailable) return 'unknown';
    throw error;
  }
}

/** The same check that the worker makes before it signs. */
async function tryOut({ rpc, payTo }: EvmProofs, { authorization, signature }: ReadPayload) {
  const from = authorization.from as Hex;
  const call = encodeTransfer(toSigned(authorization), signature as Hex);
  if (await works(rpc, call, payTo)) return 'ok';
  const balance = await rpc.balanceOf(from, 'pending');
  // Asked last: a balance that its own transfer has taken proves nothing about the payer.
  const [used] = await rpc.authorizationStates([{ authorizer: from, nonce: authorization.nonce as Hex }], 'pending');
  if (used === true) return 'ok';
  if (balance < authorization.value) return 'insufficient_funds';
  const { isPaused, isBarred } = await rpc.settlingState(from, []);
  if (isPaused) return 'token_paused';
  return isBarred ? 'payer_barred' : 'invalid_transaction_state';
}

/** A payer's code that burns all the gas fails the call: that counts as not working, if the node answers the next. */
async function works(rpc: EvmProofs['rpc'], call: Hex, from: Hex): Promise<boolean> {
  try {
    // Anyone may present an authorization; this is as much gas as one of a payer with code gets.
    const [result] = await rpc.simulateBatch({ calls: [call], from, gasLimit: CONTRACT_PAYER_GAS });
    return result?.success === true;
  } catch (error) {
    if (error instanceof ChainUnavailable && error.fault === 'refused') return false;
    throw error;
  }
}

async function unlessUnknown(ask: () => Promise<'ok' | TransferRefusal>): Promise<'ok' | TransferRefusal> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ChainUnavailable) return 'ok';
    throw error;
  }
}

function readPayload(payload: unknown): ReadPayload | null {
  const parsed = exactEvmPayloadSchema.safeParse(payload);
  if (!parsed.success) return null;
  const { authorization } = parsed.data;
  const signature = parsed.data.signature.toLowerCase();
  return {
    authorization: {
      from: authorization.from.toLowerCase(),
      to: authorization.to.toLowerCase(),
      value: BigInt(authorization.value),
      validAfter: authorization.validAfter,
      validBefore: authorization.validBefore,
      nonce: authorization.nonce.toLowerCase(),
      payerAccount: null,
    },
    // The form in which the token accepts it; equal for all spellings of the same one.
    signature: normaliseSignature(signature as Hex) ?? signature,
  };
}

/**
 * Answers for the usual payer without asking the chain. Only a signature that is not the account's own costs a
 * question: whether a contract there could answer for it (ERC-1271), so that nothing can be claimed in the account's
 * name.
 */
function createSignatureCheck(profile: EvmProfile, rpc: EvmProofs['rpc']) {
  const digestOf = authorizationDigest(profile);
  return async (authorization: Authorization, signature: string): Promise<'ok' | ProofRefusal> => {
    const signed = toSigned(authorization);
    if (isErc6492(signature as Hex)) return 'undeployed_smart_wallet';
    if (recoverSigner(digestOf(signed), signature as Hex) === signed.from) return 'ok';
    const [code] = await rpc.code([signed.from], 'latest');
    const isOwn = code !== '0x' && (await rpc.isValidSignature(signed.from, digestOf(signed), signature as Hex));
    return isOwn ? 'ok' : 'invalid_exact_evm_payload_signature';
  };
}

function toSigned({ from, to, nonce, value, validAfter, validBefore }: Authorization): SignedAuthorization {
  return { from: from as Hex, to: to as Hex, value, validAfter, validBefore, nonce: nonce as Hex };
}
