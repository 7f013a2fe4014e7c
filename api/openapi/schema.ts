import { z } from 'zod';
import type { Json } from './components.ts';

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
