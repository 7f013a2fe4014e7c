/** A mail server that takes every mail and delivers none, and the page where a newcomer reads them. */
import { once } from 'node:events';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { html } from './html.ts';
import { readMail, type MailMessage } from './mail-message.ts';
import { PAGE_HEADERS, renderPage } from './page.ts';
import { startStandIn, type Reply, type StandIn } from './server.ts';

export type ReceivedMail = MailMessage & { from: string; to: readonly string[]; atMs: number };

export type MailboxOptions = {
  now: () => number;
  /** Without them no client needs to sign in. */
  credentials?: { user: string; pass: string };
  /** Mailboxes that do not exist. */
  refuses?: (address: string) => boolean;
};

export type Mailbox = {
  smtpUrl: string;
  /** The page; `?address=alice@example.com` shows one mailbox. */
  url: string;
  /** Newest first. */
  mailsTo: (address: string) => readonly ReceivedMail[];
  close: () => Promise<void>;
};

const MAILS_KEPT = 200;
const MAIL_BYTES_MAX = 64 * 1024;
const ADDRESSES_SHOWN = 20;

export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const keep = (mail: ReceivedMail): void => {
    mails.unshift(mail);
    if (mails.length > MAILS_KEPT) mails.pop();
  };
  const mailsTo = (address: string) => mails.filter(({ to }) => to.includes(address.toLowerCase()));
  const smtp = await startSmtp(options, keep);
  const pages: StandIn = await startStandIn(({ method, path, query }): Reply => {
    if (method !== 'GET' || path !== '/') return { status: 404, body: 'There is nothing here.' };
    return showMailbox((query.get('address') ?? '').trim(), mails, mailsTo);
  });
  return {
    smtpUrl: smtp.url,
    url: pages.url,
    mailsTo,
    close: async () => {
      await Promise.all([smtp.close(), pages.close()]);
    },
  };
}

async function startSmtp({ credentials, refuses, now }: MailboxOptions, keep: (mail: ReceivedMail) => void) {
  const server = new SMTPServer({
    logger: false,
    banner: 'pretend',
    disableReverseLookup: true,
    disabledCommands: credentials ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    authOptional: !credentials,
    size: MAIL_BYTES_MAX,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === credentials?.user && password === credentials?.pass;
      if (isRight) done(null, { user: username });
      else done(new Error('wrong user or password'));
    },
    onRcptTo: ({ address }, _session, done) => {
      if (refuses?.(address.toLowerCase())) done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
      else done();
    },
    onData: (stream, { envelope }, done) => {
      const take = async (): Promise<void> => {
        const raw = await readStream(stream);
        if (raw === null) return done(Object.assign(new Error('too large'), { responseCode: 552 }));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address.toLowerCase());
        keep({ ...readMail(raw), from, to, atMs: now() });
        done();
      };
      // A client that breaks off needs no answer.
      take().catch(() => stream.destroy());
    },
  });
  // A client that hangs up is its own affair.
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error(`expected a port, found ${String(address)}`);
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** To its end, because only then the server may answer; null for one that is too large. */
async function readStream(stream: SMTPServerDataStream): Promise<string | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (stream.byteLength <= MAIL_BYTES_MAX) chunks.push(chunk);
  }
  return stream.sizeExceeded ? null : Buffer.concat(chunks).toString('latin1');
}

function showMailbox(
  address: string,
  mails: readonly ReceivedMail[],
  mailsTo: (address: string) => readonly ReceivedMail[],
): Reply {
  const addresses = [...new Set(mails.flatMap(({ to }) => to))].slice(0, ADDRESSES_SHOWN);
  const main = html`<form method="get" action="/">
<label for="address">Whose mail do you want to read?</label>
<input id="address" name="address" type="text" inputmode="email" autocomplete="off" autocapitalize="none" spellcheck="false" value="${address}">
<button>Open the mailbox</button>
</form>
${
  addresses.length === 0
    ? html`<p>No mail has come yet.</p>`
    : html`<h2>Mailboxes with mail</h2>
<ul>${addresses.map((entry) => html`<li><a href="/?address=${encodeURIComponent(entry)}">${entry}</a></li>`)}</ul>`
}
${address === '' ? html`` : listMails(address, mailsTo(address))}`;
  const title = address === '' ? 'Mailbox' : `Mailbox of ${address}`;
  return { status: 200, body: renderPage({ title, standsFor: 'a mail server', main }), headers: PAGE_HEADERS };
}

function listMails(address: string, mails: readonly ReceivedMail[]) {
  if (mails.length === 0)
    return html`<h2>Mail for ${address}</h2><p>There is none. Load this page again when you expect some.</p>`;
  return html`<h2>Mail for ${address}</h2>
${mails.map(
  ({ subject, text, atMs }) => html`<article><h3>${subject}</h3>
<p>Came at ${new Date(atMs).toISOString().slice(11, 19)} UTC.</p>
<pre>${text}</pre></article>`,
)}`;
}
