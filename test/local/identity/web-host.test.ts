import { expect, test } from 'vitest';
import { createDns } from '../../../identity/dns.ts';
import { startWebHost } from '../../../local/identity/web-host.ts';
import { FOREVER, keep } from '../../identity/proofs/tools.ts';
import { submit } from '../../identity/proofs/submit.ts';

const start = () => keep(startWebHost());

test('a file is there once it was published, for that host alone', async () => {
  const { url, toHostUrl } = await start();
  const fileOf = (host: string) => fetch(toHostUrl(host, '/.well-known/pennypost.txt'));
  expect((await fileOf('a.example.com')).status).toBe(404);
  expect((await submit(url, { host: 'A.example.com', text: 'pennypost=x', where: 'file' })).status).toBe(200);
  const file = await fileOf('a.example.com');
  expect([file.status, file.headers.get('content-type'), await file.text()]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'pennypost=x\n',
  ]);
  expect((await fileOf('b.a.example.com')).status).toBe(404);
});

test('a record stands beneath the host, and nothing else does', async () => {
  const { url, dnsServer } = await start();
  const dns = createDns({ servers: [dnsServer] });
  await submit(url, { host: 'a.example.com', text: 'pennypost=x', where: 'record' });
  expect(await dns('_pennypost.a.example.com', 'TXT', FOREVER)).toEqual({ kind: 'records', records: ['pennypost=x'] });
  expect(await dns('a.example.com', 'TXT', FOREVER)).toEqual({ kind: 'empty' });
  expect(await dns('_pennypost.a.example.com', 'A', FOREVER)).toEqual({ kind: 'empty' });
});

test.each([
  ['no host', '', 'x'],
  ['half a host', 'localhost', 'x'],
  ['a host with a path', 'https://a.example.com/b', 'x'],
  ['a script', '"><script>alert(1)</script>', 'x'],
  ['too much text', 'a.example.com', 'x'.repeat(2_001)],
])('%s is refused, and shown as text', async (_case, host, text) => {
  const { url } = await start();
  const page = await submit(url, { host, text, where: 'file' });
  expect(page.status).toBe(400);
  const shown = await page.text();
  expect(shown).toContain('role="alert"');
  expect(shown).not.toContain('<script>');
});
