import { z } from 'zod';
import { link, text } from './basics.ts';
import { complaint } from './form.ts';

const media = z.strictObject({ url: link(2048, ['http', 'https', 'attachment']) });

const embed = z.strictObject({
  title: text(0, 256).optional(),
  type: z.literal('rich').optional(),
  description: text(0, 4096).optional(),
  url: link(2048, ['http', 'https']).optional(),
  timestamp: z.iso.datetime({ offset: true }).optional(),
  color: z.int().min(0).max(0xffffff).nullish(),
  footer: z
    .strictObject({ text: text(1, 2048), icon_url: link(2048, ['http', 'https', 'attachment']).optional() })
    .optional(),
  image: media.optional(),
  thumbnail: media.optional(),
  author: z
    .strictObject({
      name: text(1, 256),
      url: link(2048, ['http', 'https']).optional(),
      icon_url: link(2048, ['http', 'https', 'attachment']).optional(),
    })
    .optional(),
  fields: z
    .array(z.strictObject({ name: text(1, 256), value: text(1, 1024), inline: z.boolean().optional() }))
    .max(25)
    .optional(),
});

/** All texts of all embeds together. */
const TEXT_MAX = 6000;

export const embeds = z
  .array(embed)
  .max(10)
  .superRefine((list, context) => {
    let length = 0;
    for (const [index, { title, description, footer, author, fields, image, thumbnail }] of list.entries()) {
      const texts = [
        title,
        description,
        footer?.text,
        author?.name,
        ...(fields ?? []).flatMap((f) => [f.name, f.value]),
      ];
      length += texts.reduce((sum, part) => sum + (part?.trim().length ?? 0), 0);
      if (texts.every((part) => part === undefined || part.trim() === '') && !image && !thumbnail) {
        context.addIssue(complaint([index, 'description'], 'BASE_TYPE_REQUIRED', 'This field is required'));
      }
    }
    if (length > TEXT_MAX) {
      context.addIssue(
        complaint([], 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${TEXT_MAX} characters`),
      );
    }
  });

export type Embeds = z.infer<typeof embeds>;
