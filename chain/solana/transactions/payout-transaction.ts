import { type MessageV0, PublicKey, type TransactionInstruction, TransactionMessage } from '@solana/web3.js';
import { deriveTokenAccount, isForbiddenAddress, tokenAccountOf } from '../messages/addresses.ts';
import { toBase58 } from '../messages/base58.ts';
import { limitUnits, memo, openAccount, priceUnits, transfer } from '../messages/instructions.ts';
import { hashMessage } from '../messages/message.ts';
import type { SolanaProfile } from '../messages/profile.ts';
import { SIGNATURE_BYTES } from '../messages/programs.ts';
import type { SolanaSigner } from '../messages/signer.ts';
import { tagMemo } from '../messages/tags.ts';
import { isWithinLimits, OPENINGS_MAX, unitsFor } from '../messages/transaction-limits.ts';
import { transferNonce } from '../messages/transfers.ts';

export type PayoutItem = {
  id: string;
  /** The recipient's wallet. */
  owner: string;
  /** The token account that receives. */
  account: string;
  /** In micro-USDC. */
  amount: bigint;
  /** Opens the account first, at our cost; it must be the owner's by convention. */
  creates: boolean;
};

export type PayoutOptions = {
  /** The treasury: it owns the source account and pays the fee. */
  payer: string;
  profile: SolanaProfile;
  /** 22 characters of base64url, of which the memo has the first. */
  carrierId: string;
  blockhash: string;
  lastValidHeight: number;
  microLamportsPerUnit: number;
};

export type BuiltPayout = {
  payer: string;
  /** To be simulated; it cannot land without a signature. */
  unsignedWire: string;
  messageBytes: Uint8Array;
  lastValidHeight: number;
  /** Which items are in it, in the order of their transfers. */
  itemIds: string[];
  /** For each instruction its item, so that a failing one can be named; null for shared ones. */
  itemOfInstruction: (string | null)[];
};

/** Stored before the first send; only these bytes are ever sent again. */
export type SignedAttempt = {
  wire: string;
  signature: string;
  /** Lower-case hex SHA-256 of the signed bytes. */
  messageHash: string;
  lastValidHeight: number;
  itemIds: string[];
  /** The nonce of each transfer on the chain (`transferNonce`), in the order of `itemIds`. */
  nonces: string[];
};

/** More never fit. */
const ITEMS_MAX = 1_000;
const AMOUNT_MAX = 2n ** 64n - 1n;

/**
 * A transaction of version 0 with as many items as fit, in their order, by its real size. One key signs everything,
 * which leaves room for 15 transfers with their tags. The same input always gives the same bytes.
 */
export function buildPayoutTransaction(items: readonly PayoutItem[], options: PayoutOptions): BuiltPayout {
  const places = derivePlaces(items, options);
  assertBuildable(items, options, places);
  let plan: Plan | null = null;
  for (const item of items) {
    // No opening fits any more; finding that out by compiling would take longer than all the rest.
    if (item.creates && plan?.openings === OPENINGS_MAX) continue;
    const next: Plan = compile([...(plan?.items ?? []), item], options, places);
    if (next.fits) plan = next;
    // No later item is smaller.
    else if (!item.creates) break;
  }
  if (!plan) throw new Error(`a transaction must take one payout at least, found no room for ${items[0]?.id}`);
  const messageBytes = plan.message.serialize();
  return {
    payer: options.payer,
    unsignedWire: toWire(new Uint8Array(SIGNATURE_BYTES), messageBytes),
    messageBytes,
    lastValidHeight: options.lastValidHeight,
    itemIds: plan.items.map(({ id }) => id),
    itemOfInstruction: plan.parts.map(({ itemId }) => itemId),
  };
}

export async function signPayoutTransaction(built: BuiltPayout, treasury: SolanaSigner): Promise<SignedAttempt> {
  const { payer, messageBytes, lastValidHeight, itemIds } = built;
  if (treasury.address !== payer) throw new Error(`the payout of ${payer} cannot be signed by ${treasury.address}`);
  const signature = await treasury.sign('payout', messageBytes);
  const messageHash = hashMessage(messageBytes);
  return {
    wire: toWire(signature, messageBytes),
    signature: toBase58(signature),
    messageHash,
    lastValidHeight,
    itemIds,
    nonces: itemIds.map((_id, index) => transferNonce(messageHash, index)),
  };
}

export type OpeningOptions = {
  owner: { address: string };
  payer: SolanaSigner;
  profile: SolanaProfile;
  blockhash: string;
};

/**
 * A signed transaction that opens the owner's token account at the payer's cost. It does nothing where the account
 * exists.
 */
export async function buildAccountOpening({ owner, payer, profile, blockhash }: OpeningOptions): Promise<string> {
  const { address, bump } = deriveTokenAccount(owner.address, profile);
  const units = unitsFor({ transfers: 0, bumps: [bump] });
  const instructions = [limitUnits(units), openAccount(payer.address, owner.address, address, profile)];
  const messageBytes = compileMessage(payer.address, blockhash, instructions).serialize();
  return toWire(await payer.sign('opening', messageBytes), messageBytes);
}

/** The treasury's token account, and the conventional ones of owners for whom one is opened. */
type Places = { source: string; ofOwner: ReadonlyMap<string, { address: string; bump: number }> };

/** Derived once for all tries: an address takes a fifth of a millisecond. */
function derivePlaces(items: readonly PayoutItem[], { payer, profile }: PayoutOptions): Places {
  const owners = items.filter(({ creates }) => creates).map(({ owner }) => owner);
  return {
    source: tokenAccountOf(payer, profile),
    ofOwner: new Map(owners.map((owner) => [owner, deriveTokenAccount(owner, profile)])),
  };
}

/** An instruction and its item. */
type Part = { itemId: string | null; instruction: TransactionInstruction };
type Plan = { items: readonly PayoutItem[]; parts: Part[]; openings: number; message: MessageV0; fits: boolean };

function compile(items: readonly PayoutItem[], options: PayoutOptions, { source, ofOwner }: Places): Plan {
  const { payer, profile, carrierId, blockhash, microLamportsPerUnit } = options;
  const opened = new Map(items.filter(({ creates }) => creates).map((item) => [item.account, item]));
  const openings = [...opened.values()];
  const bumps = openings.map(({ owner }) => ofOwner.get(owner)?.bump ?? 0);
  const text = tagMemo(
    carrierId,
    items.map(({ id }) => id),
  );
  const shared = (instruction: TransactionInstruction): Part => ({ itemId: null, instruction });
  const parts: Part[] = [
    shared(limitUnits(unitsFor({ transfers: items.length, bumps, memoBytes: text.length }))),
    ...(microLamportsPerUnit > 0 ? [shared(priceUnits(microLamportsPerUnit))] : []),
    ...openings.map(({ id, owner, account }) => ({
      itemId: id,
      instruction: openAccount(payer, owner, account, profile),
    })),
    ...items.map(({ id, account, amount }) => ({
      itemId: id,
      instruction: transfer({ source, destination: account, authority: payer, amount }, profile),
    })),
    shared(memo(text)),
  ];
  const instructions = parts.map(({ instruction }) => instruction);
  const message = compileMessage(payer, blockhash, instructions);
  const fits = isWithinLimits(message, openings.length);
  return { items, parts, openings: openings.length, message, fits };
}

function compileMessage(payer: string, blockhash: string, instructions: TransactionInstruction[]): MessageV0 {
  const payerKey = new PublicKey(payer);
  return new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions }).compileToV0Message();
}

function toWire(signature: Uint8Array, messageBytes: Uint8Array): string {
  return Buffer.concat([Buffer.from([1]), signature, messageBytes]).toString('base64');
}

/** All input is our own, so anything wrong is a broken invariant. */
function assertBuildable(
  items: readonly PayoutItem[],
  { payer, carrierId, microLamportsPerUnit }: PayoutOptions,
  places: Places,
): void {
  if (items.length === 0 || items.length > ITEMS_MAX) {
    throw new Error(`a transaction is made of 1 to ${ITEMS_MAX} payouts, found ${items.length}`);
  }
  if (!/^[0-9A-Za-z_-]{1,64}$/.test(carrierId)) {
    throw new Error(`a carrier id must be 1 to 64 letters, digits, "_" or "-", found ${JSON.stringify(carrierId)}`);
  }
  if (!Number.isSafeInteger(microLamportsPerUnit) || microLamportsPerUnit < 0) {
    throw new Error(`a unit's price must be a whole number from 0, found ${microLamportsPerUnit}`);
  }
  for (const { id, owner, account, amount, creates } of items) {
    const isOurs = account === places.source || isForbiddenAddress(owner, [payer]);
    if (isOurs) throw new Error(`payout ${id} may not go to ${account} of ${owner}`);
    if (amount <= 0n || amount > AMOUNT_MAX) throw new Error(`payout ${id} must be of 1 to 2^64 - 1, found ${amount}`);
    if (creates && account !== places.ofOwner.get(owner)?.address) {
      throw new Error(`payout ${id} would open the account of ${owner}, and goes to ${account}`);
    }
  }
}
