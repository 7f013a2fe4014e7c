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
    { kind: 'holder', atMs: AT_MS },
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

const read = ({ subject, text, html }: MailText): string =>
  `${subject}\n${text}\n${html.slice(html.indexOf('<body>')).replaceAll(/<[^>]*>/g, ' ')}`;

test.each(LANGUAGE_TAGS)('no mail needs a technical word: %s', (language) => {
  for (const [name, mail] of mailsIn(language)) {
    expect([name, technicalBeforeWallet(read(mail), language)]).toEqual([name, []]);
    expect(technicalBeforeWallet(`${read(mail)} ${PLANTED[language]}`, language)).toHaveLength(2);
  }
});
