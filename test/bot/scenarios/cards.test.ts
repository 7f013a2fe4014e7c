import { expect } from 'vitest';
import type { Scene, Shown } from './drivers/chat-driver.ts';
import { expectForAlone, hears, payments, playOnAll, quiet, until, type Scenario } from './play.ts';
import type { TransportName } from './stage.ts';

const CARD_MS = 10 * 60_000;

async function askFor(scene: Scene, text: string): Promise<Shown> {
  await scene.say(scene.alice, text);
  const card = await hears(scene, scene.alice, /^Send .* in all to /);
  expectForAlone(scene, scene.alice, card);
  return card;
}

/** Each platform's words, where they would do something: a note must come out as they are. In the web chat HTML is what could. */
const NOTES: readonly [note: string, on: readonly TransportName[]][] = [
  ['**bold** __under__ ~~no~~ ||spoiler|| `code`', ['discord']],
  ['<b>bold</b> <a href="https://evil.example">a</a> &amp;', ['web', 'telegram']],
  ['[a](https://evil.example) https://evil.example/x', ['discord', 'telegram']],
  ['@everyone @here @Carl <@1> <@&2> <#3> </tip:1> <t:1:R>', ['discord', 'telegram']],
  ['https://t.me/evil_bot/app t.me/evil_bot?startapp=x', ['telegram']],
  ['> quote # heading - item \\*', ['discord']],
];

/** Some clients let any address be pressed by themselves; it leads where it says. */
const ALLOWED = ['bold', 'code', 'small', 'link'];

function withNote([note, on]: (typeof NOTES)[number]): Scenario {
  return {
    title: `a note stays text: ${note}`,
    on,
    play: async (stage, scene) => {
      const card = await askFor(scene, `/tip x:jack x:jill 1 note: ${note}`);
      expect(card.text).toContain(`With the note ${note}\n`);
      expect(card.marks.filter((mark) => !ALLOWED.includes(mark))).toEqual([]);
      await scene.press(scene.alice, card, 'Send 2.00 USDC');
      await until(() => expect(payments(stage)).toMatchObject([{ body: { description: note } }]));
      await quiet(stage);
      expect(scene.rung(scene.carl)).toBe(0);
    },
  };
}

const scenarios: readonly Scenario[] = [
  ...NOTES.map(withNote),
  {
    title: 'several people: nothing is sent before the total was agreed to',
    play: async (stage, scene) => {
      const card = await askFor(scene, '/tip x:jack github:jill 1 each thanks');
      expect(card.text).toMatch(/^Send 2\.00 USDC in all to 2 people\?\nWith the note thanks\n/);
      expect(card.text).toContain('@jack on X: 1.00 USDC\njill on GitHub: 1.00 USDC');
      expect(card.buttons).toEqual(['Send 2.00 USDC', 'Cancel']);
      await quiet(stage);
      expect(stage.api.seen).toEqual([]);

      await scene.press(scene.alice, card, 'Send 2.00 USDC');
      const end = await hears(scene, scene.alice, /^Sent 2\.00 USDC to 2 people/);
      expect(end.links.map(({ label }) => label)).toEqual(['@jack on X', 'jill on GitHub']);
      const receivers = [
        { platform: 'x', receiver: 'jack', amount: '1' },
        { platform: 'code', receiver: 'jill', amount: '1' },
      ];
      expect(payments(stage)).toEqual([{ path: '/payments/batch-pay', body: { receivers, description: 'thanks' } }]);
      await until(() => expect(scene.shown(scene.alice).flatMap(({ buttons }) => buttons)).toEqual([]));
    },
  },
  {
    title: 'a split is shown with what each one gets, to the last micro-USDC',
    on: ['telegram'],
    play: async (stage, scene) => {
      const card = await askFor(scene, '/tip x:jack x:jill x:joan 1 split');
      expect(card.text).toContain('@jack on X: 0.333334 USDC\n@jill on X: 0.333333 USDC\n@joan on X: 0.333333 USDC');
      await scene.press(scene.alice, card, 'Send 1.00 USDC');
      await hears(scene, scene.alice, /^Sent 1\.00 USDC to 3 people/);
      const amounts = ['0.333334', '0.333333', '0.333333'];
      expect(payments(stage)).toMatchObject([{ body: { receivers: amounts.map((amount) => ({ amount })) } }]);
    },
  },
  {
    title: 'members of the place and names elsewhere go together',
    needs: ['mentions'],
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await scene.say(alice, '/tip @Bob @Carl x:jack 3 split', { mentioning: [bob, carl] });
      const card = await hears(scene, alice, /^Send 3\.00 USDC in all to 3 people\?/);
      await scene.press(alice, card, 'Send 3.00 USDC');
      await until(() => expect(payments(stage)).toHaveLength(1));
      const receivers = [bob.id, carl.id, 'jack'].map((receiver) => ({ receiver, amount: '1' }));
      expect(payments(stage)).toMatchObject([{ body: { receivers } }]);
    },
  },
  {
    title: 'cancelled, nothing was charged, and its buttons are gone',
    on: ['web', 'discord'],
    play: async (stage, scene) => {
      const card = await askFor(scene, '/tip x:jack x:jill 1');
      await scene.press(scene.alice, card, 'Cancel');
      await hears(scene, scene.alice, /^Cancelled\. Nothing was charged\.$/);
      await scene.press(scene.alice, card, 'Send 2.00 USDC', { forged: true });
      await quiet(stage);
      expect(stage.api.seen).toEqual([]);
    },
  },
  {
    title: 'pressed twice at once it is paid once',
    on: ['web', 'discord'],
    play: async (stage, scene) => {
      const card = await askFor(scene, '/tip x:jack x:jill 1');
      const [press] = await Promise.all([
        scene.press(scene.alice, card, 'Send 2.00 USDC'),
        scene.press(scene.alice, card, 'Send 2.00 USDC', { forged: true }),
      ]);
      await press.again();
      await hears(scene, scene.alice, /^Sent 2\.00 USDC to 2 people/);
      await quiet(stage);
      expect(payments(stage)).toHaveLength(1);
      expect(stage.api.headers()).toHaveLength(1);
    },
  },
  {
    title: 'a stranger who presses pays nobody, and is told so alone',
    on: ['web', 'discord'],
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      const card = await askFor(scene, '/tip x:jack x:jill 1');
      await scene.press(bob, card, 'Send 2.00 USDC', { forged: true });
      const refusal = await hears(scene, bob, /^Only whoever asked for this can press it\./);
      expect(refusal.examples).toEqual(['/tip @x:alice 1']);
      expectForAlone(scene, bob, refusal);
      await quiet(stage);
      expect(stage.api.seen).toEqual([]);
      // The payer still can.
      await scene.press(alice, card, 'Send 2.00 USDC');
      await hears(scene, alice, /^Sent 2\.00 USDC to 2 people/);
    },
  },
  {
    title: 'an expired card sends nothing, and brings its command to type again',
    on: ['telegram'],
    play: async (stage, scene) => {
      const card = await askFor(scene, '/tip x:jack x:jill 1 each for lunch');
      stage.clock().pass(CARD_MS + 1);
      await scene.press(scene.alice, card, 'Send 2.00 USDC');
      const end = await hears(scene, scene.alice, /^You did not confirm within 10 minutes, so nothing was sent\./);
      expect(end.examples).toEqual(['/tip x:jack x:jill 1 each for lunch']);
      expectForAlone(scene, scene.alice, end);
      expect(stage.api.seen).toEqual([]);
      await scene.say(scene.alice, end.examples[0] ?? '');
      await hears(scene, scene.alice, /^Send 2\.00 USDC in all to 2 people\?/);
    },
  },
  {
    title: 'a card that nobody presses ends by itself',
    on: ['discord'],
    play: async (stage, scene) => {
      await askFor(scene, '/tip x:jack x:jill 1');
      stage.clock().pass(CARD_MS + 1);
      await stage.resume();
      const end = await hears(scene, scene.alice, /^You did not confirm within 10 minutes/);
      expect(end.buttons).toEqual([]);
    },
  },
  {
    title: 'between card and press the bot may start anew',
    on: ['web', 'discord'],
    play: async (stage, scene) => {
      const card = await askFor(scene, '/tip x:jack x:jill 1');
      await stage.restart();
      await scene.press(scene.alice, card, 'Send 2.00 USDC');
      await hears(scene, scene.alice, /^Sent 2\.00 USDC to 2 people/);
      expect(payments(stage)).toHaveLength(1);
    },
  },
];

playOnAll(scenarios);
