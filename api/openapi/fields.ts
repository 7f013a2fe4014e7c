import type { Json } from './components.ts';

/** One line of a table of fields. */
export type Field = { name: string; type: string; isRequired: boolean; description: string };

type Schema = {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  default?: unknown;
  deprecated?: boolean;
};

/** The fields of an object's schema, those of inner objects and lists after their parent: `receivers[].amount`. */
export function listFields(schema: Json, prefix = ''): Field[] {
  const { properties = {}, required = [] } = schema as Schema;
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const field = { ...toField(name, property), isRequired: required.includes(key) };
    return [field, ...listFields(property, `${name}.`), ...listFields(property.items ?? {}, `${name}[].`)];
  });
}

/** A query or path parameter as a field. */
export function parameterField({ name, required, description, schema }: Json): Field {
  const field = toField(String(name), schema as Schema);
  return { ...field, isRequired: required === true, description: sentence([description, field.description]) };
}

function toField(name: string, schema: Schema): Omit<Field, 'isRequired'> {
  const deprecated = schema.deprecated === true ? 'not for new programs' : undefined;
  return { name, type: typeOf(schema), description: sentence([schema.description, deprecated]) };
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => String(value)).join(' | ');
  const choices = schema.oneOf ?? (schema.properties === undefined ? schema.anyOf : undefined);
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ');
  return `${schema.type ?? 'anything'}${rangeOf(schema)}`;
}

/** Leaves out bounds that only state the range of a JavaScript number. */
function rangeOf(schema: Schema): string {
  const least = schema.minimum ?? schema.minLength ?? schema.minItems;
  const most = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  const unit = schema.type === 'string' ? ' characters' : '';
  const isUnbounded = most === undefined || most === Number.MAX_SAFE_INTEGER;
  if (isUnbounded) return least === undefined || least < 0 ? '' : `, at least ${least}${unit}`;
  return least === undefined ? `, at most ${most}${unit}` : `, ${least} to ${most}${unit}`;
}

function sentence(pieces: readonly unknown[]): string {
  return pieces.filter((piece) => typeof piece === 'string' && piece !== '').join('; ');
}
