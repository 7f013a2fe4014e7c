import { ChannelType, ComponentType, SelectMenuDefaultValueType } from 'discord-api-types/v10';
import { z } from 'zod';
import { partialEmoji, snowflake, text } from './basics.ts';
import { complaint } from './form.ts';

const SELECT_FIELDS = {
  id: z.int().min(0).optional(),
  custom_id: text(1, 100),
  placeholder: z.string().max(150).optional(),
  min_values: z.int().min(0).max(25).optional(),
  max_values: z.int().min(1).max(25).optional(),
  disabled: z.boolean().optional(),
  /** Only modals look at it. */
  required: z.boolean().optional(),
};

const option = z.strictObject({
  label: text(1, 100),
  value: text(1, 100),
  description: z.string().max(100).nullish(),
  emoji: partialEmoji.nullish(),
  default: z.boolean().optional(),
});

export const stringSelect = z
  .strictObject({
    type: z.literal(ComponentType.StringSelect),
    ...SELECT_FIELDS,
    options: z.array(option).min(1).max(25),
  })
  .superRefine((select, context) => {
    const values = select.options.map(({ value }) => value);
    for (const [index, value] of values.entries()) {
      if (values.indexOf(value) !== index) {
        context.addIssue(
          complaint(
            ['options', index, 'value'],
            'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
            'The specified option value is already used',
          ),
        );
      }
    }
    if ((select.max_values ?? 1) > values.length || (select.min_values ?? 1) > (select.max_values ?? 1)) {
      context.addIssue(complaint(['max_values'], 'BASE_TYPE_CHOICES', 'More values than there are options.'));
    }
  });

const defaults = z
  .array(z.strictObject({ id: snowflake, type: z.enum(SelectMenuDefaultValueType) }))
  .max(25)
  .optional();

export const userSelect = z.strictObject({
  type: z.literal(ComponentType.UserSelect),
  ...SELECT_FIELDS,
  default_values: defaults,
});

export const roleSelect = z.strictObject({
  type: z.literal(ComponentType.RoleSelect),
  ...SELECT_FIELDS,
  default_values: defaults,
});

export const mentionableSelect = z.strictObject({
  type: z.literal(ComponentType.MentionableSelect),
  ...SELECT_FIELDS,
  default_values: defaults,
});

export const channelSelect = z.strictObject({
  type: z.literal(ComponentType.ChannelSelect),
  ...SELECT_FIELDS,
  channel_types: z.array(z.enum(ChannelType)).optional(),
  default_values: defaults,
});

export const SELECTS = [stringSelect, userSelect, roleSelect, mentionableSelect, channelSelect] as const;
