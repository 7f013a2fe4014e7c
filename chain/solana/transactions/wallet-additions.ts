/** What wallets add to a prepared payment before they sign it, and how much of that is accepted. */
import { VersionedTransaction } from '@solana/web3.js';
import { FEE_CAPS } from './inbound.ts';
import { decodeTransaction, isSound, type Instruction, type Message } from '../messages/message.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  SIGNATURE_BYTES,
  TRANSACTION_BYTES_MAX,
} from '../messages/programs.ts';

/** `added`: it holds the prepared payment and something that is not accepted. */
export type SignedPayment = { kind: 'fine'; wire: string } | { kind: 'changed' } | { kind: 'added' };

/** Limit of units, price of units, transfer, memo: as `preparePayment` puts them. */
const PREPARED = 4;
const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;

/**
 * The prepared payment as a wallet signed it, with the fee payer's place emptied. Wallets set fee limits and add
 * assertions of the Lighthouse program, which end the transaction where it would not do what the wallet has shown. Our
 * fee payer signs last, so nothing may be added that costs more than a fee within our caps: no assertion may name the
 * fee payer or bring an account that is written or signs. Anything else is refused here, and again by the API.
 */
export function readSignedPayment(prepared: string, signed: string): SignedPayment {
  const [wanted, found] = [read(prepared), read(signed)];
  if (wanted === null) throw new Error('a prepared payment is no transaction');
  if (found === null || found.blockhash !== wanted.blockhash) return { kind: 'changed' };
  const left = withoutPrepared(wanted.message, found.message);
  if (left === null || !hasSameSigners(wanted.message, found.message)) return { kind: 'changed' };
  if (!left.every((one) => isAssertion(found.message, one)) || !addsNoPower(wanted.message, found.message)) {
    return { kind: 'added' };
  }
  return { kind: 'fine', wire: found.bytes.fill(0, 1, 1 + SIGNATURE_BYTES).toString('base64') };
}

type Read = { message: Message; blockhash: string; bytes: Buffer };

/** Null unless it has the one form that we prepare: version 0, two signatures, no tables. */
function read(wire: string): Read | null {
  const bytes = Buffer.from(wire, 'base64');
  if (bytes.length > TRANSACTION_BYTES_MAX) return null;
  try {
    const { message } = decodeTransaction(bytes);
    if (message.version !== 0 || message.usesTables || message.signers !== FEE_CAPS.signatures) return null;
    const { recentBlockhash } = VersionedTransaction.deserialize(bytes).message;
    return isSound(message) ? { message, blockhash: recentBlockhash, bytes } : null;
  } catch {
    // Both readers throw on what is no transaction; the reason does not matter.
    return null;
  }
}

/** The instructions besides the prepared ones; null where one of those is missing or changed. */
function withoutPrepared(wanted: Message, found: Message): Instruction[] | null {
  const [limit, price, transfer, memo, ...none] = wanted.instructions;
  if (!limit || !price || !transfer || !memo || none.length > 0) {
    throw new Error(`a prepared payment has ${PREPARED} instructions, found ${wanted.instructions.length}`);
  }
  const [foundLimit, foundPrice, foundTransfer, ...others] = found.instructions;
  if (!isUnitLimit(found, foundLimit) || !isUnitPrice(found, foundPrice)) return null;
  if (textOf(found, foundTransfer) !== textOf(wanted, transfer)) return null;
  const memoAt = others.findIndex((one) => textOf(found, one) === textOf(wanted, memo));
  if (memoAt === -1) return null;
  return others.filter((_, index) => index !== memoAt);
}

function isUnitLimit({ accounts }: Message, one: Instruction | undefined): boolean {
  if (one === undefined || accounts[one.program] !== COMPUTE_BUDGET_PROGRAM || one.accounts.length > 0) return false;
  if (one.data.length !== 5 || one.data[0] !== SET_UNIT_LIMIT) return false;
  return Buffer.from(one.data).readUInt32LE(1) <= FEE_CAPS.units;
}

function isUnitPrice({ accounts }: Message, one: Instruction | undefined): boolean {
  if (one === undefined || accounts[one.program] !== COMPUTE_BUDGET_PROGRAM || one.accounts.length > 0) return false;
  if (one.data.length !== 9 || one.data[0] !== SET_UNIT_PRICE) return false;
  return Buffer.from(one.data).readBigUInt64LE(1) <= BigInt(FEE_CAPS.microLamportsPerUnit);
}

/** By addresses, because a wallet that adds accounts renumbers them all. */
function textOf({ accounts }: Message, one: Instruction | undefined): string | null {
  if (one === undefined) return null;
  const names = [one.program, ...one.accounts].map((index) => accounts[index]);
  return `${names.join(' ')} ${Buffer.from(one.data).toString('hex')}`;
}

function isAssertion({ accounts }: Message, one: Instruction): boolean {
  const [feePayer] = accounts;
  return accounts[one.program] === LIGHTHOUSE_PROGRAM && one.accounts.every((index) => accounts[index] !== feePayer);
}

/** In order: the fee payer is the first. */
function hasSameSigners(wanted: Message, found: Message): boolean {
  const signersOf = ({ accounts, signers }: Message) => accounts.slice(0, signers).join(' ');
  return signersOf(wanted) === signersOf(found);
}

/** Every account that is written is written in the prepared payment too. */
function addsNoPower(wanted: Message, found: Message): boolean {
  const before = new Set(writtenBy(wanted));
  return writtenBy(found).every((account) => before.has(account));
}

function writtenBy({ accounts, signers, readonlySigners, readonlyOthers }: Message): string[] {
  return accounts.filter((_, index) =>
    index < signers ? index < signers - readonlySigners : index < accounts.length - readonlyOthers,
  );
}
