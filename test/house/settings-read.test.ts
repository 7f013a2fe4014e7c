import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../core/config/config.ts';
import { VARIABLE_NAMES } from '../../core/config/variables.ts';

const ROOT = join(import.meta.dirname, '../..');
const READERS = [
  'main.ts',
  'core/config/config.ts',
  'api',
  'bot',
  'chain',
  'db',
  'identity',
  'queue',
  'service',
  'web',
  'worker',
  'scripts',
];

const sources = READERS.flatMap(sourcesIn).map((file) => readFileSync(join(ROOT, file), 'utf8'));
const ofConfig = ['sections.ts', 'networks.ts'].map((file) => readFileSync(join(ROOT, 'core/config', file), 'utf8'));

function sourcesIn(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  const entries = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
  return entries.filter((entry) => entry.endsWith('.ts')).map((entry) => join(path, entry));
}

/** Chats are undefined as a whole without their tokens. */
const WITH_CHATS = { DISCORD_TOKEN: 'token', DISCORD_APP_ID: '1', TELEGRAM_TOKEN: '1:A' };

function leaves(value: unknown, path: readonly string[] = []): string[][] {
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isGroup ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key])) : [[...path]];
}

/** What holds for one network or provider is read as `config[network]`, `identity[platform]` or under the name of its type. */
const GROUPS_BY_NAME = /^(?:base|solana|polygon|x|code|photo)$/;

/** `group.leaf`, or `{ leaf }` taken out of the group or of a parameter of its type. */
function isRead(path: readonly string[], texts: readonly string[]): boolean {
  const leaf = path.at(-1) ?? '';
  const group = path.at(-2) ?? 'config';
  const named = GROUPS_BY_NAME.test(group)
    ? '(?:config|identity|settings|chain|node|place\\w*|platform|network|provider\\w*|client\\w*|solana|photo|x|code)'
    : path.length === 1
      ? '[Cc]onfig'
      : group;
  const forms = [
    new RegExp(`\\b${named}(?:\\[[\\w.]+\\])?[?!]?\\.${leaf}\\b`),
    new RegExp(`\\{[^{}]*\\b${leaf}\\b[^{}]*\\}\\s*(?:=|:|\\}|,)[^;{}]{0,160}\\b${named}\\b`),
    new RegExp(`\\b${named}: \\{[^{}]*\\b${leaf}\\b`),
  ];
  return texts.some((text) => text.includes(leaf) && forms.some((form) => form.test(text)));
}

test('each value of the configuration is read outside it: no setting is dead', () => {
  const dead = leaves(parseConfig(WITH_CHATS)).filter((path) => !isRead(path, sources));
  expect(dead).toEqual([]);
});

test('each name reaches a value', () => {
  const generated = /^(?:.+)_SECOND_RPC_URL$|^(?:X|GITHUB|INSTAGRAM)_(.+)$/;
  const lost = VARIABLE_NAMES.filter((name) => {
    const suffix = generated.exec(name)?.[1];
    const wanted = !generated.test(name)
      ? new RegExp(`\\b${name}\\b`)
      : suffix === undefined
        ? /secondRpcName/
        : new RegExp(`'${suffix}'`);
    return !ofConfig.some((text) => wanted.test(text));
  });
  expect(lost).toEqual([]);
});

test('a value that nothing takes out of its group is found', () => {
  expect(isRead(['admin', 'port'], ['const { token } = config.admin;', 'const { port } = config.http;'])).toBe(false);
  expect(isRead(['admin', 'port'], ['const { token, port } = config.admin;'])).toBe(true);
  expect(isRead(['admin', 'port'], ['listen(config.admin.port);'])).toBe(true);
});
