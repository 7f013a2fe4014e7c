/** Everything that is not exactly the payment asked for is refused by its word, without a node and without a log line. */
import { randomBytes } from 'node:crypto';
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { decodeTransactionFromPayload } from '@x402/svm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  checkSolanaPayment,
  coSign,
  FEE_CAPS,
  readSolanaPayment,
  type SolanaTerms,
} from '../../../chain/solana/transactions/inbound.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { memo, toWire, usdcAccount, usdcTransfer } from '../../local/solana/transfers.ts';
import { paymentInstructions, type PaymentParts, toPartlySigned, toPayload } from './payments.ts';
import { feePayerOf } from '../signing/signers.ts';

const PREFIX = 'invalid_exact_svm_payload_';
const LIMIT = `${PREFIX}transaction_instructions_compute_limit_instruction`;
const PRICE = `${PREFIX}transaction_instructions_compute_price_instruction`;
const FEE_PAYER_NAMED = `${PREFIX}transaction_fee_payer_included_in_instruction_accounts`;
const LIGHTHOUSE = new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
const TOKEN_2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

const payer = Keypair.generate();
const stranger = Keypair.generate();
const feePayer = Keypair.generate();
const treasury = Keypair.generate().publicKey;
const profile = solanaProfile('local');
const terms: SolanaTerms = {
  profile,
  payTo: treasury.toBase58(),
  feePayer: feePayer.publicKey.toBase58(),
  amount: 10_000n,
};
const parts: PaymentParts = {
  payer,
  feePayer: feePayer.publicKey,
  payTo: treasury,
  amount: terms.amount,
  blockhash: profile.genesisHash,
};
const good = paymentInstructions(parts);
const all = Object.values(good);

const pay = (instructions: TransactionInstruction[], signers = [payer]) => toPartlySigned(parts, instructions, signers);
const lighthouse = (keys: PublicKey[] = [payer.publicKey]) =>
  new TransactionInstruction({
    programId: LIGHTHOUSE,
    keys: keys.map((pubkey) => ({ pubkey, isSigner: pubkey.equals(payer.publicKey), isWritable: false })),
    data: Buffer.from([1]),
  });

/** Replaces one account of the transfer: source, mint, destination, authority. */
function transferWith(place: number, pubkey: PublicKey): TransactionInstruction {
  const { transfer } = paymentInstructions(parts);
  transfer.keys = transfer.keys.map((key, index) => (index === place ? { ...key, pubkey } : key));
  return transfer;
}

function verdictOf(transaction: VersionedTransaction) {
  const payment = readSolanaPayment(toPayload(transaction));
  if (!payment) throw new Error('the payment could not be read');
  return checkSolanaPayment(payment, terms);
}

/** The library writes to the console about what it cannot read; none of that may reach our log. */
const consoleError = console.error;
const logged: unknown[][] = [];
beforeAll(() => {
  console.error = (...words: unknown[]) => {
    // A connection that another test of this process has left behind looks for its chain.
    if (words[0] !== 'ws error:') logged.push(words);
  };
});
afterAll(() => {
  console.error = consoleError;
});

describe('these pass', () => {
  test.each<[string, () => VersionedTransaction]>([
    ['the plain payment', () => pay(all)],
    ['one without a memo', () => pay([good.limit, good.price, good.transfer])],
    ['one to which a wallet has added three of its own', () => pay([...all, lighthouse(), lighthouse(), lighthouse()])],
    ['one of the legacy version', () => toLegacy(all)],
    ['one from another token account of the payer', () => pay(replaced('transfer', transferWith(0, randomKey())))],
  ])('%s', async (_name, build) => {
    expect(await verdictOf(build())).toBe('ok');
  });
});

describe('these are refused by their word', () => {
  const otherMint = new PublicKey(solanaProfile('testnet').usdc);
  test.each<[string, string, () => VersionedTransaction]>([
    ['one micro-USDC too little', `${PREFIX}amount_mismatch`, () => pay(replaced('transfer', amountOf(9_999n)))],
    ['one micro-USDC too much', `${PREFIX}amount_mismatch`, () => pay(replaced('transfer', amountOf(10_001n)))],
    ['the greatest amount', `${PREFIX}amount_mismatch`, () => pay(replaced('transfer', amountOf(2n ** 64n - 1n)))],
    ['another mint', `${PREFIX}mint_mismatch`, () => pay(replaced('transfer', transferWith(1, otherMint)))],
    [
      'another destination',
      `${PREFIX}recipient_mismatch`,
      () => pay(replaced('transfer', transferWith(2, randomKey()))),
    ],
    [
      'the wallet in place of its token account',
      `${PREFIX}recipient_mismatch`,
      () => pay(replaced('transfer', transferWith(2, treasury))),
    ],
    [
      'another fee payer',
      'invalid_exact_svm_fee_payer_mismatch',
      () => toPartlySigned({ ...parts, feePayer: stranger.publicKey }, all, [payer]),
    ],
    [
      'the payer as the fee payer',
      'invalid_exact_svm_fee_payer_mismatch',
      () => toPartlySigned({ ...parts, feePayer: payer.publicKey }, all, [payer]),
    ],
    [
      'the fee payer’s own USDC',
      `${PREFIX}transaction_fee_payer_transferring_funds`,
      () => pay(replaced('transfer', usdcTransfer(feePayer.publicKey, treasury, terms.amount)), []),
    ],
    ['the fee payer in a wallet’s instruction', FEE_PAYER_NAMED, () => pay([...all, lighthouse([feePayer.publicKey])])],
    [
      'the fee payer in the memo',
      FEE_PAYER_NAMED,
      () => pay([good.limit, good.price, good.transfer, memoBy(feePayer.publicKey)]),
    ],
    ['the fee payer in the transfer', FEE_PAYER_NAMED, () => pay(replaced('transfer', alsoNaming(feePayer.publicKey)))],
    [
      'three signatures',
      `${PREFIX}excessive_signers`,
      () => pay([...all.slice(0, 3), memoBy(stranger.publicKey)], [payer, stranger]),
    ],
    ['no signature of the payer', `${PREFIX}signature_invalid`, () => pay(all, [])],
    [
      'a signature of something else',
      `${PREFIX}signature_invalid`,
      () => withSignature(pay(all), pay(all.toReversed())),
    ],
    ['a garbled signature', `${PREFIX}signature_invalid`, () => withSignature(pay(all), null)],
    [
      'a multisig that allows the transfer',
      `${PREFIX}signature_invalid`,
      () => pay(replaced('transfer', multisig()), [payer]),
    ],
    ['a unit limit above the cap', `${LIMIT}_too_high`, () => pay(replaced('limit', units(FEE_CAPS.units + 1)))],
    ['the greatest unit limit', `${LIMIT}_too_high`, () => pay(replaced('limit', units(2 ** 32 - 1)))],
    [
      'a unit price above the cap',
      `${PRICE}_too_high`,
      () => pay(replaced('price', price(FEE_CAPS.microLamportsPerUnit + 1))),
    ],
    ['the greatest unit price', `${PRICE}_too_high`, () => pay(replaced('price', price(2n ** 64n - 1n)))],
    ['no unit limit', LIMIT, () => pay([good.price, good.transfer, good.memo])],
    ['no unit price', PRICE, () => pay([good.limit, good.transfer, good.memo])],
    ['limit and price in another order', LIMIT, () => pay([good.price, good.limit, good.transfer])],
    ['a second unit limit', `${PREFIX}unknown_optional_instruction`, () => pay([...all, units(FEE_CAPS.units)])],
    [
      'limits alone before the transfer’s place',
      `${PREFIX}no_transfer_instruction`,
      () => pay([good.limit, good.price, good.memo, good.transfer]),
    ],
    ['nothing but the transfer', `${PREFIX}transaction_instructions_length`, () => pay([good.transfer])],
    [
      'eight instructions',
      `${PREFIX}transaction_instructions_length`,
      () => pay([...all, lighthouse(), lighthouse(), lighthouse(), lighthouse()]),
    ],
    [
      'a gift of SOL in the fourth place',
      `${PREFIX}unknown_optional_instruction`,
      () => pay([...all.slice(0, 3), gift(), good.memo]),
    ],
    [
      'a gift of SOL in the last place',
      `${PREFIX}unknown_optional_instruction`,
      () => pay([...all, lighthouse(), lighthouse(), gift()]),
    ],
    ['two memos', `${PREFIX}memo_count`, () => pay([...all, memo('again')])],
    ['a durable nonce', 'durable_nonce', () => pay([advanceNonce(), ...all])],
    ['a durable nonce where it has no effect', 'durable_nonce', () => pay([...all, advanceNonce()])],
    ['a lookup table', 'invalid_exact_svm_smart_wallet_alt_resolution_not_available', () => withTable()],
  ])('%s: %s', async (_name, word, build) => {
    expect(await verdictOf(build())).toBe(word);
  });
});

describe('these are no payment at all', () => {
  const bytes = () => Buffer.from(toWire(pay(all)), 'base64');
  const text = (value: Uint8Array) => ({ transaction: Buffer.from(value).toString('base64') });
  test.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['text', () => toWire(pay(all))],
    ['a list', () => [toPayload(pay(all))]],
    ['a payload of Base', () => ({ signature: '0x00', authorization: {} })],
    ['a transaction that is no text', () => ({ transaction: 7 })],
    ['an empty text', () => ({ transaction: '' })],
    ['no base64', () => ({ transaction: '%%%%' })],
    ['base64 without its end', () => ({ transaction: toWire(pay(all)).slice(0, -1) })],
    ['base64 with a line break', () => ({ transaction: `${toWire(pay(all))}\n` })],
    ['base64 with spare bits set', () => withSpareBits()],
    ['base64 for URLs', () => ({ transaction: Buffer.alloc(99, 0xff).toString('base64url') })],
    ['random bytes', () => text(randomBytes(400))],
    ['bytes after the transaction', () => text(Buffer.concat([bytes(), Buffer.from([0])]))],
    ['a transaction cut short', () => text(bytes().subarray(0, -1))],
    [
      'a count that is not written in the shortest way',
      () => text(Buffer.concat([Buffer.from([0x82, 0]), bytes().subarray(1)])),
    ],
    ['a signature less than the message wants', () => text(Buffer.concat([Buffer.from([1]), bytes().subarray(65)]))],
    ['one byte more than a packet carries', () => text(ofBytes(1_233))],
    ['many bytes more', () => text(ofBytes(4_000))],
    ['a text of a mebibyte', () => ({ transaction: 'A'.repeat(1024 * 1024) })],
    ['a message of version 1', () => text(bytes().fill(0x81, 129, 130))],
    ['a message of version 2', () => text(bytes().fill(0x82, 129, 130))],
    ['no transfer', () => toPayload(pay([good.limit, good.price, good.memo], []))],
    ['two transfers', () => toPayload(pay([...all, usdcTransfer(payer.publicKey, treasury, 1n)]))],
    ['a transfer of the unchecked kind', () => toPayload(pay(replaced('transfer', unchecked())))],
    ['a transfer by another token program', () => toPayload(pay(replaced('transfer', byToken2022())))],
    ['a transfer without its authority', () => toPayload(pay(replaced('transfer', withoutAuthority()), []))],
  ])('%s', (_name, build) => {
    expect(readSolanaPayment(build())).toBe(null);
  });
});

test('a payment of as many bytes as a packet carries is read', () => {
  const transaction = ofBytes(1_232).toString('base64');
  expect(readSolanaPayment({ transaction })).toMatchObject({ payer: payer.publicKey.toBase58() });
});

test('a thousand payments with one byte changed are never taken, and never break the check', async () => {
  const wire = Buffer.from(toWire(pay(all)), 'base64');
  let read = 0;
  for (let index = 0; index < 1_000; index += 1) {
    const changed = Buffer.from(wire);
    // The fee payer's signature, in the first place, is not there yet: anything may stand there.
    const place = index % 3 === 0 ? 0 : 65 + ((index * 7919) % (wire.length - 65));
    changed.writeUInt8((changed.readUInt8(place) + 1 + (index % 255)) % 256, place);
    const payment = readSolanaPayment({ transaction: changed.toString('base64') });
    if (!payment || changed.equals(wire)) continue;
    read += 1;
    expect(await checkSolanaPayment(payment, terms)).not.toBe('ok');
  }
  expect(read).toBeGreaterThan(300);
});

test('what is co-signed in spite of a lookup table is not', async () => {
  await expect(coSign(toWire(withTable()), feePayerOf(feePayer, profile))).rejects.toThrow('nowhere else');
});

test('nothing of all this has reached the console', () => {
  expect(logged).toEqual([]);
});

test('control: the library itself writes about what it cannot read', () => {
  expect(() => decodeTransactionFromPayload({ transaction: '%%%%' })).toThrow();
  expect(logged).toHaveLength(1);
});

function replaced(name: keyof typeof good, instruction: TransactionInstruction): TransactionInstruction[] {
  return Object.values({ ...good, [name]: instruction });
}

function randomKey(): PublicKey {
  return Keypair.generate().publicKey;
}

function amountOf(amount: bigint): TransactionInstruction {
  return usdcTransfer(payer.publicKey, treasury, amount);
}

function units(count: number): TransactionInstruction {
  return ComputeBudgetProgram.setComputeUnitLimit({ units: count });
}

function price(microLamports: number | bigint): TransactionInstruction {
  return ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
}

function gift(): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: randomKey(), lamports: 1 });
}

function memoBy(signer: PublicKey): TransactionInstruction {
  const instruction = memo('signed');
  instruction.keys = [{ pubkey: signer, isSigner: true, isWritable: false }];
  return instruction;
}

function alsoNaming(pubkey: PublicKey): TransactionInstruction {
  const { transfer } = paymentInstructions(parts);
  transfer.keys = [...transfer.keys, { pubkey, isSigner: false, isWritable: false }];
  return transfer;
}

/** Its authority is an account with rules; the payer is one of those who may sign for it. */
function multisig(): TransactionInstruction {
  const transfer = transferWith(3, randomKey());
  const [source, mint, destination, authority] = transfer.keys;
  if (!source || !mint || !destination || !authority) throw new Error('a transfer has four accounts');
  transfer.keys = [source, mint, destination, { ...authority, isSigner: false }];
  transfer.keys.push({ pubkey: payer.publicKey, isSigner: true, isWritable: false });
  return transfer;
}

/** The last character of base64 can say more than the bytes have room for. */
function withSpareBits(): { transaction: string } {
  const texts = ['a', 'ab', 'abc'].map((text) => toWire(pay([good.limit, good.price, good.transfer, memo(text)])));
  const padded = texts.find((wire) => wire.endsWith('A=')) ?? '';
  return { transaction: padded.replace(/A=$/, 'B=') };
}

/** A payment of so many bytes: its memo, which comes last, is made longer after it was signed. */
function ofBytes(length: number): Buffer {
  const memoBytes = 300;
  const wire = Buffer.from(toWire(pay(replaced('memo', memo('m'.repeat(memoBytes))))), 'base64');
  const size = memoBytes + length - wire.length;
  const head = wire.subarray(0, wire.length - 1 - memoBytes - 2);
  // The memo's length in two times seven bits, the memo, and no lookup tables.
  return Buffer.concat([
    head,
    Buffer.from([(size & 0x7f) | 0x80, size >> 7]),
    Buffer.alloc(size, 'm'),
    Buffer.from([0]),
  ]);
}

function withoutAuthority(): TransactionInstruction {
  const { transfer } = paymentInstructions(parts);
  transfer.keys = transfer.keys.slice(0, 3);
  return transfer;
}

function byToken2022(): TransactionInstruction {
  const { transfer } = paymentInstructions(parts);
  transfer.programId = TOKEN_2022;
  return transfer;
}

function unchecked(): TransactionInstruction {
  const { transfer } = paymentInstructions(parts);
  const data = Buffer.concat([Buffer.from([3]), transfer.data.subarray(1, 9)]);
  const { programId, keys } = transfer;
  return new TransactionInstruction({ programId, keys: keys.toSpliced(1, 1), data });
}

function advanceNonce(): TransactionInstruction {
  return SystemProgram.nonceAdvance({ noncePubkey: randomKey(), authorizedPubkey: payer.publicKey });
}

function toLegacy(instructions: TransactionInstruction[]): VersionedTransaction {
  const { feePayer: payerKey, blockhash: recentBlockhash } = parts;
  const message = new TransactionMessage({ payerKey, recentBlockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToLegacyMessage());
  transaction.sign([payer]);
  return transaction;
}

/** The payer's signature from another transaction, or none that anybody made. */
function withSignature(transaction: VersionedTransaction, from: VersionedTransaction | null): VersionedTransaction {
  transaction.signatures[1] = from?.signatures[1] ?? new Uint8Array(64).fill(9);
  return transaction;
}

/** Our token account is named by its place in a table: what stands there may change before the transaction lands. */
function withTable(): VersionedTransaction {
  const state = {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 1,
    lastExtendedSlotStartIndex: 0,
    addresses: [usdcAccount(treasury)],
  };
  const table = new AddressLookupTableAccount({ key: randomKey(), state });
  const { feePayer: payerKey, blockhash: recentBlockhash } = parts;
  const message = new TransactionMessage({ payerKey, recentBlockhash, instructions: all });
  const transaction = new VersionedTransaction(message.compileToV0Message([table]));
  transaction.sign([payer]);
  return transaction;
}
