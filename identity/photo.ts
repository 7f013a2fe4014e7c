import { z } from 'zod';
import { createLookup, fillName, type LookupTools } from './lookup.ts';
import type { Resolver } from './port.ts';

/** `{name}` is ours; the other braces, encoded, are the Graph API's. */
const QUERY = 'fields=business_discovery.username({name})%7Bid%2Cusername%7D';

const foundSchema = z.object({
  business_discovery: z.object({ id: z.string().regex(/^[1-9][0-9]{0,19}$/), username: z.string() }),
});
const errorSchema = z.object({ error: z.object({ code: z.int(), error_subcode: z.int().optional() }) });

/** What the Graph API answers for a name that it does not show to us. */
const NOT_DISCOVERED = { code: 110, subcode: 2_207_013 };

/**
 * Instagram, where it can: names are looked up through "business discovery", as one's own professional account.
 * `lookupUrl` is that account's node, such as `https://graph.facebook.com/v25.0/17841400000000000`, and `appToken` a
 * token for it. Personal and age-gated accounts cannot be resolved: Instagram answers for them as for names that do not
 * exist. They are not found here, which is also true of collecting, since Instagram lets only professional accounts sign in.
 */
export function createPhotoResolver(settings: { lookupUrl: string; appToken: string }, tools: LookupTools): Resolver {
  const headers = { authorization: `Bearer ${settings.appToken}` };
  const template = toTemplate(settings.lookupUrl);
  return createLookup(
    {
      toRequest: (name) => ({ url: fillName(template, name), headers }),
      read: ({ status, json }, name) => {
        const found = foundSchema.safeParse(json);
        if (status === 200 && found.success) {
          const { id, username } = found.data.business_discovery;
          return username.toLowerCase() === name ? { kind: 'found', stableId: id } : null;
        }
        const refused = errorSchema.safeParse(json);
        if (status !== 400 || !refused.success) return null;
        const { code, error_subcode: subcode } = refused.data.error;
        return code === NOT_DISCOVERED.code && subcode === NOT_DISCOVERED.subcode ? { kind: 'not-found' } : null;
      },
    },
    tools,
  );
}

function toTemplate(lookupUrl: string): string {
  if (lookupUrl.includes('{name}')) return lookupUrl;
  return `${lookupUrl}${lookupUrl.includes('?') ? '&' : '?'}${QUERY}`;
}
