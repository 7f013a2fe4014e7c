import { Keypair, Transaction, VersionedMessage } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { toBase58 } from '../../../../chain/solana/messages/base58.ts';
import { readSolanaKey } from '../../../../chain/solana/messages/key.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { endpointText, isEndpointOfSolana } from '../../../../chain/solana/transactions/endpoint-consent.ts';

const payer = readSolanaKey(toBase58(Keypair.generate().secretKey));
const stranger = readSolanaKey(toBase58(Keypair.generate().secretKey));
const { caip2: network } = solanaProfile('local');
const consent = { network, url: 'https://agent.example.com/events', validBefore: 1_800_000_000 };
const signed = (text: string, by = payer) => toBase58(by.sign(Buffer.from(text)));
const signature = signed(endpointText(consent));

test('the text is pinned, and the payer’s signature of it counts', () => {
  expect(endpointText(consent)).toBe(
    'pennypost: tell this address what becomes of my payments.\n' +
      '\n' +
      'Address: https://agent.example.com/events\n' +
      'Network: solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\n' +
      'Valid before: 1800000000',
  );
  expect(isEndpointOfSolana(payer.address, consent, signature)).toBe(true);
});

test('the text can be no transaction', () => {
  const bytes = Buffer.from(endpointText(consent));
  expect(() => VersionedMessage.deserialize(bytes)).toThrow();
  expect(() => Transaction.from(bytes)).toThrow();
});

describe('nobody consents by', () => {
  test.each<[string, object]>([
    ['the signature for another address', { url: 'https://victim.example/' }],
    ['the signature for another network', { network: solanaProfile('testnet').caip2 }],
    ['the signature for another time', { validBefore: 1_800_000_001 }],
  ])('%s', (_name, change) => {
    expect(isEndpointOfSolana(payer.address, { ...consent, ...change }, signature)).toBe(false);
  });

  test.each([
    ['a stranger’s signature', signed(endpointText(consent), stranger)],
    ['no signature', ''],
    ['a very long signature', 'z'.repeat(1024 * 1024)],
  ])('%s', (_name, wrong) => {
    expect(isEndpointOfSolana(payer.address, consent, wrong)).toBe(false);
  });
});
