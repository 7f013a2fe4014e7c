/** Every signature of our own keys on EVM networks: the policy of each key first, then the key, wherever it is. */
import { keccak256, serializeTransaction, type Address, type Hex } from 'viem';
import type { CarrierStep } from '../../core/payments/stops.ts';
import type { CarrierKind } from '../../core/transfers/carriers.ts';
import { authorizationDigest } from '../evm/authorization.ts';
import { toRecoverable } from '../evm/key.ts';
import { buildBatch, type Batch, type SignedBatch } from '../evm/lanes.ts';
import { payoutNonce, sweepNonce } from '../evm/nonces.ts';
import type { EvmProfile } from '../evm/rpc/profile.ts';
import { toAuthorization, type SignedTransfer, type UnsignedTransfer } from '../evm/transfer-signer.ts';
import { assertBatch } from './evm-batch.ts';
import type { EvmKey } from './keys.ts';
import type { SigningGuard } from './policy.ts';

export type PayoutOrder = {
  payoutId: string;
  to: Address;
  /** Micro-USDC. */
  value: bigint;
  /** Unix seconds, both exclusive. Part of what is signed: the same order needs the same times. */
  validAfter: number;
  validBefore: number;
};

export type TreasurySigner = {
  /** In lower case. */
  address: Address;
  /** Signs and sends nothing. Asynchronous because the key may live in a key management service. */
  signPayout: (order: PayoutOrder) => Promise<SignedTransfer>;
};

export type SweepOrder = {
  sweepId: string;
  /** Micro-USDC. */
  value: bigint;
  /** Unix seconds, exclusive. */
  validBefore: number;
};

export type SweepSigner = {
  /** In lower case. */
  address: Address;
  /** Signs and sends nothing. */
  signSweep: (order: SweepOrder) => Promise<SignedTransfer>;
};

/** What a batch carries decides which stop halts it. */
export type BatchToSign = Batch & { kind: CarrierKind; step: CarrierStep };

/** A wallet that holds gas money and sends batches, one at a time. */
export type Lane = {
  /** In lower case. */
  address: Address;
  signBatch: (batch: BatchToSign) => Promise<SignedBatch>;
};

/**
 * The treasury's key; it can only sign EIP-3009 authorizations of payouts. `ownAddresses`: our other
 * addresses (lanes, task address, former ones), to which no payout may go.
 */
export function createTreasurySigner(
  key: EvmKey,
  profile: EvmProfile,
  ownAddresses: readonly Address[] = [],
): TreasurySigner {
  const sign = transferSigner(key, profile, ownAddresses);
  return {
    address: key.address,
    signPayout: ({ payoutId, ...transfer }) => sign({ from: key.address, ...transfer, nonce: payoutNonce(payoutId) }),
  };
}

/**
 * The key of an address that is swept: the one that receives plain transfers for tasks, and those that a rotation has
 * replaced. It can only move USDC from there to the treasury, so an attacker who makes it sign gains nothing.
 */
export function createSweepSigner(key: EvmKey, profile: EvmProfile, treasury: Address): SweepSigner {
  if (key.address === treasury.toLowerCase()) throw new Error('A swept key must be another key than the treasury’s.');
  const sign = transferSigner(key, profile, []);
  return {
    address: key.address,
    signSweep: ({ sweepId, ...transfer }) =>
      sign({ from: key.address, to: treasury, validAfter: 0, ...transfer, nonce: sweepNonce(sweepId) }),
  };
}

/** A lane's key; it can only sign batches of authorized USDC transfers, within the chain's limits of gas and fees. */
export function createLane(key: EvmKey, profile: EvmProfile): Lane {
  return {
    address: key.address,
    signBatch: async (batch) => {
      const transaction = buildBatch(batch, profile);
      assertBatch(transaction, profile);
      const raw = serializeTransaction(transaction, await key.signDigest(keccak256(serializeTransaction(transaction))));
      return { hash: keccak256(raw), raw };
    },
  };
}

type EvmSigners = {
  treasury: TreasurySigner;
  task: SweepSigner | null;
  formers: readonly SweepSigner[];
  lanes: readonly Lane[];
};

/** The same signers, each of which asks first. */
export function guardEvm<Signers extends EvmSigners>(signers: Signers, guard: SigningGuard): Signers {
  const { treasury, task, formers, lanes } = signers;
  const signPayout: TreasurySigner['signPayout'] = async (order) => {
    await guard({ kind: 'payout', step: 'new' });
    return treasury.signPayout(order);
  };
  const guardSwept = (one: SweepSigner): SweepSigner => ({
    ...one,
    signSweep: async (order) => {
      await guard({ kind: 'sweep', step: 'new' });
      return one.signSweep(order);
    },
  });
  const guardLane = (lane: Lane): Lane => ({
    ...lane,
    signBatch: async (batch) => {
      await guard(batch);
      return lane.signBatch(batch);
    },
  });
  return {
    ...signers,
    treasury: { ...treasury, signPayout },
    task: task && guardSwept(task),
    formers: formers.map(guardSwept),
    lanes: lanes.map(guardLane),
  };
}

function transferSigner(key: EvmKey, profile: EvmProfile, forbidden: readonly Address[]) {
  const digestOf = authorizationDigest(profile);
  return async (transfer: UnsignedTransfer): Promise<SignedTransfer> => {
    const authorization = toAuthorization(key.address, transfer, forbidden);
    const signature: Hex = toRecoverable(await key.signDigest(digestOf(authorization)));
    return { authorization, signature };
  };
}
