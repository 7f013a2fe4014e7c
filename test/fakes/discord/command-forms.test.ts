import { expect, test } from 'vitest';
import { call, openPlace } from './careless.ts';

const option = (changed: object = {}) => ({ type: 3, name: 'to', description: 'Whom', ...changed });
const slash = (changed: object = {}) => ({ name: 'tip', description: 'Tips', ...changed });

test.each([
  ['a name in upper case', [slash({ name: 'Tip' })], 'INVALID_NAME'],
  ['a name with a space', [slash({ name: 'a tip' })], 'INVALID_NAME'],
  ['a translated name in upper case', [slash({ name_localizations: { de: 'Trinkgeld' } })], 'INVALID_NAME'],
  ['an unknown language', [slash({ name_localizations: { xx: 'tip' } })], 'name_localizations'],
  ['no description', [{ name: 'tip' }], 'BASE_TYPE_REQUIRED'],
  ['a description of 101', [slash({ description: 'x'.repeat(101) })], 'BASE_TYPE_MAX_LENGTH'],
  ['the same name twice', [slash(), slash()], 'DUPLICATE_NAME'],
  ['an unknown type of option', [slash({ options: [option({ type: 12 })] })], 'BASE_TYPE_CHOICES'],
  [
    'a required option at the end',
    [slash({ options: [option(), option({ name: 'b', required: true })] })],
    'REQUIRED_INVALID',
  ],
  ['the same option twice', [slash({ options: [option(), option()] })], 'NAME_ALREADY_EXISTS'],
  [
    'autocomplete beside choices',
    [slash({ options: [option({ autocomplete: true, choices: [{ name: 'a', value: 'a' }] })] })],
    'AUTOCOMPLETE',
  ],
  [
    '26 options',
    [slash({ options: Array.from({ length: 26 }, (_, i) => option({ name: `o${i}` })) })],
    'BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a subcommand beside an option',
    [slash({ options: [option(), { type: 1, name: 'a', description: 'A' }] })],
    'TYPE_INVALID',
  ],
  ['a limit of length on a number', [slash({ options: [option({ type: 4, max_length: 5 })] })], 'UNKNOWN_FIELD'],
  [
    'a choice of another type',
    [slash({ options: [option({ choices: [{ name: 'a', value: 1 }] })] })],
    'CHOICE_VALUE_TYPE',
  ],
  ['an unknown context', [slash({ contexts: [3] })], 'contexts'],
  ['an unknown way of installing', [slash({ integration_types: [2] })], 'integration_types'],
  ['a menu with a description', [{ type: 2, name: 'Tip', description: 'Tips' }], 'description'],
  ['16 menus', Array.from({ length: 16 }, (_, i) => ({ type: 3, name: `Tip ${i}` })), 'BASE_TYPE_MAX_LENGTH'],
  [
    '8,001 characters',
    [
      slash({
        options: Array.from({ length: 25 }, (_, i) =>
          option({
            name: `o${i}`,
            choices: Array.from({ length: 5 }, (_n, j) => ({ name: 'x'.repeat(70), value: `${j}` })),
          }),
        ),
      }),
    ],
    'TOO_LARGE',
  ],
])('a command list with %s is refused', async (_what, list, part) => {
  const { discord } = await openPlace();
  const refused = await call(discord, 'PUT', `/applications/${discord.applicationId}/commands`, list);
  expect(refused).toMatchObject({ status: 400, code: 50035 });
  expect(refused.errors).toContain(part);
  expect(discord.commands().map(({ name }) => name)).toEqual(['ping', 'find']);
});
