import { Keypair, SystemProgram, Transaction, VersionedMessage } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { toBase58 } from '../../../../chain/solana/messages/base58.ts';
import { cancellationText } from '../../../../chain/solana/messages/cancellation-text.ts';
import { isCancelledBySolana } from '../../../../chain/solana/transactions/cancellation.ts';
import { readSolanaKey } from '../../../../chain/solana/messages/key.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';

const payer = readSolanaKey(toBase58(Keypair.generate().secretKey));
const stranger = readSolanaKey(toBase58(Keypair.generate().secretKey));
const cancellation = { network: solanaProfile('local').caip2, txnId: 4_711, validBefore: 1_800_000_000 };
const signed = (text: string, by = payer) => toBase58(by.sign(Buffer.from(text)));
const signature = signed(cancellationText(cancellation));

test('the text is pinned: wallets have shown and signed it', () => {
  expect(cancellationText(cancellation)).toBe(
    'pennypost: I take back a tip that nobody has collected.\n' +
      '\n' +
      'Payment: 4711\n' +
      'Network: solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\n' +
      'Valid before: 1800000000 (2027-01-15 08:00:00 UTC)',
  );
});

test('the payer’s signature of the text takes the tip back', () => {
  expect(isCancelledBySolana(payer.address, cancellation, signature)).toBe(true);
});

test('the text can be no transaction', () => {
  const bytes = Buffer.from(cancellationText(cancellation));
  expect(() => VersionedMessage.deserialize(bytes)).toThrow();
  expect(() => Transaction.from(bytes)).toThrow();
});

describe('it is not taken back by', () => {
  test.each<[string, object]>([
    ['the signature for another payment', { txnId: 4_712 }],
    ['the signature for another network', { network: solanaProfile('testnet').caip2 }],
    ['the signature for another time', { validBefore: 1_800_000_001 }],
    ['a payment without a number', { txnId: Number.NaN }],
    ['a time of the year 300,000', { validBefore: 9_000_000_000_000 }],
    ['no time', { validBefore: Number.NaN }],
    ['a time before all times', { validBefore: -9_000_000_000_000 }],
  ])('%s', (_name, change) => {
    expect(isCancelledBySolana(payer.address, { ...cancellation, ...change }, signature)).toBe(false);
  });

  test.each([
    ['a stranger', signed(cancellationText(cancellation), stranger)],
    ['a text with something after it', signed(`${cancellationText(cancellation)}\n`)],
    [
      'a signature in hexadecimal',
      Buffer.from(payer.sign(Buffer.from(cancellationText(cancellation)))).toString('hex'),
    ],
    ['no signature', ''],
    ['a very long signature', 'z'.repeat(1024 * 1024)],
  ])('%s', (_name, wrong) => {
    expect(isCancelledBySolana(payer.address, cancellation, wrong)).toBe(false);
  });

  test('a payer who is no address', () => {
    expect(isCancelledBySolana(SystemProgram.programId.toBase58(), cancellation, signature)).toBe(false);
    expect(isCancelledBySolana('0x00', cancellation, signature)).toBe(false);
  });
});
