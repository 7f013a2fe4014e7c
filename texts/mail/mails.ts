import type { Language } from '../../core/languages.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { NoticeMailTexts } from '../notice-mails/en.ts';
import { NOTICE_MAILS } from '../notice-mails/languages.ts';
import { GOING_BACK } from '../going-back/languages.ts';
import { MAIL_CODE } from '../mail-code/languages.ts';
import { SIGN_IN } from '../sign-in/languages.ts';
import { NETWORKS, networkTitle } from '../../core/networks.ts';
import type { PayoutTarget } from '../../core/claims/claims.ts';
import {
  MAIL_LINK_MS,
  type AddressContent,
  type CodeContent,
  type MailText,
  type MailTexts,
  type NoticeContent,
  type PurseChange,
  type PurseContent,
} from '../../core/claims/mail.ts';

/** Who speaks. Everything in a mail is ours: nobody can have us send their words to a stranger. */
export type MailSender = { operatorName: string; supportUrl: string | undefined; baseUrl: string };

/** Every mail, from this sender, in the language of its reader; the operator's own are English. */
export const createMailTexts = (sender: MailSender): MailTexts => ({
  code: (content) => codeMail(sender, content),
  notice: (content) => noticeMail(sender, content),
  address: (content) => addressMail(sender, content),
  purse: (content) => purseMail(sender, content),
  alert: ({ subject, text }) => compose(sender, subject, [text]),
});

/** In the language of the page that it was asked for on. */
function codeMail(sender: MailSender, content: CodeContent): MailText {
  const { to, code, payout, linkUrl, validMs, language } = content;
  const words = MAIL_CODE[language];
  const { linkWorksFor, collect, signIn } = words;
  const minutes = validMs / 60_000;
  const strong = { strong: `${code.slice(0, 4)} ${code.slice(4)}` };
  const { subject, lead, button, typeCode } = 'open' in payout ? signIn : collect;
  const begin = [lead(to), { button, link: linkUrl }, linkWorksFor(MAIL_LINK_MS / 60_000), typeCode, strong];
  const end =
    'open' in payout
      ? [signIn.worksFor(minutes), signIn.ignore]
      : [
          // Whether money waits is told after the proof only, and this mail may well reach somebody who proves nothing.
          collect.confirms,
          ...describePayout(payout, language).map((line) => ({ strong: line })),
          collect.otherwise(minutes),
          collect.ignore,
        ];
  return compose(sender, subject, [...begin, ...end], language);
}

function noticeMail(sender: MailSender, content: NoticeContent): MailText {
  const { to, kind, sum, from, claimUrl, untilMs, isReminded, unsubscribeUrl, language } = content;
  const { waits } = NOTICE_MAILS[language];
  const money = dollars(sum);
  const subject = kind === 'waits' ? waits.subject(money) : waits.again(money);
  const first = isReminded ? waits.first : waits.only;
  return compose(
    sender,
    subject,
    [
      waits.lead({ to, sum: money, from, on: GOING_BACK[language].day(new Date(untilMs)) }),
      { button: waits.button, link: claimUrl },
      kind === 'waits' ? first : waits.last,
      waits.never,
      { link: unsubscribeUrl },
    ],
    language,
  );
}

function addressMail(sender: MailSender, content: AddressContent): MailText {
  const { to, now, next, fromMs, claimUrl, language } = content;
  const { address, locale } = NOTICE_MAILS[language];
  const from = formatMinute(fromMs, locale);
  return compose(
    sender,
    address.subject,
    [
      address.lead(to, from),
      ...describePayout(next, language).map((line) => ({ strong: line })),
      address.before,
      ...describePayout(now, language).map((line) => ({ strong: line })),
      address.fine,
      address.stop(from),
      { button: address.button, link: claimUrl },
    ],
    language,
  );
}

function purseMail(sender: MailSender, { to, change, language, stopUrl }: PurseContent): MailText {
  const { purse, closing, locale } = NOTICE_MAILS[language];
  if (change.kind === 'closing') {
    const parts = [closing.lead(to, dollars(change.sum)), { button: closing.button, link: stopUrl }, closing.free];
    return compose(sender, closing.subject, parts, language);
  }
  const lead = leadOf(purse, to, change, formatMinute(change.atMs, locale));
  const rest = [purse.fine, purse.stop, { button: purse.button, link: stopUrl }, purse.why];
  return compose(sender, purse.subject, [lead, ...rest], language);
}

function leadOf(
  words: NoticeMailTexts['purse'],
  to: string,
  change: Exclude<PurseChange, { kind: 'closing' }>,
  at: string,
): string {
  switch (change.kind) {
    case 'holder':
      return words.holder(to, at, change.isGuarded);
    case 'passkey_added':
      return words.passkeyAdded(to, at);
    case 'passkey_ends':
      return words.passkeyEnds(to, at);
    case 'leaves':
      return words.leaves(to, dollars(change.sum), at);
    case 'leaves_now':
      return words.leavesNow(to, dollars(change.sum), at);
  }
}

const dollars = (sum: MicroUsdc): string => `$${formatUsdcForPeople(sum)}`;

/** A mail does not know the zone of its reader. */
function formatMinute(atMs: number, locale: string): string {
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${times.format(atMs)} UTC`;
}

/** Lines for people who have to recognise their own address. */
function describePayout(payout: PayoutTarget, language: Language): string[] {
  const words = MAIL_CODE[language];
  if ('decline' in payout) return [words.goesBack];
  if ('open' in payout) return [SIGN_IN[language].whatFor];
  if ('keep' in payout) return [words.staysHere];
  return NETWORKS.flatMap((network) => {
    const address = payout[network];
    return address === undefined ? [] : [words.onNetwork(address, networkTitle(network, null))];
  });
}

/** `button`: the one thing to press, above its address in full. */
type Part = string | { strong: string } | { link: string; button?: string };

function compose(sender: MailSender, subject: string, parts: readonly Part[], language: Language = 'en'): MailText {
  const { operatorName, supportUrl, baseUrl } = sender;
  const { operatedBy, help } = MAIL_CODE[language];
  const closing = [operatedBy(baseUrl, operatorName), ...(supportUrl === undefined ? [] : [help(supportUrl)])].join(
    ' ',
  );
  const text = [...parts.map(toText), '--', closing].join('\n\n');
  const body = [...parts.map(toHtml), '<hr>', `<p>${escapeHtml(closing)}</p>`].join('\n');
  const head = `<meta charset="utf-8"><title>${escapeHtml(subject)}</title>`;
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="${language}"><head>${head}</head><body>\n${body}\n</body></html>\n`,
  };
}

function toText(part: Part): string {
  if (typeof part === 'string') return part;
  return `    ${'strong' in part ? part.strong : part.link}`;
}

function toHtml(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('strong' in part) return `<p><strong>${escapeHtml(part.strong)}</strong></p>`;
  const link = escapeHtml(part.link);
  if (part.button === undefined) return `<p><a href="${link}">${link}</a></p>`;
  return `<p><a href="${link}" style="${BUTTON}">${escapeHtml(part.button)}</a></p>\n<p>${link}</p>`;
}

/** Mail programs read styles beside the element only. */
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:24px;background:#a3162e;color:#ffffff;font-weight:bold;text-decoration:none';

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
