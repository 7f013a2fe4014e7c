/** What the requests of all faces are made of. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { singleBody } from '../../contract/requests/bodies.ts';
import { mutation } from '../../contract/requests/mutations.ts';
import type { TestRequest } from '../../contract/requests/request.ts';

/** What a caller brings that is theirs alone, and must stand nowhere afterwards. */
export const BROUGHT = {
  key: 'canary-key-of-a-caller-7f3a',
  header: 'canary-payment-header-91c2',
  cookie: 'canary-cookie-of-a-browser-5d0e',
} as const;

/** What the faces need to be let in. */
export type Entrance = { origin: string; webhookSecret: string };

export type Headers = readonly (readonly [name: string, value: string])[];
export const JSON_TYPE = ['content-type', 'application/json'] as const;

export const toRequest = (method: string, target: string, headers: Headers, body: Buffer | null): TestRequest => ({
  row: null,
  method,
  target,
  headers,
  body,
  proof: null,
  delivery: 'whole',
  hasValidBody: false,
  expected: null,
});

export const brought: fc.Arbitrary<Headers> = fc.subarray<readonly [string, string]>([
  ['authorization', `Bearer ${BROUGHT.key}`],
  ['payment-signature', Buffer.from(JSON.stringify({ x402Version: 2, payload: BROUGHT.header })).toString('base64')],
  ['x-payment', BROUGHT.header],
  ['x-payer', '0x00000000000000000000000000000000000a11ce'],
  ['accept-language', 'de,ja;q=0.5'],
]);

/** A right body, or one wrong thing in it. */
export function nearly(right: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Buffer> {
  return fc.oneof(
    right.map((body) => Buffer.from(JSON.stringify(body))),
    fc.tuple(right, mutation).map(([body, change]) => change(body)),
  );
}

/**
 * What an earlier answer has named: it is put in when the request is sent. Of claims and orders those of the same visitor, of
 * tasks any.
 */
export const KNOWN = ['@claim', '@order', '@task'] as const;
export type KnownName = (typeof KNOWN)[number];

export const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', '..', '%00', '%2e%2e%2f', '%zz', '\u202e', "' or 1=1 --", '<script>', '{{7*7}}', '-1', '1e999'),
  fc.stringMatching(/^[\w-]{22,43}$/),
  fc.constantFrom(
    'x:alice',
    'email:bob@example.com',
    'dist_0000000000000000000001',
    'task_00000000000000000000000000000000',
  ),
);

export const order = fc
  .constantFrom('x', 'email', 'web')
  .chain((platform) => singleBody(platform as 'x').map(({ body }) => body));

/** Many, because what one visitor says in a minute, and what one network asks for in an hour, is limited. */
const VISITORS = 40;
const COOKIE_NAME = 'pennypost';

/** A browser that comes from a network of its own. */
export type Visitor = { secret: string; headers: Headers };
export const visitor: fc.Arbitrary<Visitor> = fc.integer({ min: 0, max: VISITORS - 1 }).map((index) => {
  const secret = createHash('sha256').update(`a visitor of the fuzz ${index}`).digest('base64url');
  return {
    secret,
    headers: [
      ['cookie', `${COOKIE_NAME}=${secret}`],
      ['x-forwarded-for', `2001:db8:0:${index.toString(16)}::1`],
    ],
  };
});
