import { expect } from 'vitest';
import { forgetPeople } from '../../../db/communities/community-people.ts';
import type { Scene } from './drivers/chat-driver.ts';
import { hears, payments, playOnAll, quiet, until, type Scenario } from './play.ts';
import type { Stage } from './stage.ts';

async function orders(stage: Stage) {
  return stage.store.read.select().from(stage.store.tables.orders);
}

const answersWith = (scene: Scene, text: RegExp) =>
  scene.shown(scene.alice).filter((message) => text.test(message.text));

/** The bot does not live to hear the answer to this tip, and the next one shows how it ended. */
async function startAnewWhilePaying(
  stage: Stage,
  tip: () => Promise<unknown>,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  stage.api.script((request) => ({ do: request.header ? 'hang' : 'challenge' }));
  await tip();
  await until(() => expect(stage.api.headers()).toHaveLength(1));
  await meanwhile();
  const stopped = stage.restart();
  stage.api.script((request) => ({ do: request.header ? 'paid' : 'challenge' }));
  await stopped;
  await stage.resume();
}

const scenarios: readonly Scenario[] = [
  {
    title: 'a tip that is delivered three times is one order and one answer',
    play: async (stage, scene) => {
      const before = (await orders(stage)).length;
      stage.driver.deliverTimes(3);
      const said = await scene.say(scene.alice, '/tip x:jack 1');
      await hears(scene, scene.alice, /^Sent 1\.00 USDC to @jack on X/);
      await said.again();
      await quiet(stage);
      expect((await orders(stage)).length - before).toBe(1);
      expect(payments(stage)).toHaveLength(1);
      expect(stage.api.headers()).toHaveLength(1);
      expect(scene.shown(scene.alice)).toHaveLength(1);
    },
  },
  {
    title: 'a mistake that is delivered three times is reported once',
    on: ['web'],
    play: async (stage, scene) => {
      stage.driver.deliverTimes(3);
      const said = await scene.say(scene.alice, '/tip x:jack 11');
      await hears(scene, scene.alice, /too much at once/);
      await said.again();
      await quiet(stage);
      await until(() => expect(answersWith(scene, /too much/)).toHaveLength(1));
      expect(scene.shown(scene.alice)).toHaveLength(1);
    },
  },
  {
    title: 'a correction that is pressed twice, and delivered three times each, is one payment',
    on: ['telegram'],
    needs: ['groups'],
    play: async (stage, scene) => {
      stage.driver.deliverTimes(3);
      await scene.say(scene.alice, '/tip x:jack 0');
      const shown = await hears(scene, scene.alice, /too little/);
      const [label = ''] = shown.buttons;
      expect(label).toBe('/tip x:jack 0.01');
      await scene.press(scene.alice, shown, label);
      const card = await hears(scene, scene.alice, /^Send 0\.01 USDC to @jack on X/);
      await scene.press(scene.alice, card, card.buttons[0] ?? '');
      await hears(scene, scene.alice, /^Sent 0\.01 USDC to @jack on X/);
      await scene.press(scene.alice, shown, label);
      await quiet(stage);
      expect(payments(stage)).toHaveLength(1);
    },
  },
  {
    title: 'a card and its press that are each delivered three times are one payment',
    play: async (stage, scene) => {
      stage.driver.deliverTimes(3);
      await scene.say(scene.alice, '/tip x:jack x:jill 1');
      const card = await hears(scene, scene.alice, /^Send 2\.00 USDC in all/);
      await scene.press(scene.alice, card, 'Send 2.00 USDC');
      await hears(scene, scene.alice, /^Sent 2\.00 USDC to 2 people/);
      await quiet(stage);
      expect(payments(stage)).toHaveLength(1);
      expect(answersWith(scene, /^Sent 2\.00/)).toHaveLength(1);
    },
  },
  {
    title: 'a tip whose answer the bot did not live to hear ends after its next start, paid once',
    play: async (stage, scene) => {
      stage.api.script((request) => ({ do: request.header ? 'hang' : 'challenge' }));
      await scene.say(scene.alice, '/tip x:jack 1');
      await until(() => expect(stage.api.headers()).toHaveLength(1));
      const stopped = stage.restart();
      stage.api.script((request) => ({ do: request.header ? 'paid' : 'challenge' }));
      await stopped;
      await stage.resume();
      await hears(scene, scene.alice, /^Sent 1\.00 USDC to @jack on X/);
      expect(stage.api.headers()).toHaveLength(1);
      expect(scene.shown(scene.alice)).toHaveLength(1);
    },
  },
  {
    title: 'whom a mention tipped is shown by name after the next start too',
    needs: ['groups', 'mentions'],
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await startAnewWhilePaying(stage, () => scene.say(alice, '/tip @Bob 1', { mentioning: [bob] }));
      const shown = await hears(scene, carl, /^Sent 1\.00 USDC to @?Bob\.$/);
      expect(shown.marks).toContain('mention');
    },
  },
  {
    title: 'whom a name that the group knows tipped is shown as the group calls them after the next start too',
    needs: ['groups', 'bareNames'],
    hasHandles: true,
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await scene.say(bob, '/help');
      await hears(scene, bob, /^You have|^Send 0\.01/);
      await startAnewWhilePaying(stage, () => scene.say(alice, `/tip @${bob.handle} 1`));
      await hears(scene, carl, /^Sent 1\.00 USDC to @?Bob\.$/);
    },
  },
  {
    // Elsewhere the client has the name.
    title: 'whom a mention tipped in private is shown by name after the next start too, also on a button',
    on: ['telegram'],
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      const where = 'direct';
      await startAnewWhilePaying(stage, () => scene.say(alice, '/tip @Bob 1', { where, mentioning: [bob] }));
      await hears(scene, alice, /^Sent 1\.00 USDC to Bob\.$/);
      await stage.restart();
      await scene.say(alice, '/history', { where });
      const history = await hears(scene, alice, /1\. 1\.00 USDC to Bob/);
      expect(history.links.map(({ label }) => label)).toContain('1. Bob');
    },
  },
  {
    title: 'whom a group knows is shown by name in the private chat of its members after the next start too',
    on: ['telegram'],
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      await scene.say(alice, '/tip @Bob 1', { mentioning: [bob] });
      await hears(scene, alice, /^Sent 1\.00 USDC to @?Bob\.$/);
      await stage.restart();
      await scene.say(alice, '/history', { where: 'direct' });
      await hears(scene, alice, /1\. 1\.00 USDC to Bob/);
    },
  },
  {
    // Elsewhere the client has the name.
    title: 'a name that has lapsed by then leaves no number to read',
    on: ['telegram'],
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      const lapse = () => forgetPeople(stage.store, Number.MAX_SAFE_INTEGER, 1_000);
      await startAnewWhilePaying(stage, () => scene.say(alice, '/tip @Bob 1', { mentioning: [bob] }), lapse);
      const shown = await hears(scene, carl, /^Sent 1\.00 USDC to someone on Telegram\.$/);
      expect(shown.marks).toContain('mention');
    },
  },
  {
    title: 'what was answered before a start is not answered again when it is delivered after it',
    play: async (stage, scene) => {
      const said = await scene.say(scene.alice, '/tip x:jack 1');
      await hears(scene, scene.alice, /^Sent 1\.00 USDC to @jack on X/);
      await stage.restart();
      await said.again();
      await scene.say(scene.alice, '/balance');
      await hears(scene, scene.alice, /^You have/);
      await quiet(stage);
      expect(payments(stage)).toHaveLength(1);
      expect(answersWith(scene, /^Sent/)).toHaveLength(1);
    },
  },
  {
    title: 'a name that does not exist is told once, and nothing was charged',
    on: ['web'],
    play: async (stage, scene) => {
      stage.api.script(() => ({ do: 'answer', status: 400, json: { code: 400, error: 'receiver_not_found' } }));
      await scene.say(scene.alice, '/tip x:nobody 1');
      await hears(scene, scene.alice, /^I couldn’t find @nobody on X\..* Nothing was charged\./);
      expect(payments(stage)).toEqual([]);
    },
  },
];

playOnAll(scenarios);
