import { expect, test } from 'vitest';
import { howEachHears, receiptLinks, type Waiting } from '../../../texts/receipts/several.ts';

const claimUntilMs = Date.parse('2026-12-20T13:05:00Z');
const member: Waiting = { readsAlong: true, claimUntilMs };
const stranger: Waiting = { readsAlong: false, claimUntilMs };
const textOf = (waiting: readonly Waiting[]) =>
  howEachHears(waiting).map((paragraph) => paragraph.map(({ text }) => text).join(''));

const COLLECT =
  'Members of this chat collect it here with /claim. What nobody collects comes back to you on 20 December 2026 (UTC).';
const SEND =
  'Send each of them their receipt: that is where they collect it. What nobody collects comes back to you on 20 December 2026 (UTC).';

test.each([
  ['members', [member, member], [COLLECT]],
  ['strangers', [stranger, stranger], [SEND]],
  ['both', [stranger, member], [COLLECT, SEND]],
  ['nobody', [], []],
])('%s who wait', (_title, waiting, texts) => {
  expect(textOf(waiting)).toEqual(texts);
});

test('a member’s receipt is counted, because on a button a number stays a number', () => {
  const urls = ['https://a.test/1', 'https://a.test/2'] as const;
  const receipts = [
    { name: 'x:alice', url: urls[0] },
    { name: 'telegram:5000000002', url: urls[1] },
  ];
  const labels = (transport: string) => receiptLinks(receipts, { transport, language: null });
  expect(labels('telegram')).toEqual([
    { kind: 'link', label: '@alice on X', url: urls[0] },
    { kind: 'link', label: 'Receipt 2', url: urls[1] },
  ]);
  expect(labels('discord')).toMatchObject([{ label: '@alice on X' }, { label: 'telegram:5000000002' }]);
});
