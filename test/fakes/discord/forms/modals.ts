import { ComponentType, TextInputStyle } from 'discord-api-types/v10';
import { z } from 'zod';
import { text } from './basics.ts';
import { textDisplay } from './components.ts';
import { complaint } from './form.ts';
import { SELECTS } from './selects.ts';

const id = z.int().min(0).optional();
const TEXT_INPUT_FIELDS = {
  type: z.literal(ComponentType.TextInput),
  id,
  custom_id: text(1, 100),
  style: z.literal([TextInputStyle.Short, TextInputStyle.Paragraph]),
  min_length: z.int().min(0).max(4000).optional(),
  max_length: z.int().min(1).max(4000).optional(),
  required: z.boolean().optional(),
  value: z.string().max(4000).optional(),
  placeholder: z.string().max(100).optional(),
};

/** The old form, in which the input carries its label, and the new one, where a label holds any input. */
const row = z.strictObject({
  type: z.literal(ComponentType.ActionRow),
  id,
  components: z.array(z.strictObject({ ...TEXT_INPUT_FIELDS, label: text(1, 45) })).length(1),
});
const label = z.strictObject({
  type: z.literal(ComponentType.Label),
  id,
  label: text(1, 45),
  description: z.string().max(100).optional(),
  component: z.discriminatedUnion('type', [z.strictObject(TEXT_INPUT_FIELDS), ...SELECTS]),
});

export const modal = z
  .strictObject({
    custom_id: text(1, 100),
    title: text(1, 45),
    components: z
      .array(z.discriminatedUnion('type', [row, label, textDisplay]))
      .min(1)
      .max(5),
  })
  .superRefine(({ components }, context) => {
    const seen = new Set<string>();
    for (const [index, component] of components.entries()) {
      const input = inputOf(component);
      if (input === null) continue;
      if (seen.has(input.custom_id)) {
        context.addIssue(
          complaint(
            ['components', index],
            'COMPONENT_CUSTOM_ID_DUPLICATED',
            'Component custom id cannot be duplicated',
          ),
        );
      }
      seen.add(input.custom_id);
      if (
        input.type === ComponentType.TextInput &&
        (input.value ?? '') !== '' &&
        !fits(input.value ?? '', input.min_length ?? 0, input.max_length ?? 4000)
      ) {
        context.addIssue(complaint(['components', index], 'BASE_TYPE_BAD_LENGTH', 'The value breaks its own limits.'));
      }
    }
  });

export type Modal = z.infer<typeof modal>;
type ModalPart = Modal['components'][number];

/** What the person fills in, or null for a text that is only read. */
export function inputOf(part: ModalPart) {
  if (part.type === ComponentType.TextDisplay) return null;
  return part.type === ComponentType.Label ? part.component : (part.components[0] ?? null);
}

export function fits(value: string, least: number, most: number): boolean {
  return value.length >= least && value.length <= most;
}
