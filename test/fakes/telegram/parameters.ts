/**
 * Parameters as they come: JSON has types, forms and queries have strings, and the Bot API takes both for every field.
 * The schemas are strict: a field that they do not name is refused. The real API ignores it, and so hides every typing
 * error; `strict: false` does the same here.
 */
import { z } from 'zod';
import { badRequest } from './refusal.ts';

export const integer = z.preprocess(
  (value) => (typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value),
  z.int(),
);

export const flag = z.preprocess(
  (value) => (typeof value === 'string' ? (FLAGS[value.toLowerCase()] ?? value) : value),
  z.boolean(),
);

/** An object or a list, which forms carry as JSON text. */
export function structure<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), schema);
}

export const chatId = z.preprocess(
  (value) => (typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value),
  z.union([z.int(), z.string().regex(/^@\w{4,32}$/)]),
);

const place = { offset: z.int(), length: z.int() };
const entityUser = z.looseObject({ id: z.int(), is_bot: z.boolean(), first_name: z.string() });

export const entities = structure(
  z.array(
    z.discriminatedUnion('type', [
      z.strictObject({
        type: z.enum([
          'mention',
          'hashtag',
          'cashtag',
          'bot_command',
          'url',
          'email',
          'phone_number',
          'bold',
          'italic',
          'underline',
          'strikethrough',
          'spoiler',
          'blockquote',
          'expandable_blockquote',
          'code',
        ]),
        ...place,
      }),
      z.strictObject({ type: z.literal('pre'), ...place, language: z.string().optional() }),
      z.strictObject({ type: z.literal('text_link'), ...place, url: z.string() }),
      z.strictObject({ type: z.literal('text_mention'), ...place, user: entityUser }),
    ]),
  ),
);

export const replyParameters = structure(
  z
    .strictObject({
      message_id: z.int().optional(),
      ephemeral_message_id: z.int().optional(),
      chat_id: chatId.optional(),
      allow_sending_without_reply: z.boolean().optional(),
    })
    .refine((reply) => (reply.message_id === undefined) !== (reply.ephemeral_message_id === undefined), {
      error: 'a reply names a message_id or an ephemeral_message_id',
    }),
);
export type ReplyParameters = z.infer<typeof replyParameters>;

export const linkPreviewOptions = structure(
  z.strictObject({
    is_disabled: z.boolean().optional(),
    url: z.string().optional(),
    prefer_small_media: z.boolean().optional(),
    prefer_large_media: z.boolean().optional(),
    show_above_text: z.boolean().optional(),
  }),
);

/** Bot API 10.3: the message is shown to one member only. */
export const ephemeralParameters = structure(
  z.strictObject({
    receiver_user_id: z.int(),
    callback_query_id: z.string().optional(),
    replace_callback_query_message: z.boolean().optional(),
  }),
);
export type EphemeralParameters = z.infer<typeof ephemeralParameters>;

/** Parses one call's parameters, or refuses with the first complaint. */
export function readParameters<Schema extends z.ZodType>(
  schema: Schema,
  raw: Record<string, unknown>,
  strict: boolean,
): z.infer<Schema> {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  if (!strict) {
    const unknown = result.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
    if (unknown.length > 0) return readParameters(schema, without(raw, unknown), strict);
  }
  const issue = result.error.issues[0];
  throw badRequest(`parameter ${issue?.path.join('.') || '(all)'}: ${issue?.message ?? 'invalid'}`);
}

function without(raw: Record<string, unknown>, issues: { path: PropertyKey[]; keys: string[] }[]) {
  const copy = structuredClone(raw);
  for (const { path, keys } of issues) {
    let holder: unknown = copy;
    for (const step of path) {
      // A form's structure is still text here; it becomes an object on the way to what is too much in it.
      const inner: unknown = isRecord(holder) || Array.isArray(holder) ? Reflect.get(holder, step) : undefined;
      const opened = typeof inner === 'string' ? parseJson(inner) : inner;
      if (isRecord(holder)) Reflect.set(holder, step, opened);
      holder = opened;
    }
    if (isRecord(holder)) for (const key of keys) Reflect.deleteProperty(holder, key);
  }
  return copy;
}

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const FLAGS: Record<string, boolean> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
  '': false,
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
