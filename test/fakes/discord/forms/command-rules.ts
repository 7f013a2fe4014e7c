import { ApplicationCommandOptionType as Type } from 'discord-api-types/v10';
import type { Complaint } from './form.ts';

type Named = {
  name: string;
  name_localizations?: Partial<Record<string, string>> | null | undefined;
  description?: string | undefined;
  description_localizations?: Partial<Record<string, string>> | null | undefined;
};
type Option = Named & {
  type: Type;
  required?: boolean | undefined;
  choices?: (Named & { value: string | number })[] | undefined;
  channel_types?: unknown[] | undefined;
  min_value?: number | undefined;
  max_value?: number | undefined;
  min_length?: number | undefined;
  max_length?: number | undefined;
  autocomplete?: boolean | undefined;
  options?: Option[] | undefined;
};

const TEXT_AND_NUMBERS = [Type.String, Type.Integer, Type.Number];
const NESTING = [Type.Subcommand, Type.SubcommandGroup];

/** Which option types a field makes sense for. Discord overlooks a misplaced one; it would have no effect. */
const FIELD_TYPES = {
  choices: TEXT_AND_NUMBERS,
  autocomplete: TEXT_AND_NUMBERS,
  min_value: [Type.Integer, Type.Number],
  max_value: [Type.Integer, Type.Number],
  min_length: [Type.String],
  max_length: [Type.String],
  channel_types: [Type.Channel],
  options: NESTING,
} as const satisfies Partial<Record<keyof Option, readonly Type[]>>;

/** Rules among the options of a command that no single field shows. */
export function checkOptions(options: readonly Option[], depth = 0): Complaint[] {
  const found: Complaint[] = [];
  const names = options.map(({ name }) => name);
  const nested = options.filter(({ type }) => NESTING.includes(type)).length;
  if (nested !== 0 && nested !== options.length) {
    found.push({
      path: [],
      code: 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
      message: 'Sub-command and sub-command group option types are mutually exclusive to all other types',
    });
  }
  for (const [index, option] of options.entries()) {
    if (names.indexOf(option.name) !== index) {
      found.push({
        path: [index, 'name'],
        code: 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS',
        message: `Option name "${option.name}" already exists in this options list`,
      });
    }
    if (option.required && options.slice(0, index).some(({ required }) => !required)) {
      found.push({
        path: [index],
        code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        message: 'Required options must be placed before non-required options',
      });
    }
    found.push(...checkOption(option, depth).map((one) => ({ ...one, path: [index, ...one.path] })));
  }
  return found;
}

function checkOption(option: Option, depth: number): Complaint[] {
  const found: Complaint[] = [];
  for (const [field, types] of Object.entries(FIELD_TYPES)) {
    const value = Object.entries(option).find(([name]) => name === field)?.[1];
    const isEmpty = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
    if (!isEmpty && !types.some((type) => type === option.type)) {
      found.push({ path: [field], code: 'UNKNOWN_FIELD', message: 'Options of this type have no such field.' });
    }
  }
  if (option.autocomplete && (option.choices?.length ?? 0) > 0) {
    found.push({
      path: ['autocomplete'],
      code: 'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES',
      message: 'Autocomplete and choices exclude each other',
    });
  }
  for (const [index, { value }] of (option.choices ?? []).entries()) {
    const fits = option.type === Type.String ? typeof value === 'string' : typeof value === 'number';
    if (!fits) {
      found.push({
        path: ['choices', index, 'value'],
        code: 'APPLICATION_COMMAND_OPTIONS_CHOICE_VALUE_TYPE',
        message: 'The value has another type than its option',
      });
    }
  }
  if (
    option.type === Type.SubcommandGroup &&
    (depth > 0 || !option.options?.every((o) => o.type === Type.Subcommand))
  ) {
    found.push({ path: ['options'], code: 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', message: 'Nested too deeply' });
  }
  const below = checkOptions(option.options ?? [], depth + 1);
  return [...found, ...below.map((one) => ({ ...one, path: ['options', ...one.path] }))];
}

/** Discord counts the longest translation of each text. */
export function commandSize(command: Named & { options?: Option[] | undefined }): number {
  const own =
    longest(command.name, command.name_localizations) +
    longest(command.description ?? '', command.description_localizations);
  return (command.options ?? []).reduce((sum, option) => {
    const choices = (option.choices ?? []).reduce(
      (size, choice) => size + longest(choice.name, choice.name_localizations) + String(choice.value).length,
      0,
    );
    return sum + choices + commandSize(option);
  }, own);
}

function longest(text: string, translations: Partial<Record<string, string>> | null | undefined): number {
  return Math.max(text.length, ...Object.values(translations ?? {}).map((translation) => translation?.length ?? 0));
}
