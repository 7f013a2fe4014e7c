import { code } from './code.ts';
import { decsocial } from './decsocial.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { photo } from './photo.ts';
import type { ClaimMethod, PlatformRow } from './row.ts';
import { telegram } from './telegram.ts';
import { web } from './web.ts';
import { x } from './x.ts';

/** The one list of platforms. */
export const PLATFORMS = {
  x,
  decsocial,
  code,
  email,
  web,
  photo,
  discord,
  telegram,
} as const satisfies Record<string, PlatformRow>;

export type Platform = keyof typeof PLATFORMS;

/** The platforms that prove names by this method. */
export type PlatformProvenBy<Method extends ClaimMethod> = {
  [Name in Platform]: (typeof PLATFORMS)[Name]['proof']['method'] extends Method ? Name : never;
}[Platform];

export type OauthPlatform = PlatformProvenBy<'oauth'>;
/** Only a bot there sees who is speaking. */
export type ChatPlatform = PlatformProvenBy<'chat'>;

/** In the order of the table. */
export const PLATFORM_NAMES: readonly [Platform, ...Platform[]] = Object.keys(PLATFORMS) as [Platform, ...Platform[]];

/** The row without its literal types, for code that treats all platforms alike. */
export function platformRow(platform: Platform): PlatformRow {
  return PLATFORMS[platform];
}

export function platformsWhere(test: (row: PlatformRow) => boolean): readonly Platform[] {
  return PLATFORM_NAMES.filter((platform) => test(PLATFORMS[platform]));
}

/** A value for each of these platforms. */
export function recordOf<Name extends Platform, Value>(
  names: readonly Name[],
  toValue: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>;
}

export function claimMethodOf(platform: Platform): ClaimMethod {
  return PLATFORMS[platform].proof.method;
}

export function isProvenBy<Method extends ClaimMethod>(
  platform: Platform,
  method: Method,
): platform is PlatformProvenBy<Method> {
  return claimMethodOf(platform) === method;
}

/** Those whose owners sign in with their provider. */
export const OAUTH_PLATFORMS: readonly OauthPlatform[] = PLATFORM_NAMES.filter((name) => isProvenBy(name, 'oauth'));

/** The only platform that a word without a prefix can mean, such as e-mail for an address. */
export function recognisePlatform(word: string): Platform | null {
  return PLATFORM_NAMES.find((name) => platformRow(name).recognises?.(word)) ?? null;
}

// A map, because "constructor" is no platform. ASCII only, because toLowerCase folds the Kelvin sign into "k".
const byName = new Map<string, Platform>(
  PLATFORM_NAMES.flatMap((name) => [name, ...PLATFORMS[name].aliases].map((word) => [word, name] as const)),
);

/** Finds a platform by name or alias, in any case. Null for anything else, also with space around it. */
export function findPlatform(text: string): Platform | null {
  if (!/^[A-Za-z]+$/.test(text)) return null;
  return byName.get(text.toLowerCase()) ?? null;
}

/** Platforms that are served to our bot only are unknown to every other caller. */
export function findHttpPlatform(text: string, isBot: boolean): Platform | null {
  const platform = findPlatform(text);
  return platform !== null && httpPlatforms(isBot).includes(platform) ? platform : null;
}

export function httpPlatforms(isBot: boolean): readonly Platform[] {
  return isBot ? PLATFORM_NAMES : PLATFORM_NAMES.filter((name) => PLATFORMS[name].http === 'public');
}
