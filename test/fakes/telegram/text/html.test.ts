import { expect, test } from 'vitest';
import { detectEntities } from './detect.ts';
import { parseHtml } from './html.ts';

const alice = { id: 7, is_bot: false, first_name: 'Alice' };
const findUser = (id: number) => (id === alice.id ? alice : undefined);

test.each([
  ['plain &amp; simple &lt;b&gt; &#128512; &quot;x&quot;', 'plain & simple <b> 😀 "x"', []],
  ['an unknown &nbsp; and a bare & stay', 'an unknown &nbsp; and a bare & stay', []],
  ['😀<b>bold</b>', '😀bold', [{ type: 'bold', offset: 2, length: 4 }]],
  ['<B>x</b>', 'x', [{ type: 'bold', offset: 0, length: 1 }]],
  [
    '<b>a<i>b</i></b>',
    'ab',
    [
      { type: 'bold', offset: 0, length: 2 },
      { type: 'italic', offset: 1, length: 1 },
    ],
  ],
  ['<b></b>x', 'x', []],
  [
    '<a href="https://example.com/?a=1&amp;b=2">x</a>',
    'x',
    [{ type: 'text_link', offset: 0, length: 1, url: 'https://example.com/?a=1&b=2' }],
  ],
  ['<a href="http://localhost:8402/">x</a>', 'x', []],
  ['<a href="tg://user?id=7">A</a>', 'A', [{ type: 'text_mention', offset: 0, length: 1, user: alice }]],
  ['<a href="tg://user?id=8">B</a>', 'B', []],
  ['<pre><code class="language-json">{}</code></pre>', '{}', [{ type: 'pre', offset: 0, length: 2, language: 'json' }]],
  ['<blockquote expandable>q</blockquote>', 'q', [{ type: 'expandable_blockquote', offset: 0, length: 1 }]],
  ['<span class="tg-spoiler">s</span>', 's', [{ type: 'spoiler', offset: 0, length: 1 }]],
])('%s is text and entities', (source, text, entities) => {
  expect(parseHtml(source, findUser)).toEqual({ text, entities });
});

test.each([
  ['<b>open', 'Can\'t find end tag corresponding to start tag "b"'],
  ['<b>x</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
  ['é</b>', 'Unexpected end tag at byte offset 2'],
  ['<div>x</div>', 'Unsupported start tag "div" at byte offset 0'],
  ['I < you', 'Unclosed start tag at byte offset 2'],
  ['<alice@example.com> paid', 'Unsupported start tag "alice@example.com" at byte offset 0'],
  ['<b', 'Unclosed start tag at byte offset 0'],
  ['<span>x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
  ['<a href>x</a>', 'Expected equal sign'],
  ['<b>x</b', 'Unclosed end tag at byte offset 4'],
])('%s is refused', (source, why) => {
  expect(() => parseHtml(source, findUser)).toThrow(`Bad Request: can't parse entities: ${why}`);
});

test.each([
  ['/tip@test_bot @alice_b 5', ['bot_command /tip@test_bot', 'mention @alice_b']],
  ['/tip x:alice 1', ['bot_command /tip']],
  ['send to a.b@example.com, or https://x.com/alice.', ['email a.b@example.com', 'url https://x.com/alice']],
  ['example.com and 1.5', ['url example.com']],
  ['#thanks $USDC $1', ['hashtag #thanks', 'cashtag $USDC']],
  ['a/b and and/or', []],
])('in %s Telegram finds entities', (text, found) => {
  const entities = detectEntities(text).toSorted((one, other) => one.offset - other.offset);
  expect(entities.map(({ type, offset, length }) => `${type} ${text.slice(offset, offset + length)}`)).toEqual(found);
});
