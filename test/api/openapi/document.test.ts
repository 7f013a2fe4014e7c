import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOpenApiApp } from '../../../api/openapi/app.ts';
import type { OpenApiDocument, Operation } from '../../../api/openapi/document.ts';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { createHealthApp } from '../../../api/health/app.ts';
import { createRestApp } from '../../../api/rest/app.ts';
import { CATALOG_ROWS } from '../../../core/catalog/operations.ts';
import { ERRORS } from '../../../core/errors.ts';
import { createIds } from '../../../core/ids.ts';
import { REFUSAL_TEXTS } from '../../../core/payments/refusals.ts';
import { startInstallation, type Installation } from '../pages/installation.ts';

let installation: Installation;
let app: ReturnType<typeof createOpenApiApp>;
let document: OpenApiDocument;
beforeAll(async () => {
  installation = await startInstallation();
  app = createOpenApiApp(installation.dependencies);
  document = (await (await app.request('/openapi.json')).json()) as OpenApiDocument;
});
afterAll(() => installation.close());

/** Beside pages and forms, and where providers lead browsers back to. */
const CLAIM_ROUTES = [
  'POST /claims',
  'GET /claims/{id}',
  ...['proof', 'resend', 'confirm', 'decline'].map((action) => `POST /claims/{id}/${action}`),
];

/** Pages that are read by programs too. */
const PAGE_ROUTES = [
  'GET /receipts/{slug}',
  'GET /receipts/{slug}/preview.png',
  'GET /rewards/{order_id}',
  'GET /rewards/{order_id}/shares.csv',
];

type Parameter = { name: string; in: string; required?: boolean; schema: { enum?: string[] } };
type Described = { path: string; method: string; operation: Operation; parameters: Parameter[] };

function operations(): Described[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      parameters: ((operation['parameters'] ?? []) as unknown[]).map((parameter) => resolve(parameter) as Parameter),
    })),
  );
}

/** The value itself, or what its `$ref` points to. */
function resolve(value: unknown): unknown {
  const target = (value as { $ref?: string } | null)?.$ref;
  if (target === undefined) return value;
  expect(target).toMatch(/^#\//);
  return target
    .slice(2)
    .split('/')
    .reduce<unknown>((tree, step) => (tree as Record<string, unknown> | undefined)?.[step], document);
}

function* nodes(tree: unknown): Generator<Record<string, unknown>> {
  if (typeof tree !== 'object' || tree === null) return;
  if (!Array.isArray(tree)) yield tree as Record<string, unknown>;
  for (const inner of Object.values(tree)) yield* nodes(inner);
}

describe('the document is OpenAPI 3.1', () => {
  test('says who serves it and under which license, as the linters of Redocly and Spectral want it', () => {
    expect(document['info']).toMatchObject({
      contact: { name: expect.stringMatching(/./), url: expect.stringMatching(/^(?:https?:|mailto:)/) },
      license: { name: 'MIT', identifier: 'MIT' },
    });
  });

  test('says of each operation but the health checks how it refuses', () => {
    const refuses = ({ responses }: Operation) => Object.keys(responses).some((status) => status.startsWith('4'));
    const silent = operations().filter(({ operation }) => !refuses(operation));
    expect(silent.map(({ path }) => path.split('/')[1])).toEqual(silent.map(() => 'health'));
  });

  test('it says so, with title and version', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'pennypost', version: '1.0.0' } });
    expect(document['servers']).toEqual([{ url: 'http://127.0.0.1:8402' }]);
  });

  test('no operation wants a key: what is paid for may be asked for without anything, what is free needs nothing', () => {
    const { securitySchemes } = document.components as { securitySchemes: Record<string, { type: string }> };
    expect(Object.values(securitySchemes).filter(({ type }) => type === 'apiKey')).toEqual([]);
    for (const { operation } of operations()) {
      const mode = operation['security'] as object[];
      expect(mode.length === 0 || mode.some((one) => Object.keys(one).length === 0)).toBe(true);
      expect(mode.length > 0, operation.operationId).toBe(
        '402' in operation.responses || operation.operationId === 'validate',
      );
    }
  });

  test('operation ids are unique', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every reference points to something, and every component is used', () => {
    const targets = [...nodes(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect(targets.length).toBeGreaterThan(20);
    for (const target of targets) expect(resolve({ $ref: target }), target).toBeDefined();
    const schemes = operations().flatMap(({ operation }) => (operation['security'] ?? []) as object[]);
    targets.push(
      ...schemes.flatMap((scheme) => Object.keys(scheme)).map((name) => `#/components/securitySchemes/${name}`),
    );
    const components = Object.entries(document.components).flatMap(([section, rows]) =>
      Object.keys(rows).map((name) => `#/components/${section}/${name}`),
    );
    expect(components.filter((component) => !targets.includes(component))).toEqual([]);
  });

  test('every path parameter is declared, required, and in its path', () => {
    for (const { path, parameters } of operations()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters.filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name)).toEqual(inPath);
      expect(declared.every(({ required }) => required === true)).toBe(true);
    }
  });

  test('parameters are unique within an operation, and every answer is described', () => {
    for (const { operation, parameters } of operations()) {
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
      for (const response of Object.values(operation.responses)) expect(response['description']).toMatch(/\w/);
    }
  });
});

describe('the document is complete', () => {
  test('it has every route of the program, and no other', () => {
    // Mounting asks for few dependencies; what is missing would be noticed by a request, and there is none.
    const dependencies = { ...installation.dependencies, ids: createIds(randomBytes) } as unknown as ApiDependencies;
    const routes = [...createRestApp(dependencies).routes, ...createHealthApp(dependencies).routes]
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    const described = operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(routes).toContain('POST /payments/{platform}/pay');
    const beside = [...PAGE_ROUTES, ...CLAIM_ROUTES];
    expect(described.sort()).toEqual([...routes, ...beside].sort());
  });

  test('a picture is described as one, and a 503 says what it means', () => {
    const picture = document.paths['/receipts/{slug}/preview.png']?.['get'];
    expect(picture?.responses['200']?.['content']).toEqual({ 'image/png': {} });
    const meanings = ['/health', '/health/solvency'].map(
      (path) => document.paths[path]?.['get']?.responses['503']?.['description'],
    );
    expect(meanings).toEqual([
      'At least one part does not serve. The others do.',
      'At least one network is not shown to be solvent.',
    ]);
  });

  test('it names every error word at its status, and every reason of a 402', () => {
    const words = new Map<string, Set<string>>();
    for (const { operation } of operations()) {
      for (const [status, response] of Object.entries(operation.responses)) {
        for (const { error } of nodes(response) as Iterable<{ error?: { enum?: string[] } }>) {
          for (const word of error?.enum ?? []) words.set(word, (words.get(word) ?? new Set()).add(status));
        }
      }
    }
    for (const [word, { status }] of Object.entries(ERRORS)) {
      if (status === 402) continue;
      expect([...(words.get(word) ?? [])], word).toEqual([String(status)]);
    }
    const challenge = resolve({ $ref: '#/components/schemas/PaymentRequired' });
    expect(challenge).toMatchObject({ properties: { error: { enum: Object.keys(REFUSAL_TEXTS) } } });
  });

  test('a paid operation describes its headers, its price and its receipt', () => {
    for (const { path, method, operation, parameters } of operations()) {
      const row = CATALOG_ROWS.find((candidate) => candidate.path === path && candidate.method === method);
      if ((row?.paid ?? null) === null) continue;
      const names = parameters.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['PAYMENT-SIGNATURE', 'X-PAYMENT', 'Idempotency-Key']));
      expect(operation.responses['402']?.['headers']).toHaveProperty('PAYMENT-REQUIRED');
      expect(operation.responses['200']?.['headers']).toHaveProperty('PAYMENT-RESPONSE');
    }
  });

  test('platforms are those that anybody can pay to here', async () => {
    const few = createOpenApiApp({ ...installation.dependencies, identity: { platforms: ['x', 'photo'] } });
    const { paths } = (await (await few.request('/openapi.json')).json()) as OpenApiDocument;
    const [platform] = (paths['/payments/{platform}/pay']?.['post']?.['parameters'] ?? []) as Parameter[];
    expect(platform?.schema.enum).toEqual(['x', 'twitter']);
  });

  test('examples have the form that is asked for', () => {
    const wrong = CATALOG_ROWS.filter(({ request }) => request?.schema.safeParse(request.example).success === false);
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test('examples name receivers that can be nobody', () => {
    const receivers = [...nodes(CATALOG_ROWS.map(({ request }) => request?.example))]
      .map(({ receiver }) => receiver)
      .filter((receiver) => receiver !== undefined);
    expect(receivers.length).toBeGreaterThan(3);
    for (const receiver of receivers) expect(receiver).toMatch(/^(?:\w+@)?example\.com$/);
  });
});

describe('what else describes the service', () => {
  test.each(['/openapi.json', '/.well-known/x402', '/llms.txt'])('%s may be read from any origin', async (path) => {
    const answer = await app.request(path, { headers: { origin: 'https://elsewhere.example' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  test('other methods are refused', async () => {
    const answer = await app.request('/openapi.json', { method: 'POST' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect((await app.request('/docs', { method: 'POST' })).headers.get('Allow')).toBe('GET, HEAD');
  });

  test('paid resources are listed per platform with whole terms', async () => {
    const body = (await (await app.request('/.well-known/x402')).json()) as {
      x402Version: number;
      resources: { url: string; method: string; accepts: Record<string, unknown>[] }[];
    };
    expect(body.x402Version).toBe(2);
    expect(body.resources.map(({ url }) => new URL(url).pathname)).toEqual([
      ...['x', 'decsocial', 'code', 'email', 'web'].map((platform) => `/payments/${platform}/pay`),
      ...['x', 'decsocial', 'code', 'email', 'web'].map((platform) => `/payments/${platform}/batch-pay`),
      '/payments/batch-pay',
      '/rewards/decsocial/confirm-distribution',
    ]);
    for (const { method, accepts } of body.resources) {
      expect(method).toBe('POST');
      expect(accepts).toMatchObject([{ scheme: 'exact', network: 'eip155:8453', amount: '10000' }]);
    }
  });

  test('llms.txt points to the documentation and says never to sign twice', async () => {
    const text = await (await app.request('/llms.txt')).text();
    expect(text).toContain('http://127.0.0.1:8402/openapi.json');
    expect(text).toContain('Never sign a second time');
  });

  test('the page is complete without script, and allows nothing from elsewhere', async () => {
    const answer = await app.request('/docs');
    const page = await answer.text();
    for (const { path } of CATALOG_ROWS) expect(page).toContain(path);
    for (const word of Object.keys(ERRORS)) expect(page).toContain(`id="error-${word}"`);
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(page).not.toMatch(/ style=|<script>|<style|(?:src|href)="(?:https?:)?\/\//);
  });
});
