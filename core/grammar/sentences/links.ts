import { findPlatform } from '../../platforms/platforms.ts';
import { findPostLink } from '../../platforms/profile-link.ts';
import { readRecipient } from '../recipient.ts';

const REPOSITORY =
  /\b(?:the )?owner of (?:the |this )?(?:repo|repository) (https:\/\/[\w.-]+\/([\w-]+))(\/[\w.-]*\w)\/?(?=[\s,;!?]|\.(?:\s|$)|$)/gi;
const SITE =
  /\bhttps?:\/\/(?:www\.)?([\w.-]+)(?:\/[^\s()]*)? \((?:pay |that is |i\.e\. )?(?:the )?(?:domain|website|site) ([\w.-]+\w)\)/gi;
const LIKED =
  /^(?:i|we) (?:really )?(?:liked|loved|enjoyed) (?:this one|this): (https:\/\/\S+?)[.!]? ((?!.*\bits author\b.*\bits author\b)[^\n]*\bto )its author(?: on ([A-Za-z]+))?\b/i;

/** What links say of a person beside their name, with that name in its place. */
export function tellLinks(text: string): string {
  return (
    text
      // Whose repository it is stands in its address.
      .replace(REPOSITORY, (whole, owner: string, name: string, below: string) =>
        isOwner(owner + below, name) ? owner : whole,
      )
      // A page, and whose it is.
      .replace(SITE, (whole, host: string, domain: string) =>
        host.toLowerCase() === domain.toLowerCase() ? domain : whole,
      )
      .replace(LIKED, (whole, link: string, before: string, place?: string) =>
        isThere(link, place) ? before + link : whole,
      )
  );
}

function isOwner(link: string, name: string): boolean {
  const page = findPostLink(link);
  return page?.by === 'owner' && page.receiver === name;
}

/** Whether the link names a person of that platform. */
function isThere(link: string, place: string | undefined): boolean {
  const reading = readRecipient(link, {});
  if (reading.kind !== 'recipient') return false;
  return place === undefined || findPlatform(place) === reading.recipient.platform;
}
