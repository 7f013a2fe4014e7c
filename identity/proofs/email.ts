import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { isLoopback } from '../../core/config/readers.ts';
import type {
  AddressContent,
  CodeContent,
  MailText,
  MailTexts,
  NoticeContent,
  PurseContent,
} from '../../core/claims/mail.ts';
import { parseEmail } from '../../core/platforms/email.ts';
import { isProblem } from '../../core/platforms/parsed-name.ts';
import { startLimit } from '../time-limit.ts';
import type { ReportTrouble } from '../trouble.ts';
import { MAIL_CODE_MS } from './mail-code.ts';

/** Limits the whole exchange with the mail server. */
const TIMEOUT_MS = 15_000;
/** A server's answer is a line or a few. */
const RESPONSE_BYTES_MAX = 64 * 1024;

export type EmailSettings = { smtpUrl: string; from: string };

export type EmailOptions = {
  texts: MailTexts;
  report: ReportTrouble;
  timeoutMs?: number;
};

/** `unavailable`: not sent, because our server is away or the other one refuses the mailbox. */
export type MailOutcome = { kind: 'sent' } | { kind: 'unavailable' };

/**
 * For mails that no caller waits for. `unavailable`: certainly not accepted, may be tried later. `refused`: this
 * mailbox accepts no such mail. `unknown`: it may have been accepted, so sending it again may send it twice.
 */
export type NoticeOutcome = MailOutcome | { kind: 'refused' | 'unknown' };

export type EmailProof = {
  /** Whether our server answers now: asked before notices, so that an outage loses none. */
  isReachable: () => Promise<boolean>;
  /** `to` is the key of a recipient. Only they see the code; the caller stores its hash. */
  sendCode: (mail: Omit<CodeContent, 'validMs'> & { signal: AbortSignal }) => Promise<MailOutcome>;
  /** Says that money waits: once, and one reminder. The caller counts. */
  sendNeutralNotice: (mail: NoticeContent & { signal: AbortSignal }) => Promise<NoticeOutcome>;
  /** Says that another payout address is about to replace the present one, and how to stop that. */
  sendAddressNotice: (mail: AddressContent & { signal: AbortSignal }) => Promise<NoticeOutcome>;
  /** Says what is about to change with money that is kept for this address, and how to stop that. */
  sendPurseNotice: (mail: PurseContent & { signal: AbortSignal }) => Promise<NoticeOutcome>;
  /** Tells the operator of this installation what they have to know. */
  sendAlert: (mail: { to: string; subject: string; text: string; signal: AbortSignal }) => Promise<NoticeOutcome>;
};

/**
 * Mails with codes. A mail goes to exactly one address, which is parsed again here, so that a line break cannot add
 * another recipient. Outside this machine the connection must be encrypted.
 */
export function createEmailProof({ smtpUrl, from }: EmailSettings, options: EmailOptions): EmailProof {
  const { texts, report, timeoutMs = TIMEOUT_MS } = options;
  const transport = createTransport(toTransportOptions(smtpUrl, timeoutMs));

  async function send(to: string, { headers, ...mail }: Mail, caller: AbortSignal): Promise<NoticeOutcome> {
    checkAddress(to);
    const limit = startLimit(timeoutMs, caller);
    try {
      const { rejected } = await transport.sendMail({
        ...mail,
        from: { name: 'pennypost', address: from },
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        // RFC 3834: keeps automatic responders from answering.
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        signal: limit.signal,
      });
      if (rejected.length === 0) return { kind: 'sent' };
      report('mailbox refused');
      return { kind: 'refused' };
    } catch (error) {
      const failure = failureSchema.safeParse(error).data ?? {};
      report(reasonOf(failure));
      return { kind: outcomeOf(failure) };
    } finally {
      limit.end();
    }
  }

  return {
    isReachable: async () => {
      try {
        return await transport.verify();
      } catch (error) {
        report(reasonOf(failureSchema.safeParse(error).data ?? {}));
        return false;
      }
    },
    sendCode: async ({ signal, ...content }) => {
      if (!/^[0-9]{8}$/.test(content.code)) throw new Error('expected a code of 8 digits');
      const text = texts.code({ ...content, validMs: MAIL_CODE_MS });
      const outcome = await send(content.to, { ...text, headers: {} }, signal);
      return outcome.kind === 'sent' ? outcome : { kind: 'unavailable' };
    },
    sendNeutralNotice: async ({ signal, ...content }) => {
      // RFC 8058: mail programs show it as a button, and POST to it.
      const headers = {
        'List-Unsubscribe': `<${new URL(content.unsubscribeUrl).href}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      };
      return send(content.to, { ...texts.notice(content), headers }, signal);
    },
    sendAddressNotice: async ({ signal, ...content }) =>
      send(content.to, { ...texts.address(content), headers: {} }, signal),
    sendPurseNotice: async ({ signal, ...content }) =>
      send(content.to, { ...texts.purse(content), headers: {} }, signal),
    sendAlert: async ({ to, subject, text, signal }) =>
      send(to, { ...texts.alert({ subject, text }), headers: {} }, signal),
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

/** Callers pass a recipient's key. Anything else is our own mistake, and nothing is sent. */
function checkAddress(to: string): void {
  const parsed = parseEmail(to);
  if (isProblem(parsed) || parsed.key !== to) throw new Error('expected the key of an e-mail recipient');
}

const failureSchema = z.object({
  code: z.string().optional(),
  responseCode: z.number().optional(),
  command: z.string().optional(),
});
type Failure = z.infer<typeof failureSchema>;

/** The library's code and the server's number only, because their texts name the mailbox. */
function reasonOf({ code, responseCode }: Failure): string {
  return ['mail not sent', code, responseCode].filter((part) => part !== undefined).join(' ');
}

/**
 * A refusing reply means that the mail was not accepted; without a reply it may have been. 5xx is final (RFC 5321,
 * 4.2.1) when it is about the mailbox or the mail; before that it is about our own connection.
 */
function outcomeOf({ responseCode, command }: Failure): Exclude<NoticeOutcome['kind'], 'sent'> {
  if (responseCode === undefined) return 'unknown';
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA') ? 'refused' : 'unavailable';
}
