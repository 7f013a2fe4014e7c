import { z } from 'zod';
import type { Json } from './row.ts';

/** JSON Schema 2020-12, which OpenAPI 3.1 is made for. `input`: further keys are ignored, not refused. */
export function toSchema(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => wantOneReceiver(jsonSchema as Json),
  });
  return rest;
}

/** A receiver has two names and needs one of them; the parser checks that in code, which no schema shows. */
function wantOneReceiver(schema: Json): void {
  const properties = (schema['properties'] ?? {}) as Json;
  const other = ['receiver_username', 'username'].find((name) => name in properties);
  if (other === undefined || !('receiver' in properties) || !('amount' in properties)) return;
  // Answers name a user as well, but no receiver.
  schema['anyOf'] = [{ required: ['receiver'] }, { required: [other] }];
}

/**
 * The same in few bytes, because it travels with every price: without names that new programs do not need, with one form
 * where several are accepted, and with texts for required fields only. `receiver`: what a receiver is here.
 */
export function toBriefSchema(schema: z.ZodType, receiver: string | null): Json {
  return brief(toSchema(schema), { isRequired: true, receiver, name: '' });
}

type Place = { isRequired: boolean; receiver: string | null; name: string };

/** Parts that a caller can leave out of a first call. */
const LEFT_OUT: readonly string[] = ['default', 'propertyNames', 'additionalProperties', 'minLength', 'maxLength'];

function brief(schema: Json, place: Place): Json {
  const { oneOf, anyOf, properties, items, description, ...rest } = schema;
  const forms = (oneOf ?? (properties === undefined ? anyOf : undefined)) as readonly Json[] | undefined;
  const [form] = forms ?? [];
  if (form !== undefined) return brief({ ...rest, ...form, description }, place);
  const kept = Object.fromEntries(Object.entries(rest).filter(([key]) => !LEFT_OUT.includes(key)));
  const text = place.name === 'receiver' ? (place.receiver ?? description) : description;
  return {
    ...kept,
    ...(text === undefined || !place.isRequired ? {} : { description: text }),
    ...(items === undefined ? {} : { items: brief(items as Json, place) }),
    ...(properties === undefined ? {} : briefProperties(schema, place)),
  };
}

function briefProperties({ properties, required = [], anyOf = [] }: Json, place: Place): Json {
  // Of two names for the same thing, either of which is enough, the first is the one for new programs.
  const [first] = anyOf as readonly { required?: readonly string[] }[];
  const wanted = [...(first?.required ?? []), ...(required as readonly string[])];
  const kept = Object.entries(properties as Record<string, Json>).filter(([, { deprecated }]) => deprecated !== true);
  const inner = kept.map(([name, property]) => {
    const isRequired = wanted.includes(name);
    return [name, brief(property, { ...place, name, isRequired })] as const;
  });
  return { properties: Object.fromEntries(inner), required: wanted };
}
