/** Our fee payer signs withdrawals and nothing else, no matter who made the transaction: these are made by web3.js, by hand. */
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { deriveTokenAccount, tokenAccountOf } from '../../../../chain/solana/messages/addresses.ts';
import { toBase58 } from '../../../../chain/solana/messages/base58.ts';
import { isSignedBy, readSolanaKey } from '../../../../chain/solana/messages/key.ts';
import { decodeTransaction, hashMessage } from '../../../../chain/solana/messages/message.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { unitsFor } from '../../../../chain/solana/messages/transaction-limits.ts';
import {
  coSignWithdrawal,
  isWithdrawalFor,
  readWithdrawal,
} from '../../../../chain/solana/transactions/withdrawal-transaction.ts';
import { createUsdcAccount, memo, toWire, usdcTransfer } from '../../../local/solana/transfers.ts';
import { toPartlySigned } from '../payments.ts';
import { feePayerOf } from '../../signing/signers.ts';

const profile = solanaProfile('local');
const BLOCKHASH = '11111111111111111111111111111112';
const [wallet, feePayer, recipient, other] = [1, 2, 3, 4].map((byte) => Keypair.fromSeed(Buffer.alloc(32, byte))) as [
  Keypair,
  Keypair,
  Keypair,
  Keypair,
];
const feeKey = feePayerOf(feePayer, profile);
const to = recipient.publicKey.toBase58();
const NAME = 'c0ffee/2';
/** After a count of one byte come the fee payer's signature and the wallet's. */
const WALLET_SIGNATURE_AT = 1 + 64;
const MESSAGE_AT = 1 + 2 * 64;

const limit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units });
const price = (microLamports: number) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
const plainUnits = unitsFor({ transfers: 1, bumps: [], memoBytes: NAME.length });
const openingUnits = unitsFor({
  transfers: 1,
  bumps: [deriveTokenAccount(to, profile).bump],
  memoBytes: NAME.length,
});
const moved = usdcTransfer(wallet.publicKey, recipient.publicKey, 10_000n);
const opened = createUsdcAccount(feePayer.publicKey, recipient.publicKey);

function sign(instructions: TransactionInstruction[], signers = [wallet]): string {
  return toWire(toPartlySigned({ feePayer: feePayer.publicKey, blockhash: BLOCKHASH }, instructions, signers));
}

const plain = [limit(plainUnits), price(1_000), moved, memo(NAME)];
const opening = [limit(openingUnits), price(1_000), opened, moved, memo(NAME)];

describe('a withdrawal', () => {
  test.each([
    ['plain', plain, null],
    ['that opens an account', opening, to],
  ])('%s is read with all that it says', (_name, instructions, opensFor) => {
    const wire = sign(instructions);
    expect(readWithdrawal(wire, profile)).toEqual({
      id: 'c0ffee',
      generation: 2,
      memo: NAME,
      from: wallet.publicKey.toBase58(),
      account: tokenAccountOf(to, profile),
      opensFor,
      amount: 10_000n,
      feePayer: feeKey.address,
      blockhash: BLOCKHASH,
      microLamportsPerUnit: 1_000,
      wire,
      messageHash: hashMessage(decodeTransaction(Buffer.from(wire, 'base64')).messageBytes),
    });
  });

  test('is co-signed without a change of anything else', async () => {
    const wire = sign(opening);
    const signed = await coSignWithdrawal(wire, feeKey, profile);
    const [before, after] = [wire, signed.wire].map((text) => decodeTransaction(Buffer.from(text, 'base64')));
    expect(after?.messageBytes).toEqual(before?.messageBytes);
    expect(after?.signatures[1]).toEqual(before?.signatures[1]);
    const signature = after?.signatures[0] ?? new Uint8Array();
    expect(isSignedBy(feeKey.address, after?.messageBytes ?? new Uint8Array(), signature)).toBe(true);
    expect(signed.signature).toBe(toBase58(signature));
  });

  test('is not co-signed by a key that is not its fee payer', async () => {
    const otherKey = feePayerOf(other, profile);
    await expect(coSignWithdrawal(sign(plain), otherKey, profile)).rejects.toThrow(otherKey.address);
  });

  const wanted = {
    id: 'c0ffee',
    generation: 2,
    from: wallet.publicKey.toBase58(),
    to,
    amount: 10_000n,
    feePayer: feeKey.address,
  };
  const someone = other.publicKey.toBase58();

  test.each([
    ['', {}, true],
    [' of another id', { id: 'c0ffef' }, false],
    [' of another generation', { generation: 1 }, false],
    [' of another wallet', { from: someone }, false],
    [' to another person', { to: someone }, false],
    [' of another amount', { amount: 10_001n }, false],
    [' that another person pays the fee of', { feePayer: someone }, false],
  ])('is compared with the one wanted%s', (_name, change, expected) => {
    const found = readWithdrawal(sign(plain), profile);
    if (!found) throw new Error('the withdrawal could not be read');
    expect(isWithdrawalFor(found, { ...wanted, ...change }, profile)).toBe(expected);
  });
});

/** With one instruction replaced. */
const spoilt = (place: number, instruction: TransactionInstruction, from = plain) => from.with(place, instruction);

function changed(instruction: TransactionInstruction, change: Partial<TransactionInstruction>) {
  const { programId, keys, data } = instruction;
  return new TransactionInstruction({ programId, keys, data, ...change });
}

const drain = SystemProgram.transfer({ fromPubkey: feePayer.publicKey, toPubkey: wallet.publicKey, lamports: 1_000 });
const drainUsdc = usdcTransfer(feePayer.publicKey, recipient.publicKey, 1n);
const signedMemo = changed(memo(NAME), { keys: moved.keys.slice(3) });
const advance = SystemProgram.nonceAdvance({ noncePubkey: other.publicKey, authorizedPubkey: wallet.publicKey });
const someoneElses = createUsdcAccount(feePayer.publicKey, other.publicKey);

describe('no key of ours signs', () => {
  test.each<[string, TransactionInstruction[]]>([
    ['an instruction more', [...plain, memo('more')]],
    ['a transfer more', [limit(plainUnits), price(1_000), moved, moved, memo(NAME)]],
    ['a transfer of the fee payer’s SOL', [limit(plainUnits), price(1_000), drain, moved, memo(NAME)]],
    ['a transfer of the fee payer’s USDC', [limit(plainUnits), price(1_000), drainUsdc, signedMemo]],
    ['a transfer to the wallet itself', spoilt(2, usdcTransfer(wallet.publicKey, wallet.publicKey, 1n))],
    ['a transfer of nothing', spoilt(2, usdcTransfer(wallet.publicKey, recipient.publicKey, 0n))],
    ['a transfer with other decimals', spoilt(2, changed(moved, { data: Buffer.from(moved.data).fill(9, 9) }))],
    ['a burn', spoilt(2, changed(moved, { data: Buffer.from(moved.data).fill(15, 0, 1) }))],
    [
      'a transfer with one account more',
      spoilt(2, changed(moved, { keys: moved.keys.concat(moved.keys.slice(0, 1)) })),
    ],
    ['an opening for another person', spoilt(2, someoneElses, opening)],
    [
      'an opening that fails where there is an account',
      spoilt(2, changed(opened, { data: Buffer.from([0]) }), opening),
    ],
    ['two openings', [limit(openingUnits), price(1_000), someoneElses, opened, moved, memo(NAME)]],
    ['other limits than it takes', spoilt(0, limit(plainUnits + 1))],
    ['a price above the cap', spoilt(1, price(50_001))],
    ['no price', [limit(plainUnits), moved, memo(NAME)]],
    ['no limits', [moved, memo(NAME)]],
    ['a memo that names no withdrawal', spoilt(3, memo('c0ffee-2'))],
    ['a memo with a signer', spoilt(3, signedMemo)],
    ['another order', [limit(plainUnits), price(1_000), memo(NAME), moved]],
    ['a durable nonce', [advance, ...plain]],
  ])('what holds %s', async (_name, instructions) => {
    const wire = sign(instructions);
    expect(readWithdrawal(wire, profile)).toBeNull();
    await expect(coSignWithdrawal(wire, feeKey, profile)).rejects.toThrow('must be a withdrawal');
  });

  test('what the wallet has not signed', () => {
    expect(readWithdrawal(sign(plain, []), profile)).toBeNull();
    const bytes = Buffer.from(sign(plain), 'base64');
    const signature = Buffer.from(sign(opening), 'base64').subarray(65, 129);
    bytes.set(signature, 65);
    expect(readWithdrawal(bytes.toString('base64'), profile)).toBeNull();
  });

  test('a legacy message, or one with a table', () => {
    const parts = { payerKey: feePayer.publicKey, recentBlockhash: BLOCKHASH, instructions: plain };
    const legacy = new VersionedTransaction(new TransactionMessage(parts).compileToLegacyMessage());
    legacy.sign([wallet]);
    expect(readWithdrawal(toWire(legacy), profile)).toBeNull();
    const { message } = toPartlySigned({ feePayer: feePayer.publicKey, blockhash: BLOCKHASH }, plain, [wallet]);
    if (message.version === 'legacy') throw new Error('the message must be of version 0');
    message.addressTableLookups.push({ accountKey: other.publicKey, writableIndexes: [0], readonlyIndexes: [] });
    const tabled = new VersionedTransaction(message);
    tabled.sign([wallet]);
    expect(readWithdrawal(toWire(tabled), profile)).toBeNull();
  });

  test('what is not written in the one way, or not to its end', () => {
    const wire = sign(plain);
    const bytes = Buffer.from(wire, 'base64');
    const texts = ['', 'nonsense', ` ${wire}`, `${wire}=`, wire.slice(0, -4)];
    const longer = Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64');
    for (const text of [...texts, longer]) expect(readWithdrawal(text, profile)).toBeNull();
  });

  test('what differs in a single byte from what the wallet signed', () => {
    const bytes = Buffer.from(sign(opening), 'base64');
    for (let place = 0; place < bytes.length; place += 1) {
      const isRead = readWithdrawal(withBitFlipped(bytes, place).toString('base64'), profile) !== null;
      expect({ place, isRead }).toEqual({ place, isRead: place >= 1 && place < WALLET_SIGNATURE_AT });
    }
  });

  test('what the wallet signed with one byte of an instruction changed, unless it is a withdrawal again', () => {
    const bytes = Buffer.from(sign(opening), 'base64');
    const instructionsAt = bytes.indexOf(new PublicKey(BLOCKHASH).toBuffer(), MESSAGE_AT) + 32;
    const expected: Record<string, unknown> = { ...readWithdrawal(bytes.toString('base64'), profile) };
    const read = new Set<string>();
    for (let place = instructionsAt; place < bytes.length; place += 1) {
      const wire = signAgain(withBitFlipped(bytes, place));
      const found = readWithdrawal(wire, profile);
      const fields = Object.entries(found ?? {}).filter(([name, value]) => expected[name] !== value);
      for (const [name] of fields) read.add(name);
    }
    // What may differ from withdrawal to withdrawal, and nothing besides.
    expect([...read].toSorted()).toEqual([
      'amount',
      'generation',
      'id',
      'memo',
      'messageHash',
      'microLamportsPerUnit',
      'wire',
    ]);
  });
});

function withBitFlipped(bytes: Buffer, place: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(place) ^ 1, place);
  return flipped;
}

function signAgain(bytes: Buffer): string {
  const signature = readSolanaKey(toBase58(wallet.secretKey)).sign(bytes.subarray(MESSAGE_AT));
  bytes.set(signature, WALLET_SIGNATURE_AT);
  return bytes.toString('base64');
}
