/** What no node would take: a message whose counts and indexes do not fit is refused before anybody asks a node about it. */
import { Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { readSolanaPayment } from '../../../chain/solana/transactions/inbound.ts';
import { decodeTransaction, isSound } from '../../../chain/solana/messages/message.ts';
import { paymentInstructions } from './payments.ts';

const BLOCKHASH = '11111111111111111111111111111112';
const [payer, feePayer, payTo] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];

/** The bytes of a payment, whose message begins after two signatures; `spoil` is given the message. */
function wireOf(spoil: (message: Buffer) => void): string {
  const parts = { payer, feePayer: feePayer.publicKey, payTo: payTo.publicKey, amount: 1n, blockhash: BLOCKHASH };
  const { limit, price, transfer, memo } = paymentInstructions(parts);
  const instructions = [limit, price, transfer, memo];
  const message = new TransactionMessage({ payerKey: feePayer.publicKey, recentBlockhash: BLOCKHASH, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([payer]);
  const bytes = Buffer.from(transaction.serialize());
  spoil(bytes.subarray(1 + 2 * 64));
  return bytes.toString('base64');
}

test('a sound payment is read', () => {
  expect(readSolanaPayment({ transaction: wireOf(() => undefined) })).not.toBeNull();
});

// Byte 0 is the version, then come the counts of signers, of those only read, and of the others only read.
test.each([
  ['all signers are only read, the fee payer too', 2, 2],
  ['more accounts are only read than there are', 3, 200],
  ['nobody signs', 1, 0],
])('a message is refused in which %s', (_, index, value) => {
  const transaction = wireOf((message) => void (message[index] = value));
  expect(readSolanaPayment({ transaction })).toBeNull();
});

test('an index beyond the accounts, or the fee payer as a program, is not sound', () => {
  const { message } = decodeTransaction(
    Buffer.from(
      wireOf(() => undefined),
      'base64',
    ),
  );
  expect(isSound(message)).toBe(true);
  const [first, ...rest] = message.instructions;
  const withFirst = (change: object) => ({ ...message, instructions: [{ ...first!, ...change }, ...rest] });
  expect(isSound(withFirst({ program: message.accounts.length }))).toBe(false);
  expect(isSound(withFirst({ program: 0 }))).toBe(false);
  expect(isSound(withFirst({ accounts: [message.accounts.length] }))).toBe(false);
});
