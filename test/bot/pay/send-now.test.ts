/** A tip that waits for money goes on by a press: the same order, freshly priced, and never twice. */
import { afterEach, describe, expect, test } from 'vitest';
import { pressEvent, usdc } from '../harness.ts';
import { createPayWorld, type PayWorld } from './world.ts';

let world: PayWorld;
afterEach(() => world.close());

/** The last button of the card with this label. */
function buttonOf(label: string): string {
  const found = world.chat.last('event-1')?.actions.find((one) => one.kind === 'button' && one.label === label);
  if (found?.kind !== 'button') throw new Error(`there is no button ${label}`);
  return found.id;
}

async function press(id: string, event = 'press-1', user?: string): Promise<void> {
  await world.bot.press(pressEvent(id, event, user));
  await world.bot.idle();
}

const paid = () => world.api.seen.filter(({ header }) => header !== null);

describe('with play money', () => {
  test('one press adds it and sends the tip: two steps from nothing to a first tip', async () => {
    world = await createPayWorld({ balance: usdc(0), faucet: true });
    await world.say('/tip @x:alice 1 hello');
    const { id } = await world.orderOf();
    await press(buttonOf('Add play money and send it'));
    expect(world.wallet.faucetCalls).toBe(1);
    expect(world.chat.textOf('event-1')).toContain('Sent 1.00 USDC to @alice on X');
    expect(await world.orderOf()).toMatchObject({ id, status: 'answered' });
    expect(paid()).toHaveLength(1);
    expect(paid()[0]?.body).toMatchObject({ receiver: 'alice', description: 'hello' });
  });
});

describe('with play money that does not come at once', () => {
  test('the same button goes on with it, and it is taken only for an order that waits', async () => {
    world = await createPayWorld({ balance: usdc(0), faucet: true });
    await world.say('/tip @x:alice 1');
    const id = buttonOf('Add play money and send it');
    for (const network of ['base', 'solana']) world.wallet.down.add(network);
    await press(id, 'press-1');
    expect(paid()).toEqual([]);
    world.wallet.down.clear();
    await press(id, 'press-2');
    expect(world.chat.textOf('event-1')).toContain('Sent 1.00 USDC to @alice on X');
    await press(id, 'press-3');
    expect(paid()).toHaveLength(1);
    expect(world.wallet.faucetCalls).toBe(2);
  });

  test('none is taken while a visitor has begun to pay by the link', async () => {
    world = await createPayWorld({ balance: usdc(0), faucet: true });
    const visitor = `0x${'c0'.repeat(20)}`;
    world.wallet.balances.set(visitor, usdc(5));
    await world.say('/tip @x:alice 1');
    await world.call('prepare', { network: 'base', address: visitor });
    const id = buttonOf('Add play money and send it');
    for (const event of ['press-1', 'press-2']) {
      await press(id, event);
      expect(world.chat.textOf(event)).toContain('begun to pay with the link');
    }
    expect(world.wallet.faucetCalls).toBe(0);
    expect(paid()).toEqual([]);
  });
});

describe('with money of one’s own', () => {
  test('it is sent once it is there, on the network where it lies, and the link is over', async () => {
    world = await createPayWorld();
    await world.say('/tip @x:alice 1');
    const key = world.keyOf();
    const id = buttonOf('Send it now');
    await press(id, 'too-early');
    expect(world.chat.textOf('event-1')).toContain('0.60 USDC is missing');
    expect(paid()).toEqual([]);
    world.wallet.solanaBalance = usdc(3);
    const again = buttonOf('Send it now');
    await Promise.all([press(again, 'press-a'), press(again, 'press-b'), press(id, 'press-c')]);
    await press(again, 'press-d');
    expect(world.chat.textOf('event-1')).toContain('Sent 1.00 USDC to @alice on X');
    expect(paid()).toHaveLength(1);
    expect(await world.orderOf()).toMatchObject({ network: 'solana', status: 'answered' });
    expect((await world.show(key)).status).not.toBe(200);
  });

  test('nobody else can press it', async () => {
    world = await createPayWorld();
    await world.say('/tip @x:alice 1');
    world.wallet.balance = usdc(3);
    await press(buttonOf('Send it now'), 'press-1', 'chat:user-2');
    expect(await world.orderOf()).toMatchObject({ status: 'linked' });
    expect(paid()).toEqual([]);
  });

  test('not while a visitor has begun to pay by the link', async () => {
    world = await createPayWorld();
    const visitor = `0x${'c0'.repeat(20)}`;
    world.wallet.balances.set(visitor, usdc(5));
    await world.say('/tip @x:alice 1');
    await world.call('prepare', { network: 'base', address: visitor });
    world.wallet.balance = usdc(3);
    await press(buttonOf('Send it now'));
    expect(world.chat.textOf('press-1')).toContain('begun to pay with the link');
    expect(await world.orderOf()).toMatchObject({ status: 'linked' });
    expect(paid()).toEqual([]);
  });
});
