import { expect, test } from 'vitest';
import { canonicalAddress, networkTitle, transactionUrl } from '../../core/networks.ts';

test.each([
  ['base', 'eip155:8453', 'Base'],
  ['base', 'eip155:84532', 'Base Sepolia (test money)'],
  ['base', 'eip155:1', 'Base'],
  ['base', null, 'Base'],
  ['solana', null, 'Solana'],
  ['moon', 'moon:1', 'moon'],
  ['constructor', 'constructor', 'constructor'],
])('people call %s on %s %s', (network, caip2, title) => {
  expect(networkTitle(network, caip2)).toBe(title);
});

test.each([
  ['eip155:8453', '0xab12', 'https://basescan.org/tx/0xab12'],
  ['eip155:84532', '0xab12', 'https://sepolia.basescan.org/tx/0xab12'],
  ['eip155:1', '0xab12', null],
  [null, '0xab12', null],
  ['eip155:8453', '0xab12/../../x', null],
  ['eip155:8453', '0xab12?a=b', null],
  ['eip155:8453', '', null],
])('a transaction on %s, %s, is looked at at %s', (caip2, transaction, url) => {
  expect(transactionUrl(caip2, transaction)).toBe(url);
});

test('hex addresses have one spelling, base58 is left as it is', () => {
  expect(canonicalAddress('base', '0xAbC')).toBe('0xabc');
  expect(canonicalAddress('solana', 'So1AbC')).toBe('So1AbC');
});
