/** What people do with an installation that runs: they give in both chats, and collect on each platform. */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../scripts/torture/eventually.ts';
import { createDiscordDriver } from '../bot/scenarios/drivers/discord-driver.ts';
import { createTelegramDriver } from '../bot/scenarios/drivers/telegram-driver.ts';
import { collect, keepInChat, openWithMoney, PROOFS, tip } from './people.ts';
import type { See, Step } from './report.ts';
import { BASE_URL } from './surroundings.ts';
import type { World } from './world.ts';

const ARRIVED_MS = 240_000;
/** In this time a payout leaves that is not held back. */
const HELD_BACK_MS = 10_000;

async function giveOn(world: World, chat: 'telegram' | 'discord', see: See): Promise<void> {
  const { around, scenes } = world;
  const driver = chat === 'telegram' ? createTelegramDriver(around.telegram) : createDiscordDriver(around.discord);
  if (chat === 'discord')
    await around.discord.until(() => around.discord.commands().length > 0, 'the commands of the bot', 240_000);
  const scene = await openWithMoney(driver, around);
  scenes.set(chat, scene);
  see('30 USDC sent on the chain to the address that /deposit shows; /balance sees them');
  see(await tip(scene, '@Bob 1', [scene.bob]));
  see(`collected by /claim: ${await keepInChat(scene, scene.bob)}`);
  const refused = driver.refused();
  if (refused.length > 0) throw new Error(`${chat} refused ${JSON.stringify(refused)}`);
}

async function collectEverywhere(world: World, see: See): Promise<void> {
  const scene = world.sceneOf('telegram');
  for (const [platform, { name }] of Object.entries(PROOFS)) {
    see(await tip(scene, `${platform}:${name} 1.5`));
    const { address, text } = await collect(platform, world.around);
    world.kept.collectedAt.set(platform, address);
    see(text);
  }
}

/** For one who has collected before, so that money for them leaves at once. */
export async function payCollector(world: World, amount: string, see: See) {
  const address = world.kept.collectedAt.get('github') ?? '';
  const before = await world.around.usdcOf(address);
  see(await tip(world.sceneOf('telegram'), `github:alice ${amount}`));
  return {
    address,
    arrived: async () => (await world.around.usdcOf(address)) > before,
    untilArrived: () =>
      eventually(async () => {
        if ((await world.around.usdcOf(address)) === before) throw new Error(`nothing came to ${address}`);
      }, ARRIVED_MS),
  };
}

async function stopAndGo(world: World, see: See): Promise<void> {
  const { operate } = world;
  see(await operate(`stop payments --reason 'a drill'`));
  await eventually(async () => {
    const { status, body } = await askPrice();
    if (!body.includes('service_paused')) throw new Error(`a request is answered ${status} ${body}`);
    see(`a request without a proof is answered ${status}: ${body}`);
  }, ARRIVED_MS);
  see(await operate('resume payments --yes'));
  await eventually(async () => {
    const { status, body } = await askPrice();
    if (status !== 402) throw new Error(`a request is answered ${status} ${body}`);
    see(`and ${status} again`);
  }, ARRIVED_MS);
  see(await operate(`stop base payouts --reason 'a drill'`));
  const paid = await payCollector(world, '1', see);
  await sleep(HELD_BACK_MS);
  if (await paid.arrived()) throw new Error('money left under a stop of payouts');
  see(await operate('stops'));
  see(await operate('resume base payouts --yes'));
  await paid.untilArrived();
  see(`what waited has arrived at ${paid.address}`);
}

async function askPrice(): Promise<{ status: number; body: string }> {
  const response = await fetch(`${BASE_URL}/payments/x/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ receiver: 'alice', amount: 1 }),
  });
  return { status: response.status, body: (await response.text()).slice(0, 160) };
}

export const USING: readonly Step<World>[] = [
  { title: 'Telegram: a tip and its claim', run: (world, see) => giveOn(world, 'telegram', see) },
  { title: 'Discord: a tip and its claim', run: (world, see) => giveOn(world, 'discord', see) },
  { title: 'a claim on each other platform', run: collectEverywhere },
  { title: 'stop and go', run: stopAndGo },
];
