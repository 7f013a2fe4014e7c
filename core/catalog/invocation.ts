import { platformRow, type Platform } from '../platforms/platforms.ts';
import { EXAMPLE_PLATFORM, type Json, type CatalogRow } from './row.ts';
import { toBriefSchema } from './schema.ts';
import type { Tool } from './tools.ts';

/**
 * How a paid resource is called, as the terms of each x402 generation say it: indexes list a service by it.
 * Source: x402 specification, extension `bazaar`; `outputSchema` of version 1.
 */
export type Invocation = {
  /** What is paid for, for people; at most 200 characters. */
  description: string;
  bazaar: Json;
  /** Null: the first generation knows HTTP only. */
  outputSchema: Json | null;
};

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** A paid route; `platform` is the one in its address. */
export function routeInvocation(row: CatalogRow, platform: Platform | null): Invocation {
  const { request, answerExample: output } = row;
  const method = row.method.toUpperCase();
  const body = request === null ? { type: 'object' } : toBriefSchema(request.schema, receiverOf(platform));
  const common = { type: 'http', method, bodyType: 'json' };
  const inPath = pathOf(row);
  const input = { ...common, body: exampleFor(request?.example ?? {}, platform), ...inPath?.info };
  const schemas = { ...constants(common), body, ...inPath?.schema };
  return {
    description: describe(row, platform),
    // Without the answer: it travels in a header, twice. The first generation has it in the body, OpenAPI everywhere.
    bazaar: { ...inPath?.template, ...toExtension(input, schemas) },
    outputSchema: {
      input: { ...common, bodyFields: toFields(body) },
      ...(output === null ? {} : { output }),
    },
  };
}

/** A paid tool of MCP. */
export function toolInvocation(tool: Tool): Invocation {
  const { name, row, platform } = tool;
  const inputSchema = toBriefSchema(tool.arguments, receiverOf(platform));
  const common = { type: 'mcp', toolName: name, transport: 'streamable-http' };
  const input = { ...common, inputSchema, example: exampleFor(tool.example, platform) };
  const schemas = { ...constants(common), inputSchema: { type: 'object' }, example: { type: 'object' } };
  return { description: describe(row, platform), bazaar: toExtension(input, schemas), outputSchema: null };
}

/** An example of the catalog with a name of this platform as its receiver. */
export function exampleFor(example: Json, platform: Platform | null): Json {
  if (platform === null || platform === EXAMPLE_PLATFORM) return example;
  const { example: receiver } = platformRow(platform);
  const text = JSON.stringify(example, (key, value: unknown) => (key === 'receiver' ? receiver : value));
  return JSON.parse(text) as Json;
}

/** What an index says about it. */
export function describe({ summary, paid }: Pick<CatalogRow, 'summary' | 'paid'>, platform: Platform | null): string {
  if (paid?.kind === 'confirm-distribution') return `${summary}. The price is its total.`;
  const receiver = platform === null ? '' : `; a receiver is ${platformRow(platform).receiver}`;
  return `${summary}${receiver}. The price is what is sent.`;
}

const receiverOf = (platform: Platform | null): string | null =>
  platform === null ? null : platformRow(platform).receiver;

const constants = (values: Record<string, string>): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { const: value }]));

/** The first generation lists fields, each of which says itself whether it is required. */
function toFields({ properties = {}, required = [] }: { properties?: unknown; required?: unknown }): Json {
  const fields = Object.entries(properties as Record<string, Json>);
  const wanted = required as readonly string[];
  return Object.fromEntries(
    fields.map(([name, field]) => [name, wanted.includes(name) ? { ...field, required: true } : field]),
  );
}

function toExtension(input: Json, properties: Json): Json {
  return {
    info: { input },
    schema: {
      $schema: DIALECT,
      type: 'object',
      properties: { input: { type: 'object', properties, required: Object.keys(input) } },
      required: ['input'],
    },
  };
}

/** What is bought by its id in the address is one resource for all ids. */
function pathOf({ path, parameters, platforms }: CatalogRow): { template: Json; info: Json; schema: Json } | null {
  if (!parameters.includes('order_id')) return null;
  const routeTemplate = path.replace('{platform}', platforms?.[0] ?? ':platform').replace('{order_id}', ':order_id');
  return {
    template: { routeTemplate },
    info: { pathParams: { order_id: 'dist_AAAAAAAAAAAAAAAAAAAAAA' } },
    schema: { pathParams: { type: 'object', required: ['order_id'] } },
  };
}
