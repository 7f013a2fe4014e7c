/** The word that people know a platform by; names that explain themselves need none. */
const PLATFORM_WORDS: Readonly<Record<string, string>> = {
  decsocial: 'farcaster',
  code: 'github',
  photo: 'instagram',
  email: '',
  web: '',
};

/** `x:alice`, `github:octocat`, `alice@example.com`: the recipient as people write it, in a `/tip` as well. */
export function recipientName({ platform, key }: { platform: string; key: string }): string {
  const word = PLATFORM_WORDS[platform] ?? platform;
  return word === '' ? key : `${word}:${key}`;
}
