/** What is there before anybody is paid: setting up, completing, and answers for programs. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OPTION_NAMES } from '../../cli/terminal/command-line.ts';
import { COMMAND_LIST, SHELLS } from '../../cli/terminal/commands.ts';
import { createPlace, typist, type Place } from './client.ts';

const KEY = `0x${'11'.repeat(32)}`;
const ADDRESS = '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a';
let place: Place;
beforeEach(() => (place = createPlace({})));
afterEach(() => place.remove());

function secretFile(name: string, text: string): string {
  const path = place.file(name);
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  return path;
}

const settings = () => join(place.home, 'settings.json');

describe('init', () => {
  test('asks for service, network, key and password, and later commands need none of them', async () => {
    const terminal = typist('https://pay.example.com', '', KEY, 'long enough', 'long enough');
    const ran = await place.run(['init'], { terminal });
    expect([ran.code, terminal.asked.length]).toEqual([0, 5]);
    expect(ran.out).toContain(ADDRESS);
    expect(readFileSync(settings(), 'utf8')).not.toContain(KEY.slice(2));
    expect(statSync(settings()).mode & 0o077).toBe(0);
    const addresses = await place.run(['key', 'address', '--json']);
    expect(addresses.json).toMatchObject({ addresses: { base: ADDRESS } });
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request) => {
      asked.push(url instanceof Request ? url.url : url.toString());
      return Response.json({ error: 'payment_not_found' }, { status: 400 });
    };
    await place.run(['check', '1'], { fetch });
    expect(asked).toEqual(['https://pay.example.com/payments/validate?txn_id=1']);
    await place.run(['check', '1', '--url', 'https://other.example.com'], { fetch });
    expect(asked[1]).toMatch(/^https:\/\/other\.example\.com\//);
  });

  test('takes all of it from options where nobody can be asked', async () => {
    const files = ['--key-file', secretFile('key', KEY), '--password-file', secretFile('password', 'long enough')];
    const ran = await place.run(['init', '--url', 'https://pay.example.com', ...files, '--json'], { terminal: null });
    expect(ran.json).toMatchObject({ ok: true, status: 'initialised', address: ADDRESS, network: 'base' });
  });

  test('without a terminal it asks nothing, and says what is missing', async () => {
    const ran = await place.run(['init', '--json'], { terminal: null });
    expect([ran.code, ran.json['error'], ran.json['next']]).toEqual([2, 'bad_usage', expect.stringContaining('--url')]);
    expect(existsSync(settings())).toBe(false);
  });

  test.each([
    ['no answer', [null]],
    ['an address without encryption', ['http://pay.example.com']],
    ['a network that is none', ['https://pay.example.com', 'bitcoin']],
    ['no key', ['https://pay.example.com', 'base', '']],
    ['two passwords that differ', ['https://pay.example.com', 'base', KEY, 'long enough', 'long enouff']],
  ])('writes nothing after %s', async (_title, answers) => {
    const ran = await place.run(['init'], { terminal: typist(...answers) });
    expect(ran.code).not.toBe(0);
    expect([existsSync(settings()), existsSync(join(place.home, 'keys/base.json'))]).toEqual([false, false]);
  });

  test('replaces nothing that is there', async () => {
    const answers = ['https://pay.example.com', '', KEY, 'long enough', 'long enough'];
    await place.run(['init'], { terminal: typist(...answers) });
    const before = readFileSync(settings(), 'utf8');
    expect((await place.run(['init', '--json'], { terminal: typist(...answers) })).json).toMatchObject({
      error: 'settings_exist',
    });
    expect(readFileSync(settings(), 'utf8')).toBe(before);
  });

  test('settings that cannot be read stop every command: no other service is asked instead', async () => {
    await place.run(['init'], { terminal: typist('https://pay.example.com', '', KEY, 'long enough', 'long enough') });
    writeFileSync(settings(), '{"version":1');
    const ran = await place.run(['check', '1', '--json'], { fetch: () => expect.unreachable('nothing may be asked') });
    expect(ran.json).toMatchObject({ ok: false, error: 'bad_file' });
  });
});

describe('completion', () => {
  test.each(SHELLS)('for %s knows every command and every option', async (shell) => {
    const { code, out, json } = await place.run(['completion', shell]);
    expect(code).toBe(0);
    for (const { name } of COMMAND_LIST) expect(out).toMatch(new RegExp(`\\b${name}\\b`));
    for (const name of OPTION_NAMES) expect(out).toContain(shell === 'fish' ? ` -l ${name}` : `--${name}`);
    expect(json).toEqual({});
    expect((await place.run(['completion', shell, '--json'])).json).toMatchObject({ ok: true, shell });
  });

  test.each([
    [['pennypost', 'ch'], ['check']],
    [['pennypost', 'key', 'im'], ['import']],
    [['pennypost', 'send', '--dry'], ['--dry-run']],
  ])('in bash, %j is completed to %j', async (words, wanted) => {
    const { out } = await place.run(['completion', 'bash']);
    const typed = words.map((word) => `'${word}'`).join(' ');
    const script = `${out}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _pennypost; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ')).toEqual(wanted);
  });

  test('another shell is wrong usage', async () => {
    expect((await place.run(['completion', 'csh', '--json'])).json).toMatchObject({ ok: false, error: 'bad_usage' });
  });
});

test('every command answers one object with --json, whatever becomes of it', async () => {
  for (const { name } of [...COMMAND_LIST.filter((row) => row.name !== 'mcp'), { name: 'help' }]) {
    const { out } = await place.run([name, '--json'], { terminal: null });
    expect([name, Object.keys(JSON.parse(out) as object)]).toEqual([name, expect.arrayContaining(['ok', 'status'])]);
  }
  expect((await place.run(['help', '--json'])).json).toMatchObject({ ok: true, status: 'help' });
});
