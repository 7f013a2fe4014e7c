/** What a community manager found wrong when they met the bot: each finding on every transport that it concerns. */
import { expect } from 'vitest';
import type { Person } from './drivers/chat-driver.ts';
import {
  asked,
  expectNothingPaid,
  finding,
  expectForAlone,
  hears,
  payments,
  playOnAll,
  quiet,
  until,
  type Scenario,
} from './play.ts';

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Each of these is paid at once, as meant. */
const readsAs = (title: string, lines: readonly [text: string, receiver: string, amount: string][]): Scenario => ({
  title,
  needs: lines.some(([text]) => /^\/tip (?:\S+ )?to /.test(text)) ? ['freeText'] : [],
  play: async (stage, scene) => {
    for (const [text] of lines) await scene.say(scene.alice, text, { where: 'direct' });
    await until(() => expect(payments(stage)).toHaveLength(lines.length));
    const paid = payments(stage).map(({ body }) => body);
    for (const [, receiver, amount] of lines) expect(paid).toContainEqual({ receiver, amount });
    await quiet(stage);
  },
});

/** Where handles are in use, people are written by them. */
const handleOf = ({ handle, name }: Person): string => {
  if (handle === undefined) throw new Error(`${name} has no handle here`);
  return handle;
};

const F1: readonly Scenario[] = [
  {
    title: 'a member who was seen is paid by id; a bot, a channel and a stranger are paid nothing',
    needs: ['bareNames'],
    hasHandles: true,
    play: async (stage, scene) => {
      const { alice, bob, carl, robot } = scene;
      await scene.say(bob, '/help');
      await hears(scene, bob, /^You have|^Send 0\.01/);
      await scene.say(alice, `/tip @${handleOf(bob)} 0.25`);
      await hears(scene, carl, /^Sent 0\.25 USDC to @?Bob/);
      const body = { receiver: bob.id, amount: '0.25' };
      expect(payments(stage)).toEqual([{ path: `/payments/${stage.name}/pay`, body }]);
      stage.reset();
      for (const name of [robot === null ? 'robot' : handleOf(robot), 'some_channel', handleOf(carl)]) {
        await scene.say(alice, `/tip @${name} 1`);
        await hears(scene, alice, new RegExp(`@${name}\\b.*nothing was sent|bots can’t collect money`));
      }
      await expectNothingPaid(stage);
    },
  },
  {
    title: 'elsewhere a bare name is asked about',
    on: ['web', 'discord'],
    play: async (stage, scene) => {
      const card = await asked(scene, '/tip anna 0.25', /^Which "anna"\?/);
      expect(card.examples[0]).toBe('/tip x:anna 0.25');
      await expectNothingPaid(stage);
    },
  },
];

const F2: readonly Scenario[] = [
  {
    title:
      'leave at most one message each, none of them a placeholder, and a mistake and a ban are answered all the same',
    needs: ['groups', 'mentions'],
    play: async (stage, scene) => {
      const { alice, bob, carl, moderator } = scene;
      if (moderator === null) throw new Error('nobody runs this place');
      const givers = [alice, carl, moderator];
      await Promise.all(
        givers.flatMap((giver, at) => [1, 2].map((turn) => scene.say(giver, `/tip x:jack${at}${turn} 0.1`))),
      );
      await scene.say(alice, '/tip x:jack 11');
      expectForAlone(scene, alice, await hears(scene, alice, /too much at once/));
      await scene.say(moderator, '/settings ban @Bob', { mentioning: [bob] });
      expectForAlone(scene, moderator, await hears(scene, moderator, /can’t tip here any more/));
      await until(() => expect(payments(stage)).toHaveLength(6));
      await quiet(stage);
      expect(scene.shown(bob).length).toBeLessThanOrEqual(6);
      for (const words of scene.everRead(bob)) expect(words).not.toContain('⏳');
      for (const { text } of scene.shown(bob)) expect(text).toMatch(/^Sent |tips from/);
    },
  },
];

const F7: readonly Scenario[] = [
  readsAs('is a tip for its author', [
    ['/tip https://x.com/alice/status/1234567890 0.5', 'alice', '0.5'],
    ['/tip https://farcaster.xyz/bert/0x1a2b3c4d 0.6', 'bert', '0.6'],
  ]),
  {
    title: 'or to a platform pays neither it nor anybody, and never suggests it',
    play: async (stage, scene) => {
      for (const name of ['x.com', 'github.com', 'https://github.com/octo/hello/pull/3', 't.me']) {
        const before = scene.shown(scene.alice).length;
        await scene.say(scene.alice, `/tip ${name} 1`, { where: 'direct' });
        const answer = await until(() => {
          const [found] = scene.shown(scene.alice).slice(before);
          if (!found || !/site itself|who wrote it|person/.test(found.text)) throw new Error(`no answer to ${name}`);
          return found;
        });
        for (const example of answer.examples) expect(example).not.toMatch(/ (?:x|github)\.com | t\.me /);
      }
      await expectNothingPaid(stage);
    },
  },
];

const F8: readonly Scenario[] = [
  {
    title: 'is asked about, and no name and no sum becomes a note in silence',
    needs: ['freeText'],
    play: async (stage, scene) => {
      for (const [text, first] of [
        ['/tip x:alice 1 github:bob 2', /x:alice 1/],
        ['/tip x:alice 1 5', /x:alice/],
      ] as const) {
        const card = await asked(scene, text, /^Is that one tip or two\?|^Which|^Is /);
        expect(card.examples[0]).toMatch(first);
      }
      await expectNothingPaid(stage);
    },
  },
];

const F9: readonly Scenario[] = [
  readsAs('is read, where fields are filled in', [
    ['/tip x:alice 5$', 'alice', '5'],
    ['/tip x:bert five', 'bert', '5'],
    ['/tip "x:carla" 0.5', 'carla', '0.5'],
    ['/tip x:dan 5️⃣', 'dan', '5'],
  ]),
  readsAs('is read, in the order in which it is said', [
    ['/tip 5$ to @x:alice', 'alice', '5'],
    ['/tip 4 to @x:bert', 'bert', '4'],
    ['/tip x:carla one dollar', 'carla', '1'],
    ['/tip five to x:dan', 'dan', '5'],
  ]),
  {
    title: 'is read for several',
    play: async (_stage, scene) => {
      await asked(scene, '/tip x:ada,x:ben 1', /^Send 2\.00 USDC in all to 2 people\?/);
      await asked(scene, '/tip x:cora x:dave 3 split', /^Send 3\.00 USDC in all to 2 people\?/);
    },
  },
  {
    title: 'but is no tip has the true reason',
    play: async (stage, scene) => {
      await asked(scene, `/tip ${WALLET} 5`, /^That is a wallet address\./);
      await asked(scene, '/tip +4915112345678 5', /^I can’t pay a phone number\./);
      await expectNothingPaid(stage);
    },
  },
  {
    title: 'under another verb is asked about in the person’s own words',
    needs: ['freeText'],
    play: async (stage, scene) => {
      for (const [text, own] of [
        ['send 5 to x:alice', '/tip 5 to x:alice'],
        ['give x:bert 4', '/tip x:bert 4'],
        ['/tpi x:carla 3', '/tip x:carla 3'],
      ] as const) {
        await scene.say(scene.alice, text, { where: 'direct' });
        await until(() => expect(scene.shown(scene.alice).at(-1)?.examples[0]).toBe(own));
      }
      await expectNothingPaid(stage);
    },
  },
];

playOnAll([
  ...finding(1, 'a name in the group becomes the person who bears it, before anything is paid', F1),
  ...finding(2, 'many tips at once', F2),
  ...finding(7, 'a link to a post', F7),
  ...finding(8, 'what could be two payments', F8),
  ...finding(9, 'what a person reads at once', F9),
]);
