import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { makeProof } from '../../support/pay.ts';
import type { Proof, ProofTerms, SolanaProofTerms } from './request.ts';
import { solanaTerms, writeSolanaProof, type SolanaPlace } from './solana-proofs.ts';

const HEADERS = ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'x-payment-response'] as const;
const NETWORKS = [
  'base',
  'eip155:8453',
  'solana',
  'solana:mainnet',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'base-sepolia',
  'eip155:1',
] as const;

const hex = (digits: number) =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`)).map((text) => `0x${text}` as const);
const toText = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? '').toString('base64');

/** Nothing that anybody would call a payment. */
const noise = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => text.replaceAll(/[^\x21-\x7e]/g, '') || 'x'),
  fc.jsonValue({ maxDepth: 3 }).map(toText),
  fc.constantFrom('!!!', 'e30=', 'bnVsbA==', 'W10=', '=', 'A'.repeat(8_000), '-'.repeat(3_000)),
);

const authorization = fc.record({
  from: hex(40),
  to: hex(40),
  value: fc.oneof(fc.nat().map(String), fc.constantFrom<unknown>(1, '-1', '1e6', '9'.repeat(78), '9'.repeat(79), null)),
  validAfter: fc.oneof(fc.nat().map(String), fc.constantFrom<unknown>(0, '9'.repeat(30), -1, '')),
  validBefore: fc.oneof(fc.nat().map(String), fc.constantFrom<unknown>(0, '9'.repeat(30), 1.5, null)),
  nonce: fc.oneof(hex(64), hex(62)),
});

/** Base wants a signature over an authorization, Solana a transaction in base64. */
const payload = fc.oneof(
  fc.record({ signature: fc.oneof(hex(130), hex(2), hex(4_000)), authorization }, { requiredKeys: ['authorization'] }),
  fc.record({
    transaction: fc
      .uint8Array({ minLength: 1, maxLength: 1_300 })
      .map((bytes) => Buffer.from(bytes).toString('base64')),
  }),
  fc.record({ transaction: fc.constantFrom<unknown>('', '!!!', 7, null, 'A'.repeat(6_000)) }),
);

/** The form of either generation around any payload, with parts that do not belong there. */
const wellFormed = fc
  .record({
    version: fc.constantFrom<unknown>(1, 2, 1, 2, 3, '1', null),
    scheme: fc.constantFrom('exact', 'exact', 'exact', 'upto', ''),
    network: fc.constantFrom(...NETWORKS),
    payload,
    amount: fc.nat().map(String),
    more: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
  })
  .map(({ version, scheme, network, amount, more, ...rest }) => {
    const accepted = { scheme, network, amount, asset: `0x${'0'.repeat(40)}`, payTo: `0x${'1'.repeat(40)}` };
    const own = version === 2 ? { accepted, extensions: more } : { scheme, network, ...more };
    return toText({ x402Version: version, ...own, ...rest });
  });

const terms: fc.Arbitrary<ProofTerms> = fc.record({
  version: fc.constantFrom<1 | 2>(1, 2),
  network: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('base', 'eip155:8453') },
    { weight: 1, arbitrary: fc.constantFrom(...NETWORKS) },
  ),
  // Below the order of the curve, and never zero.
  key: fc.stringMatching(/^[1-9a-e][0-9a-f]{63}$/).map((text) => `0x${text}` as const),
  payTo: fc.oneof({ weight: 4, arbitrary: fc.constant('ours' as const) }, { weight: 1, arbitrary: hex(40) }),
  surplus: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, -1, 1_000_000),
  window: fc.constantFrom('now', 'now', 'now', 'now', 'now', 'now', 'over', 'not yet', 'too long'),
  signature: fc.oneof({ weight: 4, arbitrary: fc.constant('own' as const) }, { weight: 1, arbitrary: hex(130) }),
});

type Kind =
  | { kind: 'text'; value: string }
  | { kind: 'base'; terms: ProofTerms }
  | { kind: 'solana'; terms: SolanaProofTerms };
const kinds = fc.oneof(
  { weight: 3, arbitrary: noise.map((value): Kind => ({ kind: 'text', value })) },
  { weight: 4, arbitrary: wellFormed.map((value): Kind => ({ kind: 'text', value })) },
  { weight: 3, arbitrary: terms.map((value): Kind => ({ kind: 'base', terms: value })) },
  { weight: 2, arbitrary: solanaTerms.map((value): Kind => ({ kind: 'solana', terms: value })) },
);

/** A proof for a request with this price, of every kind there is. */
export function proof(price: number): fc.Arbitrary<Proof> {
  return fc
    .tuple(fc.constantFrom(...HEADERS), kinds)
    .map(([header, kind]): Proof => (kind.kind === 'text' ? { header, ...kind } : { header, ...kind, price }));
}

/** Whether every term is right, so that only the money is missing. */
export function isSound({ network, payTo, surplus, window, signature }: ProofTerms): boolean {
  const isNamed = network === 'base' || network === 'eip155:8453';
  return isNamed && payTo === 'ours' && surplus === 0 && window === 'now' && signature === 'own';
}

const WINDOWS = { now: [-600, 60], over: [-600, -5], 'not yet': [100, 200], 'too long': [-600, 3_600] } as const;

/** Who is paid, on each network. */
export type Payees = { payTo: `0x${string}`; solana: SolanaPlace };

/** The value of the header, signed now. */
export async function writeProof(proofOf: Proof, payees: Payees): Promise<string> {
  switch (proofOf.kind) {
    case 'text':
      return proofOf.value;
    case 'base':
      return writeBaseProof(proofOf.terms, proofOf.price, payees.payTo);
    case 'solana':
      return writeSolanaProof(proofOf.terms, proofOf.price, payees.solana);
  }
}

async function writeBaseProof(proofTerms: ProofTerms, price: number, ours: `0x${string}`): Promise<string> {
  const { version, network, key, payTo, surplus, window, signature } = proofTerms;
  const account = privateKeyToAccount(key);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const [after, before] = WINDOWS[window];
  const header = await makeProof({
    from: account.address,
    signer: account,
    payTo: payTo === 'ours' ? ours : payTo,
    value: BigInt(Math.max(0, price + surplus)),
    version,
    network,
    validAfter: nowSeconds + after,
    validBefore: nowSeconds + before,
    nonce: `0x${randomBytes(32).toString('hex')}`,
  });
  if (signature === 'own') return header;
  const whole = JSON.parse(Buffer.from(header, 'base64').toString()) as { payload: Record<string, unknown> };
  return toText({ ...whole, payload: { ...whole.payload, signature } });
}
