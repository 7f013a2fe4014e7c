import { expect } from 'vitest';
import { createApi } from '../../api/app.ts';
import type { ApiDependencies } from '../../api/environment/dependencies.ts';
import type { OpenApiDocument } from '../../api/openapi/document.ts';
import { CATALOG, type OperationId } from '../../core/catalog/operations.ts';
import { listen } from '../../service/http/server.ts';
import { createValidator } from '../api/openapi/validator.ts';
import type { ReplyBody } from '../support/pay.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';
import { leaksIn } from './leaks.ts';

export type Reply = { status: number; headers: Headers; text: string; body: ReplyBody };

export type Installation = {
  /** Where everything that the API serves is reached, over real HTTP. */
  url: string;
  service: TestService;
  send: (path: string, init?: RequestInit) => Promise<Reply>;
  /** Rows that a claim writes. */
  claimed: () => Promise<number>;
  /** Judges an answer by the document that this installation serves; empty when it is as documented. */
  violations: ReturnType<typeof createValidator>;
  /** Texts that no answer may show. */
  secrets: string[];
  close: () => Promise<void>;
};

export type Refusal = { status: number; error: string; field?: string | undefined };

/** Nothing listens there: what is refused before the chain is asked needs none. */
const NO_CHAIN = { rpcUrl: 'http://127.0.0.1:9', fundEth: async () => undefined, runWorker: false } as const;

/** The whole API with its pages and documents; without a chain nothing can be paid, only refused. */
export async function startInstallation(options: TestServiceOptions = NO_CHAIN): Promise<Installation> {
  const server = await listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${server.port}`;
  let dependencies: ApiDependencies | undefined;
  const service = await startTestService({
    ...options,
    decorate: (plain) => {
      const decorated = options.decorate?.(plain) ?? plain;
      return (dependencies = { ...decorated, settings: { ...decorated.settings, baseUrl: url } });
    },
  });
  if (dependencies === undefined) throw new Error('the test service did not hand out its dependencies');
  const app = createApi(dependencies, true);
  server.serve((request, env) => app.fetch(request, env));
  const send = async (path: string, init: RequestInit = {}) => toReply(await fetch(url + path, init));
  const violations = createValidator((await send('/openapi.json')).body as unknown as OpenApiDocument);
  const { payments, proofs, lines } = service.store.tables;

  return {
    url,
    service,
    send,
    claimed: async () => {
      const rows = [payments, proofs, lines].map((table) => service.store.read.select().from(table));
      return (await Promise.all(rows)).reduce((sum, { length }) => sum + length, 0);
    },
    violations,
    secrets: [options.rpcUrl],
    close: async () => {
      await server.close();
      await service.close();
    },
  };
}

/** The reply is this refusal, in the documented form, and shows nothing of the inside. */
export function expectRefusal(
  { violations, secrets }: Installation,
  operation: OperationId,
  reply: Reply,
  { status, error, field }: Refusal,
): void {
  expect([reply.status, reply.body['error'], reply.body['field']]).toEqual([status, error, field]);
  const { path, method } = CATALOG[operation];
  expect(violations(path, method, status, reply.body)).toEqual([]);
  expect(leaksIn(reply.text, secrets)).toEqual([]);
  expect(reply.body['code']).toBe(status);
  expect(reply.headers.get('X-Request-Id')).toBe(reply.body['request_id']);
  if (status === 400) expect(reply.body['msg']).toBe('Validation failed');
}

export async function expectNothingClaimed(installation: Installation): Promise<void> {
  expect(await installation.claimed(), 'nothing is claimed').toBe(0);
}

export async function toReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  const body = (isJson && text !== '' ? JSON.parse(text) : {}) as ReplyBody;
  return { status: response.status, headers: response.headers, text, body };
}

/** A JSON request; a text is sent as it stands. */
export function jsonPost(body: unknown, headers: Record<string, string> = {}): RequestInit {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text };
}
