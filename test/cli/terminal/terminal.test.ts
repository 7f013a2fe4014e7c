import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createTerminal } from '../../../cli/terminal/terminal.ts';
import { plainText } from '../../../cli/terminal/plain-text.ts';

function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  return {
    input,
    terminal: createTerminal(input, output),
    shown: () => (output.read() as Buffer | null)?.toString() ?? '',
  };
}

test('what is typed at a hidden question does not appear', async () => {
  const { input, terminal, shown } = open();
  const answer = terminal.askHidden('Password: ');
  input.write('correct horse\r');
  expect(await answer).toBe('correct horse');
  const text = shown();
  expect(text).toContain('Password: ');
  expect(text).not.toContain('horse');
  expect(text).not.toContain('c');
});

test('what is typed at an open question does', async () => {
  const { input, terminal, shown } = open();
  const answer = terminal.ask('Pay this? [y/N] ');
  input.write('yes\r');
  expect(await answer).toBe('yes');
  expect(shown()).toContain('yes');
});

test('one question may follow another', async () => {
  const { input, terminal } = open();
  const first = terminal.askHidden('One: ');
  input.write('1\r');
  expect(await first).toBe('1');
  const second = terminal.ask('Two: ');
  input.write('2\r');
  expect(await second).toBe('2');
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s is no answer', async (_name, character) => {
  for (const kind of ['ask', 'askHidden'] as const) {
    const { input, terminal } = open();
    const answer = terminal[kind]('Pay this? ');
    input.write(character);
    expect(await answer).toBeNull();
  }
});

test('a terminal that goes away is no answer', async () => {
  const { input, terminal } = open();
  const answer = terminal.ask('Pay this? ');
  input.end();
  expect(await answer).toBeNull();
});

test('text of a service cannot move the cursor, change the title or reorder what stands beside it', () => {
  expect(plainText('a\u001b[2J\u001b]0;x\u0007b\r\nc\u202Ed\u2028e')).toBe('a [2J ]0;x b c d e');
  expect(plainText('x'.repeat(1_000))).toHaveLength(301);
});
