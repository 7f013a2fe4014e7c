import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  InteractionContextType,
  Locale,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { text } from './basics.ts';
import { complaint } from './form.ts';
import { checkOptions, commandSize } from './command-rules.ts';

/** Discord's own pattern for names of slash commands and options; on top of it they must be in lower case. */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const COMMAND_CHARACTERS_MAX = 8_000;

const slashName = z.string().superRefine((name, context) => {
  if (!NAME.test(name) || name !== name.toLowerCase()) {
    context.addIssue(complaint([], 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid'));
  }
});
const menuName = text(1, 32);

function localised(value: z.ZodType<string>) {
  return z.partialRecord(z.enum(Locale), value).nullish();
}

const choice = z.strictObject({
  name: text(1, 100),
  name_localizations: localised(text(1, 100)),
  value: z.union([z.string().max(100), z.number()]),
});

export const choices = z.array(choice).max(25);
export type CommandChoice = z.infer<typeof choice>;

export const option = z.strictObject({
  type: z.enum(ApplicationCommandOptionType),
  name: slashName,
  name_localizations: localised(slashName),
  description: text(1, 100),
  description_localizations: localised(text(1, 100)),
  required: z.boolean().optional(),
  choices: choices.optional(),
  channel_types: z.array(z.enum(ChannelType)).optional(),
  min_value: z.number().optional(),
  max_value: z.number().optional(),
  min_length: z.int().min(0).max(6000).optional(),
  max_length: z.int().min(1).max(6000).optional(),
  autocomplete: z.boolean().optional(),
  get options() {
    return z.array(option).max(25).optional();
  },
});

export type CommandOption = z.infer<typeof option>;

const COMMON_FIELDS = {
  default_member_permissions: z.string().regex(/^\d+$/).nullish(),
  dm_permission: z.boolean().nullish(),
  default_permission: z.boolean().nullish(),
  nsfw: z.boolean().optional(),
  integration_types: z.array(z.enum(ApplicationIntegrationType)).min(1).nullish(),
  contexts: z.array(z.enum(InteractionContextType)).min(1).nullish(),
};

const slashCommand = z
  .strictObject({
    ...COMMON_FIELDS,
    type: z.literal(ApplicationCommandType.ChatInput),
    name: slashName,
    name_localizations: localised(slashName),
    description: text(1, 100),
    description_localizations: localised(text(1, 100)),
    options: z.array(option).max(25).optional(),
  })
  .superRefine((command, context) => {
    for (const found of checkOptions(command.options ?? [])) {
      context.addIssue(complaint(['options', ...found.path], found.code, found.message));
    }
    if (commandSize(command) > COMMAND_CHARACTERS_MAX) {
      context.addIssue(
        complaint([], 'APPLICATION_COMMAND_TOO_LARGE', 'Command exceeds maximum size of 8000 characters'),
      );
    }
  });

/** Commands of the menu on a user or a message have no options, and their description must be empty. */
const menuCommand = z.strictObject({
  ...COMMON_FIELDS,
  type: z.literal([ApplicationCommandType.User, ApplicationCommandType.Message]),
  name: menuName,
  name_localizations: localised(menuName),
  description: z.literal('').optional(),
});

const typed = z.preprocess(
  // A command without a type is a slash command.
  (sent) => (typeof sent === 'object' && sent !== null && !('type' in sent) ? { ...sent, type: 1 } : sent),
  z.discriminatedUnion('type', [slashCommand, menuCommand]),
);

export const command = typed;
export type CommandBody = z.infer<typeof command>;

/** A registered command; without a guild it is global. */
export type Command = CommandBody & { id: string; guildId: string | null; version: string };

/** Names must be unique per type, and each type has its own number. */
export const commandList = z.array(command).superRefine((list, context) => {
  const seen = new Set<string>();
  const counts = new Map<number, number>();
  for (const [index, { type, name }] of list.entries()) {
    const key = `${type}:${name}`;
    if (seen.has(key)) {
      context.addIssue(
        complaint([index], 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique'),
      );
    }
    seen.add(key);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  for (const [type, count] of counts) {
    const most = type === 1 ? 100 : 15;
    if (count > most) {
      context.addIssue(complaint([], 'BASE_TYPE_MAX_LENGTH', `Must be ${most} or fewer in length.`));
    }
  }
});
