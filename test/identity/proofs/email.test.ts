import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmailProof, type EmailOptions } from '../../../identity/proofs/email.ts';
import type { PurseChange } from '../../../core/claims/mail.ts';
import { LANGUAGE_TAGS } from '../../../core/languages.ts';
import { MAIL_CODE } from '../../../texts/mail-code/languages.ts';
import { microUsdc } from '../../../core/money.ts';
import { createMailTexts } from '../../../texts/mail/mails.ts';
import { startMailbox, type MailboxOptions } from '../../../local/identity/mailbox.ts';
import { FOREVER, keep } from './tools.ts';

const PAYOUT = `0x${'aB'.repeat(20)}`;
const SENDER = {
  operatorName: 'Example & Sons',
  supportUrl: 'https://example.com/help',
  baseUrl: 'https://pay.example.com',
};
const LINK = `https://pay.example.com/claims/mail/${'S'.repeat(43)}`;
const TO = 'alice.o&c+tips@example.com';
const SENT = { kind: 'sent' };
const UNAVAILABLE = { kind: 'unavailable' };

function createProof(smtpUrl: string, options: Partial<EmailOptions> = {}) {
  const reasons: string[] = [];
  const report = (reason: string) => void reasons.push(reason);
  const proof = createEmailProof(
    { smtpUrl, from: 'pay@example.com' },
    { texts: createMailTexts(SENDER), report, ...options },
  );
  const sendCode = (to = TO, signal = FOREVER) =>
    proof.sendCode({ to, code: '12345678', payout: { base: PAYOUT }, linkUrl: LINK, language: 'en', signal });
  return { proof, reasons, sendCode };
}

async function startMail(options: Partial<MailboxOptions> = {}) {
  const mailbox = await keep(startMailbox({ now: () => Date.parse('2026-11-20T10:00:00Z'), ...options }));
  return { mailbox, ...createProof(mailbox.smtpUrl) };
}

describe('a mail with a code', () => {
  test('goes to that one address, from ours, and no machine answers it; it shows the payout and who speaks', async () => {
    const { mailbox, sendCode, reasons } = await startMail();
    expect(await sendCode()).toEqual(SENT);
    const [mail, ...others] = mailbox.mailsTo(TO);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: 'pay@example.com', to: [TO], subject: 'Your code for pennypost' });
    expect(mail?.headers.get('to')).toBe(TO);
    expect(mail?.headers.get('from')).toBe('pennypost <pay@example.com>');
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail?.headers.has('list-unsubscribe')).toBe(false);
    expect(reasons).toEqual([]);
    const { text = '', html = '', subject = '' } = mail ?? {};
    for (const part of ['1234 5678', `${PAYOUT} (on Base)`, '10 minutes', SENDER.supportUrl, SENDER.baseUrl]) {
      expect(text).toContain(part);
      expect(html).toContain(part);
    }
    expect(text).toContain(`sent to ${TO}`);
    expect(text).toContain('operated by Example & Sons');
    expect(html).toContain('operated by Example &amp; Sons');
    expect(html).toContain('alice.o&amp;c+tips@example.com');
    // It would be seen on a locked phone.
    expect(subject).not.toMatch(/[0-9]/);
    expect(text).toContain(`\n    ${LINK}\n`);
    // One link and no other: it leads to this service, no matter who asked for the mail.
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([LINK]);
  });

  test.each(LANGUAGE_TAGS)('in %s has the code, one button to the page, and its address in full', async (language) => {
    const { mailbox, proof } = await startMail();
    for (const payout of [{ keep: true } as const, { open: true } as const]) {
      await proof.sendCode({ to: TO, code: '12345678', payout, linkUrl: LINK, language, signal: FOREVER });
      const { text = '', html = '', subject = '' } = mailbox.mailsTo(TO)[0] ?? {};
      const { collect, signIn } = MAIL_CODE[language];
      const words = 'open' in payout ? signIn : collect;
      expect(subject).toBe(words.subject);
      for (const part of ['1234 5678', TO, LINK, SENDER.supportUrl]) expect(text).toContain(part);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toMatch(new RegExp(`<a href="[^"]*" style="[^"]*">${words.button}</a>`));
      expect([...html.matchAll(/href=/g)]).toHaveLength(1);
      // A mail to sign in collects nothing and must not say so.
      if ('open' in payout) expect(text).not.toContain(collect.button);
    }
  });

  test.each([
    [{ base: PAYOUT, solana: 'So1' }, [`${PAYOUT} (on Base)`, 'So1 (on Solana)']],
    [{ keep: true } as const, ['stays here for you']],
  ])('names the payout %j', async (payout, lines) => {
    const { mailbox, proof } = await startMail();
    await proof.sendCode({ to: TO, code: '00000001', payout, linkUrl: LINK, language: 'en', signal: FOREVER });
    const { text = '' } = mailbox.mailsTo(TO)[0] ?? {};
    for (const line of lines) expect(text).toContain(`\n    ${line}\n`);
    expect(text).toContain('0000 0001');
  });

  test.each([
    'alice@example.com\r\nRCPT TO:<mallory@example.com>',
    'alice@example.com\nBcc: mallory@example.com',
    'alice@example.com, mallory@example.com',
    'alice@example.com;mallory@example.com',
    '<alice@example.com>',
    'Alice <alice@example.com>',
    '"alice"@example.com',
    'alice@example.com ',
    'Alice@example.com',
    'alice@bücher.de',
    'alice@[127.0.0.1]',
    'alice',
    '',
  ])('to %j is never sent: it is no key of a recipient', async (to) => {
    const { mailbox, sendCode } = await startMail();
    await expect(sendCode(to)).rejects.toThrow('expected the key of an e-mail recipient');
    expect(mailbox.mailsTo('alice@example.com')).toEqual([]);
    expect(mailbox.mailsTo('mallory@example.com')).toEqual([]);
  });

  test.each(['1234567', '123456789', '1234567a', '1234\n5678', ''])(
    'with %j for a code is never sent',
    async (code) => {
      const { mailbox, proof } = await startMail();
      await expect(
        proof.sendCode({ to: TO, code, payout: { keep: true }, linkUrl: LINK, language: 'en', signal: FOREVER }),
      ).rejects.toThrow('8 digits');
      expect(mailbox.mailsTo(TO)).toEqual([]);
    },
  );
});

describe('a notice', () => {
  const notice = {
    to: TO,
    sum: microUsdc(3_200_000n),
    from: null,
    language: 'en',
    claimUrl: 'https://pay.example.com/claim/email/x?a=1&b=2',
    untilMs: Date.parse('2026-12-20T23:59:59Z'),
    isReminded: true,
    unsubscribeUrl: 'https://pay.example.com/never-again/token',
    signal: FOREVER,
  } as const;

  test('says that money waits, until when, and how never to hear of it again', async () => {
    const { mailbox, proof } = await startMail();
    expect(await proof.sendNeutralNotice({ ...notice, kind: 'waits' })).toEqual(SENT);
    const mail = mailbox.mailsTo(TO)[0];
    expect(mail?.subject).toBe('$3.20 is waiting for you');
    expect(mail?.text).toContain(
      'Someone sent $3.20 in USDC, a digital dollar, to alice.o&c+tips@example.com. It waits for you. If you do nothing, it goes back to its sender on 20 December 2026 (UTC)',
    );
    expect(mail?.text).toContain(notice.claimUrl);
    expect(mail?.html).toContain('href="https://pay.example.com/claim/email/x?a=1&amp;b=2"');
    expect(mail?.text).toContain(notice.unsubscribeUrl);
    expect(mail?.headers.get('list-unsubscribe')).toBe(`<${notice.unsubscribeUrl}>`);
    expect(mail?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  test('reminds once, and says so', async () => {
    const { mailbox, proof } = await startMail();
    await proof.sendNeutralNotice({ ...notice, kind: 'reminder' });
    const mail = mailbox.mailsTo(TO)[0];
    expect(mail?.subject).toBe('$3.20 is still waiting for you');
    expect(mail?.text).toContain('This is the only reminder.');
  });

  test('to what is no key of a recipient is never sent', async () => {
    const { proof } = await startMail();
    await expect(proof.sendNeutralNotice({ ...notice, to: 'a@b.com\r\nx', kind: 'waits' })).rejects.toThrow(
      'the key of',
    );
  });
});

describe('a notice about kept money', () => {
  test.each(LANGUAGE_TAGS)(
    'in %s says in its subject that something changes, and has one button that stops it',
    async (language) => {
      const { mailbox, proof } = await startMail();
      const stopUrl = 'https://pay.example.com/notices/hold/token';
      const atMs = Date.parse('2026-11-21T10:05:00Z');
      const sum = microUsdc(3_200_000n);
      const changes: PurseChange[] = [
        { kind: 'holder', atMs, isGuarded: false },
        { kind: 'holder', atMs, isGuarded: true },
        { kind: 'passkey_added', atMs },
        { kind: 'passkey_ends', atMs },
        { kind: 'leaves', atMs, sum },
        { kind: 'leaves_now', atMs, sum },
      ];
      const sent = changes.map((change) =>
        proof.sendPurseNotice({ to: TO, change, language, stopUrl, signal: FOREVER }),
      );
      expect(await Promise.all(sent)).toEqual(changes.map(() => SENT));
      const mails = mailbox.mailsTo(TO);
      expect(new Set(mails.map(({ text }) => text)).size).toBe(changes.length);
      for (const { text, html } of mails) {
        for (const part of [TO, stopUrl, '10:05']) expect(text).toContain(part);
        expect(html.match(/style="/g)).toHaveLength(1);
        expect(html).toContain(`<html lang="${language}">`);
      }
      expect(mails.filter(({ text }) => text.includes('$3.20'))).toHaveLength(2);
    },
  );
});

describe('a notice that the address changes', () => {
  test('shows both places, when the new one counts and where to stop it, and can not be switched off', async () => {
    const { mailbox, proof } = await startMail();
    const fromMs = Date.parse('2026-11-21T10:05:00Z');
    const claimUrl = 'https://pay.example.com/claim/email/x';
    const change = { now: { base: PAYOUT }, next: { keep: true } as const, fromMs, claimUrl, language: 'en' as const };
    expect(await proof.sendAddressNotice({ to: TO, ...change, signal: FOREVER })).toEqual(SENT);
    const mail = mailbox.mailsTo(TO)[0];
    const next = 'stays here for you';
    for (const part of [`${PAYOUT} (on Base)`, next, '21 November 2026 at 10:05 UTC', claimUrl]) {
      expect(mail?.text).toContain(part);
      expect(mail?.html).toContain(part);
    }
    expect(mail?.headers.has('list-unsubscribe')).toBe(false);
  });
});

describe('what becomes of a notice', () => {
  const notice = { to: TO, kind: 'waits', claimUrl: 'https://a.example', untilMs: 0, signal: FOREVER } as const;
  const send = (smtpUrl: string, timeoutMs: number) =>
    createProof(smtpUrl, { timeoutMs }).proof.sendNeutralNotice({
      ...notice,
      sum: microUsdc(500_000n),
      from: null,
      language: 'en',
      isReminded: true,
      unsubscribeUrl: 'https://a.example/stop',
    });

  /** Answers each command as told, `.` being the end of the mail, and everything else with 250; or not at all. */
  async function startScripted(script: Readonly<Record<string, string>>) {
    const server = createServer((socket) => {
      let isMail = false;
      socket.on('error', () => {}).write('220 hello\r\n');
      socket.on('data', (data) => {
        const text = data.toString();
        if (isMail && !text.endsWith('\r\n.\r\n')) return;
        const command = isMail ? '.' : text;
        isMail = text.startsWith('DATA');
        const [, reply = isMail ? '354 go on' : '250 fine'] =
          Object.entries(script).find(([start]) => command.startsWith(start)) ?? [];
        if (reply !== 'silence') socket.write(`${reply}\r\n`);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    return `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  test.each([
    ['a mailbox that is not there', { 'RCPT TO': '550 nobody' }, 'refused'],
    ['a mailbox that is full for now', { 'RCPT TO': '452 later' }, 'unavailable'],
    ['a sender that is not ours', { 'MAIL FROM': '550 not you' }, 'unavailable'],
    ['a server that is busy', { 'MAIL FROM': '421 later' }, 'unavailable'],
    ['a server that falls silent with the mail in its hands', { '.': 'silence' }, 'unknown'],
    ['a server that wants no such mail', { '.': '554 spam' }, 'refused'],
    ['a server that takes it', {}, 'sent'],
  ])('%s', async (_case, script, kind) => {
    // Only silence is waited for.
    expect(await send(await startScripted(script), kind === 'unknown' ? 1_000 : 15_000)).toEqual({ kind });
  });

  test('is not begun with a server that is away, or does not let us in', async () => {
    const { mailbox } = await startMail({ credentials: { user: 'user', pass: 'right' } });
    const isReachable = (url: string) => createProof(url).proof.isReachable();
    const signedIn = (password: string) => mailbox.smtpUrl.replace('//', `//user:${password}@`);
    expect(await isReachable('smtp://127.0.0.1:1')).toBe(false);
    expect(await isReachable(signedIn('wrong'))).toBe(false);
    expect(await isReachable(signedIn('right'))).toBe(true);
  });
});

describe('a mail that cannot be sent', () => {
  test('a mailbox that does not exist is named to nobody', async () => {
    const { sendCode, reasons, mailbox } = await startMail({ refuses: (address) => address === TO });
    expect(await sendCode()).toEqual(UNAVAILABLE);
    expect(reasons).toEqual(['mail not sent EENVELOPE 550']);
    expect(await sendCode('bob@example.com')).toEqual(SENT);
    expect(mailbox.mailsTo('bob@example.com')).toHaveLength(1);
  });

  test('a server that is not there', async () => {
    const { sendCode, reasons } = createProof('smtp://127.0.0.1:1');
    expect(await sendCode()).toEqual(UNAVAILABLE);
    expect(reasons).toEqual(['mail not sent ESOCKET']);
  });

  test('a server that signs us in, or not', async () => {
    const { mailbox } = await startMail({ credentials: { user: 'us er', pass: 'p@ss' } });
    const withPassword = (password: string) => mailbox.smtpUrl.replace('//', `//us%20er:${password}@`);
    expect(await createProof(withPassword('p%40ss')).sendCode()).toEqual(SENT);
    const { sendCode, reasons } = createProof(withPassword('a-wrong-password'));
    expect(await sendCode()).toEqual(UNAVAILABLE);
    expect(reasons).toEqual(['mail not sent EAUTH 535']);
    expect(await createProof(mailbox.smtpUrl).sendCode()).toEqual(UNAVAILABLE);
  });

  /** Greets as told, and then says nothing more. */
  async function startSilent(greeting: string, onLine: () => void = () => {}) {
    const server = createServer((socket) => {
      socket.on('error', () => {}).on('data', onLine);
      if (greeting !== '') socket.write(greeting);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    return `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  test.each(['', '220 hello\r\n', '220-and so on\r\n'])(
    'a server that greets with %j and falls silent',
    async (greeting) => {
      const { sendCode, reasons } = createProof(await startSilent(greeting), { timeoutMs: 100 });
      expect(await sendCode()).toEqual(UNAVAILABLE);
      expect(reasons).toHaveLength(1);
    },
  );

  test('a caller who leaves ends it', async () => {
    const caller = new AbortController();
    const { sendCode, reasons } = createProof(await startSilent('220 hello\r\n', () => caller.abort()));
    expect(await sendCode(TO, caller.signal)).toEqual(UNAVAILABLE);
    expect(reasons).toEqual(['mail not sent EABORT']);
  });

  test('nothing is sent for a caller who has left', async () => {
    const { sendCode, mailbox } = await startMail();
    expect(await sendCode(TO, AbortSignal.abort())).toEqual(UNAVAILABLE);
    expect(mailbox.mailsTo(TO)).toEqual([]);
  });

  test('outside this machine nothing is sent without encryption', async () => {
    const { mailbox } = await startMail();
    // The same server by an address that is not known to be this machine's.
    const { sendCode, reasons } = createProof(mailbox.smtpUrl.replace('127.0.0.1', '[::ffff:127.0.0.1]'));
    expect(await sendCode()).toEqual(UNAVAILABLE);
    expect(reasons).toEqual(['mail not sent ETLS 500']);
    expect(mailbox.mailsTo(TO)).toEqual([]);
  });

  test('smtps never falls back to plain text', async () => {
    const { mailbox } = await startMail();
    const { sendCode } = createProof(mailbox.smtpUrl.replace('smtp:', 'smtps:'));
    expect(await sendCode()).toEqual(UNAVAILABLE);
    expect(mailbox.mailsTo(TO)).toEqual([]);
  });
});
