/** Requests to every face of the service: most are nearly right, because what is plainly wrong is refused early. */
import fc from 'fast-check';
import { requests } from '../../contract/requests/generator.ts';
import type { TestRequest } from '../../contract/requests/request.ts';
import { a2a, mcp } from './agents.ts';
import { chat, pages, webhook } from './people.ts';
import { brought, JSON_TYPE, nearly, order, toRequest, type Entrance } from './parts.ts';

export const FACES = ['http', 'mcp', 'a2a', 'pages', 'chat', 'webhook'] as const;
export type Face = (typeof FACES)[number];
export type FuzzRequest = { face: Face; request: TestRequest };

type Seen = { status: number; text: string; location: string };

/**
 * What answers show once a face was really entered. A generator that everything refuses at the door finds nothing, however
 * many requests it makes.
 */
export const DEPTHS: Readonly<Record<Face, Readonly<Record<string, (seen: Seen) => boolean>>>> = {
  http: { 'a price': ({ status }) => status === 402 },
  mcp: {
    'a price': ({ text }) => text.includes('-32402'),
    'a list of tools': ({ text }) => text.includes('"inputSchema"'),
  },
  a2a: {
    'a price by a message': ({ text }) => text.includes('payment-required'),
    'a price by a skill': ({ text }) => text.includes('PAYMENT_REQUIRED'),
    'a question': ({ text }) => /input-required|INPUT_REQUIRED/.test(text),
  },
  pages: {
    'a page': ({ status, text }) => status === 200 && text.includes('<html'),
    'a claim': ({ status, location }) => status === 303 && location.includes('/claims/claim_'),
    'a step of a claim': ({ status, text }) => status >= 400 && text.includes('/claims/claim_'),
    'a purse': ({ status, text }) => status === 200 && text.includes('/purse/pay"'),
    'an order of the purse': ({ status, location }) => status === 303 && location.startsWith('/purse/sends/'),
    'a withdrawal on show': ({ status, text }) => status === 200 && text.includes('action="/purse/send"'),
  },
  chat: { 'a message that is taken': ({ status }) => status === 202 },
  webhook: { 'an update that is taken': ({ status }) => status === 200 },
};

/** As many of each face. */
export function fuzzed(entrance: Entrance, nowSeconds: number): fc.Arbitrary<FuzzRequest> {
  const faces: Record<Face, fc.Arbitrary<TestRequest>> = {
    http: fc.oneof(
      requests(nowSeconds),
      fc
        .tuple(nearly(order), brought)
        .map(([body, headers]) => toRequest('POST', '/payments/x/pay', [JSON_TYPE, ...headers], body)),
    ),
    mcp,
    a2a,
    pages: pages(entrance),
    chat: chat(entrance),
    webhook: webhook(entrance),
  };
  return fc.constantFrom(...FACES).chain((face) => faces[face].map((request) => ({ face, request })));
}
