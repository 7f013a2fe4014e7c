/** The smaller of what a community manager found wrong, and what help names in a group. */
import { expect } from 'vitest';
import { usdc } from '../harness.ts';
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

const OWN_ADDRESS = `0x${'cd'.repeat(20)}`;

const F10: readonly Scenario[] = [
  {
    title: 'keeps the sum and the note',
    on: ['telegram'],
    play: async (stage, scene) => {
      const card = await asked(scene, '/tip alice 5 for lunch', /^Which "alice"\?/);
      expect(card.examples[0]).toBe('/tip x:alice 5 for lunch');
      await expectNothingPaid(stage);
    },
  },
  {
    title: 'is a button that speaks of people by name',
    needs: ['mentions'],
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      await scene.say(alice, '/tip @Alice @Bob 2', { mentioning: [alice, bob] });
      const card = await hears(scene, alice, / is you\./);
      expect(card.buttons.join()).toMatch(/^\/tip @?Bob 2$/);
      await scene.press(alice, card, card.buttons[0] ?? '');
      await until(() => expect(scene.shown(alice).at(-1)?.text).toMatch(/2\.00 USDC to @?Bob/));
      await quiet(stage);
    },
  },
];

/** What the bot answers to a name it cannot read, and what it never answers. */
const UNREADABLE = [
  ['deutsch', 'alles', /^Ab jetzt/, /unsichtbar/i, 'telegram'],
  ['español', 'todo', /^Desde ahora/, /invisible/i, 'discord'],
  ['português', 'tudo', /^De agora em diante/, /invisível/i, 'web'],
  ['日本語', '全部', /./, /見えない/, 'web'],
] as const;

function inLanguage([language, all, changed, invisible, on]: (typeof UNREADABLE)[number]): Scenario {
  return {
    title: `${language}: “${all}” is an amount, and a name that cannot be read is not called invisible`,
    on: [on],
    play: async (stage, scene) => {
      stage.state().balance = usdc(2.5);
      await asked(scene, `/language ${language}`, changed);
      await scene.say(scene.alice, '/tip discord:bodo 1', { where: 'direct' });
      await until(() => expect(scene.shown(scene.alice).at(-1)?.text).toMatch(/bodo|Discord/));
      expect(scene.everRead(scene.alice).join('\n')).not.toMatch(invisible);
      expect(payments(stage)).toEqual([]);
      await scene.say(scene.alice, `/tip x:jack ${all}`, { where: 'direct' });
      await until(() => expect(payments(stage)).toMatchObject([{ body: { receiver: 'jack', amount: '2.5' } }]));
    },
  };
}

const F11: readonly Scenario[] = [
  ...UNREADABLE.map((one) => inLanguage(one)),
  {
    title: 'knows its commands by its own words',
    needs: ['freeText'],
    play: async (_stage, scene) => {
      await asked(scene, '/language deutsch', /^Ab jetzt/);
      await asked(scene, '/saldo', /^Du hast 20[.,]00 USDC/);
      await asked(scene, '/hilfe', /\/tip/);
    },
  },
];

const F13: readonly Scenario[] = [
  {
    title: 'is no withdrawal of theirs: the first address of their own still leaves at once',
    on: ['telegram'],
    needs: ['groups'],
    play: async (stage, scene) => {
      const { alice } = scene;
      await scene.say(alice, '/treasury give 5');
      const card = await hears(scene, alice, /5\.00 USDC/);
      expectForAlone(scene, alice, card);
      await scene.press(alice, card, card.buttons[0] ?? '');
      await hears(scene, alice, /^Sending 5\.00 USDC/);
      await scene.say(alice, `/withdraw 1 ${OWN_ADDRESS}`);
      const own = await hears(scene, alice, /^Send 1\.00 USDC on Base to this address\?/);
      expect(own.text).not.toMatch(/leaves? on/);
      await scene.press(alice, own, 'Send 1.00 USDC');
      await hears(scene, alice, /^Sending 1\.00 USDC on Base/);
      await quiet(stage);
    },
  },
];

const F14: readonly Scenario[] = [
  {
    title: 'a mistyped mail domain is asked about, and a name elsewhere is no website',
    on: ['web'],
    play: async (stage, scene) => {
      const mail = await asked(scene, '/tip alice@gmail.con 1', /^Is ".*gmail\.con" spelled right\?/);
      expect(mail.examples[0]).toContain('alice@gmail.com 1');
      await asked(scene, '/tip alice.bsky.social 2', /^Which|^"alice\.bsky\.social"|^I don’t know/);
      await expectNothingPaid(stage);
    },
  },
  {
    title: 'an address that is a name elsewhere is no address, and what is wrong is said',
    on: ['web'],
    play: async (_stage, scene) => {
      const shown = await asked(scene, '/withdraw 1 vitalik.eth', /^This is not an address\./);
      expect(shown.text).toMatch(/0x/);
    },
  },
  {
    title: '/reward with nothing behind it quotes nothing, and shows how it is said',
    needs: ['groups', 'freeText'],
    play: async (_stage, scene) => {
      const { moderator } = scene;
      if (moderator === null) throw new Error('nobody runs this place');
      await scene.say(moderator, '/reward');
      await until(() => expect(scene.shown(moderator).at(-1)?.examples.join()).toContain('/reward https:'));
      expect(scene.shown(moderator).at(-1)?.text).not.toMatch(/read \.|""/);
    },
  },
  {
    title: '/help knows a command by its other names',
    on: ['discord'],
    needs: ['groups'],
    play: async (_stage, scene) => {
      await scene.say(scene.alice, '/help airdrop');
      const shown = await hears(scene, scene.alice, /\/drop/);
      expect(shown.examples).toContain('/drop 5 10 people 1h');
    },
  },
];

const RIGHTS: readonly Scenario[] = [
  {
    title: 'help leaves out what needs a right that the bot lacks there, and has the rest',
    needs: ['groups'],
    isPlain: true,
    play: async (stage, scene) => {
      await scene.say(scene.alice, '/help');
      const { text } = await hears(scene, scene.alice, /\/top/);
      expect(text).not.toContain('/drop');
      // Without writing later no card goes on; a plain member on Telegram writes all the same.
      expect(text.includes('/request')).toBe(stage.name === 'telegram');
      expect(text).toContain('/treasury');
      await scene.say(scene.alice, '/help drop');
      await until(() => expect(scene.shown(scene.alice).at(-1)?.examples).not.toContain('/drop 5 10 people 1h'));
    },
  },
  {
    title: 'where the bot lacks no right, help has everything',
    needs: ['groups'],
    play: async (_stage, scene) => {
      await scene.say(scene.alice, '/help');
      expect((await hears(scene, scene.alice, /\/top/)).text).toMatch(/\/request \/drop \/top/);
    },
  },
  {
    title: 'a word near a command that is not offered is unknown, and elsewhere it is asked about',
    needs: ['freeText'],
    play: async (stage, scene) => {
      const isOffered = stage.driver.means.groups;
      const shown = await asked(scene, '/dorp', isOffered ? /^Did you mean this\?/ : /^I didn’t get that\./);
      expect(shown.examples.includes('/drop')).toBe(isOffered);
    },
  },
];

playOnAll([
  ...finding(10, 'a correction', F10),
  ...finding(11, 'a person’s own language', F11),
  ...finding(13, 'what a member gives to the community', F13),
  ...finding(14, 'small things', F14),
  ...RIGHTS,
]);
