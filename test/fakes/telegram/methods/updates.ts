/** How the bot gets its updates: it asks, or it is told. */
import { z } from 'zod';
import { flag, integer, structure } from '../parameters.ts';
import { badRequest, conflict } from '../refusal.ts';
import { method } from './method.ts';

/** The server's own limits; what lies outside is brought inside. */
const BATCH_MAX = 100;
const POLL_SECONDS_MAX = 50;
const CONNECTIONS_MAX = 100;
const CONNECTIONS_USUAL = 40;

const kinds = structure(
  z.array(
    z.enum([
      'message',
      'edited_message',
      'channel_post',
      'edited_channel_post',
      'business_connection',
      'business_message',
      'edited_business_message',
      'deleted_business_messages',
      'guest_message',
      'stopped_message_generation',
      'message_reaction',
      'message_reaction_count',
      'inline_query',
      'chosen_inline_result',
      'callback_query',
      'shipping_query',
      'pre_checkout_query',
      'purchased_paid_media',
      'poll',
      'poll_answer',
      'my_chat_member',
      'chat_member',
      'chat_join_request',
      'chat_boost',
      'removed_chat_boost',
      'managed_bot',
      'subscription',
    ]),
  ),
);

export const getUpdates = method(
  z.strictObject({
    offset: integer.optional(),
    limit: integer.optional(),
    timeout: integer.optional(),
    allowed_updates: kinds.optional(),
  }),
  async ({ queue, webhook }, parameters, { hungUp }) => {
    if (webhook.settings()) {
      throw conflict(
        "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    }
    queue.allow(parameters.allowed_updates);
    return queue.poll({
      offset: parameters.offset ?? 0,
      limit: within(parameters.limit ?? BATCH_MAX, 1, BATCH_MAX),
      timeoutSeconds: within(parameters.timeout ?? 0, 0, POLL_SECONDS_MAX),
      hungUp,
    });
  },
);

export const setWebhook = method(
  z.strictObject({
    url: z.string(),
    max_connections: integer.optional(),
    allowed_updates: kinds.optional(),
    drop_pending_updates: flag.optional(),
    secret_token: z.string().optional(),
  }),
  ({ queue, webhook }, parameters) => {
    const secretToken = parameters.secret_token ?? '';
    if (secretToken.length > 256) throw badRequest('secret token is too long');
    if (!/^[\w-]*$/.test(secretToken)) throw badRequest('secret token contains unallowed characters');
    if (parameters.drop_pending_updates) queue.dropPending();
    queue.allow(parameters.allowed_updates);
    if (parameters.url === '') {
      webhook.remove();
      return true;
    }
    // The real one takes https at one of four ports only; here the bot listens on loopback.
    if (!/^https?:\/\//.test(parameters.url) || !URL.canParse(parameters.url)) {
      throw badRequest('invalid webhook URL specified');
    }
    queue.endPoll('terminated by setWebhook request');
    const maxConnections = within(parameters.max_connections ?? CONNECTIONS_USUAL, 1, CONNECTIONS_MAX);
    webhook.set({ url: parameters.url, secretToken, maxConnections });
    return true;
  },
);

export const deleteWebhook = method(
  z.strictObject({ drop_pending_updates: flag.optional() }),
  ({ queue, webhook }, parameters) => {
    webhook.remove();
    if (parameters.drop_pending_updates) queue.dropPending();
    return true;
  },
);

export const getWebhookInfo = method(z.strictObject({}), ({ queue, webhook }) => {
  const settings = webhook.settings();
  const lastError = webhook.lastError();
  const allowed = queue.allowed();
  return {
    url: settings?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: queue.pending().length,
    ...(settings ? { max_connections: settings.maxConnections } : {}),
    ...(allowed ? { allowed_updates: allowed } : {}),
    ...(settings && lastError ? { last_error_date: lastError.atSeconds, last_error_message: lastError.text } : {}),
  };
});

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
