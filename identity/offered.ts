import type { Config } from '../core/config/sections.ts';
import { PLATFORM_NAMES, type Platform } from '../core/platforms/platforms.ts';

type IdentityConfig = Config['identity'];
type Provider = IdentityConfig['x'];

/** Which chat bots this installation runs: they see who presses a claim's button. */
export type Chats = { discord: boolean; telegram: boolean };

/**
 * The platforms whose names can be resolved AND whose owners can prove themselves, so that nobody is paid who could
 * not collect (contract, sections 1 and 8). In the order of the table of platforms.
 *
 * | platform | resolving | proof |
 * |---|---|---|
 * | x | app token | client id and secret, auth and token URL |
 * | code | client id and secret, or app token | client id and secret, auth and token URL |
 * | photo | app token, look-up URL (the node of one's own account: there is no default) | as above |
 * | decsocial | hub URL | hub URL, RPC of Optimism |
 * | email | DNS | SMTP URL, sender's address |
 * | web | DNS | always |
 * | discord, telegram | always | their bot |
 */
export function configuredPlatforms(
  identity: IdentityConfig,
  chats: Chats = { discord: false, telegram: false },
): readonly Platform[] {
  const { x, code, photo } = identity;
  const isConfigured = {
    x: hasSignIn(x) && x.appToken !== undefined,
    decsocial: identity.farcasterHubUrl !== undefined && identity.optimismRpcUrl !== undefined,
    code: hasSignIn(code),
    email: identity.smtpUrl !== undefined && identity.mailFrom !== undefined,
    web: true,
    photo: hasSignIn(photo) && photo.appToken !== undefined && photo.lookupUrl !== undefined,
    discord: chats.discord,
    telegram: chats.telegram,
  } as const satisfies Record<Platform, boolean>;
  return PLATFORM_NAMES.filter((platform) => isConfigured[platform]);
}

function hasSignIn({ clientId, clientSecret, authUrl, tokenUrl }: Provider): boolean {
  return [clientId, clientSecret, authUrl, tokenUrl].every((value) => value !== undefined);
}
