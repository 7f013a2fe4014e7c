import { describe, expect, test } from 'vitest';
import { quiet, type Paragraph, type View } from '../../../core/view.ts';
import { createNames } from '../../../bot/telegram/people.ts';
import { renderView } from '../../../bot/telegram/html.ts';
import { readText } from '../../fakes/telegram/text/formatted.ts';

const names = createNames();
names.learn({ id: 7, first_name: 'Bob </a><b>' });

function render(paragraphs: Paragraph[], actions: View['actions'] = []) {
  return renderView({ state: 'ok', audience: 'person', paragraphs, actions }, names);
}

/** As Telegram reads it. */
const shown = (html: string) =>
  readText(html, { parse_mode: 'HTML' }, (id) => ({ id, is_bot: false, first_name: 'known' }));

describe('what a person wrote', () => {
  test.each(['<b>bold</b>', 'a & b', '&lt;', '"><script>', '</code>', 'x < 1 > y', '<a href="tg://user?id=9">x</a>'])(
    '%j is shown as it is, in every style',
    (text) => {
      for (const style of [undefined, 'strong', 'muted', 'code'] as const) {
        const span = style === undefined ? { text } : { text, style };
        const read = shown(render([[{ text: '>' }, span, { text: '<' }]]).text);
        expect(read.text).toBe(`>${text}<`);
        expect(read.entities.map(({ type }) => type)).not.toContain('text_mention');
      }
    },
  );

  test('rings nobody: only a person whom the core names by number is mentioned', () => {
    const read = shown(render([[{ text: 'for telegram:7 by @stranger, mail a@b.com, https://x.com/@bob' }]]).text);
    const mentions = read.entities.filter(({ type }) => type === 'mention' || type === 'text_mention');
    expect(mentions).toEqual([expect.objectContaining({ type: 'text_mention', offset: 4, length: 11 })]);
    expect(read.text).toContain('Bob </a><b>');
    expect(read.text).toContain('a@b.com');
    expect(read.text).toContain('https://x.com/@bob');
  });

  test('a person who is only named is not mentioned', () => {
    const read = shown(render([[quiet('telegram:7'), { text: ' gave, ' }, quiet('@stranger'), { text: ' too' }]]).text);
    expect(read.text).toContain('Bob </a><b> gave');
    expect(read.entities.filter(({ type }) => type === 'mention' || type === 'text_mention')).toEqual([]);
  });

  test('a link of its own line stays whole, to be copied', () => {
    const url = 'https://pay.test/receipts/aB-_9';
    expect(shown(render([[{ text: `Collect it here: ${url}` }]]).text).text).toContain(url);
  });

  test.each([
    ['one long paragraph', [[{ text: '🙂<'.repeat(3_000) }]]],
    [
      'a thousand paragraphs',
      Array.from({ length: 1_000 }, () => [{ text: 'twenty characters ab', style: 'code' as const }]),
    ],
  ])('%s is cut to what one message holds', (_what, paragraphs) => {
    const read = shown(render(paragraphs).text);
    expect(read.text.length).toBeGreaterThan(3_500);
    expect(read.text.length).toBeLessThanOrEqual(4_096);
    expect(read.text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });

  test('nothing at all is still a message', () => {
    expect(render([]).text).toBe('…');
  });
});

describe('actions', () => {
  test('commands stand in code, buttons and links in the keyboard, short ones side by side', () => {
    const { text, keyboard } = render(
      [[{ text: 'Pay?' }]],
      [
        { kind: 'button', label: 'Yes', id: 'b_1' },
        { kind: 'button', label: 'No', id: 'b_2' },
        { kind: 'link', label: 'Open the receipt on our page', url: 'https://pay.test/r/1' },
        { kind: 'command', command: '/tip x:<i> 1' },
      ],
    );
    expect(text).toBe('Pay?\n<code>/tip x:&lt;i&gt; 1</code>');
    expect(keyboard).toEqual([
      [
        { text: 'Yes', callback_data: 'b_1' },
        { text: 'No', callback_data: 'b_2' },
      ],
      [{ text: 'Open the receipt on our page', url: 'https://pay.test/r/1' }],
    ]);
  });

  test('a command that a button says stands on the button alone, unless it does not fit there', () => {
    const long = `/tip x:jack 1 ${'thanks '.repeat(10)}`.trim();
    const command = (id: string, label: string) => ({
      kind: 'command' as const,
      command: label,
      button: { id, label },
    });
    const { text, keyboard } = render([[{ text: 'Or:' }]], [command('b_1', '/tip x:jack 1'), command('b_2', long)]);
    expect(text).toBe(`Or:\n<code>${long}</code>`);
    expect(keyboard.flat()).toEqual([
      { text: '/tip x:jack 1', callback_data: 'b_1' },
      { text: `${long.slice(0, 63)}…`, callback_data: 'b_2' },
    ]);
  });

  test('a link that Telegram would refuse is text, to be copied', () => {
    const { text, keyboard } = render([], [{ kind: 'link', label: 'Open', url: 'http://localhost:8402/r/1' }]);
    expect(keyboard).toEqual([]);
    expect(text).toBe('Open: <code>http://localhost:8402/r/1</code>');
  });
});

const OF_MINI_APPS = [
  'https://t.me/some_bot/app',
  'https://t.me/some_bot/app?startapp=x',
  'https://t.me/some_bot?startapp',
  'http://telegram.me/some_bot?startapp=x&mode=compact',
  'https://telegram.dog/some_bot?startattach=x',
  'https://t.me/stranger?attach=some_bot',
  'https://some_bot.t.me/app',
  'https://www.t.me/some_bot/app',
  'HTTPS://T.ME/some_bot/app',
  'https://t.me./some_bot/app',
];

describe('no Mini App is opened from a message', () => {
  test.each([...OF_MINI_APPS, 'tg://resolve?domain=some_bot&appname=app'])('%s is no button', (url) => {
    const { text, keyboard } = render([], [{ kind: 'link', label: 'Open', url }]);
    expect(keyboard).toEqual([]);
    expect(shown(text).entities.map(({ type }) => type)).toEqual(['code']);
  });

  test.each([...OF_MINI_APPS, 't.me/some_bot/app', 'some_bot.t.me?startapp=x'])('%s in a note is no link', (url) => {
    for (const note of [url, `look (${url}), quickly`]) {
      const read = shown(render([[{ text: note }]]).text);
      expect(read.text.replaceAll('\u2060', '')).toBe(note);
      expect(read.entities).toEqual([]);
    }
  });

  test.each([
    'https://t.me/penny_bot?start=abc',
    'https://t.me/durov',
    'https://t.me/c/123/45',
    'https://t.me/+abcdef',
    'https://pay.test/some_bot/app?startapp=x',
    'https://meet.me/some/app',
  ])('%s stays a link', (url) => {
    const { text, keyboard } = render([[{ text: url }]], [{ kind: 'link', label: 'Open', url }]);
    expect(keyboard).toEqual([[{ text: 'Open', url }]]);
    expect(shown(text)).toMatchObject({ text: url, entities: [{ type: 'url' }] });
  });
});
