/** The parts of hubs' answers that we read. Another form makes the whole answer unusable. */
import { z } from 'zod';

/** Times are seconds since the beginning of 2021. */
const EPOCH_SECONDS = 1_609_459_200;

const timeSchema = z
  .int()
  .nonnegative()
  .max(2 ** 32 - 1)
  .transform((seconds) => (EPOCH_SECONDS + seconds) * 1_000);

const hashSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .toLowerCase();

export const fidSchema = z.int().positive();

const castIdSchema = z.object({ fid: fidSchema, hash: hashSchema });

/** Casts can be long; only the beginning is ever shown. */
const TEXT_MAX = 20_000;

export const castSchema = z.object({
  hash: hashSchema,
  data: z.object({
    type: z.literal('MESSAGE_TYPE_CAST_ADD'),
    fid: fidSchema,
    timestamp: timeSchema,
    castAddBody: z.object({ text: z.string().max(TEXT_MAX).default(''), parentCastId: castIdSchema.nullish() }),
  }),
});

export const reactionSchema = z.object({
  hash: hashSchema,
  data: z.object({
    type: z.literal('MESSAGE_TYPE_REACTION_ADD'),
    fid: fidSchema,
    timestamp: timeSchema,
    reactionBody: z.object({
      type: z.enum(['REACTION_TYPE_LIKE', 'REACTION_TYPE_RECAST']),
      targetCastId: castIdSchema,
    }),
  }),
});

const USERNAME = 'USER_DATA_TYPE_USERNAME';

export const userDataSchema = z.object({
  hash: hashSchema,
  data: z.object({
    type: z.literal('MESSAGE_TYPE_USER_DATA_ADD'),
    fid: fidSchema,
    userDataBody: z.object({ type: z.string(), value: z.string().max(TEXT_MAX) }),
  }),
});

export type CastMessage = z.infer<typeof castSchema>;
export type ReactionMessage = z.infer<typeof reactionSchema>;
export type UserDataMessage = z.infer<typeof userDataSchema>;

export function isUsername({ data }: UserDataMessage): boolean {
  return data.userDataBody.type === USERNAME;
}

/**
 * A page of messages. Hubs also list removals (`MESSAGE_TYPE_REACTION_REMOVE`). Messages of other types become null, so
 * that only those of the wanted type must have its form.
 */
export function pageSchemaFor<T extends z.ZodType>(message: T, wantedType: string) {
  const other = z
    .object({ data: z.object({ type: z.string().refine((type) => type !== wantedType) }) })
    .transform(() => null);
  return z.object({ messages: z.array(z.union([message, other])), nextPageToken: z.string().nullish() });
}
