import {
  authorizationDigest,
  isErc6492,
  normaliseSignature,
  recoverSigner,
  type Authorization as SignedAuthorization,
} from '../chain/base/authorization.ts';
import { isCancelledBy } from '../chain/base/cancellation.ts';
import { addressOfKey } from '../chain/base/key.ts';
import { baseProfile, isForbiddenAddress, type BaseProfile, type NetworkMode } from '../chain/base/profile.ts';
import { createBaseRpc, type BaseRpc } from '../chain/base/rpc.ts';
import { ChainUnavailable } from '../chain/errors.ts';
import { createTreasurySigner, type TreasurySigner } from '../chain/base/treasury.ts';
import type { ApiNetwork } from '../api/dependencies.ts';
import type { ProofChecker } from '../api/proof-check.ts';
import type { Lane } from '../worker/dependencies.ts';

type Hex = `0x${string}`;

export type BaseKeys = { treasuryKey: Hex; taskKey?: Hex; laneKeys: readonly Hex[] };

/** The Base network as the roles see it: one profile, one node, our addresses, and who may sign what. */
export type BaseParts = {
  profile: BaseProfile;
  rpc: BaseRpc;
  treasury: TreasurySigner;
  lanes: readonly Lane[];
  ownAddresses: readonly Hex[];
  apiNetwork: ApiNetwork;
};

const RPC_TIMEOUT_MS = 5_000;

export function createBaseParts(mode: NetworkMode, rpcUrl: string, keys: BaseKeys): BaseParts {
  const profile = baseProfile(mode);
  const rpc = createBaseRpc({ url: rpcUrl, timeoutMs: RPC_TIMEOUT_MS, profile });
  const lanes = keys.laneKeys.map((key) => ({ key, address: addressOfKey(key) }));
  const others = [...lanes.map(({ address }) => address), ...(keys.taskKey ? [addressOfKey(keys.taskKey)] : [])];
  const treasury = createTreasurySigner(keys.treasuryKey, profile, others);
  const ownAddresses = [treasury.address, ...others];
  const terms = {
    network: profile.network,
    v1Name: profile.v1Name,
    caip2: profile.caip2,
    asset: profile.usdc,
    payTo: treasury.address,
    extra: { name: profile.eip712Name, version: profile.eip712Version },
  };
  const checker = createProofChecker(profile, rpc, ownAddresses);
  return { profile, rpc, treasury, lanes, ownAddresses, apiNetwork: { terms, checker } };
}

/**
 * Judges signatures as USDC would, without asking the chain for the usual payer. Only a signature that is not the
 * account's own costs a question: whether there is a contract that could answer for it (ERC-1271).
 */
function createProofChecker(profile: BaseProfile, rpc: BaseRpc, ownAddresses: readonly Hex[]): ProofChecker {
  const digestOf = authorizationDigest(profile);
  return {
    normaliseSignature: (signature) => normaliseSignature(signature as Hex) ?? signature,
    isForbiddenPayer: (address) => isForbiddenAddress(address as Hex, ownAddresses),
    async isUsed({ from, nonce }) {
      try {
        const [used] = await rpc.authorizationStates([{ authorizer: from as Hex, nonce: nonce as Hex }], 'latest');
        return used === true;
      } catch (error) {
        // Not knowing must not keep payments out; a transfer that the scan has seen is noticed by the claim itself.
        if (error instanceof ChainUnavailable) return false;
        throw error;
      }
    },
    isCancelledBy: (payer, cancellation, signature) =>
      isCancelledBy(payer as Hex, cancellation, signature as Hex, { profile, rpc }),
    async checkSignature(authorization, signature) {
      const signed = authorization as SignedAuthorization;
      if (isErc6492(signature as Hex)) return 'undeployed_smart_wallet';
      if (recoverSigner(digestOf(signed), signature as Hex) === signed.from) return 'ok';
      const [code] = await rpc.code([signed.from], 'latest');
      const isOwn = code !== '0x' && (await rpc.isValidSignature(signed.from, digestOf(signed), signature as Hex));
      return isOwn ? 'ok' : 'invalid_exact_evm_payload_signature';
    },
  };
}
