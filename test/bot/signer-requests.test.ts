/**
 * What an attacker who has taken over the bot, or writes into its database, would ask of the signer: each request differs
 * from an honest one in one thing, is refused without a signature, and the honest one beside it is signed.
 */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSigner } from '../../bot/signing/signer.ts';
import type { TransferAuthorization } from '../../bot/signing/signing.ts';
import { microUsdc } from '../../core/money.ts';
import { createOrder, findOrder, markPriced, type OrderRow } from '../../db/tips/orders.ts';
import type { Store } from '../../db/store/store.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';
import { allowMore, fakeWallets, openTestStore, PINNED, PINNED_SOLANA, START_MS } from './harness.ts';
import { forgeWithdrawal, HOLDER, SOLANA_STRANGER, STRANGER } from './withdrawal-rows.ts';

const NOW = Math.floor(START_MS / 1_000);
const MEMO = '5a'.repeat(32);
const wallets = fakeWallets();
const { signed, transfers, withdrawn } = wallets;
const signatures = () => signed.length + transfers.length + withdrawn.length;
let store: Store;
let signer: ReturnType<typeof createSigner>;

beforeAll(async () => {
  store = await openTestStore();
  await allowMore(store, HOLDER);
  const base = { ...wallets.base, pinned: PINNED };
  const solana = { ...wallets.solana, pinned: PINNED_SOLANA };
  signer = createSigner({ store, base, solana, now: () => START_MS });
});
afterAll(() => store.close());

type Network = 'base' | 'solana';
type OrderChange = Partial<OrderRow>;

let count = 0;
/** An order of one USDC by a person who has paid nothing today, as the bot writes it; then the change, past every check. */
async function order(network: Network, change: OrderChange = {}): Promise<string> {
  const id = `order_${String(++count).padStart(20, '0')}`;
  const userId = `chat:person-${count}`;
  await createOrder(store, {
    id,
    transport: 'test',
    eventId: id,
    chatId: 'chat',
    messageId: 'message',
    userId,
    walletId: userId,
    walletName: null,
    language: null,
    network,
    payerAddress: wallets[network].addressOf(userId),
    route: '/payments/x/pay',
    body: { receiver: 'alice', amount: '1' },
    recipient: 'x:alice',
    amountMicroUsdc: 1_000_000n,
    createdAtMs: START_MS,
  });
  await markPriced(store, id, microUsdc(1_000_000n));
  const { orders } = store.tables;
  if (Object.keys(change).length > 0) await store.tx((db) => db.update(orders).set(change).where(eq(orders.id, id)));
  return id;
}

const honest = (from: string): TransferAuthorization => ({
  from,
  to: PINNED.payTo,
  value: 1_000_000n,
  validAfter: 0,
  validBefore: NOW + 240,
  nonce: `0x${MEMO}`,
  asset: PINNED.asset,
  chainId: PINNED.chainId,
  name: PINNED.name,
  version: PINNED.version,
});

/** Asks for the order's own payer unless the change says otherwise. */
async function signOnEvm(id: string, change: Partial<TransferAuthorization> = {}) {
  const row = await findOrder(store, id);
  return signer.signEvm(id, { ...honest(row?.payerAddress ?? STRANGER), ...change });
}
const onBase = async (change: Partial<TransferAuthorization>, orderChange?: OrderChange) =>
  signOnEvm(await order('base', orderChange), change);
const onSolana = async (orderChange?: OrderChange, memo = MEMO) =>
  signer.signSolana(await order('solana', orderChange), memo);
const withdrawal = async (network: Network, change?: Partial<WithdrawalRow>) =>
  signer.signWithdrawal(await forgeWithdrawal(store, { network, ...change }));

/** The honest request of each kind. */
const CONTROLS = {
  'a payment on Base': () => onBase({}),
  'a payment on Solana': () => onSolana(),
  'a withdrawal on Base': () => withdrawal('base'),
  'a withdrawal on Solana': () => withdrawal('solana'),
} as const;

/** By what it passes itself off as. `says` is what was wanted, so that each is refused for its own reason. */
const CRAFTED: readonly (readonly [keyof typeof CONTROLS, string, () => Promise<unknown>, string])[] = [
  ['a payment on Base', 'that goes to the attacker', () => onBase({ to: STRANGER }), 'payTo'],
  [
    'a payment on Base',
    'out of another person’s wallet',
    () => onBase({ from: wallets.base.addressOf('chat:bob') }),
    'payer',
  ],
  ['a payment on Base', 'of a micro-USDC more than the price', () => onBase({ value: 1_000_001n }), 'value 1000000'],
  ['a payment on Base', 'of everything there is', () => onBase({ value: 2n ** 256n - 1n }), 'value 1000000'],
  ['a payment on Base', 'in another token', () => onBase({ asset: STRANGER }), 'asset'],
  [
    'a payment on Base',
    'for the chain where the token has the same address',
    () => onBase({ chainId: 84_532 }),
    'chain',
  ],
  ['a payment on Base', 'under the name of another domain', () => onBase({ name: 'USDC' }), 'token'],
  ['a payment on Base', 'that stays good for a year', () => onBase({ validBefore: NOW + 31_536_000 }), 'an end before'],
  ['a payment on Base', 'that becomes good later', () => onBase({ validAfter: NOW + 60 }), 'valid from now on'],
  ['a payment on Base', 'with a nonce of zeros', () => onBase({ nonce: `0x${'0'.repeat(64)}` }), '32 random bytes'],
  ['a payment on Base', 'for an order that nobody gave', () => signOnEvm('order_invented'), 'an order of ours'],
  [
    'a payment on Base',
    'for an order that is signed already',
    () => onBase({}, { status: 'signed' }),
    'an order that is priced',
  ],
  [
    'a payment on Base',
    'for an order that has failed',
    () => onBase({}, { status: 'failed' }),
    'an order that is priced',
  ],
  [
    'a payment on Base',
    'whose request sends ten times what its order says',
    () => onBase({}, { body: { receiver: 'mallory', amount: '10' } }),
    'a request for 1000000',
  ],
  [
    'a payment on Base',
    'whose price hides a fee',
    () => onBase({ value: 1_100_000n }, { totalMicroUsdc: 1_100_000n }),
    'a price of 1000000',
  ],
  ['a payment on Base', 'of an order on Solana', async () => signOnEvm(await order('solana')), 'family evm'],
  [
    'a payment on Solana',
    'of an order on Base',
    async () => signer.signSolana(await order('base'), MEMO),
    'family svm',
  ],
  ['a payment on Solana', 'whose memo is that of a withdrawal', () => onSolana({}, `${'0'.repeat(31)}1/0`), 'as memo'],
  [
    'a payment on Solana',
    'whose memo says something to people',
    () => onSolana({}, 'you have won, go to evil.example'),
    'as memo',
  ],
  [
    'a payment on Solana',
    'with a memo of zeros, which makes it equal to another',
    () => onSolana({}, '0'.repeat(64)),
    'as memo',
  ],
  [
    'a payment on Solana',
    'for an order that nobody gave',
    () => signer.signSolana('order_invented', MEMO),
    'an order of ours',
  ],
  [
    'a payment on Solana',
    'for an order that is signed already',
    () => onSolana({ status: 'signed' }),
    'an order that is priced',
  ],
  [
    'a payment on Solana',
    'out of a wallet that the person does not hold',
    () => onSolana({ walletId: 'x:7', payerAddress: wallets.solana.addressOf('x:7') }),
    'a wallet that',
  ],
  [
    'a payment on Solana',
    'in whose order another payer stands',
    () => onSolana({ payerAddress: SOLANA_STRANGER }),
    'payer',
  ],
  [
    'a payment on Solana',
    'whose request sends more than its order says',
    () => onSolana({ body: { receiver: 'mallory', amount: '1.000001' } }),
    'a request for 1000000',
  ],
  [
    'a payment on Solana',
    'whose price hides a fee',
    () => onSolana({ totalMicroUsdc: 1_100_000n }),
    'a price of 1000000',
  ],
  [
    'a payment on Solana',
    'of more than one person may get',
    () =>
      onSolana({ body: { receiver: 'a', amount: '11' }, amountMicroUsdc: 11_000_000n, totalMicroUsdc: 11_000_000n }),
    'within the limits',
  ],
  [
    'a payment on Solana',
    'over a route that pays nobody',
    () => onSolana({ route: '/payments/validate' }),
    'a request with recipients',
  ],
  [
    'a withdrawal on Base',
    'of another person’s money',
    () => withdrawal('base', { walletId: 'chat:bob' }),
    'a wallet that',
  ],
  [
    'a withdrawal on Base',
    'that names another wallet’s address',
    () => withdrawal('base', { fromAddress: STRANGER }),
    'money from',
  ],
  [
    'a withdrawal on Base',
    'to the treasury',
    () => withdrawal('base', { toAddress: PINNED.payTo }),
    'an address of a person',
  ],
  [
    'a withdrawal on Base',
    'that nobody asked for',
    () => signer.signWithdrawal('f'.repeat(32)),
    'a withdrawal of ours',
  ],
  ['a withdrawal on Base', 'that is paid already', () => withdrawal('base', { status: 'paid' }), 'asked for or dead'],
  [
    'a withdrawal on Solana',
    'of another person’s money',
    () => withdrawal('solana', { walletId: 'x:7' }),
    'a wallet that',
  ],
  [
    'a withdrawal on Solana',
    'into the wallet itself',
    () => withdrawal('solana', { toAddress: wallets.solana.addressOf(HOLDER) }),
    'another address than the wallet’s own',
  ],
  [
    'a withdrawal on Solana',
    'to the treasury',
    () => withdrawal('solana', { toAddress: PINNED_SOLANA.payTo }),
    'an address of a person',
  ],
  [
    'a withdrawal on Solana',
    'while its last signature may still land',
    () => withdrawal('solana', { status: 'sent' }),
    'asked for or dead',
  ],
];

describe.each(CRAFTED)('%s', (kind, title, request, says) => {
  test(`${title} is refused, and the honest one is signed`, async () => {
    const before = signatures();
    await expect(request()).rejects.toThrow(/^the signer refuses: /);
    await expect(request()).rejects.toThrow(says);
    expect(signatures()).toBe(before);
    await CONTROLS[kind]();
    expect(signatures()).toBe(before + 1);
  });
});

test('there are more than 20 of them, on both networks and of both kinds', () => {
  expect(new Set(CRAFTED.map(([kind, title]) => `${kind} ${title}`)).size).toBeGreaterThan(20);
  expect(new Set(CRAFTED.map(([kind]) => kind))).toEqual(new Set(Object.keys(CONTROLS)));
});
