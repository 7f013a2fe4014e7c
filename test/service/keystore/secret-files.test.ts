import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SECRET_NAMES } from '../../../core/config/variables.ts';
import { loadConfig } from '../../../service/keystore/load.ts';
import { readSecretFiles } from '../../../service/keystore/secret-files.ts';

const dir = mkdtempSync(join(tmpdir(), 'secret-files-'));
afterAll(() => rmSync(dir, { recursive: true }));

function fileOf(name: string, content: string): string {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
}

const SEED = 'ab'.repeat(32);

test('every secret can come from a file, which may end with a line break', () => {
  for (const name of SECRET_NAMES) {
    const path = fileOf(name, `value-of-${name}\n`);
    expect(readSecretFiles({ [`${name}_FILE`]: path })).toEqual({ [name]: `value-of-${name}` });
  }
  expect(loadConfig({ CHAT_WALLET_SEED_FILE: fileOf('seed', `${SEED}\n`) }).chatWalletSeed).toBe(SEED);
});

test('keys, tokens, passwords and addresses that may carry one are such secrets', () => {
  const some = ['TREASURY_KEY', 'BOT_API_TOKEN', 'DATABASE_URL', 'SMTP_URL', 'X_CLIENT_SECRET', 'BASE_SECOND_RPC_URL'];
  expect(SECRET_NAMES).toEqual(expect.arrayContaining(some));
  expect(SECRET_NAMES).not.toContain('KEYSTORE');
});

test.each([
  [
    'is missing',
    () => ({ TELEGRAM_TOKEN_FILE: join(dir, 'none') }),
    'TELEGRAM_TOKEN_FILE is a file that cannot be read (ENOENT)',
  ],
  ['is empty', () => ({ TELEGRAM_TOKEN_FILE: fileOf('empty', '\n') }), 'TELEGRAM_TOKEN_FILE is an empty file'],
  [
    'stands beside the value',
    () => ({ TELEGRAM_TOKEN_FILE: fileOf('t', '1:A'), TELEGRAM_TOKEN: '1:A' }),
    'TELEGRAM_TOKEN_FILE is set beside TELEGRAM_TOKEN',
  ],
  [
    'holds a wrong value',
    () => ({ TELEGRAM_TOKEN_FILE: fileOf('wrong', 'not-a-token') }),
    'TELEGRAM_TOKEN is set, but its',
  ],
])('a file that %s ends the start in one line, without its content', (_, env, line) => {
  expect(() => loadConfig(env())).toThrow(line);
  expect(() => loadConfig(env())).not.toThrow('not-a-token');
});
