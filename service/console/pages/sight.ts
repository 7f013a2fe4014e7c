import { mayDo, type AdminRole } from '../../../core/admins/admins.ts';
import { maskEmailsIn } from '../../../core/platforms/email.ts';
import { findPlatform, platformRow } from '../../../core/platforms/platforms.ts';

/**
 * What a role sees of what is personal, or opens something; pages show such a thing through here alone. Some of it is in no
 * page for anybody: what was signed, headers, stored answers, proofs, and what a payer's endpoint has behind its host, which
 * may be a password (`paymentStory` leaves it out).
 */
export type Sight = {
  /** The name of a person; a mail address is told to those who may read it. */
  name: (platform: string, key: string) => string;
  /** A text in which a mail address may stand. */
  text: (text: string) => string;
  /** What one person wrote for another, or what a list or a service says of a person. */
  words: (text: string) => string;
  /** Whether it may be searched for: that something is found tells that this person is known here. */
  mayAsk: (text: string) => boolean;
  /** Of a receipt: the one with note and sender, or the one without. */
  receipt: (line: { slug: string; publicSlug: string }) => string;
};

const NOT_SHOWN = '(an operator may read it)';

export function sightOf(role: AdminRole): Sight {
  if (mayDo(role, 'read'))
    return {
      name: (platform, key) => `${platform}:${key}`,
      text: (text) => text,
      words: (text) => text,
      mayAsk: () => true,
      receipt: ({ slug }) => slug,
    };
  return {
    name: (platform, key) => `${platform}:${masked(platform, key)}`,
    text: maskEmailsIn,
    words: () => NOT_SHOWN,
    mayAsk: (text) => maskEmailsIn(text) === text,
    receipt: ({ publicSlug }) => publicSlug,
  };
}

function masked(platform: string, key: string): string {
  const known = findPlatform(platform);
  return (known === null ? undefined : platformRow(known).mask?.(key)) ?? maskEmailsIn(key);
}
