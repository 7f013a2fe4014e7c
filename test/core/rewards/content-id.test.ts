import { expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { parseContentId } from '../../../core/rewards/content-id.ts';

const HASH = `0x${'ab12'.repeat(10)}`;

test.each([
  ['a hash', HASH, { kind: 'hash', hash: HASH }],
  ['a hash in capitals', `0x${'AB12'.repeat(10)}`, { kind: 'hash', hash: HASH }],
  ['with spaces around it', `  ${HASH}\n`, { kind: 'hash', hash: HASH }],
  ['an address', 'https://farcaster.xyz/alice/0xab12ab12', { kind: 'page', name: 'alice', hashStart: '0xab12ab12' }],
  [
    'the old host',
    'http://www.warpcast.com/alice/0xab12ab12',
    { kind: 'page', name: 'alice', hashStart: '0xab12ab12' },
  ],
  ['no scheme', 'farcaster.xyz/alice.eth/0xAB12AB12/', { kind: 'page', name: 'alice.eth', hashStart: '0xab12ab12' }],
  ['what apps add', `farcaster.xyz/Alice/${HASH}?a=b#c`, { kind: 'page', name: 'alice', hashStart: HASH }],
  ['a conversation', `https://farcaster.xyz/~/conversations/${HASH}`, { kind: 'hash', hash: HASH }],
])('%s', (_case, text, expected) => {
  expect(parseContentId(text)).toEqual(expected);
});

test.each([
  ['', 'is empty'],
  ['0xab12', 'is not a whole hash'],
  [`${HASH}0`, 'is not a whole hash'],
  ['hello', 'is not a cast'],
  ['https://farcaster.xyz/alice', 'is a profile'],
  ['https://farcaster.xyz/alice/0xab12ab1', 'is not a cast'],
  [`https://farcaster.xyz/alice/${HASH}0`, 'is not a cast'],
  ['https://farcaster.xyz/alice/0xab12ab12/replies/1', 'is not a cast'],
  ['https://farcaster.xyz/~/conversations/0xab12ab12', 'is not a cast'],
  ['https://farcaster.xyz/~/channel/cats', 'is not a cast'],
  ['https://farcaster.xyz/аlice/0xab12ab12', 'is not a cast'],
  ['https://farcaster.xyz@evil.example/alice/0xab12ab12', 'is not a cast'],
  ['https://evil.example/farcaster.xyz/0xab12ab12', 'is not a post on Farcaster'],
  ['https://x.com/alice/status/1234567890', 'is not a post on Farcaster'],
  [`https://farcaster.xyz/alice/0xab12ab12?${'a'.repeat(300)}`, 'is not a cast'],
])('%s is refused: it %s', (text, problem) => {
  expect.assertions(2);
  try {
    parseContentId(text);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(String(error)).toContain(problem);
  }
});
