import { expect, test } from 'vitest';
import { readMarkup } from './discord-markup.ts';

const read = (content: string) => readMarkup(content, (id) => `@person-${id}`);

test.each([
  ['**a**', 'a', ['bold']],
  ['`/tip x:a 1`', '/tip x:a 1', ['code']],
  ['`` a`b ``', 'a`b', ['code']],
  ['-# grey', 'grey', ['small']],
  ['<@17>', '@person-17', ['mention']],
  ['__a__ ~~b~~ ||c|| _d_', 'a b c d', ['underline', 'strike', 'spoiler', 'italic']],
  ['[a](https://evil.example)', 'a', ['masked link']],
  ['@everyone', '@everyone', ['everyone']],
  ['https://evil.example', 'https://evil.example', ['link']],
  ['<@&1>', '<@&1>', ['entity']],
  ['# a', '# a', ['block']],
])('%s is what a client makes something of', (content, text, marks) => {
  expect(read(content)).toMatchObject({ text, marks });
});

test.each(['\\*\\*a\\*\\*', '\\[a\\](b)', '\\<\\@17\\>', '\\# a'])('%s is words, because it is escaped', (content) => {
  expect(read(content)).toMatchObject({ text: content.replaceAll('\\', ''), marks: [] });
});
