import { expect, test } from 'vitest';
import { receiptView, type ReceiptFacts } from '../../../texts/receipts/receipt.ts';
import { recipientName } from '../../../core/platforms/recipient-name.ts';
import { line, plainText, strong } from '../../../core/view.ts';
import { usdc } from '../../bot/harness.ts';

const facts: ReceiptFacts = {
  amount: usdc(1),
  recipient: 'x:alice',
  status: 'paid',
  receiptUrl: 'http://localhost/receipts/abc',
  claimUntil: null,
};

test.each<[string, Partial<ReceiptFacts>]>([
  ['@alice on X received 1.00 USDC.', { status: 'paid' }],
  ['1.00 USDC is on its way to @alice on X.', { status: 'queued' }],
  [
    '1.00 USDC for @alice on X is being checked.\nWhoever runs this service has to look at it before it can go out. Until then it is kept.',
    { status: 'held' },
  ],
  ['3.20 USDC for @alice on X came back to you.', { status: 'refunded', amount: usdc(3.2) }],
  [
    '1.00 USDC is waiting for @alice on X.\nSend them the receipt: that is where they collect it. If nobody collects it, it comes back to you on 20 December 2026 (UTC).',
    { status: 'pending_claim', claimUntil: '2026-12-20T23:59:59.000Z' },
  ],
  [
    '1.00 USDC is waiting for @alice on X.\nSend them the receipt: that is where they collect it.',
    { status: 'pending_claim' },
  ],
  ['@alice on X received 1.00 USDC.', { status: 'paid' }],
])('%s', (text, change) => {
  const view = receiptView({ ...facts, ...change });
  expect(plainText(view)).toBe(text);
  expect(view.actions).toEqual([{ kind: 'link', label: 'Open the receipt', url: facts.receiptUrl }]);
});

test.each([
  ['x', 'alice', 'x:alice'],
  ['decsocial', 'alice.eth', 'farcaster:alice.eth'],
  ['code', 'octocat', 'github:octocat'],
  ['photo', 'alice', 'instagram:alice'],
  ['email', 'alice@example.com', 'alice@example.com'],
  ['web', 'example.com', 'example.com'],
  ['telegram', '42', 'telegram:42'],
])('%s %s is written %s', (platform, key, name) => {
  expect(recipientName({ platform, key })).toBe(name);
});

test('a name that looks like markup stays a name', () => {
  expect(line`Sent to ${strong('<b>**x**</b>')} and ${'`y`'}.`).toEqual([
    { text: 'Sent to ' },
    { text: '<b>**x**</b>', style: 'strong' },
    { text: ' and ' },
    { text: '`y`' },
    { text: '.' },
  ]);
});
