import { ButtonStyle, ComponentType } from 'discord-api-types/v10';
import { z } from 'zod';
import { link, partialEmoji, snowflake, text } from './basics.ts';
import { complaint } from './form.ts';
import { SELECTS } from './selects.ts';

const id = z.int().min(0).optional();
const BUTTON_FIELDS = {
  type: z.literal(ComponentType.Button),
  id,
  label: z.string().max(80).optional(),
  emoji: partialEmoji.optional(),
  disabled: z.boolean().optional(),
};

const button = z
  .discriminatedUnion('style', [
    z.strictObject({
      ...BUTTON_FIELDS,
      style: z.literal([ButtonStyle.Primary, ButtonStyle.Secondary, ButtonStyle.Success, ButtonStyle.Danger]),
      custom_id: text(1, 100),
    }),
    z.strictObject({ ...BUTTON_FIELDS, style: z.literal(ButtonStyle.Link), url: link(512) }),
    z.strictObject({
      type: z.literal(ComponentType.Button),
      id,
      disabled: z.boolean().optional(),
      style: z.literal(ButtonStyle.Premium),
      sku_id: snowflake,
    }),
  ])
  .superRefine((found, context) => {
    if (found.style !== ButtonStyle.Premium && (found.label ?? '').trim() === '' && found.emoji === undefined) {
      context.addIssue(complaint(['label'], 'BASE_TYPE_REQUIRED', 'A button must have a label or an emoji.'));
    }
  });

export const actionRow = z
  .strictObject({
    type: z.literal(ComponentType.ActionRow),
    id,
    components: z.array(z.discriminatedUnion('type', [button, ...SELECTS])).min(1),
  })
  .superRefine((row, context) => {
    const width = row.components.reduce((sum, { type }) => sum + (type === ComponentType.Button ? 1 : 5), 0);
    if (width > 5) {
      context.addIssue(
        complaint(['components'], 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', 'The specified layout width is exceeded.'),
      );
    }
  });

const unfurled = z.strictObject({ url: link(2048, ['http', 'https', 'attachment']) });
export const textDisplay = z.strictObject({ type: z.literal(ComponentType.TextDisplay), id, content: text(1, 4000) });
const thumbnail = z.strictObject({
  type: z.literal(ComponentType.Thumbnail),
  id,
  media: unfurled,
  description: z.string().max(1024).nullish(),
  spoiler: z.boolean().optional(),
});
const section = z.strictObject({
  type: z.literal(ComponentType.Section),
  id,
  components: z.array(textDisplay).min(1).max(3),
  accessory: z.discriminatedUnion('type', [button, thumbnail]),
});
const gallery = z.strictObject({
  type: z.literal(ComponentType.MediaGallery),
  id,
  items: z
    .array(
      z.strictObject({
        media: unfurled,
        description: z.string().max(1024).nullish(),
        spoiler: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(10),
});
const file = z.strictObject({
  type: z.literal(ComponentType.File),
  id,
  file: unfurled,
  spoiler: z.boolean().optional(),
});
const separator = z.strictObject({
  type: z.literal(ComponentType.Separator),
  id,
  divider: z.boolean().optional(),
  spacing: z.literal([1, 2]).optional(),
});
const container = z.strictObject({
  type: z.literal(ComponentType.Container),
  id,
  components: z.array(z.discriminatedUnion('type', [actionRow, textDisplay, section, gallery, file, separator])).min(1),
  accent_color: z.int().min(0).max(0xffffff).nullish(),
  spoiler: z.boolean().optional(),
});

/** Components of a message; which of them may stand at the top depends on its flags and is checked with the message. */
export const components = z.array(
  z.discriminatedUnion('type', [actionRow, textDisplay, section, gallery, file, separator, container]),
);

export type Components = z.infer<typeof components>;
