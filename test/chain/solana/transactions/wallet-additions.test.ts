/** What comes back from a wallet, beside what was prepared for it: crafted transactions, signed by the payer. */
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
import { tokenAccountOf } from '../../../../chain/solana/messages/addresses.ts';
import {
  checkSolanaPayment,
  coSign,
  FEE_CAPS,
  readSolanaPayment,
} from '../../../../chain/solana/transactions/inbound.ts';
import { preparePayment } from '../../../../chain/solana/transactions/payment-transaction.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { LIGHTHOUSE_PROGRAM, TOKEN_PROGRAM } from '../../../../chain/solana/messages/programs.ts';
import { readSignedPayment } from '../../../../chain/solana/transactions/wallet-additions.ts';
import { memo, usdcTransfer } from '../../../local/solana/transfers.ts';
import { feePayerOf } from '../../signing/signers.ts';

const profile = solanaProfile('local');
const payer = Keypair.generate();
const feePayer = Keypair.generate();
const treasury = Keypair.generate().publicKey;
const stranger = Keypair.generate();
const AMOUNT = 1_000_000n;
const MEMO = '5a'.repeat(32);

const terms = {
  payTo: treasury.toBase58(),
  feePayer: feePayer.publicKey.toBase58(),
  amountMicroUsdc: AMOUNT,
  blockhash: profile.genesisHash,
  memo: MEMO,
};
const prepared = preparePayment(payer.publicKey.toBase58(), terms, profile);
const source = new PublicKey(tokenAccountOf(payer.publicKey.toBase58(), profile));
const destination = new PublicKey(tokenAccountOf(terms.payTo, profile));

type Change = {
  instructions?: (prepared: TransactionInstruction[]) => TransactionInstruction[];
  feePayer?: Keypair;
  blockhash?: string;
  signers?: Keypair[];
};

/** The prepared payment as a wallet would sign it that changes it like this. */
function sign({ instructions = (all) => all, signers = [payer], ...change }: Change = {}): string {
  const { message } = VersionedTransaction.deserialize(Buffer.from(prepared, 'base64'));
  const decompiled = TransactionMessage.decompile(message);
  const next = new TransactionMessage({
    payerKey: (change.feePayer ?? feePayer).publicKey,
    recentBlockhash: change.blockhash ?? decompiled.recentBlockhash,
    instructions: instructions(decompiled.instructions),
  });
  const transaction = new VersionedTransaction(next.compileToV0Message());
  transaction.sign(signers);
  return Buffer.from(transaction.serialize()).toString('base64');
}

const add =
  (...more: TransactionInstruction[]): Change['instructions'] =>
  (all) => [...all, ...more];

type Key = { pubkey: PublicKey; isSigner?: boolean; isWritable?: boolean };

function call(program: string | PublicKey, keys: Key[], data = [4, 0, 1]): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(program),
    keys: keys.map((key) => ({ isSigner: false, isWritable: false, ...key })),
    data: Buffer.from(data),
  });
}
const assertion = (...keys: Key[]) => call(LIGHTHOUSE_PROGRAM, keys);
const limit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units });
const price = (microLamports: number) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports });

/** Another instruction in the place of one of: limit, price, transfer, memo. */
const replace =
  (place: number, other: TransactionInstruction): Change['instructions'] =>
  (all) =>
    all.map((one, index) => (index === place ? other : one));

describe('let pass, also by the API, and co-signed', () => {
  test.each<[string, Change]>([
    ['what was prepared', {}],
    ['a higher limit', { instructions: replace(0, limit(FEE_CAPS.units)) }],
    ['a higher price for priority', { instructions: replace(1, price(FEE_CAPS.microLamportsPerUnit)) }],
    ['an assertion about the payer', { instructions: add(assertion({ pubkey: payer.publicKey })) }],
    ['one that the payer signs for', { instructions: add(assertion({ pubkey: payer.publicKey, isSigner: true })) }],
    ['one about both accounts', { instructions: add(assertion({ pubkey: source }, { pubkey: destination })) }],
    ['one about an account that is only read', { instructions: add(assertion({ pubkey: stranger.publicKey })) }],
    [
      'assertions around the memo',
      { instructions: ([a, b, c, text]) => [a, b, c, assertion(), text, assertion()].filter((one) => !!one) },
    ],
  ])('%s', async (_title, change) => {
    const signed = readSignedPayment(prepared, sign(change));
    if (signed.kind !== 'fine') throw new Error(`it is ${signed.kind}`);
    const payment = readSolanaPayment({ transaction: signed.wire });
    if (payment === null) throw new Error('the API cannot read it');
    expect(payment).toMatchObject({ payer: payer.publicKey.toBase58(), amount: AMOUNT, memos: [MEMO] });
    const wanted = { profile, payTo: terms.payTo, feePayer: terms.feePayer, amount: AMOUNT };
    expect(await checkSolanaPayment(payment, wanted)).toBe('ok');
    await expect(coSign(signed.wire, feePayerOf(feePayer, profile))).resolves.toMatchObject({});
  });

  test('whatever stands in the fee payer’s place is left out', () => {
    const bytes = Buffer.from(sign(), 'base64');
    const garbled = Buffer.from(bytes).fill(7, 1, 65).toString('base64');
    expect(readSignedPayment(prepared, garbled)).toEqual({ kind: 'fine', wire: bytes.toString('base64') });
  });
});

describe('refused as another payment', () => {
  const other = stranger.publicKey;

  test.each<[string, Change]>([
    ['another amount', { instructions: replace(2, usdcTransfer(payer.publicKey, treasury, AMOUNT - 1n)) }],
    ['another recipient', { instructions: replace(2, usdcTransfer(payer.publicKey, other, AMOUNT)) }],
    [
      'another payer',
      { instructions: replace(2, usdcTransfer(other, treasury, AMOUNT)), signers: [payer, stranger].slice(1) },
    ],
    ['another memo', { instructions: replace(3, memo('6b'.repeat(32))) }],
    ['no memo', { instructions: (all) => all.slice(0, 3) }],
    ['a memo that others must sign', { instructions: (all) => signedBy(all) }],
    ['another blockhash', { blockhash: Keypair.generate().publicKey.toBase58() }],
    ['another fee payer', { feePayer: stranger, signers: [payer, stranger] }],
    ['a limit above the cap', { instructions: replace(0, limit(FEE_CAPS.units + 1)) }],
    ['a price above the cap', { instructions: replace(1, price(FEE_CAPS.microLamportsPerUnit + 1)) }],
    ['no limit', { instructions: (all) => all.slice(1) }],
    ['a heap in the place of the limit', { instructions: replace(0, call(limit(1).programId, [], [1, 0, 0, 4, 0])) }],
    ['a gift in the place of the transfer', { instructions: replace(2, gift(payer.publicKey)) }],
    ['something before the limit', { instructions: (all) => [assertion(), ...all] }],
    ['a third who signs', { instructions: add(gift(other)), signers: [payer, stranger] }],
  ])('%s', (_title, change) => {
    expect(readSignedPayment(prepared, sign(change))).toEqual({ kind: 'changed' });
  });

  test.each([
    ['nothing', ''],
    ['what is no transaction', Buffer.alloc(200, 1).toString('base64')],
    ['a transaction with bytes behind it', `${sign().replace(/=+$/, '')}AAAA`],
    ['one that is too long', Buffer.concat([Buffer.from(sign(), 'base64'), Buffer.alloc(1_300)]).toString('base64')],
    ['one of the older form', legacy()],
  ])('%s', (_title, wire) => {
    expect(readSignedPayment(prepared, wire)).toEqual({ kind: 'changed' });
  });
});

describe('refused for what was added', () => {
  const fee = { pubkey: feePayer.publicKey };
  const written = { pubkey: stranger.publicKey, isWritable: true };

  test.each<[string, Change]>([
    ['an assertion that names our fee payer', { instructions: add(assertion(fee)) }],
    ['one that brings an account to be written', { instructions: add(assertion(written)) }],
    ['one that writes the payer', { instructions: add(assertion({ pubkey: payer.publicKey, isWritable: true })) }],
    ['money of our fee payer', { instructions: add(gift(feePayer.publicKey)) }],
    ['money of the payer, which opens a way for more', { instructions: add(gift(payer.publicKey)) }],
    ['a second transfer', { instructions: add(usdcTransfer(payer.publicKey, treasury, 1n)) }],
    ['a right to spend the payer’s money', { instructions: add(call(TOKEN_PROGRAM, [{ pubkey: source }], [4])) }],
    ['a second memo', { instructions: add(memo('hello')) }],
    ['a second limit', { instructions: add(limit(1)) }],
    ['a program that nobody knows', { instructions: add(call(stranger.publicKey, [])) }],
    ['a nonce that never ends', { instructions: add(nonce()) }],
  ])('%s', (_title, change) => {
    expect(readSignedPayment(prepared, sign(change))).toEqual({ kind: 'added' });
  });
});

function gift(fromPubkey: PublicKey): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey, toPubkey: treasury, lamports: 1 });
}

function nonce(): TransactionInstruction {
  return SystemProgram.nonceAdvance({ noncePubkey: stranger.publicKey, authorizedPubkey: payer.publicKey });
}

function signedBy(all: TransactionInstruction[]): TransactionInstruction[] {
  const { programId, data } = memo(MEMO);
  const keys = [{ pubkey: payer.publicKey, isSigner: true, isWritable: false }];
  return [...all.slice(0, 3), new TransactionInstruction({ programId, data, keys })];
}

function legacy(): string {
  const { message } = VersionedTransaction.deserialize(Buffer.from(prepared, 'base64'));
  const { instructions, recentBlockhash } = TransactionMessage.decompile(message);
  const older = new TransactionMessage({ payerKey: feePayer.publicKey, recentBlockhash, instructions });
  const transaction = new VersionedTransaction(older.compileToLegacyMessage());
  transaction.sign([payer]);
  return Buffer.from(transaction.serialize()).toString('base64');
}
