import { selectWithdrawals, toWithdrawal } from '../../../db/withdrawals/find.ts';
import { shownAddress } from '../../../chain/shown-address.ts';
import { expect } from 'vitest';
import { usdc } from '../harness.ts';
import type { Scene, Shown } from './drivers/chat-driver.ts';
import { expectForAlone, hears, playOnAll, quiet, until, type Scenario } from './play.ts';

const STRANGER = `0x${'cd'.repeat(20)}`;

async function tip(scene: Scene, text: string): Promise<void> {
  await scene.say(scene.alice, text);
  await hears(scene, scene.alice, /^Sent /);
}

/** What the bot answers to one of the commands that are between it and one person. */
async function ask(scene: Scene, text: string, answer: RegExp): Promise<Shown> {
  await scene.say(scene.alice, text);
  const shown = await hears(scene, scene.alice, answer);
  expectForAlone(scene, scene.alice, shown);
  return shown;
}

function linkOf(message: Shown, label: string): string {
  const found = message.links.find((link) => link.label === label);
  if (!found) throw new Error(`no link "${label}" among ${JSON.stringify(message.links)}`);
  return found.url;
}

const scenarios: readonly Scenario[] = [
  {
    title: '/balance says what there is, and /deposit the own address, to that person alone',
    play: async (stage, scene) => {
      stage.state().balance = usdc(7.5);
      await ask(scene, '/balance', /^You have 7\.50 USDC/);
      const shown = await ask(scene, '/deposit', /^To add money, send USDC on Base to your address:\n0x[0-9a-f]{40}/i);
      expect(shown.marks).toContain('code');
      await quiet(stage);
      expect(scene.shown(scene.bob)).toEqual([]);
    },
  },
  {
    title: '/withdraw sends nothing before it was confirmed, and then once',
    on: ['discord'],
    play: async (stage, scene) => {
      const card = await ask(scene, `/withdraw 5 ${STRANGER}`, /^Send 5\.00 USDC on Base to this address\?/);
      expect(card.text).toContain(shownAddress(STRANGER));
      const { walletWithdrawals } = stage.store.tables;
      const rows = () => stage.store.read.select().from(walletWithdrawals);
      const before = (await rows()).length;
      const press = await scene.press(scene.alice, card, 'Send 5.00 USDC');
      const shown = await hears(scene, scene.alice, /^Sending 5\.00 USDC on Base to 0xcd/i);
      await press.again();
      await quiet(stage);
      expect((await rows()).length - before).toBe(1);
      expectForAlone(scene, scene.alice, shown);
    },
  },
  {
    title: '/withdraw of more than ten leaves tomorrow, and can be called off until then',
    on: ['telegram'],
    play: async (stage, scene) => {
      stage.state().balance = usdc(50);
      const card = await ask(scene, `/withdraw 40 ${STRANGER}`, /the money leaves on \d+ \w+, \d\d:\d\d UTC/);
      await scene.press(scene.alice, card, 'Send 40.00 USDC');
      const waits = await hears(scene, scene.alice, /^40\.00 USDC leave on/);
      expectForAlone(scene, scene.alice, waits);
      await scene.press(scene.alice, waits, 'Cancel it');
      const done = await hears(scene, scene.alice, /^Cancelled: 40\.00 USDC/);
      expectForAlone(scene, scene.alice, done);
      await quiet(stage);
      const rows = (await selectWithdrawals(stage.store.read, stage.store.tables)).map(toWithdrawal);
      expect(rows.filter(({ failure }) => failure === 'cancelled')).toMatchObject([{ signature: null }]);
    },
  },
  {
    title: '/history lists what was sent, and has all of it as CSV',
    on: ['discord'],
    play: async (stage, scene) => {
      await tip(scene, '/tip x:jack 1 for lunch');
      const shown = await ask(
        scene,
        '/history',
        /^You have 20\.00 USDC.*\nThe last tips that you sent:\n1\. 1\.00 USDC to @jack on X/,
      );
      expect(shown.links.map(({ label }) => label)).toEqual(['1. @jack on X', 'All of them as CSV']);
      const csv = await stage.download(linkOf(shown, 'All of them as CSV'));
      expect(await csv.text()).toMatch(/x:jack,1,queued,4711,.*,for lunch/);
      await scene.say(scene.bob, '/history');
      await hears(scene, scene.bob, /You have not sent a tip yet\./);
    },
  },
  {
    title: '/claim of an account that the platform vouches for keeps what waits, by a press',
    on: ['telegram'],
    needs: ['accounts'],
    play: async (stage, scene) => {
      stage.claims.waits(3.2);
      const shown = await ask(scene, '/claim', /^3\.20 USDC waits for you\./);
      expect(stage.claims.asked).not.toContain('/claims/claim_1/confirm');
      await scene.press(scene.alice, shown, 'Keep 3.20 USDC here');
      await hears(scene, scene.alice, /^Done\. It arrives in your wallet here/);
      expect(stage.claims.asked).toContain('/claims/claim_1/confirm');
    },
  },
  {
    title: '/claim with a name leads to the page where that name collects',
    on: ['telegram'],
    play: async (_stage, scene) => {
      const shown = await ask(scene, '/claim gh:Octo-Cat', /^Open the page, prove that the name is yours/);
      expect(shown.links).toEqual([{ label: 'Open the page', url: 'https://pay.test/claim/code/octo-cat' }]);
    },
  },
  {
    title: '/link leads to a page that connects a browser with this chat',
    on: ['web', 'telegram'],
    play: async (stage, scene) => {
      // The web chat is in a browser already.
      const [says, leads] =
        stage.name === 'web'
          ? [/prove that @alice on X is yours/, /^https:\/\/pay\.test\/claim\/x\/alice$/]
          : [/^Open the page in the browser/, /^https:\/\/pay\.test\/purse\/link\/[\w-]{32}$/];
      const shown = await ask(scene, '/link x:alice', says);
      expect(linkOf(shown, 'Open the page')).toMatch(leads);
    },
  },
  {
    title: '/privacy erases the tips that are over, by a press',
    on: ['web', 'discord'],
    play: async (_stage, scene) => {
      await tip(scene, '/tip x:jack 1 for lunch');
      const shown = await ask(scene, '/privacy', /^I know which tips you sent from here/);
      await scene.press(scene.alice, shown, 'Erase my tips now');
      await hears(scene, scene.alice, /^Erased: 1 tip\./);
      await ask(scene, '/history', /^You have 20\.00 USDC.*\nYou have not sent a tip yet\./);
    },
  },
  {
    title: '/help says what there is, and about one command more',
    on: ['web', 'discord'],
    play: async (stage, scene) => {
      const all = await ask(scene, '/help', /^You have 20\.00 USDC.*\nSend 0\.01 to 10 USDC to anyone/);
      expect(all.examples).toEqual(expect.arrayContaining(['/tip @x:alice 1', '/balance', '/deposit']));
      // The chat of a browser has no groups.
      expect(/\/drop \/top .*\/settings \/treasury \/reward/.test(all.text)).toBe(stage.name !== 'web');
      await ask(scene, '/help tip', /shares 3 out/);
    },
  },
  {
    title: '/language changes everything that is said from then on, and back',
    on: ['web', 'telegram'],
    play: async (_stage, scene) => {
      await ask(scene, '/language de', /^Ab jetzt .*Deutsch/);
      await ask(scene, '/balance', /^Du hast/);
      await scene.say(scene.alice, '/tip x:jack x:jill 1');
      const card = await hears(scene, scene.alice, /2 Personen/);
      await scene.press(scene.alice, card, 'Abbrechen');
      await hears(scene, scene.alice, /^Abgebrochen/);
      const list = await ask(scene, '/language', /Sprache/);
      await scene.press(scene.alice, list, 'English');
      await hears(scene, scene.alice, /^From now on I speak English with you\./);
    },
  },
  {
    title: 'whose app is in Spanish is answered in Spanish, mistakes and failures too',
    needs: ['clientLanguage'],
    language: 'es',
    play: async (stage, scene) => {
      const answers = [
        ['/balance', /^Tienes 20,00|^Tienes 20\.00/],
        ['/tip x:jack 11', /demasiado/i],
      ] as const;
      for (const [text, answer] of answers) await ask(scene, text, answer);
      await scene.say(scene.alice, '/tip x:jack 1');
      await until(() => expect(scene.shown(scene.bob).at(-1)?.text).toMatch(/@jack en X/));
      expect(scene.shown(scene.bob).at(-1)?.text).not.toMatch(/Sent/);
      stage.api.script(() => ({ do: 'answer', status: 400, json: { code: 400, error: 'receiver_opted_out' } }));
      await scene.say(scene.alice, '/tip x:jill 1');
      await hears(scene, scene.bob, /@jill en X .*no /);
    },
  },
];

playOnAll(scenarios);
