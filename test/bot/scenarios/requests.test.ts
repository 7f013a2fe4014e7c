import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { markUndone } from '../../../db/tips/orders.ts';
import type { Person, Scene, Shown } from './drivers/chat-driver.ts';
import type { Stage } from './stage.ts';
import { expectForAlone, hears, payments, playOnAll, quiet, until, type Scenario } from './play.ts';

const DAY_MS = 24 * 3_600_000;
const NEEDS = ['groups', 'mentions'] as const;

/** Both are seen in the place, and this one may be asked. */
async function allow(scene: Scene, person: Person, text = '/request on'): Promise<void> {
  await scene.say(person, text);
  expectForAlone(scene, person, await hears(scene, person, /may ask you for money now/));
}

async function ask(scene: Scene, text = '/request @Bob 5 lunch'): Promise<Shown> {
  await scene.say(scene.alice, text, { mentioning: [scene.bob] });
  return hears(scene, scene.bob, /asks you for 5\.00 USDC/);
}

async function refused(scene: Scene, text: string, answer: RegExp): Promise<void> {
  await scene.say(scene.alice, text, { mentioning: [scene.bob] });
  expectForAlone(scene, scene.alice, await hears(scene, scene.alice, answer));
}

/** The user of the bot. */
const userOf = ({ name }: Pick<Stage, 'name'>, { id }: Person): string => `${name}:${id}`;

async function undo(stage: Stage, scene: Scene): Promise<void> {
  const { store, clock } = stage;
  const { orders } = store.tables;
  const [order] = await store.read
    .select()
    .from(orders)
    .where(eq(orders.userId, userOf(stage, scene.bob)));
  if (!order) throw new Error('there is no order');
  expect(await markUndone(store, order.id, [order.txnId ?? 0], clock().now())).toBe(true);
}

const scenarios: readonly Scenario[] = [
  {
    title: 'a request is one message that rings the asked person once, and their press pays it once',
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await allow(scene, bob);
      stage.driver.deliverTimes(3);
      const rung = scene.rung(bob);
      const card = await ask(scene);
      expect(card.text).toContain('“lunch”');
      expect(card.buttons).toEqual(['Pay 5.00 USDC', 'Decline', 'Never from them']);
      expect(card.isPrivate).toBe(false);
      expect(scene.shown(carl).filter(({ text }) => /asks you for/.test(text))).toHaveLength(1);
      // An answer of Discord's rings nobody when it is filled.
      expect(scene.rung(bob)).toBe(rung + (stage.name === 'discord' ? 0 : 1));

      await scene.press(bob, card, 'Pay 5.00 USDC');
      await scene.press(bob, card, 'Pay 5.00 USDC', { forged: true });
      await hears(scene, carl, /sent 5\.00 USDC to .* It hasn’t arrived yet\./);
      await quiet(stage);
      expect(payments(stage)).toEqual([
        { path: `/payments/${stage.name}/pay`, body: { receiver: alice.id, amount: '5', description: 'lunch' } },
      ]);
      expect(scene.shown(bob).flatMap(({ buttons }) => buttons)).not.toContain('Pay 5.00 USDC');
    },
  },
  {
    title: 'what was sent and taken back before it arrived was not paid',
    on: ['telegram'],
    needs: NEEDS,
    play: async (stage, scene) => {
      await allow(scene, scene.bob);
      const card = await ask(scene);
      await scene.press(scene.bob, card, 'Pay 5.00 USDC');
      await hears(scene, scene.carl, /sent 5\.00 USDC to .* It hasn’t arrived yet\./);
      await undo(stage, scene);
      stage.clock().pass(61_000);
      await stage.resume();
      await hears(scene, scene.carl, /asked .* for 5\.00 USDC\. It was not paid\./);
    },
  },
  {
    title: 'a person who has blocked another under one of their names is not asked by them',
    on: ['discord'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      const { tables, tx } = stage.store;
      await allow(scene, bob);
      const holderId = userOf(stage, bob);
      const holder = { holderId, walletId: `held by ${holderId}`, identityId: `name of ${holderId}`, name: 'x:bob' };
      const since = { sinceMs: stage.clock().now(), spendsFromMs: 0, looksFromMs: 0 };
      const block = { identityId: holder.identityId, payer: userOf(stage, alice), createdAtMs: 1 };
      await tx(async (db) => {
        await db.insert(tables.walletHolders).values({ ...holder, ...since });
        await db.insert(tables.blockedPayers).values(block);
      });
      await refused(scene, '/request @Bob 5', /^This person can’t be asked by you\./);
    },
  },
  {
    title: 'nobody but the asked person pays a request, and a declined one is over',
    on: ['discord'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await allow(scene, bob);
      const card = await ask(scene);
      for (const other of [alice, carl]) {
        await scene.press(other, card, 'Pay 5.00 USDC', { forged: true });
        await hears(scene, other, /^Only the person who is asked can press that\./);
      }
      await scene.press(bob, card, 'Decline');
      await hears(scene, alice, /Not this time\./);
      await scene.press(bob, card, 'Pay 5.00 USDC', { forged: true });
      await hears(scene, bob, /^That button/);
      await quiet(stage);
      expect(payments(stage)).toEqual([]);
    },
  },
  {
    title: 'a person who wants no requests from another gets none, and the other is not told why',
    on: ['telegram'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      await refused(scene, '/request @Bob 5', /^(?:I can ask only|This person can’t be asked)/);
      await allow(scene, bob);
      const card = await ask(scene);
      await scene.press(bob, card, 'Never from them');
      expectForAlone(scene, bob, await hears(scene, bob, /^Done\. They can’t ask you/));
      await hears(scene, alice, /Not this time\./);
      await allow(scene, bob);
      await refused(scene, '/request @Bob 5', /^This person can’t be asked by you\./);
      await scene.say(bob, '/request on @Alice', { mentioning: [alice] });
      await hears(scene, bob, /^@?Alice may ask you/);
      await ask(scene);
      expect(payments(stage)).toEqual([]);
    },
  },
  {
    title: 'a bot that stops between the press and the payment pays once after its next start',
    on: ['discord'],
    needs: NEEDS,
    play: async (stage, scene) => {
      await allow(scene, scene.bob);
      const card = await ask(scene);
      stage.api.script((request) => ({ do: request.header ? 'hang' : 'challenge' }));
      await scene.press(scene.bob, card, 'Pay 5.00 USDC');
      await until(() => expect(stage.api.headers()).toHaveLength(1));
      const stopped = stage.restart();
      stage.api.script((request) => ({ do: request.header ? 'paid' : 'challenge' }));
      await stopped;
      await stage.resume();
      await hears(scene, scene.bob, /^Sent 5\.00 USDC/);
      stage.clock().pass(61_000);
      await stage.resume();
      await hears(scene, scene.carl, /sent 5\.00 USDC to .* It hasn’t arrived yet\./);
      expect(stage.api.headers()).toHaveLength(1);
      expect(payments(stage)).toHaveLength(1);
    },
  },
  {
    title: 'a bill is one message: each pays their own part of it once, and nobody else does',
    on: ['telegram'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await allow(scene, bob);
      await scene.say(carl, '/request on');
      await hears(scene, carl, /may ask you for money now/);
      stage.driver.deliverTimes(3);
      await scene.say(alice, '/request @Bob @Carl @Alice 12 split pizza', { mentioning: [bob, carl, alice] });
      const card = await hears(scene, bob, /asks for 8\.00 USDC in all:/);
      expect(card.text).toMatch(/: 4\.00 USDC · open\n@?\w+: 4\.00 USDC · open/);
      expect(card.buttons).toEqual(['Pay my part', 'Decline', 'Never from them']);
      await scene.press(alice, card, 'Pay my part', { forged: true });
      await hears(scene, alice, /^Only the person who is asked can press that\./);
      await scene.press(carl, card, 'Decline');
      await hears(scene, bob, /Carl: 4\.00 USDC · not this time/);
      await scene.press(bob, card, 'Pay my part');
      await scene.press(bob, card, 'Pay my part', { forged: true });
      await hears(scene, carl, /Bob: 4\.00 USDC · sent, on its way/);
      await quiet(stage);
      const body = { receiver: alice.id, amount: '4', description: 'pizza' };
      expect(payments(stage)).toEqual([{ path: `/payments/${stage.name}/pay`, body }]);
    },
  },
  {
    title: 'a request ends by itself, and a late press pays nothing',
    on: ['telegram'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      await allow(scene, bob);
      const card = await ask(scene);
      const rung = scene.rung(bob);
      stage.clock().pass(8 * DAY_MS);
      await scene.press(bob, card, 'Pay 5.00 USDC');
      await hears(scene, bob, /^That button/);
      await stage.resume();
      await hears(scene, alice, /Nobody answered in time\./);
      expect(scene.rung(bob)).toBe(rung);
      expect(payments(stage)).toEqual([]);
    },
  },
  {
    title: 'a fourth open request, a link and a number are refused',
    on: ['discord'],
    needs: NEEDS,
    play: async (stage, scene) => {
      await allow(scene, scene.bob);
      await refused(scene, '/request @Bob 5 see evil.example', /^In a few words, please/);
      for (const amount of [1, 2, 3]) {
        await scene.say(scene.alice, `/request @Bob ${amount}`, { mentioning: [scene.bob] });
        await hears(scene, scene.bob, new RegExp(`asks you for ${amount}\\.00 USDC`));
      }
      await refused(scene, '/request @Bob 4', /^3 of your requests are still open\./);
      await quiet(stage);
      expect(payments(stage)).toEqual([]);
    },
  },
  {
    title: 'alone with the bot nobody can be asked',
    needs: ['freeText'],
    play: async (stage, scene) => {
      await scene.say(scene.alice, '/request x:bob 5', { where: 'direct' });
      await hears(scene, scene.alice, /^Ask in the group where you both are/);
      expect(payments(stage)).toEqual([]);
    },
  },
];

playOnAll(scenarios);
