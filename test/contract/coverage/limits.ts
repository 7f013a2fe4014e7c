import type { CoverageRow } from './row.ts';

/** Section 9: errors, limits, and what else is served. */
export const LIMIT_ROWS: readonly CoverageRow[] = [
  {
    says: 'every error has one shape, a stable word, what came and what was wanted',
    tests: [
      ['contract/bad-input/pay.test.ts', 'a missing one says what is wanted'],
      ['contract/bad-input/cancel.test.ts', 'the answer says what was wanted'],
      ['api/openapi/document.test.ts', 'it names every error word at its status, and every reason of a 402'],
    ],
  },
  {
    says: 'never a stack, a node’s address or a library’s text',
    tests: [
      [
        'contract/requests.test.ts',
        'whatever is asked, the answer is in time, in the documented form, and shows nothing of the inside',
      ],
      ['contract/requests/judge.test.ts', 'CONTROL: what must stay inside is found'],
    ],
  },
  {
    says: '404 for what is not there',
    tests: [['contract/bad-input/pay.test.ts', 'pay: a platform that is refused']],
  },
  {
    says: '405 with what is taken',
    tests: [['contract/bad-input/transport.test.ts', '%s answers 405 and says what is taken']],
  },
  {
    says: '413 above 64 KiB of body, told beforehand or not',
    tests: [
      ['contract/bad-input/transport.test.ts', 'one byte above 64 KiB, and 1 MiB, answer 413'],
      ['contract/bad-input/transport.test.ts', '1 MiB in chunks, which tell no length beforehand, answers 413 too'],
      ['contract/bad-input/transport.test.ts', 'of exactly 64 KiB'],
    ],
  },
  { says: '415 for another type', tests: [['contract/bad-input/transport.test.ts', 'under the type %s']] },
  {
    says: '431 above 16 KiB of headers, in the same shape',
    tests: [['contract/bad-input/transport.test.ts', 'headers of 64 KiB answer 431']],
  },
  {
    says: 'what HTTP itself refuses has the same shape and a request id',
    tests: [['contract/bad-input/transport.test.ts', 'a request that HTTP itself refuses']],
  },
  {
    says: '429 above the limit per address; the limit is configured, 0 switches it off',
    tests: [
      [
        'flow/payments/limits.test.ts',
        'the 21st request of a minute answers 429 with Retry-After; another caller and the bot are served',
      ],
      ['queue/rate-limits.test.ts', 'gives each key its minute back, and zero switches it off'],
      ['core/config/config.test.ts', 'testnet has its own data directory and the smaller rate limit'],
    ],
  },
  {
    says: 'a known proof is never 429',
    tests: [['flow/payments/limits.test.ts', 'a caller who comes for the answer of a known proof is never turned away']],
  },
  {
    says: 'a limit per payer',
    tests: [['flow/payments/limits.test.ts', 'the fourth payment of a payer in a minute answers 429 and moves nothing']],
  },
  {
    says: 'X-Request-Id on every answer',
    tests: [['contract/requests/judge.test.ts', 'no request id']],
  },
  {
    says: 'the OpenAPI document, and every answer as it says',
    tests: [
      ['api/openapi/document.test.ts', 'it has every route of the program, and no other'],
      ['api/openapi/answers.test.ts', 'a refusal is as documented'],
    ],
  },
  {
    says: 'the interactive page',
    tests: [
      ['api/openapi/browser.test.ts', 'by keyboard alone a request is sent, and the 402 with its price is shown'],
    ],
  },
  {
    says: 'health: live, ready, solvency',
    tests: [
      ['api/health/app.test.ts', 'everything does when every part has shown a sign of life since the start'],
      ['api/health/app.test.ts', 'without a database this process does not, and is alive'],
      ['api/health/app.test.ts', 'what is owed and what is there'],
    ],
  },
  {
    says: 'metrics, on a port of their own or behind a token',
    tests: [
      ['api/metrics/metrics.test.ts', 'a caller without access gets what an unknown address gets'],
      ['service/metrics.test.ts', 'they are read there without a token, on loopback, and there is nothing else'],
    ],
  },
  {
    says: 'paid resources for discovery, and rules for language models',
    tests: [
      ['api/openapi/document.test.ts', 'paid resources are listed per platform with whole terms'],
      ['api/openapi/document.test.ts', 'llms.txt points to the documentation and says never to sign twice'],
    ],
  },
  {
    says: 'the start page: what this is, how to pay, how to collect',
    tests: [
      [
        'api/pages/pages.test.ts',
        'says what this is, and leads to the chat, the API, the receipts and what works now',
      ],
    ],
  },
];
