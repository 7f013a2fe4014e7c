import fc from 'fast-check';

/** One wrong body made of a right one. */
export type Mutation = fc.Arbitrary<(body: Record<string, unknown>) => Buffer>;

const toBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? '');

/** Values of the wrong type, beyond a limit, or made to be taken for something else. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, -0, 0.009, 10.01, 1.0000001, 1e-7, 1e21, 2 ** 53, 1e300, '', ' '),
  fc.constantFrom(
    '1e-2',
    '1,5',
    '0x10',
    '01',
    '+1',
    '-1',
    '.5',
    '5.',
    '1_000',
    '١',
    '１',
    'NaN',
    'Infinity',
    '∞',
    '10.01',
  ),
  fc.constantFrom(
    '\u0430lice',
    'ali\u200bce',
    'a\u202ecila',
    'alice\u0000',
    'alice\r\nBcc: x',
    'a@b@c',
    '@',
    'x'.repeat(600),
  ),
  fc.constantFrom(
    '127.0.0.1',
    '[::1]',
    '0x7f.1',
    'localhost',
    'co.uk',
    'https://github.com/octocat',
    'a/../b',
    '__proto__',
  ),
  fc.constantFrom<unknown>([], {}, [[]], [null], { toJSON: 1 }, { length: 1 }, { receiver: 'alice' }, [0.01]),
  fc.string({ unit: 'binary', maxLength: 30 }),
  // Not binary: lone surrogates too, which JSON can write and UTF-8 cannot.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 }).map((units) => String.fromCharCode(...units)),
  fc.jsonValue({ maxDepth: 3 }),
);

const replaced: Mutation = fc.tuple(fc.nat(), fc.nat(), junk).map(([which, where, value]) => (body) => {
  const receivers = body['receivers'];
  const isInside = Array.isArray(receivers) && receivers.length > 0 && where % 2 === 0;
  if (!isInside) return toBytes({ ...body, [keyOf(body, which)]: value });
  const at = where % receivers.length;
  const item = receivers[at] as Record<string, unknown>;
  const changed = receivers.map((other: unknown, index) =>
    index === at ? { ...item, [keyOf(item, which)]: value } : other,
  );
  return toBytes({ ...body, receivers: changed });
});

const dropped: Mutation = fc.nat().map((which) => (body) => {
  const { [keyOf(body, which)]: _dropped, ...rest } = body;
  return toBytes(rest);
});

function keyOf(body: Record<string, unknown>, which: number): string {
  const keys = Object.keys(body);
  return keys[which % keys.length] ?? 'amount';
}

/** What JSON text can say and a parsed value cannot. */
const NUMBERS = ['1e999', '-1e999', '-0', '1E0', '1e-2', '00.5', '.5', '5.', '+1', 'NaN', 'Infinity', '0x10', '1e-400'];
const rawNumber: Mutation = fc
  .constantFrom(...NUMBERS, '9'.repeat(400), `0.${'0'.repeat(400)}1`, '1'.repeat(30))
  .map((text) => (body) => Buffer.from(JSON.stringify({ ...body, amount: 'HERE' }).replace('"HERE"', text)));

const duplicate: Mutation = fc.tuple(fc.nat(), junk, fc.boolean()).map(([which, value, isFirst]) => (body) => {
  const pair = `${JSON.stringify(keyOf(body, which))}:${JSON.stringify(value) ?? 'null'}`;
  const inner = JSON.stringify(body).slice(1, -1);
  return Buffer.from(`{${isFirst ? `${pair},${inner}` : `${inner},${pair}`}}`);
});

const strangeKey: Mutation = fc
  .tuple(fc.constantFrom('__proto__', 'constructor', 'prototype', 'toJSON', 'hasOwnProperty', '', '\u0000'), junk)
  .map(([key, value]) => (body) => {
    const pair = `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`;
    return Buffer.from(`{${pair},${JSON.stringify(body).slice(1)}`);
  });

const broken: Mutation = fc
  .tuple(fc.nat(), fc.constantFrom('', '"', '{', ',', '\\', '\u0000', '//'))
  .map(([where, text]) => (body) => {
    const whole = JSON.stringify(body);
    const at = where % whole.length;
    return Buffer.from(whole.slice(0, at) + text + (text === '' ? '' : whole.slice(at + 1)));
  });

const deep: Mutation = fc
  .tuple(fc.constantFrom(5, 31, 32, 33, 100, 10_000, 30_000), fc.boolean(), fc.boolean())
  .map(([depth, isList, isEnded]) => (body) => {
    const [open, close] = isList ? ['[', ']'] : ['{"a":', '}'];
    const depthMax = Math.min(depth, Math.floor(64_000 / (open.length + close.length)));
    const nested = open.repeat(depthMax) + (isList ? '' : '1') + (isEnded ? close.repeat(depthMax) : '');
    return Buffer.from(`{"deep":${nested},${JSON.stringify(body).slice(1)}`);
  });

const NOT_TEXT = ['latin1', 'utf16', 'mark', 'random', 'tail', 'gzip'] as const;
const notText: Mutation = fc
  .tuple(fc.constantFrom(...NOT_TEXT), fc.uint8Array({ maxLength: 60 }))
  .map(([kind, bytes]) => (body) => {
    const text = JSON.stringify(body);
    switch (kind) {
      case 'latin1':
        return Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(',"caf\xe9":1}', 'latin1')]);
      case 'utf16':
        return Buffer.from(text, 'utf16le');
      case 'mark':
        return Buffer.from(`\ufeff${text}`);
      case 'tail':
        return Buffer.concat([Buffer.from(text), Buffer.from(bytes)]);
      case 'gzip':
        return Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.from(bytes)]);
      case 'random':
        return Buffer.from(bytes);
    }
  });

const notAnObject: Mutation = fc
  .oneof(
    junk.map(toBytes),
    fc.constantFrom('', ' ', '\n').map((text) => Buffer.from(text)),
  )
  .map((bytes) => () => bytes);

const sized: Mutation = fc.constantFrom(65_535, 65_536, 65_537, 100_000, 1_048_576).map((size) => (body) => {
  const room = size - Buffer.byteLength(JSON.stringify({ ...body, padding: '' }));
  return toBytes({ ...body, padding: 'x'.repeat(Math.max(0, room)) });
});

const crowded: Mutation = fc.integer({ min: 101, max: 400 }).map((count) => (body) => {
  const receivers = Array.isArray(body['receivers']) ? (body['receivers'] as unknown[]) : [body];
  return toBytes({ ...body, receivers: Array.from({ length: count }, () => receivers[0]) });
});

/** Any of them; some bodies stay right by chance, which is why their answers are judged by the document alone. */
export const mutation: Mutation = fc.oneof(
  { weight: 6, arbitrary: replaced },
  { weight: 2, arbitrary: dropped },
  { weight: 2, arbitrary: rawNumber },
  { weight: 2, arbitrary: duplicate },
  { weight: 1, arbitrary: strangeKey },
  { weight: 2, arbitrary: broken },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: notText },
  { weight: 1, arbitrary: notAnObject },
  { weight: 1, arbitrary: sized },
  { weight: 1, arbitrary: crowded },
);
