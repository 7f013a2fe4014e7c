/** One of two networks does not answer: the other can be paid on all the same. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { usdc } from '../harness.ts';
import { createPayWorld, SHOWN_TASK_ADDRESS, type PayWorld } from './world.ts';
import type { Network } from '../../../core/networks.ts';

const WALLET = `0x${'c0'.repeat(20)}`;

let world: PayWorld;
beforeEach(async () => {
  world = await createPayWorld();
  world.wallet.balances.set(WALLET, usdc(5));
  await world.say('/pay @x:alice 1');
});
afterEach(() => world.close());

/** Neither the API nor the bot hears anything of these networks. */
function takeDown(...names: Network[]): void {
  for (const paying of world.deps.networks) {
    if (names.includes(paying.network)) paying.checkAddress = async () => ({ kind: 'unavailable' });
  }
  const down = world.deps.networks.filter(({ network }) => names.includes(network));
  const isDown = (address: string) => down.some(({ pinned }) => address.startsWith(`${pinned.caip2}:`));
  world.state.isUnreachable = (refundAddresses) => refundAddresses.some(isDown);
}

async function refundOn(name: Network): Promise<string> {
  const paying = world.deps.networks.find(({ network }) => network === name);
  return `${paying?.pinned.caip2}:${await paying?.addressOf('chat:user-1')}`;
}

test('a task is opened with the address of the network that answers', async () => {
  takeDown('solana');
  expect((await world.form('transfer')).headers.get('location')).not.toContain('refused');
  expect(world.state.opened.at(-1)?.refundAddresses).toEqual([await refundOn('base')]);
  expect(await (await world.show()).text()).toContain(SHOWN_TASK_ADDRESS);
});

test('no transfer is asked for on the network from which nothing could come back', async () => {
  takeDown('base');
  expect((await world.form('transfer')).headers.get('location')).not.toContain('refused');
  expect((await world.linkOf())?.terms?.transfers).toEqual([]);
  const page = await (await world.show()).text();
  expect(page).not.toContain(SHOWN_TASK_ADDRESS);
  expect(page).not.toContain('Pay from any app');
});

test('a wallet on the network that answers can pay', async () => {
  takeDown('solana');
  expect((await world.call('prepare', { network: 'base', address: WALLET })).status).toBe(200);
});

test('with all of them down nothing is opened, and the link stays open', async () => {
  takeDown('base', 'solana');
  expect((await world.form('transfer')).headers.get('location')).toContain('refused=');
  expect(world.state.opened).toHaveLength(1);
  expect(await world.linkOf()).toMatchObject({ status: 'open', taskId: null });
});
