import { expect, test } from 'vitest';
import { LANGUAGE_TAGS, type Language } from '../../core/languages.ts';
import type { MailText, PurseChange } from '../../core/claims/mail.ts';
import { microUsdc } from '../../core/money.ts';
import { createMailTexts } from '../../texts/mail/mails.ts';
import { PLANTED, technicalBeforeWallet } from './phrases.ts';

const AT_MS = Date.UTC(2026, 10, 26, 12);
const to = 'alice@example.com';
const sum = microUsdc(3_200_000n);
const mails = createMailTexts({
  operatorName: 'The operator',
  supportUrl: 'https://pay.test/help',
  baseUrl: 'https://pay.test',
});

/** All that come to a person who has given no address of their own. */
function mailsIn(language: Language): Map<string, MailText> {
  const code = { to, code: '12345678', linkUrl: 'https://pay.test/claims/mail/key', validMs: 600_000, language };
  const links = { claimUrl: 'https://pay.test/claim/email', unsubscribeUrl: 'https://pay.test/notices/key' };
  const notice = { to, sum, from: 'alice on Discord', untilMs: AT_MS, language, ...links };
  const changes: PurseChange[] = [
    { kind: 'holder', atMs: AT_MS, isGuarded: false },
    { kind: 'passkey_added', atMs: AT_MS },
    { kind: 'passkey_ends', atMs: AT_MS },
    { kind: 'leaves', atMs: AT_MS, sum },
    { kind: 'leaves_now', atMs: AT_MS, sum },
  ];
  return new Map([
    ['code to collect', mails.code({ ...code, payout: { keep: true } })],
    ['code to send back', mails.code({ ...code, payout: { decline: true } })],
    ['code to sign in', mails.code({ ...code, payout: { open: true } })],
    ['waits', mails.notice({ ...notice, kind: 'waits', isReminded: true })],
    ['reminder', mails.notice({ ...notice, kind: 'reminder', isReminded: false })],
    ...changes.map((change): [string, MailText] => [
      change.kind,
      mails.purse({ to, change, language, stopUrl: 'https://pay.test/notices/stop/key' }),
    ]),
  ]);
}

/** Those that speak of an address of their reader's own. */
function addressMailsIn(language: Language): Map<string, MailText> {
  const code = { to, code: '12345678', linkUrl: 'https://pay.test/claims/mail/key', validMs: 600_000, language };
  const places = { now: { base: '0xNow' }, next: { base: '0xNext', solana: 'Next' } };
  const claimUrl = 'https://pay.test/claim/email';
  return new Map([
    ['code for an address', mails.code({ ...code, payout: { base: '0xNext' } })],
    ['address', mails.address({ to, ...places, fromMs: AT_MS, claimUrl, language })],
    ['closing', mails.purse({ to, change: { kind: 'closing', atMs: AT_MS, sum }, language, stopUrl: claimUrl })],
  ]);
}

const allIn = (language: Language) => new Map([...mailsIn(language), ...addressMailsIn(language)]);

const read = ({ subject, text, html }: MailText): string =>
  `${subject}\n${text}\n${html.slice(html.indexOf('<body>')).replaceAll(/<[^>]*>/g, ' ')}`;

test.each(LANGUAGE_TAGS)('no mail needs a technical word: %s', (language) => {
  for (const [name, mail] of mailsIn(language)) {
    expect([name, technicalBeforeWallet(read(mail), language)]).toEqual([name, []]);
    expect(technicalBeforeWallet(`${read(mail)} ${PLANTED[language]}`, language)).toHaveLength(2);
  }
});

/** As a program without pictures or styles reads the HTML, and one without HTML the text: the words alone. */
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '' && word !== '--');
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
function wordsOfHtml(html: string): string[] {
  const body = html.slice(html.indexOf('<body>')).replaceAll(/<[^>]*>/g, ' ');
  return wordsOf(Object.entries(ENTITIES).reduce((text, [entity, sign]) => text.replaceAll(entity, sign), body));
}

const BUTTON = /<a href="(https:\/\/pay\.test\/[^"]*)" style="[^"]*">([^<]+)<\/a>/g;

test.each(LANGUAGE_TAGS)('each mail says the same in text and HTML, and has one button: %s', (language) => {
  for (const [name, { text, html }] of allIn(language)) {
    const buttons = [...html.matchAll(BUTTON)];
    expect([name, buttons.length]).toEqual([name, 1]);
    const [, link = '', label = ''] = buttons[0] ?? [];
    // A mail of text alone has the link, and no words on a button.
    expect(text).toContain(`\n    ${link}\n`);
    expect([name, wordsOfHtml(html.replace(`>${label}<`, '><'))]).toEqual([name, wordsOf(text)]);
  }
});

test.each(LANGUAGE_TAGS)('each mail ends with who operates it, where, and where there is help: %s', (language) => {
  for (const [name, { text, html }] of allIn(language)) {
    const [, end = ''] = text.split('\n--\n');
    const [, htmlEnd = ''] = html.split('<hr>');
    for (const part of ['The operator', 'https://pay.test', 'https://pay.test/help']) {
      expect([name, end]).toEqual([name, expect.stringContaining(part)]);
      expect([name, htmlEnd]).toEqual([name, expect.stringContaining(part)]);
    }
  }
});

test('each mail is in its reader’s language from its subject to its end', () => {
  const english = allIn('en');
  for (const language of LANGUAGE_TAGS.filter((tag) => tag !== 'en')) {
    for (const [name, mail] of allIn(language)) {
      expect(mail.html).toContain(`<html lang="${language}">`);
      expect(mail.subject).not.toBe(english.get(name)?.subject);
      const same = paragraphsOf(mail).filter((paragraph) => paragraphsOf(english.get(name)).includes(paragraph));
      // What no language changes: links, codes, addresses.
      expect([name, language, same.filter((paragraph) => /\p{L}+ \p{L}+/u.test(paragraph))]).toEqual([
        name,
        language,
        [],
      ]);
    }
  }
});

const paragraphsOf = (mail: MailText | undefined): string[] => mail?.text.trim().split(/\n+/) ?? [];
