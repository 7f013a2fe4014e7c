import { describe, expect, test } from 'vitest';
import { namedPeople, toDiscordMessage } from '../../../core/discord/message.ts';
import { code, line, muted, strong, type Action, type Paragraph } from '../../../core/view.ts';

const render = (paragraphs: readonly Paragraph[], actions: readonly Action[] = []) =>
  toDiscordMessage({ state: 'ok', audience: 'everyone', paragraphs, actions });
const content = (...paragraphs: Paragraph[]) => render(paragraphs).content;

test.each<[string, Paragraph, string]>([
  [
    'markup',
    line`${'*a* _b_ ~c~ |d| > # [x](y) <@1> @here \\'}`,
    '\\*a\\* \\_b\\_ \\~c\\~ \\|d\\| \\> \\# \\[x\\](y) \\<\\@1\\> \\@here \\\\',
  ],
  ['a list', line`${'- one'}`, '\\- one'],
  ['a numbered list', line`${'1. one'}`, '1\\. one'],
  ['an amount', line`${'1.00 USDC'}`, '1.00 USDC'],
  ['lines', line`${'a\nb\r\n# c'}`, 'a b \\# c'],
  ['turned text', line`${'a\u202Eb\u2066c'}`, 'abc'],
  ['an address on the web', line`see ${'https://a.example/x_y'}`, 'see `https://a.example/x_y`'],
  ['another scheme', line`${'steam://run/1'}`, '`steam://run/1`'],
  ['a person', line`to ${strong('discord:17')}`, 'to **<@17>**'],
  ['a person in words', line`${'discord:17 did not want it'}`, '<@17> did not want it'],
  ['no person', line`${'xdiscord:17 discord:017'}`, 'xdiscord:17 discord:017'],
  ['code', line`${code('/tip x:a 1')}`, '`/tip x:a 1`'],
  ['code with backticks', line`${code('a`b``c')}`, '``` a`b``c ```'],
  ['small print', line`${muted('Transaction')} ${code('0x1')}`, '-# Transaction `0x1`'],
])('%s', (_what, paragraph, expected) => {
  expect(content(paragraph)).toBe(expected);
});

describe('what Discord would refuse', () => {
  test.each([
    ['many lines', Array.from({ length: 200 }, (_, index) => line`line number ${String(index)}`)],
    ['a long line', [line`${'😀*'.repeat(3_000)}`]],
    ['a long line after a short one', [line`short`, line`${'a'.repeat(5_000)}`]],
    ['nothing', []],
  ])('%s is cut to what it takes', (_what, paragraphs) => {
    const { length } = content(...paragraphs);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(2_000);
    expect(content(...paragraphs)).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });

  test('commands stay, whatever is cut', () => {
    const shown = render([line`${'a'.repeat(5_000)}`], [{ kind: 'command', command: '/balance' }]);
    expect(shown.content).toMatch(/\n`\/balance`$/);
    expect(shown.content.length).toBeLessThanOrEqual(2_000);
  });

  test('a command that a button says is that button, and no text with ids', () => {
    const button = { id: 'b_1', label: '/tip @bo 1' };
    const shown = render([line`a`], [{ kind: 'command', command: '/tip discord:7 1', button }]);
    expect(shown.content).toBe('a');
    expect(shown.components[0]?.components).toEqual([{ type: 2, style: 1, label: '/tip @bo 1', custom_id: 'b_1' }]);
  });

  test('buttons stand in rows of five, at most 25, with labels of 80', () => {
    const buttons = Array.from({ length: 30 }, (_, index) => ({
      kind: 'button' as const,
      label: 'x'.repeat(200),
      id: `b_${index}`,
    }));
    const { components } = render([line`a`], buttons);
    expect(components.map((row) => row.components.length)).toEqual([5, 5, 5, 5, 5]);
    expect(components.flatMap((row) => row.components).every(({ label }) => label.length === 80)).toBe(true);
  });

  test('a link to another scheme or without end, and a button without place for its id, are left out', () => {
    const { components } = render(
      [line`a`],
      [
        { kind: 'link', label: 'no', url: 'javascript:alert(1)' },
        { kind: 'link', label: 'no', url: `https://a.example/${'x'.repeat(600)}` },
        { kind: 'button', label: 'no', id: 'x'.repeat(101) },
        { kind: 'link', label: 'yes', url: 'http://127.0.0.1:8402/receipts/a' },
      ],
    );
    expect(components.flatMap((row) => row.components).map(({ label }) => label)).toEqual(['yes']);
  });
});

test('the people whom a view names are those whose names stand for themselves', () => {
  const view = { state: 'ok', audience: 'everyone', actions: [] } as const;
  const list = line`for ${strong('x:carol, discord:18, discord:17')}`;
  const cut = line`${strong('discord:21、discord:22 and 3 more')}`;
  const paragraphs = [
    cut,
    line`to ${strong('discord:17')} and ${'discord:19'}`,
    line`${strong('not discord:20')}`,
    list,
  ];
  expect(namedPeople({ ...view, paragraphs })).toEqual(['21', '22', '17', '18']);
});
