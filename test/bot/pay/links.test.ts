import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readHeader } from '../../../core/payments/x402.ts';
import type { OpenedTask } from '../../../client/tasks.ts';
import { openPayLink } from '../../../db/pay-links/pay-links.ts';
import { payLinkKeyId } from '../../../bot/pay-links/pay-link.ts';
import { refused } from '../fake-api.ts';
import { PINNED, textEvent, usdc } from '../harness.ts';
import { refusedBy } from '../../client/refused-by.ts';
import { createPayWorld, PAID, PAID_LINE, TASK_ADDRESS, type PayWorld } from './world.ts';

const WALLET = `0x${'c0'.repeat(20)}`;
const OTHER = `0x${'d0'.repeat(20)}`;
const SIGNATURE = `0x${'22'.repeat(65)}`;
const MINUTE_MS = 60_000;

let world: PayWorld;
beforeEach(async () => {
  world = await createPayWorld();
  for (const address of [WALLET, OTHER]) world.wallet.balances.set(address, usdc(5));
});
afterEach(() => world.close());

/** What a wallet at this address sends back after it was asked. */
async function sign(address: string) {
  const prepared = await world.call('prepare', { network: 'base', address });
  const { nonce, validBefore } = (await prepared.json()) as { nonce: string; validBefore: number };
  return { network: 'base', address, nonce, validBefore, signature: SIGNATURE };
}

async function present(address: string): Promise<Response> {
  const response = await world.call('signed', await sign(address));
  await world.bot.idle();
  return response;
}

/** Time passes, and what is due is looked after. */
async function pass(ms: number): Promise<void> {
  world.clock.pass(ms);
  await world.bot.resume();
  await world.bot.idle();
}

const refusalOf = async (response: Response) => ((await response.json()) as { error: string }).error;

describe('a tip', () => {
  test('for more than there is says what is missing, and offers a link; nothing was signed', async () => {
    const text = await world.say('/tip @x:alice 1');
    expect(text).toContain('You need 1.00 USDC and have 0.40, so 0.60 USDC is missing.');
    expect(text).toContain('works for 30 minutes');
    const [link, ...others] = world.chat.last('event-1')?.actions ?? [];
    expect(link).toMatchObject({ kind: 'link', label: 'Pay 1.00 USDC' });
    expect(others).toContainEqual({ kind: 'command', command: '/deposit' });
    expect(await world.orderOf()).toMatchObject({ status: 'linked', header: null });
    expect(world.signed).toEqual([]);
  });

  test('for what there is gets paid as ever', async () => {
    expect(await world.say('/tip @x:alice 0.3')).toBe('Sent 0.30 USDC to @alice on X.');
    expect(await world.linkOf()).toBeUndefined();
  });

  test('is not linked while a network does not say what is there', async () => {
    world.wallet.down.add('solana');
    world.api.script((one) => (one.header ? refused(402, 'insufficient_funds') : { do: 'challenge' }));
    await world.say('/tip @x:alice 1');
    expect(await world.orderOf()).toMatchObject({ status: 'failed', failure: 'insufficient_funds' });
  });

  test('that was signed and then refused for want of money is never linked: its header could still land', async () => {
    world.wallet.balance = usdc(5);
    world.api.script((one) => (one.header ? refused(402, 'insufficient_funds') : { do: 'challenge' }));
    await world.say('/tip @x:alice 1');
    expect(await world.orderOf()).toMatchObject({ status: 'failed', header: expect.any(String) });
    expect(await world.linkOf()).toBeUndefined();
  });

  test('typed as /pay gets a link whatever there is', async () => {
    world.wallet.balance = usdc(20);
    expect(await world.say('/pay @x:alice 1 thanks')).toContain('Pay 1.00 USDC for @alice on X with any wallet or app');
    expect(await world.orderOf()).toMatchObject({ status: 'linked', viaLink: true });
  });

  test('for people of two networks is one link for both of them', async () => {
    expect(await world.say('/pay @x:alice @github:bob 1')).toContain('Pay 2.00 USDC for 2 people');
    expect(await world.orderOf()).toMatchObject({ status: 'linked', route: '/payments/batch-pay' });
  });

  test('delivered again is the same order, and shows no other link', async () => {
    await world.say('/tip @x:alice 1');
    const key = world.keyOf();
    await world.say('/tip @x:alice 1');
    expect(world.keyOf()).toBe(key);
  });
});

describe('a link', () => {
  beforeEach(() => world.say('/tip @x:alice 1'));

  test('is stored as a hash only', async () => {
    const { payLinkKeys } = world.store.tables;
    const rows = await world.store.read.select().from(payLinkKeys);
    expect(rows.map(({ id }) => id)).toEqual([payLinkKeyId(world.keyOf())]);
    expect(await openPayLink(world.store, world.keyOf())).toBeNull();
  });

  test('that is only looked at, as chats do for a preview, opens no task', async () => {
    expect((await world.show()).status).toBe(200);
    expect(world.state.opened).toEqual([]);
  });

  test('opens one task, however often a visitor wants to pay, with the wallet of its owner for what comes back', async () => {
    await Promise.all([world.form('transfer'), world.form('transfer'), sign(WALLET)]);
    const { taskId } = (await world.linkOf()) ?? {};
    await world.form('transfer');
    expect((await world.linkOf())?.taskId).toBe(taskId);
    const refunds = await Promise.all(
      world.deps.networks.map(async ({ pinned, addressOf }) => `${pinned.caip2}:${await addressOf('chat:user-1')}`),
    );
    expect(world.state.opened[0]?.refundAddresses).toEqual(refunds);
  });

  test('asks a wallet for exactly the price, to our address, bound to the task', async () => {
    const prepared = await world.call('prepare', { network: 'base', address: WALLET });
    const { typedData, chainId, nonce } = (await prepared.json()) as Record<string, never>;
    expect(chainId).toBe('0x2105');
    expect(typedData).toMatchObject({
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: PINNED.asset },
      message: { from: WALLET, to: PINNED.payTo, value: '1000000', validAfter: '0', nonce: `0x${nonce}` },
    });
  });

  test('sends what a wallet has signed, and ends the order with the receipt', async () => {
    world.state.answer = PAID;
    expect((await present(WALLET)).status).toBe(200);
    const [header] = world.state.presented;
    expect(readHeader(header ?? '')).toMatchObject({
      payload: { signature: SIGNATURE, authorization: { from: WALLET, to: PINNED.payTo, value: '1000000' } },
      // Without it, the same wallet's payment for another link could count as a retry of this one.
      extensions: { 'payment-identifier': { info: { id: (await world.orderOf()).id } } },
    });
    expect(await world.orderOf()).toMatchObject({ status: 'answered', txnId: 4711, receipt: PAID_LINE.receipt });
    expect(world.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
  });

  test.each([
    ['a nonce of another request', { nonce: '5a'.repeat(32) }],
    ['a window that is longer than ours', { validBefore: 4_000_000_000 }],
    ['a window that is over', { validBefore: 1 }],
  ])('takes nothing back with %s', async (_title, change) => {
    const response = await world.call('signed', { ...(await sign(WALLET)), ...change });
    expect([response.status, await refusalOf(response)]).toEqual([409, 'changed_payment']);
    expect(await world.linkOf()).toMatchObject({ status: 'open', header: null });
  });

  test('of two wallets takes one, and only its payment is ever sent until its end is known', async () => {
    const [first, second] = [await sign(WALLET), await sign(OTHER)];
    const answers = await Promise.all([world.call('signed', first), world.call('signed', second)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    await pass(10_000);
    await pass(45 * MINUTE_MS);
    expect(new Set(world.state.presented).size).toBe(1);
    expect(world.state.presented.length).toBeGreaterThan(1);
    // A payment that may still land holds the order, however late it is.
    expect(await world.linkOf()).toMatchObject({ status: 'presented' });
    expect((await world.orderOf()).status).toBe('linked');
  });

  test('is free again once the API has refused a payment, says why, and takes another', async () => {
    world.state.answer = refusedBy('insufficient_funds');
    await present(WALLET);
    expect(await world.linkOf()).toMatchObject({ status: 'open', header: null, refusal: 'insufficient_funds' });
    expect(await (await world.show()).text()).toContain('There is not enough USDC in that wallet');
    world.state.answer = PAID;
    await present(OTHER);
    expect(await world.orderOf()).toMatchObject({ status: 'answered' });
  });

  test('paid by an app and signed in a wallet at once ends once, by what the API took', async () => {
    world.keyOf();
    world.state.answer = refusedBy('order_in_progress');
    await present(WALLET);
    world.state.paid = PAID;
    await pass(10_000);
    expect(await world.orderOf()).toMatchObject({ status: 'answered', txnId: 4711 });
    expect(await refusalOf(await world.call('prepare', { network: 'base', address: OTHER }))).toBe('order_in_progress');
    expect(world.state.presented.length).toBe(1);
  });

  test('refuses a wallet without enough before it signs', async () => {
    world.wallet.balances.set(WALLET, usdc(0.99));
    expect(await refusalOf(await world.call('prepare', { network: 'base', address: WALLET }))).toBe(
      'insufficient_funds',
    );
    expect(world.state.opened).toEqual([]);
  });

  test('refuses one of our own addresses as payer', async () => {
    world.wallet.balances.set(PINNED.payTo, usdc(5));
    expect(await refusalOf(await world.call('prepare', { network: 'base', address: PINNED.payTo }))).toBe(
      'payer_not_allowed',
    );
  });

  test.each<[string, (task: OpenedTask) => void]>([
    ['a higher price', (task) => (acceptsOf(task).amount = '1000001')],
    ['another payee', (task) => (acceptsOf(task).payTo = OTHER)],
    ['another token', (task) => (acceptsOf(task).asset = OTHER)],
    ['a transfer of far more than the price', (task) => (transferOf(task).amount = '1010000')],
    ['a transfer of the plain price', (task) => (transferOf(task).amount = '1000000')],
    ['a transfer for another price', (task) => (transferOf(task).price = '999999')],
    ['a transfer of another token', (task) => (transferOf(task).token = OTHER)],
    ['a transfer on another chain', (task) => (transferOf(task).network = 'eip155:1')],
    ['a transfer to another person', (task) => (transferOf(task).recipient = OTHER)],
  ])('shows and signs nothing for a task with %s', async (_title, change) => {
    world.deps.networks[0].taskAddresses = [TASK_ADDRESS];
    world.state.change = change;
    expect(await refusalOf(await world.call('prepare', { network: 'base', address: WALLET }))).toBe('price_not_agreed');
    await world.form('transfer');
    expect(await world.linkOf()).toMatchObject({ taskId: null, terms: null });
  });

  test('on Solana takes exactly the transaction that was prepared, with another signature', async () => {
    const address = 'So1anaWa11et1111111111111111111111111111111'.replaceAll('1', '2').slice(0, 43);
    world.wallet.balances.set(address, usdc(5));
    const prepared = await world.call('prepare', { network: 'solana', address });
    const { transaction, blockhash, memo } = (await prepared.json()) as Record<string, string>;
    const bytes = Buffer.from(transaction ?? '', 'base64');
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(200) ^ 1, 200);
    const send = (wire: Buffer) =>
      world.call('signed', { network: 'solana', address, blockhash, memo, transaction: wire.toString('base64') });
    expect(await refusalOf(await send(changed))).toBe('changed_payment');
    bytes.fill(7, 65, 129);
    const answer = await send(bytes);
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
  });
});

describe('a link that nobody pays', () => {
  beforeEach(async () => {
    await world.say('/tip @x:alice 1');
    world.keyOf();
  });

  test('is over after half an hour, and says so', async () => {
    await pass(29 * MINUTE_MS);
    expect((await world.orderOf()).status).toBe('linked');
    await pass(2 * MINUTE_MS);
    expect(world.chat.textOf('event-1')).toContain('Nobody paid @alice on X with the link in time');
    expect(await refusalOf(await world.call('prepare', { network: 'base', address: WALLET }))).toBe('link_over');
    expect(await (await world.show()).text()).toContain('Please do not pay any more');
  });

  test('waits some minutes more for a transfer that is on its way', async () => {
    await world.form('transfer');
    await pass(31 * MINUTE_MS);
    expect((await world.orderOf()).status).toBe('linked');
    expect(await (await world.show()).text()).not.toContain('Exact amount');
    await pass(10 * MINUTE_MS);
    expect((await world.orderOf()).status).toBe('failed');
  });

  test('and is paid late after all has paid: the chat says so', async () => {
    await world.form('transfer');
    await pass(45 * MINUTE_MS);
    world.state.paid = PAID;
    await pass(15 * MINUTE_MS);
    expect(await world.orderOf()).toMatchObject({ status: 'answered', failure: null });
    expect(world.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
  });

  test('is looked after no longer once its task is gone', async () => {
    await world.form('transfer');
    await pass(45 * MINUTE_MS);
    world.state.isGone = true;
    await pass(15 * MINUTE_MS);
    expect(await world.linkOf()).toMatchObject({ status: 'expired', nextLookAtMs: null });
  });
});

test('a link that a crash kept from being shown is shown later, and each address opens it', async () => {
  const { messenger } = world.chat;
  const edit = messenger.edit;
  let isAway = true;
  messenger.edit = async (chatId, messageId, view) => {
    const isLink = view.actions.some(({ kind }) => kind === 'link');
    if (isLink && isAway) throw new Error('the chat is away');
    return edit(chatId, messageId, view);
  };
  await world.say('/pay @x:alice 1');
  expect((await world.linkOf())?.shownAtMs).toBeNull();
  isAway = false;
  await pass(5_000);
  expect(world.keyOf()).toMatch(/^[\w-]{32}$/);
  const { payLinkKeys } = world.store.tables;
  expect((await world.store.read.select().from(payLinkKeys)).length).toBe(2);
  await world.bot.handle(textEvent('/pay @x:alice 1'));
  expect((await world.linkOf())?.shownAtMs).not.toBeNull();
});

type Terms = { amount: string; payTo: string; asset: string };
const acceptsOf = ({ required }: OpenedTask): Terms => (required['accepts'] as [Terms])[0];
const transferOf = ({ transfers }: OpenedTask) => transfers[0]!;
