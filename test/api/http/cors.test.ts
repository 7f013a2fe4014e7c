import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../../api/app.ts';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { createRateLimiter } from '../../../queue/rate-limiter.ts';
import { createTestCollecting } from '../../support/claims/collecting.ts';
import { startInstallation, type Installation } from '../pages/installation.ts';

const ORIGIN = { Origin: 'https://elsewhere.example' };
const EXPOSED = ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE', 'Idempotent-Replayed', 'X-Request-Id'];

let installation: Installation;
let app: ReturnType<typeof createApi>;
let slug: string;
beforeAll(async () => {
  installation = await startInstallation();
  const { dependencies } = installation;
  // None of the routes here asks for what a payment needs.
  const shared = {
    ...dependencies,
    startedAtMs: 0,
    queueAnswers: async () => true,
    notify: () => undefined,
    callerLimiter: createRateLimiter(0, dependencies.now),
  } as unknown as ApiDependencies;
  app = createApi({ ...shared, collecting: createTestCollecting(shared) }, true);
  ({ slug } = await installation.seed());
});
afterAll(() => installation.close());

const READABLE = [
  '/receipts/{slug}',
  '/receipts/{slug}/preview.png',
  '/receipts/AAAAAAAAAAAAAAAAAAAAAA',
  '/health/live',
  '/health/ready',
  '/health',
  '/health/solvency',
  '/openapi.json',
  '/.well-known/x402',
  '/llms.txt',
];
const addressOf = (path: string): string => path.replace('{slug}', slug);

describe.each(READABLE)('%s', (path) => {
  test('may be read from any origin, without credentials', async () => {
    const answer = await app.request(addressOf(path), { headers: { ...ORIGIN, Accept: 'application/json' } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(answer.headers.get('Access-Control-Expose-Headers')?.split(', ')).toEqual(
      expect.arrayContaining([...EXPOSED, 'Retry-After']),
    );
    expect(answer.headers.get('X-Request-Id')).toMatch(/^req_/);
    await answer.body?.cancel();
  });

  test('answers the question whether it may be asked', async () => {
    const headers = { ...ORIGIN, 'Access-Control-Request-Method': 'GET' };
    const answer = await app.request(addressOf(path), { method: 'OPTIONS', headers });
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD, OPTIONS');
    const allowed = answer.headers.get('Access-Control-Allow-Headers')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['Accept', 'Access-Control-Expose-Headers', 'Last-Event-ID']));
    expect(answer.headers.get('Access-Control-Max-Age')).toBe('7200');
  });
});

test('a stream may be listened to from any origin', async () => {
  const answer = await app.request(`/receipts/${slug}`, { headers: { ...ORIGIN, Accept: 'text/event-stream' } });
  expect(answer.headers.get('Content-Type')).toContain('text/event-stream');
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
  await answer.body?.cancel();
});

test('a failure of ours may be read too', async () => {
  const broken = await installation.seed({ line: { platform: 'myspace' } });
  const answer = await app.request(`/receipts/${broken.slug}`, { headers: { ...ORIGIN, Accept: 'application/json' } });
  expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([500, '*']);
});

test.each(['/', '/claim/x/alice', '/docs', '/nothing-here'])('%s is for people: no origin is named', async (path) => {
  const answer = await app.request(path, { headers: ORIGIN });
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
});
