import { describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../../core/languages.ts';
import { LANGUAGES } from '../../../texts/languages.ts';
import { plainText } from '../../../core/view.ts';
import { WITHOUT_PASSKEY_MS } from '../../../core/wallets/passkeys.ts';
import { ADDRESS_WAIT_MS, leavingOf, TELLING_MAX_MS } from '../../../core/wallets/withdrawal-wait.ts';
import { microUsdc } from '../../../core/money.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { NOTICE_MAILS } from '../../../texts/notice-mails/languages.ts';
import { addedNotice } from '../../../texts/notices/withdrawal.ts';
import {
  AT_ONCE_DOLLARS,
  WITHDRAWAL_WAIT_HOURS as LEAST,
  WITHDRAWAL_WAIT_MAX_HOURS as MOST,
  WITHOUT_PASSKEY_HOURS as WITHOUT,
} from '../../../texts/rules/rules.ts';
import { SIGN_IN } from '../../../texts/sign-in/languages.ts';

const HOUR_MS = 3_600_000;

/** The hours that a sentence names, in its order. */
const hoursIn = (text: string): string[] =>
  [...text.replaceAll(AT_ONCE_DOLLARS, '').matchAll(/(?<![\d$.,])(\d+)(?![\d.,]*\d)/g)].map(([, hours = '']) => hours);

test('the longest wait is that of the rule, whichever of its reasons holds', () => {
  const amount = microUsdc(1_000_000n);
  const standing = { sinceMs: null, isFirst: true };
  const unsigned = leavingOf(standing, { amount, leftAtOnce: 10n ** 9n, isSigned: false }, 0);
  const toldAsLateAsCanBe = TELLING_MAX_MS + ADDRESS_WAIT_MS;
  expect(Number(MOST) * HOUR_MS).toBe(Math.max(unsigned.notBeforeMs, toldAsLateAsCanBe));
  expect(Number(WITHOUT) * HOUR_MS).toBe(WITHOUT_PASSKEY_MS);
});

describe.each(LANGUAGE_TAGS)('in %s', (language) => {
  const { newcomers, purse, withdrawHelp, withdrawLeaves } = LANGUAGES[language];
  const claim = CLAIM_PAGES[language];
  const help = (isGuarded: boolean) =>
    plainText({ state: 'ok', audience: 'person', paragraphs: withdrawHelp(isGuarded), actions: [] });

  test('collecting, which does not know its reader yet, says the whole range', () => {
    for (const hint of [claim.keepHint('Operator'), claim.keepHintPlay('Operator')]) {
      expect(hoursIn(hint)).toEqual([LEAST, MOST]);
    }
  });

  test('money without a passkey waits for those who are told', () => {
    expect(hoursIn(purse.takeOutFree(false))).toEqual([LEAST, MOST]);
    expect(hoursIn(purse.takeOutWait(false))).toEqual([LEAST, MOST]);
    expect(help(false)).toMatch(new RegExp(`${LEAST}[^]*${MOST}`));
  });

  test('money with one waits longer without it', () => {
    expect(hoursIn(purse.takeOutFree(true))).toEqual([LEAST, MOST, WITHOUT]);
    expect(hoursIn(purse.takeOutWait(true))).toEqual([LEAST, MOST, WITHOUT]);
    // No chat asks for a passkey, so the shorter time would be true for none of its readers.
    expect(help(true)).not.toContain(LEAST);
    expect(help(true)).toContain(WITHOUT);
    expect(withdrawLeaves(new Date(0), true)).not.toEqual(withdrawLeaves(new Date(0), false));
  });

  test('a new sign-in to it reads what it can do without the passkey, and how long that takes', () => {
    expect(purse.linkHereNote(true)).toContain(WITHOUT);
    expect(purse.linkHereNote(false)).not.toContain(WITHOUT);
    expect(purse.linkThereNote(true)).toContain(WITHOUT);
    expect(purse.linkThereNote(false)).not.toContain(WITHOUT);
    for (const text of [purse.looksUntilGuarded, purse.newcomerUntilGuarded]) {
      expect(text).toContain(WITHOUT);
      expect(text).toContain('{time}');
    }
    const at = new Date('2026-11-21T20:00:00Z');
    const told = (isGuarded: boolean): string[] => [
      NOTICE_MAILS[language].purse.holder('TO', 'AT', isGuarded),
      plainText(addedNotice({ at, walletName: 'x:alice', isGuarded }, language)),
      newcomers({ name: 'x:alice', count: 1, at, isGuarded })
        .map(({ text }) => text)
        .join(''),
    ];
    expect(told(true).filter((text) => text.includes(WITHOUT))).toHaveLength(3);
    expect(told(false).filter((text) => text.includes(WITHOUT))).toEqual([]);
    for (const isSeen of [true, false]) {
      expect(hoursIn(purse.signOutLast('24', isSeen, true))).toEqual(['24', WITHOUT]);
      expect(hoursIn(purse.signOutLast('24', isSeen, false))).toEqual(['24']);
    }
    expect(hoursIn(SIGN_IN[language].waitsGuarded('TIME'))).toEqual([WITHOUT]);
    expect(hoursIn(SIGN_IN[language].waits('TIME'))).toEqual([]);
  });
});
