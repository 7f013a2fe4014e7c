import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWalletTurns } from '../../../bot/paying/wallet-turns.ts';
import { createOrder, markAnswered, markPriced, markSigned, type OrderRow } from '../../../db/tips/orders.ts';
import { START_MS, usdc } from '../harness.ts';
import { openChatStage, type ChatStage } from '../core/chat-stage.ts';

let stage: ChatStage;
beforeEach(async () => void (stage = await openChatStage({ balance: usdc(5) })));
afterEach(() => stage.close());

let count = 0;
async function draft(amount: number, walletId = 'chat:user-1'): Promise<OrderRow> {
  const id = `order_${++count}`;
  return createOrder(stage.store, {
    id,
    transport: 'test',
    eventId: id,
    chatId: 'chat',
    messageId: id,
    userId: walletId,
    walletId,
    walletName: null,
    language: null,
    network: 'base',
    payerAddress: 'address',
    route: '/payments/x/pay',
    body: {},
    recipient: 'x:alice',
    amountMicroUsdc: usdc(amount),
    createdAtMs: START_MS,
  });
}

/** An order whose payment is on its way. */
async function sign(amount: number): Promise<string> {
  const { id } = await draft(amount);
  await markPriced(stage.store, id, usdc(amount));
  await markSigned(stage.store, id, 'header', { validBefore: 1 });
  return id;
}

describe('a wallet', () => {
  test('works on one order after the other, in their order, and on those of others beside it', async () => {
    const turns = createWalletTurns();
    const done: string[] = [];
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const [first, second, other] = [await draft(1), await draft(1), await draft(1, 'chat:user-2')];
    const all = [
      turns.take(stage.deps, first, usdc(1), async () => gate.then(() => void done.push('first'))),
      turns.take(stage.deps, second, usdc(1), async () => void done.push('second')),
    ];
    await turns.take(stage.deps, other, usdc(1), async () => void done.push('other'));
    expect(done).toEqual(['other']);
    open();
    await Promise.all(all);
    expect(done).toEqual(['other', 'first', 'second']);
  });

  test('goes on after one that failed, which its own caller hears of', async () => {
    const turns = createWalletTurns();
    const [first, second] = [await draft(1), await draft(1)];
    const failing = turns.take(stage.deps, first, usdc(1), () => Promise.reject(new Error('broken')));
    const next = turns.take(stage.deps, second, usdc(1), async () => {});
    await expect(failing).rejects.toThrow('broken');
    await next;
  });
});

describe('an order', () => {
  const beginsAfter = async (amount: number): Promise<number> => {
    const since = stage.clock.now();
    await createWalletTurns().take(stage.deps, await draft(amount), usdc(amount), async () => {});
    return stage.clock.now() - since;
  };

  test('begins at once when nothing is on its way, whatever it costs: then the API judges', async () => {
    expect(await beginsAfter(9)).toBe(0);
  });

  test('begins at once beside others that leave enough for it', async () => {
    await sign(2);
    expect(await beginsAfter(3)).toBe(0);
  });

  test('waits for money that is spoken for until that is decided', async () => {
    const id = await sign(2);
    const { clock } = stage.deps;
    stage.deps.clock = {
      ...clock,
      sleep: async (ms) => {
        await markAnswered(stage.store, id, { txnId: 1, receipt: 'receipt' });
        await clock.sleep(ms);
      },
    };
    expect(await beginsAfter(4)).toBe(100);
  });

  test('waits a minute at most, and is tried then', async () => {
    await sign(2);
    expect(await beginsAfter(4)).toBe(60_000);
  });

  test('waits while ten are on their way, whatever is left', async () => {
    for (let index = 0; index < 10; index++) await sign(0.1);
    expect(await beginsAfter(0.1)).toBe(60_000);
  });

  test('is not kept up by a network that does not say what the wallet holds', async () => {
    await sign(2);
    stage.state.down.add('base');
    expect(await beginsAfter(4)).toBe(0);
  });
});
