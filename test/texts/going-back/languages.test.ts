import { describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS, type Language } from '../../../core/languages.ts';
import { microUsdc } from '../../../core/money.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { GOING_BACK } from '../../../texts/going-back/languages.ts';
import { createMailTexts } from '../../../texts/mail/mails.ts';
import { nextOf } from '../../../texts/receipt-page/letter.ts';
import type { ReceiptPageFacts } from '../../../texts/receipt-page/facts.ts';
import { receiptLines } from '../../../texts/receipts/receipt.ts';
import { howEachHears } from '../../../texts/receipts/several.ts';

/** Late on a day in UTC: in Berlin and Tokyo it is the next one already. */
const BACK = new Date('2026-12-20T23:30:00Z');
const DAYS: Record<Language, string> = {
  en: '20 December 2026 (UTC)',
  es: '20 de diciembre de 2026 (UTC)',
  de: '20. Dezember 2026 (UTC)',
  pt: '20 de dezembro de 2026 (UTC)',
  ja: '2026年12月20日（UTC）',
};
const COLLECTS: Record<Language, { sender: string; you: string; each: string }> = {
  en: {
    sender: 'If nobody collects it, it goes back to its sender on DAY.',
    you: 'If nobody collects it, it comes back to you on DAY.',
    each: 'What nobody collects comes back to you on DAY.',
  },
  es: {
    sender: 'Si nadie lo recoge, se devolverá el DAY a quien lo envió.',
    you: 'Si nadie lo recoge, se te devolverá el DAY.',
    each: 'Lo que nadie recoja se te devolverá el DAY.',
  },
  de: {
    sender: 'Holt es niemand ab, geht es am DAY an den Absender zurück.',
    you: 'Holt es niemand ab, kommt es am DAY zu dir zurück.',
    each: 'Was niemand abholt, kommt am DAY zu dir zurück.',
  },
  pt: {
    sender: 'Se ninguém resgatar, o dinheiro volta em DAY para quem enviou.',
    you: 'Se ninguém resgatar, o dinheiro volta em DAY para você.',
    each: 'O que ninguém resgatar volta em DAY para você.',
  },
  ja: {
    sender: '受け取られない場合は、DAYに送り主へ戻ります。',
    you: '受け取られない場合は、DAYにあなたに戻ります。',
    each: '受け取られなかった分は、DAYにあなたに戻ります。',
  },
};
const NOTHING: Record<Language, { changes: string; you: string }> = {
  en: {
    changes: 'If nothing changes, it goes back to its sender on DAY.',
    you: 'If you do nothing, it goes back to its sender on DAY.',
  },
  es: {
    changes: 'Si nada cambia, se devolverá el DAY a quien lo envió.',
    you: 'Si no haces nada, se devolverá el DAY a quien lo envió.',
  },
  de: {
    changes: 'Ändert sich nichts, geht es am DAY an den Absender zurück.',
    you: 'Wenn du nichts tust, geht das Geld am DAY an den Absender zurück.',
  },
  pt: {
    changes: 'Se nada mudar, o dinheiro volta em DAY para quem enviou.',
    you: 'Se você não fizer nada, o dinheiro volta em DAY para quem enviou.',
  },
  ja: { changes: 'このままの場合、DAYに送り主へ戻ります。', you: '何もしなければ、DAYに送り主へ戻ります。' },
};

/** Before the one button of a start page, which is to be seen on a small phone, there is no room to say whom it goes back to. */
const SHORT: Record<Language, string> = {
  en: 'If you do nothing, it goes back on DAY.',
  es: 'Si no haces nada, se devolverá el DAY.',
  de: 'Wenn du nichts tust, geht das Geld am DAY zurück.',
  pt: 'Se você não fizer nada, o dinheiro volta em DAY.',
  ja: '何もしなければ、DAYに戻ります。',
};

const letter: ReceiptPageFacts = {
  amount: microUsdc(1_000_000n),
  recipient: 'x:alice',
  to: { platform: 'x', key: 'alice' },
  platform: 'x',
  networkName: 'Base',
  status: 'pending_claim',
  isLookedUp: false,
  waitsForRoute: false,
  isReturned: false,
  returnedBecause: null,
  heldReason: null,
  finality: 'settled',
  isUndone: false,
  expiresAt: BACK,
};
const receipt = {
  amount: letter.amount,
  recipient: 'x:alice',
  receiptUrl: 'https://pay.test/r/abc',
  status: 'pending_claim',
  claimUntil: BACK.toISOString(),
} as const;
const mails = createMailTexts({ operatorName: 'Operator', supportUrl: undefined, baseUrl: 'https://pay.test' });

describe.each(LANGUAGE_TAGS)('in %s the day on which money goes back is said in the same words', (language) => {
  const day = DAYS[language];
  const said = (text: string): string => text.replace('DAY', day);
  const chat = (facts: { onlyPayerTells?: boolean; collectsHere?: boolean }) =>
    (receiptLines({ ...receipt, ...facts }, language).at(-1) ?? []).map(({ text }) => text).join('');

  test('by a letter', () => {
    expect(nextOf(letter, language)).toContain(said(COLLECTS[language].sender));
    expect(nextOf({ ...letter, waitsForRoute: true }, language)).toContain(said(NOTHING[language].changes));
  });

  test('by the receipts of a chat, whose payer it comes back to', () => {
    expect(chat({})).toContain(said(COLLECTS[language].you));
    expect(chat({ onlyPayerTells: true })).toBe(said(COLLECTS[language].you));
    expect(chat({ collectsHere: true })).toContain(said(COLLECTS[language].sender));
    const waiting = [true, false].map((readsAlong) => ({ readsAlong, claimUntilMs: BACK.getTime() }));
    const several = howEachHears(waiting, language).map((paragraph) => paragraph.map(({ text }) => text).join(''));
    expect(several.filter((text) => text.endsWith(said(COLLECTS[language].each)))).toHaveLength(2);
  });

  test('by the mail', () => {
    const links = { claimUrl: 'https://pay.test/claim/email', unsubscribeUrl: 'https://pay.test/notices/key' };
    const facts = { to: 'alice@example.com', sum: letter.amount, from: null, untilMs: BACK.getTime(), language };
    for (const kind of ['waits', 'reminder'] as const) {
      const { text } = mails.notice({ ...facts, ...links, kind, isReminded: true });
      expect(text).toContain(said(NOTHING[language].you));
    }
  });

  test('by the pages that collect', () => {
    const pages = CLAIM_PAGES[language];
    expect(pages.goesBackOn(day)).toBe(said(SHORT[language]));
    for (const text of [pages.sentAs('A', 'B', day), pages.noRoom('A', 'B', day), pages.noneKept('A', day)]) {
      expect(text).toContain(said(NOTHING[language].changes));
    }
  });

  test('and without a day where none is known', () => {
    expect(GOING_BACK[language].sentence({ if: 'nobody_collects', to: 'sender', on: null })).not.toMatch(/null|\d/);
  });
});
