import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OperationId } from '../../../core/catalog/operations.ts';
import { microUsdc } from '../../../core/money.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, type ProofOptions } from '../../support/pay.ts';
import { expectRefusal, jsonPost, startInstallation, type Installation } from '../installation.ts';

type Hex = `0x${string}`;
type Account = Awaited<ReturnType<BaseChain['createAccount']>>;

const randomKey = (): Hex => `0x${randomBytes(32).toString('hex')}`;
const keys = { treasuryKey: randomKey(), laneKeys: [randomKey()] };
const treasury = privateKeyToAccount(keys.treasuryKey);
const lane = privateKeyToAccount(keys.laneKeys[0] ?? '0x');
const OTHER: Hex = '0x00000000000000000000000000000000000000ff';
const PRICE = 1_000_000n;
const FUNDS = 5_000_000n;

const half = (receiver: string) => ({ receiver, amount: 0.5 });
const ROUTES = [
  { operation: 'pay', path: '/payments/x/pay', order: { receiver: 'alice', amount: 1 } },
  { operation: 'batchPay', path: '/payments/x/batch-pay', order: { receivers: [half('alice'), half('bob')] } },
  {
    operation: 'crossBatchPay',
    path: '/payments/batch-pay',
    order: { receivers: [half('alice'), half('bob')].map((line) => ({ ...line, platform: 'x' })) },
  },
] as const satisfies { operation: OperationId; path: string; order: object }[];

let chain: BaseChain;
let installation: Installation;
let payer: Account;
let stranger: Account;
/** A proof that has paid for a request that is none of these. */
let spent: string;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  installation = await startInstallation({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, keys });
  payer = await chain.createAccount({ usdc: microUsdc(FUNDS), wei: 0n });
  stranger = await chain.createAccount({ usdc: microUsdc(FUNDS), wei: 0n });
  spent = await proofOf(stranger);
  const paid = await installation.send('/payments/code/pay', jsonPost(ROUTES[0].order, { 'PAYMENT-SIGNATURE': spent }));
  if (paid.status !== 200) throw new Error(`the proof that is to be used up did not pay: ${paid.text}`);
});
afterAll(async () => {
  try {
    await installation?.service.assertSound();
  } finally {
    await installation?.close();
    await chain?.close();
  }
});

let claimedBefore: number;
beforeEach(async () => {
  claimedBefore = await installation.claimed();
});

const nowSeconds = () => Math.floor(Date.now() / 1000);

function proofOf(account: Account, change: Partial<ProofOptions> = {}): Promise<string> {
  const payTo = installation.service.parts.treasury.address;
  return makeProof({ from: account.address, signer: account, payTo, value: PRICE, ...change });
}

/** The same payment with another part of its JSON. */
async function spoiled(change: (whole: { payload: Record<string, unknown> } & Record<string, unknown>) => object) {
  const whole = JSON.parse(Buffer.from(await proofOf(payer), 'base64').toString()) as Parameters<typeof change>[0];
  return Buffer.from(JSON.stringify(change(whole))).toString('base64');
}

const REFUSED: readonly [name: string, header: () => Promise<string>, reason: string][] = [
  ['broken base64', async () => '!!!', 'invalid_payload'],
  ['base64 that ends early', async () => (await proofOf(payer)).slice(0, -7), 'invalid_payload'],
  ['base64 of nothing', async () => '=', 'invalid_payload'],
  ['JSON that is no payment', async () => btoa('{"a":1}'), 'invalid_payload'],
  ['version 3', () => spoiled((whole) => ({ ...whole, x402Version: 3 })), 'invalid_payload'],
  ['a key twice', async () => btoa(atob(await proofOf(payer)).replace('{', '{"x402Version":2,')), 'invalid_payload'],
  ['no payload', () => spoiled(({ payload: _dropped, ...rest }) => rest), 'invalid_payload'],
  [
    'no signature',
    () => spoiled((whole) => ({ ...whole, payload: { ...whole.payload, signature: '' } })),
    'invalid_payload',
  ],
  [
    'the payload of another network',
    () => spoiled((whole) => ({ ...whole, payload: { transaction: btoa('signed') } })),
    'invalid_payload',
  ],
  [
    'another scheme',
    () => spoiled((whole) => ({ ...whole, accepted: { ...(whole['accepted'] as object), scheme: 'upto' } })),
    'unsupported_scheme',
  ],
  [
    'a network of the second generation that is not ours',
    () => proofOf(payer, { network: 'eip155:1' }),
    'invalid_network',
  ],
  [
    'a network of the first generation that is not ours',
    () => proofOf(payer, { version: 1, network: 'base-sepolia' }),
    'invalid_network',
  ],
  [
    'less than the price',
    () => proofOf(payer, { value: PRICE - 1n, acceptedAmount: String(PRICE) }),
    'invalid_exact_evm_payload_authorization_value',
  ],
  [
    'more than the price',
    () => proofOf(payer, { version: 1, value: PRICE + 1n }),
    'invalid_exact_evm_payload_authorization_value',
  ],
  ['another price accepted', () => proofOf(payer, { acceptedAmount: '1' }), 'invalid_payment_requirements'],
  ['another payee accepted', () => proofOf(payer, { payTo: OTHER }), 'invalid_payment_requirements'],
  ['another payee', () => proofOf(payer, { version: 1, payTo: OTHER }), 'invalid_exact_evm_payload_recipient_mismatch'],
  ['another asset', () => proofOf(payer, { asset: OTHER }), 'invalid_payment_requirements'],
  [
    'expired',
    () => proofOf(payer, { validBefore: nowSeconds() - 1 }),
    'invalid_exact_evm_payload_authorization_valid_before',
  ],
  [
    'about to expire',
    () => proofOf(payer, { validBefore: nowSeconds() + 3 }),
    'invalid_exact_evm_payload_authorization_valid_before',
  ],
  [
    'valid for an hour',
    () => proofOf(payer, { validBefore: nowSeconds() + 3_600 }),
    'invalid_exact_evm_payload_authorization_valid_before',
  ],
  [
    'not valid yet',
    () => proofOf(payer, { validAfter: nowSeconds() + 50 }),
    'invalid_exact_evm_payload_authorization_valid_after',
  ],
  ['signed by another key', () => proofOf(payer, { signer: stranger }), 'invalid_exact_evm_payload_signature'],
  [
    'a signature of nothing',
    () => spoiled((whole) => ({ ...whole, payload: { ...whole.payload, signature: `0x${'00'.repeat(65)}` } })),
    'invalid_exact_evm_payload_signature',
  ],
  [
    'the signature of a wallet that is not deployed',
    () => spoiled((whole) => ({ ...whole, payload: { ...whole.payload, signature: `0xab${'6492'.repeat(16)}` } })),
    'undeployed_smart_wallet',
  ],
  ['our own treasury as payer', () => proofOf(treasury), 'payer_not_allowed'],
  ['our own lane as payer', () => proofOf(lane), 'payer_not_allowed'],
  ['nobody as payer', () => proofOf(payer, { from: `0x${'0'.repeat(40)}` }), 'payer_not_allowed'],
];

/** One proof for all routes is read by the same code: beyond the first, each has one row of each reason. */
const ONE_OF_EACH = REFUSED.filter(
  ([, , reason], index) => REFUSED.findIndex(([, , other]) => other === reason) === index,
);
const rowsOf = (operation: OperationId) => (operation === 'pay' ? REFUSED : ONE_OF_EACH);

describe.each(ROUTES)('$path: a proof that is refused', ({ operation, path, order }) => {
  test.each(rowsOf(operation))('%s', async (_name, header, reason) => {
    const reply = await installation.send(path, jsonPost(order, { 'PAYMENT-SIGNATURE': await header() }));
    expectRefusal(installation, operation, reply, { status: 402, error: reason });
    expect(reply.headers.get('payment-error')).toBe(reason);
    expect(reply.headers.get('Cache-Control')).toBe('no-store');
    expect(reply.body.accepts[0]).toMatchObject({ maxAmountRequired: String(PRICE) });
    const second = JSON.parse(atob(reply.headers.get('PAYMENT-REQUIRED') ?? '')) as Record<string, unknown>;
    expect(second).toMatchObject({ x402Version: 2, error: reason, accepts: [{ amount: String(PRICE) }] });
    expect(await installation.claimed(), 'nothing is claimed').toBe(claimedBefore);
    expect(await chain.usdcBalance(payer.address)).toBe(FUNDS);
  });

  test('used elsewhere answers 400, not 402: nobody must sign again', async () => {
    const reply = await installation.send(path, jsonPost(order, { 'PAYMENT-SIGNATURE': spent }));
    expectRefusal(installation, operation, reply, {
      status: 400,
      error: 'payment_already_used',
      field: 'PAYMENT-SIGNATURE',
    });
    expect(await installation.claimed(), 'nothing is claimed').toBe(claimedBefore);
    expect(await chain.usdcBalance(stranger.address)).toBe(FUNDS - PRICE);
  });

  test('a wrong body is reported before a wrong proof', async () => {
    const reply = await installation.send(
      path,
      jsonPost({ ...order, currency: 'EURC' }, { 'PAYMENT-SIGNATURE': '!!!' }),
    );
    expectRefusal(installation, operation, reply, { status: 400, error: 'invalid_currency', field: 'currency' });
  });
});

test('control: the proof that the tables spoil pays', async () => {
  const other = await chain.createAccount({ usdc: microUsdc(PRICE), wei: 0n });
  const reply = await installation.send(
    '/payments/x/pay',
    jsonPost(ROUTES[0].order, { 'PAYMENT-SIGNATURE': await proofOf(other) }),
  );
  expect(reply.status).toBe(200);
  expect(await chain.usdcBalance(other.address)).toBe(0n);
});

describe('validate: a proof that was never presented', () => {
  test.each([
    ['of the first generation', { version: 1 as const }],
    ['of the second generation', {}],
    ['that has expired', { validBefore: nowSeconds() - 1 }],
  ])('%s answers 402 and sells nothing', async (_name, change) => {
    const headers = { 'PAYMENT-SIGNATURE': await proofOf(payer, change) };
    const reply = await installation.send('/payments/validate', { headers });
    expectRefusal(installation, 'validatePayment', reply, { status: 402, error: 'payment_required' });
    expect(reply.body.accepts).toEqual([]);
    expect(reply.headers.get('PAYMENT-REQUIRED')).toBeNull();
    expect(await installation.claimed(), 'nothing is claimed').toBe(claimedBefore);
  });
});
