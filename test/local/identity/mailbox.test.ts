import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { readMail } from '../../../local/identity/mail-message.ts';
import { startMailbox } from '../../../local/identity/mailbox.ts';
import { keep } from '../../identity/proofs/tools.ts';

const NOW_MS = Date.parse('2026-11-20T10:11:12Z');

async function start() {
  const mailbox = await keep(startMailbox({ now: () => NOW_MS }));
  const send = (to: string, text: string, subject = 'Hello') =>
    createTransport(mailbox.smtpUrl).sendMail({ from: 'a@example.com', to, subject, text, html: `<p>${text}</p>` });
  const read = async (address: string) => {
    const page = await fetch(`${mailbox.url}/?address=${encodeURIComponent(address)}`);
    return { status: page.status, text: await page.text() };
  };
  return { mailbox, send, read };
}

describe('the page', () => {
  test('shows a mailbox, newest mail first, and nothing of others', async () => {
    const { send, read } = await start();
    await send('alice@example.com', 'the first');
    await send('alice@example.com', 'the second');
    await send('bob@example.com', 'not for alice');
    const { text } = await read('Alice@Example.com');
    expect(text.indexOf('the second')).toBeLessThan(text.indexOf('the first'));
    expect(text).toContain('Came at 10:11:12 UTC.');
    expect(text).not.toContain('not for alice');
    expect((await read('')).text).toContain('href="/?address=bob%40example.com"');
  });

  test('shows what a stranger wrote as text', async () => {
    const { send, read } = await start();
    await send('alice@example.com', '<script>alert(1)</script>', '<b>Hello</b>');
    const { text } = await read('alice@example.com');
    expect(text).not.toContain('<script>');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('&lt;b&gt;Hello&lt;/b&gt;');
    expect((await read('"><script>')).text).not.toContain('<script>');
  });

  test('says when there is no mail', async () => {
    const { read } = await start();
    expect((await read('')).text).toContain('No mail has come yet.');
    expect((await read('alice@example.com')).text).toContain('There is none.');
  });
});

test('the last two hundred mails are kept', async () => {
  const { mailbox, send } = await start();
  await Promise.all(Array.from({ length: 205 }, (_, index) => send('alice@example.com', `mail ${index}`)));
  expect(mailbox.mailsTo('alice@example.com')).toHaveLength(200);
});

test('a mail beyond 64 KiB is refused', async () => {
  const { mailbox, send } = await start();
  await expect(send('alice@example.com', 'x'.repeat(70_000))).rejects.toMatchObject({ responseCode: 552 });
  expect(mailbox.mailsTo('alice@example.com')).toEqual([]);
});

describe('reading a mail', () => {
  test.each([
    ['plain', 'Subject: Hi\r\n\r\nOne\r\ntwo', { subject: 'Hi', text: 'One\ntwo', html: '' }],
    ['without a body', 'Subject: Hi', { subject: 'Hi', text: '', html: '' }],
    ['with a folded header', 'Subject: Hi\r\n there\r\n\r\nx', { subject: 'Hi there', text: 'x', html: '' }],
    [
      'quoted-printable',
      'Content-Transfer-Encoding: quoted-printable\r\n\r\nZo=C3=AB =3D a =\r\nlong line',
      { subject: '', text: 'Zoë = a long line', html: '' },
    ],
    ['base64', 'Content-Transfer-Encoding: base64\r\n\r\nWm/D\r\nqw==\r\n', { subject: '', text: 'Zoë', html: '' }],
    [
      'with words of RFC 2047',
      'Subject: =?UTF-8?Q?Zo=C3=AB_?= =?utf-8?B?w6s=?= !\r\n\r\nx',
      { subject: 'Zoë ë !', text: 'x', html: '' },
    ],
    [
      'in two forms',
      'Content-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nplain\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>\r\n--b--\r\n',
      { subject: '', text: 'plain', html: '<p>' },
    ],
  ])('%s', (_case, raw, expected) => {
    expect(readMail(raw)).toMatchObject(expected);
  });
});
