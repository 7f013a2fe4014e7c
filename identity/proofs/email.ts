import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { isLoopback } from '../../core/config/readers.ts';
import { parseEmail } from '../../core/recipients/email.ts';
import { isProblem } from '../../core/recipients/parsed-name.ts';
import { startLimit } from '../time-limit.ts';
import type { ReportTrouble } from '../trouble.ts';
import { codeMail, noticeMail, type MailSender, type MailText, type NoticeContent } from './mail-texts.ts';
import type { PayoutTarget } from './port.ts';

/** The whole exchange with the mail server. */
const TIMEOUT_MS = 15_000;
/** A server's answer is a line or a few. */
const RESPONSE_BYTES_MAX = 64 * 1024;

export type EmailSettings = { smtpUrl: string; from: string };

export type EmailOptions = {
  sender: MailSender;
  report: ReportTrouble;
  timeoutMs?: number;
};

/** `unavailable`: not sent, be it that our server is away, or that the other one refuses the mailbox. */
export type MailOutcome = { kind: 'sent' } | { kind: 'unavailable' };

export type EmailProof = {
  /** `to` is the key of a recipient. The code is shown to nobody else; the caller keeps its hash. */
  sendCode: (mail: { to: string; code: string; payout: PayoutTarget; signal: AbortSignal }) => Promise<MailOutcome>;
  /** One that money waits, and one reminder (contract, section 8): the caller counts. */
  sendNeutralNotice: (mail: NoticeContent & { signal: AbortSignal }) => Promise<MailOutcome>;
};

/**
 * Mails with codes. A mail goes to exactly one address, which is read again here: a line break in it would once have
 * been another recipient. Outside this machine the connection is encrypted, or there is none.
 */
export function createEmailProof({ smtpUrl, from }: EmailSettings, options: EmailOptions): EmailProof {
  const { sender, report, timeoutMs = TIMEOUT_MS } = options;
  const transport = createTransport(toTransportOptions(smtpUrl, timeoutMs));

  async function send(to: string, { headers, ...mail }: Mail, caller: AbortSignal): Promise<MailOutcome> {
    checkAddress(to);
    const limit = startLimit(timeoutMs, caller);
    try {
      const { rejected } = await transport.sendMail({
        ...mail,
        from: { name: 'pennypost', address: from },
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        // RFC 3834: no answering machine answers.
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        signal: limit.signal,
      });
      if (rejected.length === 0) return { kind: 'sent' };
      report('mailbox refused');
    } catch (error) {
      report(reasonOf(error));
    } finally {
      limit.end();
    }
    return { kind: 'unavailable' };
  }

  return {
    sendCode: async ({ to, code, payout, signal }) => {
      if (!/^[0-9]{8}$/.test(code)) throw new Error('expected a code of 8 digits');
      return send(to, { ...codeMail(sender, { to, code, payout }), headers: {} }, signal);
    },
    sendNeutralNotice: async ({ signal, ...content }) => {
      // RFC 8058: mail programs show it as a button, and POST to it.
      const headers = {
        'List-Unsubscribe': `<${new URL(content.unsubscribeUrl).href}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      };
      return send(content.to, { ...noticeMail(sender, content), headers }, signal);
    },
  };
}

type Mail = MailText & { headers: Record<string, string> };

function toTransportOptions(smtpUrl: string, timeoutMs: number) {
  const url = new URL(smtpUrl);
  const isSecure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  return {
    host,
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    requireTLS: !isSecure && !isLoopback(host),
    ...(auth.user === '' ? {} : { auth }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    maxResponseSize: RESPONSE_BYTES_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Whoever calls has a recipient's key; anything else is a mistake of ours, and nothing is sent. */
function checkAddress(to: string): void {
  const parsed = parseEmail(to);
  if (isProblem(parsed) || parsed.key !== to) throw new Error('expected the key of an e-mail recipient');
}

const failureSchema = z.object({ code: z.string().optional(), responseCode: z.number().optional() });

/** The library's word and the server's number: their texts name the mailbox. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = failureSchema.safeParse(error).data ?? {};
  return ['mail not sent', code, responseCode].filter((part) => part !== undefined).join(' ');
}
