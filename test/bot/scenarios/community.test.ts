import { expect } from 'vitest';
import type { Person, SayOptions, Scene, Shown } from './drivers/chat-driver.ts';
import { expectForAlone, hears, payments, playOnAll, quiet, until, type Scenario } from './play.ts';
import type { Stage, TransportName } from './stage.ts';

/** What a place's owner and moderators decide, and are told alone. */
async function decide(
  scene: Scene,
  text: string,
  { answer = /^Done\. From now on:/, ...options }: SayOptions & { answer?: RegExp } = {},
): Promise<Shown> {
  const { moderator } = scene;
  if (moderator === null) throw new Error('nobody runs this place');
  await scene.say(moderator, `/settings ${text}`, options);
  const shown = await hears(scene, moderator, answer);
  expectForAlone(scene, moderator, shown);
  return shown;
}

/** A tip that the decision forbids: refused to its sender alone, and nobody else sees anything of it. */
async function refused(stage: Stage, scene: Scene, text: string, answer: RegExp): Promise<Shown> {
  await scene.say(scene.alice, text);
  const shown = await hears(scene, scene.alice, answer);
  expect(shown.text.length).toBeLessThan(300);
  expectForAlone(scene, scene.alice, shown);
  await quiet(stage);
  await until(() => expect(scene.shown(scene.bob)).toEqual([]));
  expect(payments(stage)).toEqual([]);
  return shown;
}

const paid = (scene: Scene, person: Person): Promise<Shown> => hears(scene, person, /^Sent /);

/** Decisions that leave a command which is allowed. */
const LIMITS: readonly [setting: string, text: string, answer: RegExp, example: string, on: TransportName][] = [
  ['min 2', '/tip x:jack 1', /^Here a tip is at least 2\.00 USDC/, '/tip x:jack 2', 'discord'],
  ['max 0.5', '/tip x:jack 1 thanks', /^Here a tip is at most 0\.50 USDC/, '/tip x:jack 0.5 thanks', 'telegram'],
  ['notes off', '/tip x:jack 1 thanks', /^Tips go without a note here/, '/tip x:jack 1', 'discord'],
];

function withLimit([setting, text, answer, example, on]: (typeof LIMITS)[number]): Scenario {
  return {
    title: `/settings ${setting}: what is not allowed is told to its sender alone, with what is`,
    on: [on],
    needs: ['groups'],
    play: async (stage, scene) => {
      await decide(scene, setting);
      const shown = await refused(stage, scene, text, answer);
      expect(shown.examples[0]).toBe(example);
      await scene.say(scene.alice, shown.examples[0] ?? '');
      await paid(scene, scene.alice);
    },
  };
}

const scenarios: readonly Scenario[] = [
  ...LIMITS.map(withLimit),
  {
    title: 'a banned person tips nobody there, and everywhere else as before',
    needs: ['groups', 'mentions'],
    play: async (stage, scene) => {
      const { alice } = scene;
      await decide(scene, 'ban @Alice', { mentioning: [alice], answer: /can’t tip here any more/ });
      await refused(stage, scene, '/tip x:jack 1', /^The moderators here don’t let you tip\./);
      await scene.say(alice, '/tip x:jack 2', { where: 'direct' });
      await hears(scene, alice, /^Sent 2\.00 USDC/);
      await decide(scene, 'unban @Alice', { mentioning: [alice], answer: /can tip here again/ });
      await scene.say(alice, '/tip x:jack 1');
      await hears(scene, alice, /^Sent 1\.00 USDC/);
    },
  },
  {
    title: 'where tips do not belong they are refused with the name of the place where they do',
    needs: ['groups'],
    play: async (stage, scene) => {
      await decide(scene, 'channels add', { where: 'elsewhere' });
      await refused(stage, scene, '/tip x:jack 1', /^Tips are not for this place\. Here they belong in /);
      await scene.say(scene.alice, '/tip x:jack 1', { where: 'elsewhere' });
      await paid(scene, scene.alice);
    },
  },
  {
    title: 'a member who has just tipped waits for the next one',
    on: ['telegram'],
    needs: ['groups'],
    play: async (stage, scene) => {
      await decide(scene, 'cooldown 30s');
      await scene.say(scene.alice, '/tip x:jack 1');
      await paid(scene, scene.bob);
      await scene.say(scene.alice, '/tip x:jack 2');
      const shown = await hears(scene, scene.alice, /^Here some time passes between two tips\./);
      expectForAlone(scene, scene.alice, shown);
      expect(payments(stage)).toHaveLength(1);
      stage.clock().pass(31_000);
      await scene.say(scene.alice, '/tip x:jack 3');
      await hears(scene, scene.alice, /^Sent 3\.00 USDC/);
    },
  },
  {
    title: 'a decision that comes between card and press counts',
    on: ['discord'],
    needs: ['groups', 'mentions'],
    play: async (stage, scene) => {
      const { alice } = scene;
      await scene.say(alice, '/tip x:jack x:jill 1');
      const card = await hears(scene, alice, /^Send 2\.00 USDC in all/);
      await decide(scene, 'ban @Alice', { mentioning: [alice], answer: /can’t tip here any more/ });
      await scene.press(alice, card, 'Send 2.00 USDC');
      await hears(scene, alice, /^The moderators here don’t let you tip\./);
      await quiet(stage);
      expect(payments(stage)).toEqual([]);
    },
  },
  {
    title: 'what holds is read by those who run the place, with how to change it',
    on: ['telegram'],
    needs: ['groups'],
    play: async (_stage, scene) => {
      const { moderator } = scene;
      if (moderator === null) throw new Error('nobody runs this place');
      await decide(scene, 'min 0.5');
      await scene.say(moderator, '/settings');
      const card = await hears(scene, moderator, /^What holds for tips here/);
      expect(card.text).toContain('At least: 0.50 USDC');
      expect(card.examples).toContain('/settings cooldown 30s');
      expectForAlone(scene, moderator, card);
    },
  },
  {
    title: 'a plain member changes nothing, where the client offers it at all',
    needs: ['groups', 'freeText'],
    play: async (stage, scene) => {
      await scene.say(scene.bob, '/settings max 0.01');
      const shown = await hears(scene, scene.bob, /^Only those who moderate here can do that\./);
      expectForAlone(scene, scene.bob, shown);
      await scene.say(scene.alice, '/tip x:jack 1');
      await paid(scene, scene.alice);
      expect(payments(stage)).toHaveLength(1);
    },
  },
];

playOnAll(scenarios);
