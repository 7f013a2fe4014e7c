/** What a message of Sign In With Farcaster (FIP-11, in the form of EIP-4361) has to contain for us. */
export type ExpectedMessage = { domain: string; uri: string; nonce: string };

/** A message has about 400 characters; wallets may add their own resources. */
const CHARACTERS_MAX = 4_096;

const DATE = '[0-9TZ:.+-]{1,40}';

/**
 * Matches from the first character to the last, so that no line can hide in another: the library finds its fields
 * anywhere. The statement is the fixed one of FIP-11 and the library; the URI says what the signature is for.
 */
const MESSAGE = new RegExp(
  [
    '^(?<domain>[^ \\n]+) wants you to sign in with your Ethereum account:',
    '0x[0-9a-fA-F]{40}',
    '',
    'Farcaster (?:Auth|Connect)',
    '',
    'URI: (?<uri>[^ \\n]+)',
    'Version: 1',
    'Chain ID: 10',
    'Nonce: (?<nonce>[A-Za-z0-9]+)',
    `Issued At: ${DATE}(?:\\nExpiration Time: ${DATE})?(?:\\nNot Before: ${DATE})?(?:\\nRequest ID: [^\\n]*)?`,
    'Resources:(?<resources>(?:\\n- [^ \\n]+){1,20})$',
  ].join('\\n'),
);

/** The fid that a message claims; null where it is not the message that we asked for. Does not check the signature. */
export function readMessage(message: string, expected: ExpectedMessage): string | null {
  if (message.length > CHARACTERS_MAX) return null;
  const found = MESSAGE.exec(message)?.groups;
  if (found?.domain !== expected.domain || found.uri !== expected.uri || found.nonce !== expected.nonce) return null;
  const resources = (found.resources ?? '').split('\n- ').slice(1);
  const fids = resources.filter((resource) => resource.startsWith('farcaster:'));
  const fid = /^farcaster:\/\/fid\/([1-9][0-9]{0,15})\/?$/.exec(fids[0] ?? '')?.[1];
  if (fids.length !== 1 || fid === undefined) return null;
  // The library reads it as a number, which must be exact.
  return Number.isSafeInteger(Number(fid)) ? fid : null;
}
