import { signInEn } from '../sign-in/en.ts';
import { NETWORKS, networkTitle } from '../../core/networks.ts';
import type { PayoutTarget } from '../../core/claims/claims.ts';
import {
  MAIL_LINK_MS,
  type AddressContent,
  type CodeContent,
  type MailText,
  type MailTexts,
  type NoticeContent,
} from '../../core/claims/mail.ts';

/** Who speaks. Everything in a mail is ours: nobody can have us send his words to a stranger. */
export type MailSender = { operatorName: string; supportUrl: string | undefined; baseUrl: string };

/** Every mail, from this sender. */
export const mailTextsEn = (sender: MailSender): MailTexts => ({
  code: (content) => codeMail(sender, content),
  notice: (content) => noticeMail(sender, content),
  address: (content) => addressMail(sender, content),
});

function codeMail(sender: MailSender, content: CodeContent): MailText {
  const { to, code, payout, linkUrl, validMs } = content;
  if ('open' in payout) return signInMail(sender, content);
  return compose(sender, 'Your code for pennypost', [
    // Whether money waits is told after the proof only, and this mail may well reach somebody who proves nothing.
    `Somebody asks to collect the money that is sent to ${to}. If you want it, open this page in any browser. You choose there where the money goes:`,
    { link: linkUrl },
    `The link works for ${MAIL_LINK_MS / 60_000} minutes, whoever asked for this mail. Do not pass it on.`,
    'Or type this code into the page where you asked:',
    { strong: `${code.slice(0, 4)} ${code.slice(4)}` },
    'With this code you confirm where the money goes:',
    ...describePayout(payout).map((line) => ({ strong: line })),
    `If that is not where you want it, do not use the code. It works for ${validMs / 60_000} minutes, in the window where you asked for it.`,
    'Nobody will ever ask you for this code, neither by phone nor in a chat. If you do not want the money, ignore this mail: nothing happens without the link or the code.',
  ]);
}

function signInMail(sender: MailSender, { to, code, linkUrl, validMs }: CodeContent): MailText {
  return compose(sender, 'Your code to sign in', [
    `Somebody asks to sign in to the money that is kept for ${to}. If that is you, open this page in any browser:`,
    { link: linkUrl },
    `The link works for ${MAIL_LINK_MS / 60_000} minutes, whoever asked for this mail. Do not pass it on.`,
    'Or type this code into the page where you asked. It shows what is kept, and moves nothing:',
    { strong: `${code.slice(0, 4)} ${code.slice(4)}` },
    `The code works for ${validMs / 60_000} minutes, in the window where you asked for it. Nobody will ever ask you for it, neither by phone nor in a chat.`,
    'If it is not you, ignore this mail: nothing happens without the link or the code.',
  ]);
}

function noticeMail(sender: MailSender, content: NoticeContent): MailText {
  const { to, kind, claimUrl, untilMs, unsubscribeUrl } = content;
  const until = new Date(untilMs).toISOString().slice(0, 10);
  const subject = kind === 'waits' ? 'Money is waiting for you' : 'Money is still waiting for you';
  return compose(sender, subject, [
    `Somebody sent money (USDC, a digital dollar) to ${to}. It waits for you until ${until}; after that it goes back to whoever sent it.`,
    'You can look at it, take it or decline it here:',
    { link: claimUrl },
    kind === 'waits'
      ? 'It costs you nothing. We will remind you once before it goes back, and write no more after that.'
      : 'This is the only reminder.',
    'You want no such mail, ever again? One click:',
    { link: unsubscribeUrl },
  ]);
}

function addressMail(sender: MailSender, content: AddressContent): MailText {
  const { to, now, next, fromMs, claimUrl } = content;
  const from = `${new Date(fromMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return compose(sender, 'Your money is about to go to another address', [
    `Somebody who can read mail to ${to} asked us to send the money for it to another address. From ${from} it goes here:`,
    ...describePayout(next).map((line) => ({ strong: line })),
    'Until then it goes, as before, here:',
    ...describePayout(now).map((line) => ({ strong: line })),
    'If you asked for this, there is nothing to do.',
    `If you did not, you can stop it until ${from}: collect once more, on this page, and choose the place where it goes now. Then change the password of your mailbox: somebody else can read your mail.`,
    { link: claimUrl },
  ]);
}

/** Lines for a person who has to recognise his own address. */
function describePayout(payout: PayoutTarget): string[] {
  if ('decline' in payout) return ['back to whoever sent it, because you do not want it'];
  if ('open' in payout) return [signInEn.whatFor];
  if ('keep' in payout) return ['stays here for you, in a wallet of your own on this service'];
  return NETWORKS.flatMap((network) =>
    payout[network] === undefined ? [] : [`${payout[network]} (on ${networkTitle(network, null)})`],
  );
}

type Part = string | { strong: string } | { link: string };

function compose(sender: MailSender, subject: string, parts: readonly Part[]): MailText {
  const { operatorName, supportUrl, baseUrl } = sender;
  const help = supportUrl === undefined ? '' : ` Help: ${supportUrl}`;
  const closing = `pennypost at ${baseUrl} is operated by ${operatorName}.${help}`;
  const text = [...parts.map(toText), '--', closing].join('\n\n');
  const body = [...parts.map(toHtml), '<hr>', `<p>${escapeHtml(closing)}</p>`].join('\n');
  const head = `<meta charset="utf-8"><title>${escapeHtml(subject)}</title>`;
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en"><head>${head}</head><body>\n${body}\n</body></html>\n`,
  };
}

function toText(part: Part): string {
  if (typeof part === 'string') return part;
  return `    ${'strong' in part ? part.strong : part.link}`;
}

function toHtml(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('strong' in part) return `<p><strong>${escapeHtml(part.strong)}</strong></p>`;
  return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a></p>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
