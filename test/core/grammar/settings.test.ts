import { describe, expect, test } from 'vitest';
import { formatDuration, formatWait, parseDuration } from '../../../core/grammar/duration.ts';
import { parseCommand } from '../../../core/grammar/command.ts';
import type { GrammarContext } from '../../../core/grammar/recipient.ts';

function read(text: string, context: GrammarContext = {}) {
  const command = parseCommand(text, context);
  if (command.kind !== 'settings') throw new Error(`${text} is ${command.kind}`);
  return command.wish;
}

const PEOPLE = { people: [{ id: 'discord:17', name: '@mallory' }] };
const ROLES = { roles: [{ id: '5', name: '@helpers' }] };
const REPLY: GrammarContext = { repliesTo: { platform: 'telegram', key: '23', display: '23' } };

test.each(['/settings', 'settings', '  ／Settings  '])('%j asks what holds', (text) => {
  expect(read(text)).toBeNull();
});

test.each<[string, object, GrammarContext?]>([
  ['channels add', { setting: 'channels', change: 'add' }],
  ['Channels REMOVE', { setting: 'channels', change: 'remove' }],
  ['channels all', { setting: 'channels', change: 'all' }],
  ['min 0.5', { setting: 'min', amount: 500_000n }],
  ['min 0,5 USDC', { setting: 'min', amount: 500_000n }],
  ['min 50c', { setting: 'min', amount: 500_000n }],
  ['min off', { setting: 'min', amount: null }],
  ['max $5', { setting: 'max', amount: 5_000_000n }],
  ['max none', { setting: 'max', amount: null }],
  ['cooldown 30s', { setting: 'cooldown', seconds: 30 }],
  ['cooldown 5 m', { setting: 'cooldown', seconds: 300 }],
  ['cooldown 24h', { setting: 'cooldown', seconds: 86_400 }],
  ['cooldown off', { setting: 'cooldown', seconds: 0 }],
  ['ban <@17>', { setting: 'ban', person: { id: 'discord:17', name: '@mallory' } }, PEOPLE],
  ['ban <@!17>', { setting: 'ban', person: { id: 'discord:17', name: 'discord:17' } }],
  ['unban telegram:23', { setting: 'unban', person: { id: 'telegram:23', name: 'telegram:23' } }],
  ['ban', { setting: 'ban', person: { id: 'telegram:23', name: 'telegram:23' } }, REPLY],
  ['receipts reaction', { setting: 'receipts', style: 'reaction' }],
  ['receipts none', { setting: 'receipts', style: 'none' }],
  ['notes off', { setting: 'notes', isOn: false }],
  ['notes on', { setting: 'notes', isOn: true }],
  ['language english', { setting: 'language', language: 'en' }],
  ['language Español', { setting: 'language', language: 'es' }],
  ['language espanol', { setting: 'language', language: 'es' }],
  ['language DEUTSCH', { setting: 'language', language: 'de' }],
  ['language português', { setting: 'language', language: 'pt' }],
  ['language 日本語', { setting: 'language', language: 'ja' }],
  ['language pt-BR', { setting: 'language', language: 'pt' }],
  ['language off', { setting: 'language', language: null }],
  ['lifetime 1h', { setting: 'lifetime', seconds: 3_600 }],
  ['lifetime off', { setting: 'lifetime', seconds: null }],
  ['log here', { setting: 'log', isHere: true }],
  ['log off', { setting: 'log', isHere: false }],
  ['role <@&5>', { setting: 'role', role: { id: '5', name: '@helpers' } }, ROLES],
  ['role off', { setting: 'role', role: null }],
])('/settings %s', (text, wish, context) => {
  expect(read(`/settings ${text}`, context)).toEqual(wish);
});

describe('what cannot be read says what could be', () => {
  test.each([
    ['toast', 'unknown_setting', '/settings'],
    ['constructor', 'unknown_setting', '/settings'],
    ['channels', 'setting_choice', '/settings channels add'],
    ['channels #rewards', 'setting_choice', '/settings channels add'],
    ['receipts loud', 'setting_choice', '/settings receipts message'],
    ['notes', 'setting_choice', '/settings notes on'],
    ['log there', 'setting_choice', '/settings log here'],
    ['language', 'setting_choice', '/settings language off'],
    ['language klingon', 'setting_choice', '/settings language off'],
    ['language in English', 'setting_choice', '/settings language off'],
    ['min', 'setting_amount', '/settings min 0.5'],
    ['min all', 'setting_amount', '/settings min 0.5'],
    ['min 1 2', 'setting_amount', '/settings min 0.5'],
    ['max 1,000', 'thousands_separator', '/settings max 5'],
    ['max 1k', 'shorthand_amount', '/settings max 5'],
    ['min 0.001', 'too_small', '/settings min 0.01'],
    ['max 0.001', 'too_small', '/settings max 0.01'],
    ['min 11', 'too_large', '/settings min 10'],
    ['max 10.01', 'too_large', '/settings max 10'],
    ['max 1.0000001', 'too_many_decimals', '/settings max 5'],
    ['cooldown', 'cooldown_time', '/settings cooldown 30s'],
    ['cooldown 30', 'cooldown_time', '/settings cooldown 30s'],
    ['cooldown -5s', 'cooldown_time', '/settings cooldown 30s'],
    ['cooldown 25h', 'cooldown_time', '/settings cooldown 30s'],
    ['lifetime 30s', 'lifetime_time', '/settings lifetime 1h'],
    ['lifetime 2d', 'lifetime_time', '/settings lifetime 1h'],
    ['ban', 'setting_person', '/settings ban @name'],
    ['ban @alice', 'setting_person', '/settings ban @name'],
    ['ban telegram:alice', 'setting_person', '/settings ban @name'],
    ['ban x:alice', 'setting_person', '/settings ban @name'],
    ['ban <@17> <@18>', 'setting_person', '/settings ban @name'],
    ['unban <@&17>', 'setting_person', '/settings unban @name'],
    ['role', 'setting_role', '/settings role @role'],
    ['role helpers', 'setting_role', '/settings role @role'],
    ['role <@17>', 'setting_role', '/settings role @role'],
  ])('%s: %s', (text, code, example) => {
    expect(read(`/settings ${text}`)).toMatchObject({
      kind: 'mistake',
      code,
      examples: expect.arrayContaining([example]),
    });
  });

  test('and every example of a value can be typed as it stands', () => {
    for (const text of ['channels', 'receipts', 'notes', 'log', 'min', 'max', 'min 11', 'cooldown', 'lifetime']) {
      const wish = read(`/settings ${text}`);
      if (wish === null || !('kind' in wish)) throw new Error(`${text} is no mistake`);
      expect(wish.examples.map((example) => read(example))).not.toContainEqual(
        expect.objectContaining({ kind: 'mistake' }),
      );
    }
  });
});

test.each([1, 30, 60, 90, 300, 3_600, 5_400, 86_400])('%d seconds are read as they are written', (seconds) => {
  expect(parseDuration(formatDuration(seconds))).toBe(seconds);
});

test.each([
  [1, '1s'],
  [1_001, '2s'],
  [119_000, '119s'],
  [120_001, '3m'],
  [3_541_000, '1h'],
])('a wait of %d ms is announced as %s, which is never too short', (milliseconds, wait) => {
  expect(formatWait(milliseconds)).toBe(wait);
});
