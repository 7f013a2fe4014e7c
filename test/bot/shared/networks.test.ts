import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatUsdc, microUsdc } from '../../../core/money.ts';
import { isBoundNonce } from '../../../core/request-hash.ts';
import { createOrder, findOrderByEvent, markPriced, type OrderDraft } from '../../../db/tips/orders.ts';
import { pending, refused, REQUEST_HASH, startFakeApi, type Challenge, type FakeApi } from '../fake-api.ts';
import {
  createHarness,
  LAST_VALID_HEIGHT,
  PINNED_SOLANA,
  START_MS,
  textEvent,
  usdc,
  type Harness,
} from '../harness.ts';

let api: FakeApi;
let harness: Harness;

beforeEach(async () => {
  api = await startFakeApi();
  harness = await createHarness({ apiUrl: api.url, balance: usdc(3), solanaBalance: usdc(5) });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await api.close();
  await harness.store.close();
});

async function say(text: string, eventId = 'event-1'): Promise<string | undefined> {
  await harness.bot.handle(textEvent(text, eventId));
  await harness.bot.idle();
  return harness.chat.textOf(eventId);
}

const orderOf = async (eventId = 'event-1') => (await findOrderByEvent(harness.store, 'test', eventId))!;
const paidOn = () => api.seen.flatMap(({ header, transaction }) => (header ? [transaction ? 'solana' : 'base'] : []));

describe('a tip is paid', () => {
  test('on Base when enough lies there', async () => {
    await say('/tip x:alice 3');
    expect(paidOn()).toEqual(['base']);
  });

  test('on Solana when only that has enough: exactly what is pinned and ordered, bound to the request', async () => {
    expect(await say('/tip x:alice 4')).toBe('Sent 4.00 USDC to @alice on X.');
    expect(paidOn()).toEqual(['solana']);
    const [{ walletId, transfer } = { walletId: '', transfer: null }] = harness.transfers;
    expect(walletId).toBe('chat:user-1');
    expect(transfer).toMatchObject({
      payTo: PINNED_SOLANA.payTo,
      feePayer: PINNED_SOLANA.feePayer,
      amountMicroUsdc: 4_000_000n,
      blockhash: 'blockhash-1',
    });
    expect(isBoundNonce(transfer?.memo ?? '', REQUEST_HASH)).toBe(true);
    expect(await orderOf()).toMatchObject({ network: 'solana', payerAddress: 'Solana-chat:user-1' });
  });

  test('on Solana while the node of Base does not say what is there', async () => {
    harness.state.down.add('base');
    await say('/tip x:alice 1');
    expect(paidOn()).toEqual(['solana']);
  });

  test('by "all" from where most lies', async () => {
    await say('/tip x:alice all');
    expect([paidOn(), api.seen[0]?.body.amount]).toEqual([['solana'], '5']);
  });
});

test('what is enough only together is refused with both sums', async () => {
  api.script((one) => (one.header ? refused(402, 'insufficient_funds') : { do: 'challenge' }));
  expect(await say('/tip x:alice 6')).toBe(
    'You need 6.00 USDC and have 5.00, so 1.00 USDC is missing. Nothing was charged.\n' +
      'A tip is paid from one network, and you have 3.00 on Base and 5.00 on Solana.\n' +
      '/deposit shows how to add money.',
  );
});

test.each<[string, (challenge: Challenge) => void]>([
  ['another fee payer', (challenge) => (challenge.accepts[0].extra.feePayer = 'Mallory')],
  ['another payee', (challenge) => (challenge.accepts[0].payTo = PINNED_SOLANA.feePayer)],
  ['a payee in other letters', (challenge) => (challenge.accepts[0].payTo = PINNED_SOLANA.payTo.toLowerCase())],
  ['another mint', (challenge) => (challenge.accepts[0].asset = PINNED_SOLANA.payTo)],
  ['another price', (challenge) => (challenge.accepts[0].amount = '4000001')],
])('%s on Solana is never signed', async (_title, change) => {
  api.script(() => ({ do: 'challenge', change }));
  expect(await say('/tip x:alice 4')).toContain('is not the one I know, so I didn’t pay. Nothing was charged.');
  expect([harness.transfers, harness.signed]).toEqual([[], []]);
});

test('terms for Base only are waited out where the money is on Solana, and nothing is signed', async () => {
  api.script(() => ({ do: 'challenge', change: (challenge: Challenge) => challenge.accepts.shift() }));
  expect(await say('/tip x:alice 4')).toContain('takes longer than usual');
  expect([harness.transfers, harness.signed]).toEqual([[], []]);
});

describe('a header on Solana', () => {
  const expired = refused(402, 'payment_expired');
  const refuseFirst = () =>
    api.script((one) => {
      if (!one.header) return { do: 'challenge' };
      return one.header === api.headers()[0] ? expired : { do: 'paid' };
    });

  test('is replaced once its last block is final and the API has refused it as over', async () => {
    api.script((one) => (one.header ? pending : { do: 'challenge' }));
    await say('/tip x:alice 4');
    refuseFirst();
    harness.state.finalHeight = LAST_VALID_HEIGHT + 1;
    await harness.bot.resume();
    expect(paidOn().length).toBe(api.seen.filter(({ header }) => header).length);
    expect([api.headers().length, (await orderOf()).status]).toEqual([2, 'answered']);
    expect(new Set(harness.transfers.map(({ transfer }) => transfer.memo)).size).toBe(2);
  });

  test('that is refused as over while its last block is not final stays the only one, and is not dropped', async () => {
    refuseFirst();
    // Hours may pass: blocks may stand still all that time.
    harness.state.finalHeight = LAST_VALID_HEIGHT;
    expect(await say('/tip x:alice 4')).toContain('It can’t be charged twice.');
    await harness.bot.resume();
    expect([api.headers().length, (await orderOf()).status]).toEqual([1, 'signed']);
    harness.state.finalHeight = LAST_VALID_HEIGHT + 1;
    await harness.bot.resume();
    expect([api.headers().length, (await orderOf()).status]).toEqual([2, 'answered']);
  });

  test('that is refused for another reason has no successor', async () => {
    api.script((one) => (one.header ? refused(402, 'invalid_transaction_state') : { do: 'challenge' }));
    harness.state.finalHeight = LAST_VALID_HEIGHT + 1;
    await say('/tip x:alice 4');
    await harness.bot.resume();
    expect([harness.transfers.length, (await orderOf()).status]).toEqual([1, 'failed']);
  });
});

const MEMO = '5a'.repeat(32);

/** An order that is priced and not signed. */
async function priced(change: Partial<OrderDraft> = {}): Promise<string> {
  const where = { transport: 'test', eventId: 'event-1', chatId: 'chat', messageId: 'message' };
  const who = {
    userId: 'chat:user-1',
    walletId: 'chat:user-1',
    walletName: null,
    language: null,
    payerAddress: 'Solana-chat:user-1',
  };
  const { amountMicroUsdc = 4_000_000n } = change;
  const body = { receiver: 'alice', amount: formatUsdc(microUsdc(amountMicroUsdc)) };
  const what = { route: '/payments/x/pay', body, recipient: 'x:alice', amountMicroUsdc };
  const draft = { id: 'order-1', ...where, ...who, ...what, network: 'solana', createdAtMs: START_MS } as const;
  const { id } = await createOrder(harness.store, { ...draft, ...change });
  await markPriced(harness.store, id, 4_000_000n);
  return id;
}

describe('the guard', () => {
  test.each([
    ['no memo', ''],
    ['an empty one', '00'.repeat(32)],
    ['a short one', '5a'],
    ['words', 'z'.repeat(64)],
  ])('refuses %s', async (_title, wrong) => {
    const { signer } = harness.deps;
    await expect(signer.signSolana(await priced(), wrong)).rejects.toThrow('32 random bytes as memo');
    expect(harness.transfers).toEqual([]);
  });

  test('signs an order on the network of the order only', async () => {
    const { signer } = harness.deps;
    const id = await priced();
    const authorization = {
      from: 'Solana-chat:user-1',
      to: `0x${'ab'.repeat(20)}`,
      value: 4_000_000n,
      validAfter: 0,
      validBefore: 0,
      nonce: `0x${MEMO}` as const,
      asset: '',
      chainId: 8453,
      name: 'USD Coin',
      version: '2',
    };
    await expect(signer.signEvm(id, authorization)).rejects.toThrow('a network of the family evm, found solana');
    await expect(signer.signSolana('order_of_nobody', MEMO)).rejects.toThrow('an order of ours');
    expect((await signer.signSolana(id, MEMO)).lastValidHeight).toBe(LAST_VALID_HEIGHT);
  });
});

describe('the guard on Solana refuses', () => {
  test.each<[string, string, Partial<OrderDraft>]>([
    ['an order on Base', 'a network of the family svm, found base', { network: 'base' }],
    ['an order of another payer', 'payer Solana-chat:user-1 in the order', { payerAddress: 'Solana-chat:user-2' }],
    ['its payer in other letters', 'payer Solana-chat:user-1 in the order', { payerAddress: 'solana-chat:user-1' }],
    ['another price than the amount’s', 'a price of 3000000', { amountMicroUsdc: 3_000_000n }],
    [
      'a wallet that its user does not hold',
      'a wallet that chat:user-1 holds',
      { walletId: 'x:7', payerAddress: 'Solana-x:7' },
    ],
  ])('%s', async (_title, reason, change) => {
    await expect(harness.deps.signer.signSolana(await priced(change), MEMO)).rejects.toThrow(reason);
    expect(harness.transfers).toEqual([]);
  });
});

describe('/balance', () => {
  test('is one sum, and says where it lies', async () => {
    expect(await say('/balance')).toBe('You have 8.00 USDC: 3.00 on Base and 5.00 on Solana.');
  });

  test('names a network that does not answer, and counts the other', async () => {
    harness.state.down.add('solana');
    expect(await say('/balance')).toBe(
      'You have 3.00 USDC, on Base. I can’t reach Solana right now, so what is there is not counted.',
    );
  });
});

test('/deposit shows an address for each network', async () => {
  const text = await say('/deposit');
  expect(text).toContain('send USDC on Base to your address:');
  expect(text).toContain('Or send USDC on Solana to this one:\nSolana-chat:user-1');
  expect(text).toContain('Only USDC, and each only on its network: anything else could be lost.');
});
