import type { OauthPlatform, Platform } from '../../core/platforms/platforms.ts';
import { code } from './code.ts';
import { decsocial } from './decsocial.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { photo } from './photo.ts';
import type { OauthPlatformIdentity, PlatformIdentity } from './platform-identity.ts';
import { telegram } from './telegram.ts';
import { web } from './web.ts';
import { x } from './x.ts';

/** How names of each platform are looked up and proven. */
export const PLATFORM_IDENTITIES = {
  x,
  decsocial,
  code,
  email,
  web,
  photo,
  discord,
  telegram,
} as const satisfies { [Name in Platform]: Name extends OauthPlatform ? OauthPlatformIdentity : PlatformIdentity };

/** The row without its literal types, for code that treats all platforms alike. */
export function platformIdentity(platform: Platform): PlatformIdentity {
  return PLATFORM_IDENTITIES[platform];
}
