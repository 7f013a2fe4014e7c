import { decodePaymentRequiredHeader } from '@x402/core/http';
import { isPaymentRequiredV1, isPaymentRequiredV2 } from '@x402/core/schemas';
import type { OpenApiDocument } from '../../../api/openapi/document.ts';
import { createValidator } from '../../api/openapi/validator.ts';
import { leaksIn } from '../leaks.ts';
import type { TestRequest } from './request.ts';
import { ANSWER_LIMIT_MS, type Answer } from './send.ts';

/** Says what is wrong with an answer; nothing when it is what the contract promises. */
export type Judge = (request: TestRequest, answer: Answer) => string[];

type Parsed = { body: Record<string, unknown> | null; problem: string | null };

/** What any address may say: judged by the row that documents all of it. */
const TRANSPORT_ROW = { path: '/payments/{platform}/pay', method: 'post' } as const;
const TRANSPORT = new Set([400, 404, 405, 431]);

/** `secrets` must stand in no answer: the address of the node, folders of this machine. */
export function createJudge(document: OpenApiDocument, secrets: readonly string[]): Judge {
  const violations = createValidator(document);

  function asDocumented({ row }: TestRequest, status: number, body: unknown): string[] {
    const isOwn = row !== null && document.paths[row.path]?.[row.method]?.responses[String(status)] !== undefined;
    if (!isOwn && !TRANSPORT.has(status)) return [`the status ${status} is not documented`];
    const { path, method } = isOwn ? row : TRANSPORT_ROW;
    return violations(path, method, status, body);
  }

  return (request, answer) => {
    const { status, headers, text, tookMs } = answer;
    const problems = leaksIn(readable(headers, text), secrets);
    if (status >= 500) problems.push(`status ${status}`);
    if (tookMs > ANSWER_LIMIT_MS) problems.push(`took ${Math.round(tookMs)} ms`);
    if (!/^req_[\w-]{12}$/.test(headers.get('x-request-id') ?? '')) problems.push('no X-Request-Id');
    if (request.method === 'HEAD' || status === 204) {
      if (text !== '') problems.push('a body where none belongs');
      return problems;
    }
    if (!isJson(headers)) return [...problems, ...judgePage(request, answer)];
    const { body, problem } = parse(text);
    if (problem !== null) return [...problems, problem];
    if (isOwnDescription(request, status)) return problems;
    problems.push(...asDocumented(request, status, body));
    if (body?.['request_id'] !== undefined && body['request_id'] !== headers.get('x-request-id')) {
      problems.push('request_id is not X-Request-Id');
    }
    if (status === 402) problems.push(...judgeChallenge(request, headers, body));
    return [...problems, ...judgeExpected(request, status, body)];
  };
}

/** Random ids spell any short word sooner or later, and base64 hides what it says: both are read for what they are. */
function readable(headers: Headers, text: string): string {
  const requestId = headers.get('x-request-id') ?? '';
  const plain = [...headers].filter(([name]) => !ENCODED.includes(name)).map((pair) => pair.join(': '));
  const decoded = ENCODED.map((name) => Buffer.from(headers.get(name) ?? '', 'base64').toString());
  const whole = [...plain, ...decoded, text].join('\n');
  return requestId === '' ? whole : whole.replaceAll(requestId, '');
}

const ENCODED = ['payment-required', 'x-payment-request', 'payment-response', 'x-payment-response'];

function isJson(headers: Headers): boolean {
  return (headers.get('content-type') ?? '').startsWith('application/json');
}

function parse(text: string): Parsed {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      return { body: body as Record<string, unknown>, problem: null };
    }
    return { body: null, problem: 'the body is no object' };
  } catch {
    return { body: null, problem: `the body is not JSON: ${text.slice(0, 100)}` };
  }
}

/** The two that describe the service are judged by the tests of their own. */
function isOwnDescription({ target }: TestRequest, status: number): boolean {
  return status === 200 && ['/openapi.json', '/.well-known/x402'].includes(target);
}

/** A page is for a caller who asked for one, or read one of the addresses that are pages. */
function judgePage({ target, headers, row }: TestRequest, { status, headers: sent }: Answer): string[] {
  const type = sent.get('content-type') ?? 'no type';
  const asked = headers.some(([name, value]) => name.toLowerCase() === 'accept' && /html|\*/.test(value));
  const isPage = type.startsWith('text/html') && ([200, 404, 405].includes(status) || row === null);
  // A caller who asks for a page gets one there whatever happens, or is led to the one where it goes on.
  if (target.startsWith('/claims') && asked && (status === 303 || type.startsWith('text/html'))) return [];
  const isPlain = type.startsWith('text/plain') && target === '/llms.txt';
  if (isPlain || (isPage && (asked || status === 200))) return [];
  return [`${status} as ${type}`];
}

/** A 402 with a price says the same to both generations; the one for an unknown proof sells nothing. */
function judgeChallenge({ row }: TestRequest, headers: Headers, body: Record<string, unknown> | null): string[] {
  const header = headers.get('PAYMENT-REQUIRED');
  if ((row?.paid ?? null) === null) {
    const isEmpty = Array.isArray(body?.['accepts']) && body['accepts'].length === 0;
    return isEmpty && header === null ? [] : ['a price where nothing is sold'];
  }
  if (header === null) return ['no PAYMENT-REQUIRED'];
  // Decoded and checked by what clients of each generation use.
  const second: unknown = decodePaymentRequiredHeader(header);
  if (!isPaymentRequiredV1(body)) return ['no requirements for the first generation'];
  if (!isPaymentRequiredV2(second)) return ['no requirements for the second generation'];
  const problems: string[] = [];
  const said = body.accepts.map(({ maxAmountRequired, payTo, asset }) => `${maxAmountRequired} ${payTo} ${asset}`);
  const pairs = second.accepts.map(({ amount, payTo, asset }) => `${amount} ${payTo} ${asset}`);
  if (pairs.join() !== said.join()) problems.push(`the generations differ: ${said.join()} and ${pairs.join()}`);
  if (headers.get('x-payment-request') !== header) problems.push('x-payment-request is not PAYMENT-REQUIRED');
  if (headers.get('cache-control') !== 'no-store') problems.push('a price that may be cached');
  const reason = body['error'];
  if (headers.get('payment-error') !== (reason === 'payment_required' ? null : reason)) problems.push('payment-error');
  return problems;
}

function judgeExpected({ expected }: TestRequest, status: number, body: Record<string, unknown> | null): string[] {
  if (expected === null) return [];
  const problems: string[] = [];
  if (status !== expected.status)
    problems.push(`expected ${expected.status}, found ${status} ${String(body?.['error'])}`);
  if (expected.error !== null && body?.['error'] !== expected.error) {
    problems.push(`expected ${expected.error}, found ${String(body?.['error'])}`);
  }
  if (expected.price === null) return problems;
  const accepts = (body?.['accepts'] ?? []) as { maxAmountRequired?: string }[];
  const prices = accepts.map(({ maxAmountRequired }) => maxAmountRequired);
  if (prices.some((price) => price !== String(expected.price))) problems.push(`price ${prices.join()}`);
  return problems;
}
