import fc from 'fast-check';

/** Bodies that the contract accepts, each with its price in micro-USDC. */
export type ValidBody = { body: Record<string, unknown>; price: number };
export type PayPlatform = 'x' | 'decsocial' | 'code' | 'email' | 'web';

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,11}$/);

const RECEIVERS: Record<PayPlatform, fc.Arbitrary<string>> = {
  x: fc.stringMatching(/^@?[A-Za-z0-9_]{1,15}$/),
  decsocial: fc.oneof(
    fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,15}$/),
    label.map((name) => `${name}.eth`),
  ),
  code: fc.stringMatching(/^[A-Za-z0-9]{1,12}(?:-[A-Za-z0-9]{1,12}){0,2}$/),
  email: fc
    .tuple(fc.stringMatching(/^[A-Za-z0-9+_]{1,20}$/), label)
    .map(([name, host]) => `${name}@${host}.example.com`),
  web: fc
    .tuple(fc.constantFrom('', 'https://', 'http://'), label, fc.constantFrom('', '/', '.'))
    .map(([scheme, host, end]) => `${scheme}${host}.example.com${end}`),
};

export const PLATFORM_SPELLINGS: Record<PayPlatform, readonly string[]> = {
  x: ['x', 'twitter', 'X'],
  decsocial: ['decsocial', 'farcaster', 'fc', 'warpcast'],
  code: ['code', 'github', 'gh'],
  email: ['email', 'mail'],
  web: ['web', 'site', 'domain'],
};

export const payPlatform = fc.constantFrom<PayPlatform>('x', 'decsocial', 'code', 'email', 'web');

/** An amount as a number or as decimal text. */
const amount = fc
  .tuple(fc.integer({ min: 10_000, max: 10_000_000 }), fc.boolean())
  .map(([micro, isText]) => ({ micro, value: isText ? String(micro / 1e6) : micro / 1e6 }));

const freeText = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 40 }));
const harmlessText = freeText.map((text) => text.replaceAll('\u0000', ''));

const extras = fc.record(
  {
    currency: fc.constant('USDC'),
    description: fc.option(harmlessText),
    meta: fc.option(fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })),
    'a key of the future': fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
);

export function singleBody(platform: PayPlatform): fc.Arbitrary<ValidBody> {
  return fc
    .tuple(RECEIVERS[platform], fc.constantFrom('receiver', 'receiver_username'), amount, extras)
    .map(([receiver, name, { micro, value }, more]) => ({
      body: { ...more, [name]: receiver, amount: value },
      price: micro,
    }));
}

function line(platform: PayPlatform) {
  return fc
    .tuple(RECEIVERS[platform], fc.constantFrom('receiver', 'username'), amount)
    .map(([receiver, name, { micro, value }]) => ({ item: { [name]: receiver, amount: value }, micro }));
}

export function batchBody(platform: PayPlatform): fc.Arbitrary<ValidBody> {
  return toBatch(fc.array(line(platform), { minLength: 1, maxLength: 100, size: 'small' }));
}

export function crossBatchBody(): fc.Arbitrary<ValidBody> {
  const anywhere = payPlatform.chain((platform) =>
    fc
      .tuple(line(platform), fc.constantFrom(...PLATFORM_SPELLINGS[platform]))
      .map(([{ item, micro }, spelling]) => ({ item: { ...item, platform: spelling }, micro })),
  );
  return toBatch(fc.array(anywhere, { minLength: 1, maxLength: 100, size: 'small' }));
}

function toBatch(lines: fc.Arbitrary<{ item: object; micro: number }[]>): fc.Arbitrary<ValidBody> {
  return fc.tuple(lines, extras).map(([items, more]) => ({
    body: { ...more, receivers: items.map(({ item }) => item) },
    price: items.reduce((sum, { micro }) => sum + micro, 0),
  }));
}

/** A question about a payment that cannot be known here: nobody has paid. */
export const validateBody: fc.Arbitrary<ValidBody> = fc
  .oneof(
    fc.record({ txn_id: fc.integer({ min: 1, max: 2 ** 53 - 1 }) }),
    fc.record({ settlement_attempt_id: fc.stringMatching(/^attempt_[0-9]{13}_[0-9a-z]{10}$/) }),
    fc.record({ transaction_hash: fc.stringMatching(/^0x[0-9a-f]{64}$/) }),
    fc
      .tuple(RECEIVERS.x, amount, fc.boolean())
      .map(([receiver, { value }, named]) => ({ amount: value, receiver, ...(named ? { platform: 'x' } : {}) })),
  )
  .map((body) => ({ body, price: 0 }));

/** A cancellation of a payment that cannot be known here. */
export function cancelBody(nowSeconds: number): fc.Arbitrary<ValidBody> {
  return fc
    .record({
      signature: fc.stringMatching(/^0x[0-9a-f]{130}$/),
      valid_before: fc.integer({ min: nowSeconds + 500, max: nowSeconds + 600 }),
    })
    .map((body) => ({ body, price: 0 }));
}
