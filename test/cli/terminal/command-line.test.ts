import { afterAll, expect, test } from 'vitest';
import { readRecipient } from '../../../cli/paying/recipient.ts';
import { createPlace } from '../client.ts';

const KEY = `0x${'11'.repeat(32)}`;
const place = createPlace({ PENNYPOST_BASE_KEY: KEY, PENNYPOST_URL: 'http://127.0.0.1:9' });
afterAll(() => place.remove());

test.each([[[]], [['help']], [['--help']], [['send', '--help']]])('%j says what there is', async (args) => {
  const ran = await place.run(args);
  expect(ran.code).toBe(0);
  for (const word of ['send', 'batch', 'check', 'resume', 'mcp', 'key import', '--dry-run', 'PENNYPOST_URL']) {
    expect(ran.out).toContain(word);
  }
});

test.each([
  [['sent', 'x:alice', '1']],
  [['send', 'x:alice']],
  [['send', 'x:alice', '1', 'a note', 'too much']],
  [['send', 'x:alice', '1', 'a note', '--note', 'another', '--yes']],
  [['send', 'alice', '1', '--yes']],
  [['send', 'myspace:alice', '1', '--yes']],
  [['send', 'x:аlice', '1', '--yes']],
  [['send', 'x:alice', '0', '--yes']],
  [['send', 'x:alice', '10.01', '--yes']],
  [['send', 'x:alice', '1', '--yess']],
  [['send', 'x:alice', '1', '--yes', '--max-dey', '5']],
  [['send', 'x:alice', '1', '--yes', '--max-day', 'five']],
  [['send', 'x:alice', '1', '--yes', '--max-fee', '-1']],
  [['send', 'x:alice', '1', '--yes', '--network', 'ethereum']],
  [['send', 'x:alice', '1', '--yes', '--network', 'solana']],
  [['send', 'x:alice', '1', '--yes', '--url', 'http://pay.example.com']],
  [['send', 'x:alice', '1', '--yes', '--url', 'https://pay.example.com/?a=1']],
  [['send', 'x:alice', '1', '--yes', '--url', 'file:///etc/passwd']],
  [['send', 'x:alice', '1', '--yes', '--from', '0x00000000000000000000000000000000000000aa']],
  [['send', 'x:alice', '1', '--yes', '--play', '/nowhere/payers.json']],
  [['batch', '/nowhere/file.csv', '--yes']],
  [['check']],
  [['check', 'abc']],
  [['key']],
  [['key', 'import', 'bitcoin']],
  [['mcp', 'now']],
])('%j is wrong usage: one line, what to do, no stack', async (args) => {
  const ran = await place.run(args);
  expect(ran.code).toBe(2);
  expect(ran.out).toBe('');
  expect(ran.err.trim().split('\n').length).toBeLessThanOrEqual(2);
  expect(ran.err).not.toContain('node:');
  expect(ran.err).not.toContain(KEY);
});

test('with --json a failure is one object with a word and what to do next', async () => {
  const ran = await place.run(['send', 'x:alice', '1', '--json']);
  expect(ran).toMatchObject({ code: 2, err: '', json: { ok: false, status: 'usage', error: 'not_confirmed' } });
});

test('a key that is none is refused without being repeated', async () => {
  const secret = `0x${'1'.repeat(63)}`;
  const other = createPlace({ PENNYPOST_BASE_KEY: secret });
  const ran = await other.run(['send', 'x:alice', '1', '--yes']);
  expect(ran.code).toBe(2);
  expect(ran.err).not.toContain(secret.slice(0, 20));
  other.remove();
});

test.each([
  ['x:alice', 'x:alice'],
  ['@x:@Alice', 'x:alice'],
  ['x/alice', 'x:alice'],
  ['github:Octocat', 'code:octocat'],
  ['https://github.com/octocat', 'code:octocat'],
  ['x.com/alice', 'x:alice'],
  ['fc:alice', 'decsocial:alice'],
  ['Alice@Example.com', 'email:alice@example.com'],
  ['email:alice@example.com', 'email:alice@example.com'],
  ['web:https://example.com', 'web:example.com'],
])('%s is %s', (text, expected) => {
  const { platform, key } = readRecipient(text);
  expect(`${platform}:${key}`).toBe(expected);
});
