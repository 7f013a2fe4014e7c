const COMPOSE = 'https://farcaster.xyz/~/compose';
/** A post there calls at most so many people by name. */
const NAMES_MAX = 10;
/** Discord takes no longer address on a button. */
const ADDRESS_CHARACTERS_MAX = 512;
/** As Farcaster gives names; of anything else a client makes no mention. */
const NAME = /^[a-z0-9][a-z0-9-]{0,15}(?:\.[a-z0-9-]{1,30}){0,2}$/;

export type Telling = {
  /** Of those rewarded, the largest share first. */
  names: readonly string[];
  /** Who gets what, and how it is collected. */
  page: string;
  postUrl: string | null;
  /** `called`: the names as a client reads them. */
  textOf: (called: string) => string;
};

/**
 * Where a member writes a post that calls those rewarded by name, filled in already: Farcaster tells them. Nothing is ever
 * posted in our name. As many names as fit; null where none does.
 */
export function tellingUrl({ names, page, postUrl, textOf }: Telling): string | null {
  const known = names.filter((name) => NAME.test(name)).slice(0, NAMES_MAX);
  const shown = postUrl === null ? [page] : [page, postUrl];
  for (let count = known.length; count > 0; count -= 1) {
    const called = known.slice(0, count).map((name) => `@${name}`);
    const query = [`text=${encodeURIComponent(textOf(called.join(' ')))}`, ...shown.map(toEmbed)].join('&');
    const url = `${COMPOSE}?${query}`;
    if (url.length <= ADDRESS_CHARACTERS_MAX) return url;
  }
  return null;
}

const toEmbed = (url: string): string => `embeds[]=${encodeURIComponent(url)}`;
