import { expect, test } from 'vitest';
import { findProfileLink } from '../../../core/platforms/profile-link.ts';

test.each([
  ['https://x.com/alice', 'x', 'alice'],
  ['http://twitter.com/alice/', 'x', 'alice'],
  ['mobile.twitter.com/alice', 'x', 'alice'],
  ['https://x.com/@alice?s=20#top', 'x', 'alice'],
  ['https://www.github.com/Octo-Cat', 'code', 'Octo-Cat'],
  ['GitHub.com/octocat', 'code', 'octocat'],
  ['https://warpcast.com/vitalik.eth', 'decsocial', 'vitalik.eth'],
  ['https://farcaster.xyz/alice', 'decsocial', 'alice'],
  ['https://instagram.com/a.b/', 'photo', 'a.b'],
  ['https://t.me/durov', 'telegram', 'durov'],
  ['https://discord.com/users/175928847299117063', 'discord', '175928847299117063'],
])('%s is a profile', (link, platform, receiver) => {
  expect(findProfileLink(link)).toEqual({ platform, receiver });
});

test.each([
  'https://x.com',
  'https://x.com/',
  'https://x.com/home',
  'https://x.com/i/spaces',
  'https://x.com/alice/status/1',
  'https://github.com/octocat/hello',
  'https://github.com/settings',
  'https://evil.com/alice',
  'https://x.com.evil.com/alice',
  'https://x.com@evil.com/alice',
  'https://evil.com/x.com/alice',
  'https://user@x.com/alice',
  'https://x.com:8443/alice',
  'https://x.com//alice',
  'https://discord.com/channels/1',
  'https://t.me/+abcdef',
  'ftp://x.com/alice',
  'https://x.com/\u0430lice',
  'alice',
  '',
])('%j is no profile', (link) => {
  expect(findProfileLink(link)).toBeNull();
});
