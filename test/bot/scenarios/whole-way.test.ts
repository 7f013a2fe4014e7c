/** The whole service with all three chats at once: from play money to receipts, on a real local chain. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findViolations } from '../../../db/audit/invariants.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { Service } from '../../../service/start.ts';
import { startDiscord } from '../../fakes/discord/server.ts';
import { startFakeTelegram } from '../../fakes/telegram/start.ts';
import { refuseViolations } from '../../support/databases/refuse-violations.ts';
import type { ChatDriver, Person, Scene, Shown } from './drivers/chat-driver.ts';
import { createDiscordDriver } from './drivers/discord-driver.ts';
import { createTelegramDriver } from './drivers/telegram-driver.ts';
import { createWebDriver } from './drivers/web-driver.ts';
import { startLocalService } from '../../support/local-service.ts';

const PATIENCE_MS = 25_000;

let service: Service;
const drivers = new Map<string, ChatDriver>();
const scenes: Scene[] = [];

beforeAll(async () => {
  const discord = await startDiscord({ answerMs: 30_000 });
  const telegram = await startFakeTelegram({ botUsername: 'penny_bot' });
  service = await startLocalService({
    env: {
      NETWORKS: 'base',
      DISCORD_TOKEN: discord.token,
      DISCORD_APP_ID: discord.applicationId,
      DISCORD_API_URL: discord.apiUrl,
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
    },
  });
  const { url } = service;
  drivers.set(
    'web',
    createWebDriver((path, init) => fetch(`${url}/chat${path === '/' ? '' : path}`, init), url),
  );
  drivers.set('discord', createDiscordDriver(discord));
  drivers.set('telegram', createTelegramDriver(telegram));
  await discord.until(() => discord.gateway.connected() === 1 && discord.commands().length > 0, 'the bot', 60_000);
});

afterAll(async () => {
  await Promise.all(scenes.map((scene) => scene.close()));
  await eventually(async () => refuseViolations(await findViolations(service.store)));
  await service.close();
  await Promise.all([...drivers.values()].map((driver) => driver.close()));
});

const hears = (scene: Scene, person: Person, text: RegExp): Promise<Shown> =>
  eventually(async () => {
    const found = scene.shown(person).findLast((message) => text.test(message.text));
    if (found) return found;
    throw new Error(
      `${person.name} sees no ${text}, but ${JSON.stringify(scene.shown(person).map((one) => one.text))}`,
    );
  }, PATIENCE_MS);

/** Discord's word for a message that is gone. What turned out to be private is taken away in public, and looked for once more. */
const UNKNOWN_MESSAGE = z.object({ code: z.literal(10_008) });
const isTakenAway = (one: unknown): boolean => UNKNOWN_MESSAGE.safeParse(one).success;

const counts = (scene: Scene, person: Person, text: RegExp): number =>
  scene.shown(person).filter((message) => text.test(message.text)).length;

async function openWithMoney(name: string): Promise<Scene> {
  const driver = drivers.get(name);
  if (!driver) throw new Error(`there is no chat ${name}`);
  const scene = await driver.open();
  scenes.push(scene);
  await scene.say(scene.alice, '/deposit', { where: 'direct' });
  const card = await hears(scene, scene.alice, /play money/i);
  if (name === 'web') await hears(scene, scene.alice, /^Welcome! You have 20\.00 USDC/);
  else await scene.press(scene.alice, card, card.buttons[0] ?? '');
  if (name !== 'web') await hears(scene, scene.alice, /^Done\. You now have/);
  return scene;
}

async function withdraw(scene: Scene): Promise<void> {
  const { alice } = scene;
  const address = `0x${randomBytes(20).toString('hex')}`;
  await scene.say(alice, `/withdraw 1.5 ${address}`, { where: 'direct' });
  const card = await hears(scene, alice, /^Send 1\.50 USDC on Base.* to this address\?/);
  await scene.press(alice, card, 'Send 1.50 USDC');
  const end = await hears(scene, alice, /^1\.50 USDC arrived on Base/);
  expect(end.text.toLowerCase()).toContain(address);
  await scene.say(alice, '/balance', { where: 'direct' });
  await hears(scene, alice, /^You have 18\.50 USDC/);
}

describe.concurrent.each(['web', 'discord', 'telegram'])('on %s', (name) => {
  test('what is withdrawn arrives on the chain, once; a tip is one message, whose receipt says nothing of its note', async () => {
    const scene = await openWithMoney(name);
    const { alice } = scene;
    await withdraw(scene);
    await scene.say(alice, '/tip x:jack 2 a secret');
    await hears(scene, alice, /^Sent 2\.00 USDC to @jack on X/);
    const receipt = await hears(scene, alice, /^2\.00 USDC is waiting for @jack on X/m);
    expect(receipt.links).toEqual([{ label: 'Open the receipt', url: expect.stringContaining('/receipts/') }]);
    expect(receipt.text).not.toContain('secret');
    expect((await fetch(receipt.links[0]?.url ?? '')).status).toBe(200);

    await scene.say(alice, '/tip x:jill github:joan 1 split');
    const card = await hears(scene, alice, /^Send 1\.00 USDC in all to 2 people\?/);
    await scene.press(alice, card, 'Send 1.00 USDC');
    const both = await hears(
      scene,
      alice,
      /^Waiting for @jill on X, joan on GitHub|waiting.*@jill on X, joan on GitHub/im,
    );
    expect(both.links).toHaveLength(2);
    expect(counts(scene, alice, /2\.00 USDC/)).toBe(1);
  });
});

describe.concurrent.each(['discord', 'telegram'])('on %s', (name) => {
  test('the recipient is told once, collects by a press, and has the money', async () => {
    const scene = await openWithMoney(name);
    const { alice, bob, carl } = scene;
    await scene.say(alice, '/tip @Bob 0.5', { mentioning: [bob] });
    await hears(scene, bob, /^Sent 0\.50 USDC to @?Bob/);
    await hears(scene, bob, /^0\.50 USDC is waiting for @?Bob/m);
    expect([scene.rung(alice), scene.rung(carl)]).toEqual([0, 0]);
    // Whatever they ask first, that is what they read first.
    for (const [at, command] of ['/balance', '/history', '/help'].entries()) {
      await scene.say(bob, command, { where: 'direct' });
      await eventually(async () => expect(counts(scene, bob, /^0\.50 USDC waits for you/)).toBe(at + 1), PATIENCE_MS);
    }

    await scene.say(bob, '/claim');
    const card = await hears(scene, bob, /^0\.50 USDC waits for you\./);
    expect(card.isPrivate).toBe(true);
    await scene.press(bob, card, 'Keep 0.50 USDC here');
    await hears(scene, bob, /^Done\. It arrives in your wallet here/);
    await hears(scene, alice, /Bob collected|collected .*0\.50/);
    await eventually(async () => {
      await scene.say(bob, '/balance', { where: 'direct' });
      await hears(scene, bob, /^You have 0\.50 USDC/);
    }, PATIENCE_MS);
  });
});

describe.concurrent.each(['discord', 'telegram'])('on %s', (name) => {
  test('what a giver writes is read by a press alone, until something of theirs was kept', async () => {
    const scene = await openWithMoney(name);
    const { alice, bob, carl } = scene;
    await scene.say(bob, '/balance', { where: 'direct' });
    await hears(scene, bob, /^You have/);
    await scene.say(alice, '/tip @Bob 0.5 first words', { mentioning: [bob] });
    const notice = await hears(scene, bob, /^@?Alice sent you 0\.50 USDC\./);
    expect(notice.buttons).toEqual(['Keep it', 'No thanks', 'Read the note', 'Stop hearing from them']);
    for (const person of [bob, carl]) expect(scene.everRead(person).join()).not.toContain('first words');
    await scene.press(bob, notice, 'Read the note');
    const note = await hears(scene, bob, /^@?Alice sent you 0\.50 USDC and wrote:\nfirst words/);
    expect(note.isPrivate).toBe(true);
    await scene.press(bob, notice, 'Keep it');
    await hears(scene, bob, /^Done\. It arrives in your wallet here/);
    await scene.say(alice, '/tip @Bob 0.6 second words', { mentioning: [bob] });
    await hears(scene, bob, /^@?Alice sent you 0\.60 USDC\.\n“second words”/);
  });
});

describe.concurrent.each(['discord', 'telegram'])(
  'on %s, where the bot has no right that it can do without',
  (name) => {
    test('from nothing to a tip that its recipient hears of it takes two presses, and nothing is typed twice', async () => {
      const scene = await drivers.get(name)!.open({ isPlain: true });
      scenes.push(scene);
      const { alice, bob, carl } = scene;
      await scene.say(bob, '/balance', { where: 'direct' });
      await hears(scene, bob, /^You have/);
      await scene.say(alice, '/tip @Bob 1 for lunch', { mentioning: [bob] });
      const card = await hears(scene, alice, /^You need 1\.00 USDC/);
      expect(card.isPrivate).toBe(true);
      await scene.press(alice, card, 'Add play money and send it');
      const notice = await hears(scene, bob, /^@?Alice sent you 1\.00 USDC\./);
      expect([notice.isPrivate, notice.buttons[0]]).toEqual([true, 'Keep it']);
      await hears(scene, alice, /^Sent 1\.00 USDC to @?Bob/);
      expect(scene.rung(carl)).toBe(0);
    });
  },
);

describe.concurrent.each(['web', 'discord', 'telegram'])('on %s', (name) => {
  test('a tip that is taken back is still one message, and shows no hash', async () => {
    const scene = await openWithMoney(name);
    const { alice } = scene;
    await scene.say(alice, '/tip x:joan 0.7');
    const waits = await hears(scene, alice, /^0\.70 USDC is waiting for @joan on X/m);
    await scene.press(alice, waits, 'Take it back');
    const end = await hears(
      scene,
      alice,
      /^Taken back: 0\.70 USDC for @joan on X\.|^0\.70 USDC for @joan on X came back to you\./m,
    );
    expect([end.id, counts(scene, alice, /0\.70 USDC/)]).toEqual([waits.id, 1]);
    const told = scene.everRead(alice).filter((words) => words.includes('joan'));
    for (const words of told) expect(words).not.toMatch(/[0-9a-f]{40}/i);
  });
});

test('none of the platforms refused anything that the bot asked for', () => {
  const refused = [...drivers.values()].flatMap((driver) => driver.refused());
  expect(refused.filter((one) => !isTakenAway(one))).toEqual([]);
});
