import { AllowedMentionsTypes, MessageFlags } from 'discord-api-types/v10';
import { z } from 'zod';
import { snowflake, text } from './basics.ts';
import { components } from './components.ts';
import { embeds } from './embeds.ts';
import { complaint } from './form.ts';

export const allowedMentions = z
  .strictObject({
    parse: z.array(z.enum(AllowedMentionsTypes)).max(3).optional(),
    users: z.array(snowflake).max(100).optional(),
    roles: z.array(snowflake).max(100).optional(),
    replied_user: z.boolean().optional(),
  })
  .superRefine(({ parse = [], users = [], roles = [] }, context) => {
    const listed = { users, roles };
    for (const kind of ['users', 'roles'] as const) {
      if (listed[kind].length > 0 && parse.some((type) => String(type) === kind)) {
        context.addIssue(
          complaint(
            [],
            'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
            `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
          ),
        );
      }
    }
  });

export type AllowedMentions = z.infer<typeof allowedMentions>;

/** A file of the same request is named by its place (`files[0]` is "0"), one that stays by its id. */
const attachment = z.strictObject({
  id: z.string().regex(/^\d{1,20}$/),
  filename: z.string().min(1).max(1024).optional(),
  title: z.string().max(1024).nullish(),
  description: z.string().max(1024).nullish(),
  // Voice messages do not exist here; discord.js sends empty fields for them.
  waveform: z.null().optional(),
  duration_secs: z.null().optional(),
  // What Discord itself said about a kept attachment may come back.
  ...Object.fromEntries(
    ['size', 'url', 'proxy_url', 'content_type', 'height', 'width', 'ephemeral', 'flags'].map((name) => [
      name,
      z.unknown().optional(),
    ]),
  ),
});

const BODY_FIELDS = {
  content: text(0, 2000).nullish(),
  embeds: embeds.nullish(),
  components: components.nullish(),
  allowed_mentions: allowedMentions.nullish(),
  attachments: z.array(attachment).max(10).nullish(),
  flags: z.int().min(0).nullish(),
  // discord.js sends these with every message, edits and answers included.
  tts: z.boolean().optional(),
  nonce: z.union([z.string().max(25), z.int()]).nullish(),
  enforce_nonce: z.boolean().optional(),
};

function flagsAmong(allowed: number) {
  return z
    .int()
    .min(0)
    .nullish()
    .superRefine((flags, context) => {
      if (((flags ?? 0) & ~allowed) !== 0) {
        context.addIssue(complaint([], 'BASE_TYPE_CHOICES', `Only the flags ${allowed} can be set here.`));
      }
    });
}

const MESSAGE_FLAGS = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsComponentsV2;

export const channelMessage = z.strictObject({
  ...BODY_FIELDS,
  flags: flagsAmong(MESSAGE_FLAGS),
  message_reference: z
    .strictObject({
      type: z.literal(0).optional(),
      message_id: snowflake,
      channel_id: snowflake.optional(),
      guild_id: snowflake.optional(),
      fail_if_not_exists: z.boolean().optional(),
    })
    .optional(),
});

/** An answer to an interaction, or a message that follows it: these may be for one person only. */
export const interactionMessage = z.strictObject({
  ...BODY_FIELDS,
  flags: flagsAmong(MESSAGE_FLAGS | MessageFlags.Ephemeral),
});

/** Fields that are absent stay as they are; null empties them. Flags that cannot change are ignored, as Discord does. */
export const messageEdit = z.strictObject(BODY_FIELDS);

export const deferral = z.strictObject({
  flags: flagsAmong(MessageFlags.Ephemeral),
});

export type MessageBody = z.infer<typeof messageEdit>;
export type ChannelMessageBody = z.infer<typeof channelMessage>;
