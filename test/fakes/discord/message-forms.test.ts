import { expect, test } from 'vitest';
import { button, call, openPlace, row, select } from './careless.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => button({ custom_id: `b${index}` }));

test.each([
  ['an empty message', {}, 50006, '{}'],
  ['only spaces', { content: ' \n ' }, 50006, '{}'],
  ['2,001 characters', { content: 'x'.repeat(2001) }, 50035, 'BASE_TYPE_MAX_LENGTH'],
  ['a number as content', { content: 5 }, 50035, 'STRING_TYPE_CONVERT'],
  ['an unknown field', { content: 'a', embed: {} }, 50035, 'UNKNOWN_FIELD'],
  ['the flag of ephemeral answers', { content: 'a', flags: 64 }, 50035, 'BASE_TYPE_CHOICES'],
  ['a long nonce', { content: 'a', nonce: 'x'.repeat(26) }, 50035, 'nonce'],
  ['a reply to nothing', { content: 'a', message_reference: { message_id: '1'.repeat(18) } }, 50035, 'REPLIES_UNKNOWN'],
  ['no JSON', '{', 50109, '{}'],
  ['six rows', { content: 'a', components: numbered(6).map((one) => row(one)) }, 50035, 'BASE_TYPE_BAD_LENGTH'],
  ['six buttons in a row', { content: 'a', components: [row(...numbered(6))] }, 50035, 'WIDTH_EXCEEDED'],
  ['a select beside a button', { content: 'a', components: [row(select(), button())] }, 50035, 'WIDTH_EXCEEDED'],
  ['an empty row', { content: 'a', components: [row()] }, 50035, 'BASE_TYPE_REQUIRED'],
  ['a bare button', { content: 'a', components: [button()] }, 50035, 'UNION_TYPE_CHOICES'],
  ['a label of 81', { content: 'a', components: [row(button({ label: 'x'.repeat(81) }))] }, 50035, '"label"'],
  ['no label', { content: 'a', components: [row(button({ label: undefined }))] }, 50035, '"label"'],
  [
    'a custom id of 101',
    { content: 'a', components: [row(button({ custom_id: 'x'.repeat(101) }))] },
    50035,
    'custom_id',
  ],
  ['the same id twice', { content: 'a', components: [row(button()), row(button())] }, 50035, 'CUSTOM_ID_DUPLICATED'],
  ['a link with an id', { content: 'a', components: [row(button({ style: 5 }))] }, 50035, '"url"'],
  [
    'a link by ftp',
    { content: 'a', components: [row({ type: 2, style: 5, label: 'a', url: 'ftp://a.b' })] },
    50035,
    'INVALID_SCHEME',
  ],
  [
    '26 options',
    {
      content: 'a',
      components: [row(select({ options: Array.from({ length: 26 }, (_, i) => ({ label: 'a', value: `${i}` })) }))],
    },
    50035,
    '"options"',
  ],
  ['11 embeds', { embeds: Array.from({ length: 11 }, () => ({ title: 'a' })) }, 50035, '"embeds"'],
  ['a title of 257', { embeds: [{ title: 'x'.repeat(257) }] }, 50035, '"title"'],
  [
    'embeds of 6,001 characters',
    { embeds: [{ description: 'x'.repeat(4000) }, { description: 'x'.repeat(2001) }] },
    50035,
    'MAX_EMBED_SIZE',
  ],
  [
    'a picture that is not attached',
    { embeds: [{ image: { url: 'attachment://a.png' } }] },
    50035,
    'ATTACHMENT_NOT_FOUND',
  ],
  [
    'users both parsed and listed',
    { content: 'a', allowed_mentions: { parse: ['users'], users: ['1'.repeat(18)] } },
    50035,
    'PARSE_EXCLUSIVE',
  ],
  [
    '101 users to mention',
    { content: 'a', allowed_mentions: { users: Array.from({ length: 101 }, () => '1'.repeat(18)) } },
    50035,
    '"users"',
  ],
  ['content in the new style', { content: 'a', flags: 32768 }, 50035, 'LEGACY_FIELDS'],
  [
    'new components in the old style',
    { content: 'a', components: [{ type: 10, content: 'a' }] },
    50035,
    'UNION_TYPE_CHOICES',
  ],
])('a message with %s is refused', async (_what, body, code, part) => {
  const { discord, channel } = await openPlace();
  const refused = await call(discord, 'POST', `/channels/${channel.id}/messages`, body);
  expect(refused).toMatchObject({ status: 400, code });
  expect(refused.errors).toContain(part);
  expect(discord.everything(channel)).toEqual([]);
});
