import fc from 'fast-check';

export type Header = readonly [name: string, value: string];

/** Types under which a JSON body is read. */
export const jsonType: fc.Arbitrary<Header[]> = fc.constantFrom<Header[]>(
  [['Content-Type', 'application/json']],
  [['content-type', 'application/json; charset=utf-8']],
  [['CONTENT-TYPE', 'Application/Problem+JSON']],
  [],
);

export const otherType: fc.Arbitrary<Header[]> = fc
  .constantFrom(
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/',
    '*/*',
    'json',
    ';',
  )
  .map((type) => [['Content-Type', type]]);

const visible = fc.stringMatching(/^[\x21-\x7e]{1,40}$/);

/** Headers that change nothing about what is asked for, however odd they are. */
const harmless: fc.Arbitrary<Header> = fc.oneof(
  fc
    .constantFrom(
      '*/*',
      'application/json',
      'text/html',
      'text/event-stream',
      'application/json;q=0',
      ',',
      ';q=9',
      'a/b/c',
    )
    .map((value): Header => ['Accept', value]),
  fc
    .constantFrom('unknown', '1.2.3.4, 5.6.7.8', '::1', ',,,', "'; drop table payments; --", 'a'.repeat(300))
    .map((value): Header => ['X-Forwarded-For', value]),
  fc.constantFrom('Bearer wrong', 'Bearer ', 'Basic eA==', 'x').map((value): Header => ['Authorization', value]),
  fc.constantFrom('https://elsewhere.example', 'null', '*').map((value): Header => ['Origin', value]),
  fc.constantFrom<Header>(
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Forwarded-Host', 'elsewhere.example'],
    ['Forwarded', 'for=1.2.3.4;host=x'],
    ['Access-Control-Expose-Headers', 'PAYMENT-RESPONSE'],
    ['Range', 'bytes=0-1'],
    ['If-None-Match', '*'],
    ['Cookie', '__proto__=1; a=b'],
    ['X-Request-Id', 'mine'],
    ['Last-Event-ID', 'x'],
    ['__proto__', '1'],
    ['Content-Language', '\u00e9'],
    ['Accept-Encoding', 'gzip'],
    // Node answers an unknown expectation by itself unless it is told not to.
    ['Expect', '200-ok'],
    ['Upgrade', 'websocket'],
  ),
  fc
    .tuple(fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/), visible)
    .map(([name, value]): Header => [`X-${name}`, value]),
);

export const harmlessHeaders: fc.Arbitrary<Header[]> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Header[]>([]) },
  { weight: 3, arbitrary: fc.array(harmless, { minLength: 1, maxLength: 4 }) },
);

/** Headers that decide the answer, or may. */
export const decidingHeaders: fc.Arbitrary<Header[]> = fc
  .oneof(
    visible.map((value): Header => ['Idempotency-Key', value]),
    fc
      .constantFrom('', 'short', 'x'.repeat(129), 'order-0123456789abcdef', 'with space 0123456789')
      .map((value): Header => ['Idempotency-Key', value]),
    fc.constantFrom(8_000, 17_000, 65_536).map((length): Header => ['X-Large', 'x'.repeat(length)]),
    fc.constantFrom<Header>(['Content-Encoding', 'gzip'], ['Host', 'a b'], ['Host', ''], ['Host', 'EXAMPLE.com:99999']),
  )
  .map((header) => [header]);
