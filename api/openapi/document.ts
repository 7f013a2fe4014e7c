import { z } from 'zod';
import { challengeAnswer, errorAnswer } from '../../core/catalog/answers.ts';
import { CATALOG_ROWS } from '../../core/catalog/operations.ts';
import { GROUPS, type NamedRow as Row } from '../../core/catalog/row.ts';
import { ERRORS } from '../../core/errors.ts';
import { PLATFORM_NAMES, platformRow, type Platform } from '../../core/platforms/platforms.ts';
import {
  errorResponses,
  HEADER_PARAMETERS,
  headerComponents,
  headersNamed,
  pathParameter,
  reference,
  SECURITY_SCHEMES,
  type Json,
} from './components.ts';
import { errorExamples, paymentInfo, priceExample, REQUEST_ID, type Terms } from './examples.ts';
import { neverPresentedBody } from '../payments/answers.ts';
import { toSchema } from '../../core/catalog/schema.ts';

/** Version of the interface description. */
const INTERFACE_VERSION = '1.0.0';

/** For agents that read nothing else. */
const GUIDANCE =
  'POST /payments/{platform}/pay with {"receiver", "amount"}: without a payment it answers 402 with the price. Sign exactly that and repeat the same request. After a timeout repeat it with the same payment; never sign a second one.';

export type DocumentTerms = Terms & {
  baseUrl: string;
  platforms: readonly Platform[];
  operator: { name: string; supportUrl: string };
};
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  responses: Record<string, Json>;
} & Json;
export type OpenApiDocument = {
  openapi: '3.1.0';
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Json>;
} & Json;

/** The OpenAPI 3.1 document of this installation, made from the catalog and from the schemas that validate. */
export function createDocument(input: DocumentTerms, rows: readonly Row[] = CATALOG_ROWS): OpenApiDocument {
  const { baseUrl } = input;
  const tags = Object.entries(GROUPS).filter(([name]) => rows.some(({ group }) => group === name));
  return {
    openapi: '3.1.0',
    info: {
      title: 'pennypost',
      version: INTERFACE_VERSION,
      description:
        'Send USDC to anyone by the name they already go by. Payment is by x402: a request without proof is answered with 402 and a price, the same request with a signed proof with 200 and a receipt. No accounts, no keys.',
      contact: {
        name: input.operator.name,
        url: input.operator.supportUrl === '' ? baseUrl : input.operator.supportUrl,
      },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-guidance': GUIDANCE,
    },
    servers: [{ url: baseUrl }],
    tags: tags.map(([name, { text }]) => ({ name, description: text })),
    'x-tagGroups': [...new Set(tags.map(([, { reader }]) => reader))].map((reader) => ({
      name: reader,
      tags: tags.filter(([, group]) => group.reader === reader).map(([name]) => name),
    })),
    paths: pathsOf(rows, input),
    components: {
      schemas: schemas(rows),
      parameters: HEADER_PARAMETERS,
      headers: headerComponents(),
      examples: errorExamples(rows),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** The platforms that any caller can pay to here, in the order of the table. */
export function publicPlatforms(platforms: readonly Platform[]): Platform[] {
  return PLATFORM_NAMES.filter((name) => platforms.includes(name) && platformRow(name).http === 'public');
}

function pathsOf(rows: readonly Row[], input: DocumentTerms): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const row of rows) (paths[row.path] ??= {})[row.method] = operationOf(row, input);
  return paths;
}

function operationOf(row: Row, input: DocumentTerms): Operation {
  const { platforms: only = publicPlatforms(input.platforms) } = row;
  const parameters = [
    ...row.parameters.map((name) => pathParameter(name, only)),
    ...queryParameters(row),
    ...headerParameters(row),
  ];
  return {
    operationId: row.id,
    tags: [row.group],
    summary: row.summary,
    description: row.description,
    ...(parameters.length === 0 ? {} : { parameters }),
    // Indexes take a header named as a key for an account that is needed besides the payment, so x402 is a parameter.
    security: row.takesProof ? [{}, { mpp: [] }] : [],
    ...paymentInfo(row, input),
    ...requestBody(row),
    responses: { ...successes(row), ...paymentRequired(row, input), ...errorResponses(row) },
  };
}

function queryParameters({ request }: Row): Json[] {
  if (request?.in !== 'query') return [];
  const { properties = {} } = toSchema(request.schema) as { properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function headerParameters(row: Row): Json[] {
  const names = [
    ...(row.takesProof ? ['PaymentSignature', 'XPayment'] : []),
    ...(row.paid !== null ? ['IdempotencyKey', 'EventEndpoint'] : []),
  ];
  return names.map((name) => reference('parameters', name));
}

function requestBody({ id, request }: Row): Json {
  if (request?.in !== 'body') return {};
  const schema = reference('schemas', requestName(id));
  return { requestBody: { required: true, content: { 'application/json': { schema, example: request.example } } } };
}

function successes(row: Row): Record<string, Json> {
  // A receipt and the health checks are served beside the interface and carry no request id.
  const names =
    row.paid !== null ? (['X-Request-Id', 'PAYMENT-RESPONSE', 'Payment-Receipt', 'Idempotent-Replayed'] as const) : [];
  const others = row.otherTypes.map((type) => [type, type.startsWith('text/') ? { schema: { type: 'string' } } : {}]);
  const json =
    row.success === null
      ? {}
      : { 'application/json': { schema: reference('schemas', answerName(row.id)), example: row.answerExample } };
  return {
    [row.successStatus ?? 200]: {
      description: row.paid !== null ? 'Settled on chain.' : row.successStatus === 201 ? 'Opened.' : 'Found.',
      headers: headersNamed(names),
      content: { ...json, ...(Object.fromEntries(others) as Json) },
    },
    ...(row.unavailable === null ? {} : { '503': unavailable(row.unavailable) }),
  };
}

function unavailable({ schema, example }: NonNullable<Row['unavailable']>): Json {
  return {
    description: schema.description ?? 'Not available.',
    content: { 'application/json': { schema: toSchema(schema), example } },
  };
}

function paymentRequired(row: Row, input: DocumentTerms): Record<string, Json> {
  if (!row.takesProof) return {};
  const example = row.paid === null ? neverPresentedBody(REQUEST_ID) : priceExample(row, input.baseUrl, input);
  const content = { 'application/json': { schema: reference('schemas', 'PaymentRequired'), example } };
  if (row.paid !== null) {
    const headers = headersNamed(['X-Request-Id', 'PAYMENT-REQUIRED', 'WWW-Authenticate', 'payment-error']);
    return { '402': { description: 'The price, or why the proof was refused. Nothing has moved.', headers, content } };
  }
  const description = 'The proof was never presented here. Nothing is for sale: "accepts" is empty.';
  return { '402': { description, headers: headersNamed(['X-Request-Id']), content } };
}

function schemas(rows: readonly Row[]): Json {
  const named = rows.flatMap(({ id, request, success }) => [
    ...(request?.in === 'body' ? [[requestName(id), toSchema(request.schema)] as const] : []),
    ...(success === null ? [] : [[answerName(id), toSchema(success)] as const]),
  ]);
  const error = toSchema(
    errorAnswer.extend({ error: z.enum(Object.keys(ERRORS)).meta({ description: 'a stable word' }) }),
  );
  return { ...Object.fromEntries(named), PaymentRequired: toSchema(challengeAnswer), Error: error };
}

const requestName = (id: string): string => `${capitalize(id)}Request`;
const answerName = (id: string): string => `${capitalize(id)}Answer`;
const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
