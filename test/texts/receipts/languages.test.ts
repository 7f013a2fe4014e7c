import { describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS, type Language } from '../../../core/languages.ts';
import { GOING_BACK } from '../../../texts/going-back/languages.ts';
import { LANGUAGES } from '../../../texts/languages.ts';
import { microUsdc } from '../../../core/money.ts';
import {
  NOTICE_BUTTONS,
  noticeLabel,
  noticeView,
  receiptView,
  recipientView,
  rewardedView,
  smallTipsView,
  type ReceiptFacts,
} from '../../../texts/receipts/receipt.ts';
import { receiptEn } from '../../../texts/receipts/en.ts';
import { RECEIPT_LANGUAGES } from '../../../texts/receipts/languages.ts';
import { howEachHears, receiptLinks } from '../../../texts/receipts/several.ts';
import { LIMIT_REASONS, type ReturnedBecause } from '../../../core/states.ts';
import { plainText, type View } from '../../../core/view.ts';

const facts: ReceiptFacts = {
  amount: microUsdc(3_170_000n),
  recipient: 'zqrecipient',
  status: 'paid',
  receiptUrl: 'https://zq.test/receipts/zqslug',
  claimUntil: null,
};
const until = { claimUntil: '2026-12-20T23:59:59.000Z' };
const held = [...LIMIT_REASONS, 'no_token_account', null];
const returned = Object.keys(receiptEn.returned) as ReturnedBecause[];

/** Every receipt that there can be, but for its amount, names and day. */
const SINGLE: ReceiptFacts[] = [
  facts,
  { ...facts, wasCollected: true },
  { ...facts, status: 'queued' },
  ...held.map((heldReason): ReceiptFacts => ({ ...facts, status: 'held', heldReason })),
  { ...facts, status: 'pending_claim' },
  { ...facts, status: 'pending_claim', ...until },
  { ...facts, status: 'pending_claim', onlyPayerTells: true },
  { ...facts, status: 'pending_claim', onlyPayerTells: true, ...until },
  { ...facts, status: 'pending_claim', collectsHere: true },
  { ...facts, status: 'pending_claim', collectsHere: true, note: 'zqnote', ...until },
  { ...facts, status: 'refunded' },
  ...returned.map((returnedBecause): ReceiptFacts => ({ ...facts, status: 'refunded', returnedBecause })),
];
const giversOf = (people: number) =>
  Array.from({ length: people }, (_, at) => ({
    giverId: `discord:${String(at)}`,
    amountMicroUsdc: 10_000n,
    isWaiting: at % 2 === 0,
  }));
const viewsIn = (language: string | null): View[] => [
  ...SINGLE.map((one) => receiptView(one, language)),
  // The day is taken out below, with the name beside it.
  ...SINGLE.filter(({ claimUntil }) => claimUntil === null).map((one) => recipientView(one, 'zqgiver', language)),
  ...SINGLE.filter(({ claimUntil }) => claimUntil === null).map((one) => noticeView(one, 'zqgiver', language)),
  ...(['paid', 'queued', 'pending_claim'] as const).map((status) =>
    rewardedView({ ...facts, status, author: 'zqauthor' }, language),
  ),
  ...[1, 17].map((people) => smallTipsView(giversOf(people), language)),
  ...NOTICE_BUTTONS.flatMap((button) =>
    (['paid', 'pending_claim'] as const).map((status): View => ({
      ...receiptView(facts, language),
      paragraphs: [[{ text: noticeLabel(button, { status }, language) }]],
    })),
  ),
  ...[null, Date.parse(until.claimUntil)].map((claimUntilMs): View => ({
    ...receiptView(facts, language),
    paragraphs: howEachHears(
      [true, false].map((readsAlong) => ({ readsAlong, claimUntilMs })),
      language,
    ),
    actions: receiptLinks([{ name: 'zq:1', url: facts.receiptUrl }], { transport: 'zq', language }),
  })),
];
/** Without the day, which each language writes in its own way. */
const factsIn = (view: View, language: Language): string[] =>
  plainText(view)
    .replaceAll(GOING_BACK[language].day(new Date(until.claimUntil)), '2026')
    .match(/zq[a-z]+|x:[a-z0-9-]+|[0-9]+(?:\.[0-9]+)?|https:\S+|\/[a-z]+/g) ?? [];
const marksOf = ({ paragraphs }: View): string[][] =>
  paragraphs.map((spans) => spans.flatMap(({ text, style }) => (style === 'code' ? text : (style ?? []))).sort());

const english = viewsIn('en');

describe.each(LANGUAGE_TAGS.filter((tag) => tag !== 'en'))('receipts in %s', (language) => {
  const views = viewsIn(language);

  test('say every name, amount, number and address that English ones say', () => {
    const missing = views.flatMap((view, index) => {
      const said = factsIn(view, language);
      return english
        .slice(index, index + 1)
        .flatMap((one) => factsIn(one, 'en').filter((fact) => !said.includes(fact)));
    });
    expect(missing).toEqual([]);
  });

  test('set off the same parts and lead to the same pages', () => {
    expect(views.map(marksOf)).toEqual(english.map(marksOf));
    const urls = (all: View[]) => all.map(({ actions }) => actions.map((one) => (one.kind === 'link' ? one.url : one)));
    expect(urls(views)).toEqual(urls(english));
  });

  test('have nothing left in English, and fit into one message', () => {
    const lines = new Set(english.flatMap((view) => plainText(view).split('\n')));
    const texts = views.map(plainText);
    expect(texts.flatMap((text) => text.split('\n').filter((one) => lines.has(one)))).toEqual([]);
    expect(texts.filter((text) => /\b(?:the|you|your|and|for|with)\b/i.test(text))).toEqual([]);
    expect(texts.filter((text) => text.length > 2_000)).toEqual([]);
    expect(views.filter(({ actions }) => actions.some((one) => one.kind === 'link' && one.label.length > 80))).toEqual(
      [],
    );
  });
});

test('the bot and the worker speak the same languages', () => {
  expect(Object.keys(RECEIPT_LANGUAGES)).toEqual(Object.keys(LANGUAGES));
});

test.each([null, 'en', 'fr', 'constructor', ''])('a receipt in %j is in English', (language) => {
  expect(plainText(receiptView(facts, language))).toBe('zqrecipient received 3.17 USDC.');
});

const waiting: ReceiptFacts = {
  ...facts,
  recipient: 'x:alice',
  receiptUrl: 'https://pay.test/r/abc',
  status: 'pending_claim',
  ...until,
};

test.each([
  [
    'es',
    `3.17 USDC esperan a @alice en X.
Envíale el recibo: desde ahí se recoge el dinero. Si nadie lo recoge, se te devolverá el 20 de diciembre de 2026 (UTC).`,
  ],
  [
    'de',
    `3.17 USDC warten auf @alice bei X.
Schick den Beleg weiter: Dort lässt sich das Geld abholen. Holt es niemand ab, kommt es am 20. Dezember 2026 (UTC) zu dir zurück.`,
  ],
  [
    'pt',
    `3.17 USDC estão esperando por @alice no X.
Envie o recibo para a pessoa: é por ele que se resgata o dinheiro. Se ninguém resgatar, o dinheiro volta em 20 de dezembro de 2026 (UTC) para você.`,
  ],
  [
    'ja',
    `3.17 USDC は @alice（X） の受け取り待ちです。
明細のリンクを相手に送ってください。そこから受け取れます。受け取られない場合は、2026年12月20日（UTC）にあなたに戻ります。`,
  ],
])('money that waits, in %s', (language, text) => {
  expect(plainText(receiptView(waiting, language))).toBe(text);
});

test('the message to pass on is in the payer’s language, and can be copied as it stands', () => {
  const lines = plainText(receiptView({ ...waiting, onlyPayerTells: true }, 'de')).split('\n');
  expect(lines).toEqual([
    '3.17 USDC warten auf @alice bei X.',
    'Schick diese Nachricht weiter:',
    'Ich habe dir 3.17 USDC geschickt, digitale Dollar. Hier kannst du sie abholen: https://pay.test/r/abc',
    'Holt es niemand ab, kommt es am 20. Dezember 2026 (UTC) zu dir zurück.',
  ]);
});

test.each([
  ['en', 'telegram:7 sent telegram:8 3.17 USDC.'],
  ['es', 'telegram:7 le envió 3.17 USDC a telegram:8.'],
  ['de', 'telegram:7 hat telegram:8 3.17 USDC geschickt.'],
  ['pt', 'telegram:7 enviou 3.17 USDC para telegram:8.'],
  ['ja', 'telegram:7 さんが telegram:8 さんに 3.17 USDC を送りました。'],
])('a recipient who is told where others read along learns who gave, in %s', (language, text) => {
  const notice = noticeView({ ...waiting, recipient: 'telegram:8', collectsHere: true }, 'telegram:7', language);
  const [first] = plainText(notice).split('\n');
  expect(first).toBe(text);
  // Only the recipient is notified.
  expect(notice.paragraphs[0]?.find((span) => span.text === 'telegram:7')?.isQuiet).toBe(true);
  expect(noticeView(waiting, null, language)).toEqual(receiptView(waiting, language));
});

test('the recipient of money that is held reads that it does not come yet', () => {
  const kept = plainText(recipientView({ ...waiting, status: 'held', heldReason: null }, 'bob', 'en')).split('\n');
  expect(kept.slice(0, 2)).toEqual(['bob sent you 3.17 USDC.', '3.17 USDC for @alice on X is being checked.']);
  expect(kept).toHaveLength(3);
});

test.each(Object.keys(LANGUAGES))('in %s a phone rings with whom it is from, and no sum', (language) => {
  const [facts] = SINGLE;
  if (facts === undefined) throw new Error('there is no receipt');
  const first = (view: View) => plainText({ ...view, paragraphs: [view.opening ?? []], actions: [] });
  const told = first(recipientView(facts, 'zqgiver', language));
  expect(told).toContain('zqgiver');
  expect(told).not.toMatch(/\d|USDC/);
  expect(first(receiptView(facts, language))).toBe(`${facts.recipient} …`);
});
