/** All members read the group's language, and each person theirs in what they read alone. */
import { expect } from 'vitest';
import { usdc } from '../harness.ts';
import type { Person, Scene } from './drivers/chat-driver.ts';
import { expectForAlone, hears, playOnAll, quiet, type Scenario } from './play.ts';

/** What a group hears in the language that its moderators have set. */
type TipWords = {
  language: string;
  sent: RegExp;
  sentTwo: RegExp;
  got: RegExp;
  /** Words of other languages, which nobody but their own reader may see. */
  foreign: RegExp;
};

type Group = TipWords & {
  notFound: RegExp;
  asks: RegExp;
  pay: string;
  top: RegExp;
  reward: RegExp;
};

const SPANISH = /Envié|Un momento|Pagando|Preguntando|No encontré|te pide|recibió|Todavía|recompensar/;

/** What is said without any setting, so that a rule which forgets this one is seen. */
const ENGLISH: TipWords = {
  language: 'English',
  sent: /^Sent 1\.00 USDC to @jack on X\.$/,
  sentTwo: /^Sent 2\.00 USDC to 2 people/,
  got: /^@?Bob got 0\.50 USDC for this, from 1 person, in 2 tips\./,
  foreign: SPANISH,
};

const GERMAN: Group = {
  language: 'Deutsch',
  sent: /^1\.00 USDC an @jack bei X gesendet\.$/,
  sentTwo: /^2\.00 USDC an 2 Personen gesendet/,
  got: /^@?Bob hat dafür 0\.50 USDC bekommen, von 1 Person, in 2 Trinkgeldern\./,
  notFound: /^Ich konnte @nobody bei X nicht finden/,
  asks: /bittet dich um 5\.00 USDC/,
  pay: '5.00 USDC zahlen',
  top: /^Hier steht noch niemand\./,
  reward: /möchte belohnen, wer auf einen Beitrag von marta reagiert hat/,
  foreign: new RegExp(`${SPANISH.source}|Sent|One moment|Paying|couldn’t|asks you|got|Nobody|wants to reward`),
};

async function speakSpanish(scene: Scene, person: Person): Promise<void> {
  await scene.say(person, '/language español', { where: 'direct' });
  await hears(scene, person, /^Desde ahora hablo español contigo\./);
}

async function setGroup(scene: Scene, language: string, answer: RegExp): Promise<Person> {
  const { moderator } = scene;
  if (moderator === null) throw new Error('nobody runs this place');
  await scene.say(moderator, `/settings language ${language}`);
  expectForAlone(scene, moderator, await hears(scene, moderator, answer));
  return moderator;
}

function expectOnlyOwnWords(scene: Scene, foreign: RegExp): void {
  for (const reader of [scene.bob, scene.carl]) {
    for (const words of scene.everRead(reader)) expect(words).not.toMatch(foreign);
  }
}

function tipIn(group: TipWords): Scenario {
  return {
    title: `a tip of a Spanish payer is read in ${group.language} by the group that has set it, and in Spanish by them alone`,
    needs: ['groups', 'replies'],
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await speakSpanish(scene, alice);
      await setGroup(scene, group.language, new RegExp(`What I say to all here: in ${group.language}`));

      await scene.say(alice, '/tip x:jack 1');
      expect((await hears(scene, carl, group.sent)).isPrivate).toBe(false);
      const message = await scene.post(bob, 'I made this');
      // A single tip has its own message; from the second on one answer counts them.
      for (let tips = 0; tips < 2; tips += 1) await scene.say(alice, '/tip 0.25', { replyTo: message });
      await hears(scene, carl, group.got);

      await scene.say(alice, '/balance');
      expectForAlone(scene, alice, await hears(scene, alice, /^Tienes /));
      await scene.say(alice, '/tip x:jack x:jill 1');
      const card = await hears(scene, alice, /^¿Enviar 2\.00 USDC en total a 2 personas\?/);
      expectForAlone(scene, alice, card);
      await scene.press(alice, card, 'Enviar 2.00 USDC');
      // On Discord such a card stays its payer's to the end.
      const end = await hears(scene, alice, stage.name === 'discord' ? /^Envié 2\.00 USDC a 2 / : group.sentTwo);
      expect(end.isPrivate).toBe(stage.name === 'discord');
      await quiet(stage);
      expectOnlyOwnWords(scene, group.foreign);
    },
  };
}

const inGroup = (group: Group): readonly Scenario[] => [
  tipIn(group),
  {
    title: `a tip of a Spanish payer that fails is said to all in ${group.language}, where that is set`,
    needs: ['groups'],
    play: async (stage, scene) => {
      const { alice, carl } = scene;
      await speakSpanish(scene, alice);
      await setGroup(scene, group.language, /What I say to all here/);
      const json = { code: 400, error: 'receiver_not_found' };
      stage.api.script(() => ({ do: 'answer', status: 400, json }));
      await scene.say(alice, '/tip x:nobody 1');
      expect((await hears(scene, carl, group.notFound)).isPrivate).toBe(false);
      await quiet(stage);
      expectOnlyOwnWords(scene, group.foreign);
    },
  },
  {
    title: `a refusal by the rules of a group that speaks ${group.language} is for its payer alone, in Spanish`,
    on: ['telegram'],
    needs: ['groups'],
    play: async (_stage, scene) => {
      const { alice } = scene;
      await speakSpanish(scene, alice);
      const moderator = await setGroup(scene, group.language, /What I say to all here/);
      await scene.say(moderator, '/settings min 2');
      await hears(scene, moderator, /At least: 2\.00 USDC/);
      await scene.say(alice, '/tip x:jack 1');
      expectForAlone(scene, alice, await hears(scene, alice, /^Aquí una propina es de 2\.00 USDC como mínimo/));
    },
  },
  {
    title: `requests, rewards and the list of those who thank are read in ${group.language} where that is set`,
    on: ['discord'],
    needs: ['groups', 'mentions'],
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      const moderator = await setGroup(scene, group.language, /What I say to all here/);
      for (const person of [alice, moderator]) await speakSpanish(scene, person);
      for (const person of [bob, carl]) scene.letModerate(person, true);
      stage.state().balance = usdc(100);

      await scene.say(alice, '/top');
      expect((await hears(scene, carl, group.top)).isPrivate).toBe(false);
      await scene.say(bob, '/request on');
      await hears(scene, bob, /may ask you for money now/);
      await scene.say(alice, '/request @Bob 5 lunch', { mentioning: [bob] });
      const card = await hears(scene, carl, group.asks);
      expect([card.isPrivate, card.buttons[0]]).toEqual([false, group.pay]);
      await scene.say(moderator, '/reward https://farcaster.xyz/marta/0xb87cf233 10');
      expect((await hears(scene, alice, group.reward)).isPrivate).toBe(false);
      await quiet(stage);
      for (const words of scene.everRead(carl)) expect(words).not.toMatch(SPANISH);
    },
  },
];

const scenarios: readonly Scenario[] = [
  ...inGroup(GERMAN),
  { ...tipIn(ENGLISH), on: ['discord', 'telegram'] },
  {
    title: 'where a group has set no language, or ends it, a tip is read in that of its payer',
    needs: ['groups'],
    play: async (_stage, scene) => {
      const { alice, carl } = scene;
      await speakSpanish(scene, alice);
      await scene.say(alice, '/tip x:jack 1');
      await hears(scene, carl, /^Envié 1\.00 USDC a @jack en X\.$/);
      await setGroup(scene, 'Deutsch', /What I say to all here: in Deutsch/);
      await scene.say(alice, '/tip x:jack 2');
      await hears(scene, carl, /^2\.00 USDC an @jack bei X gesendet\.$/);
      await setGroup(scene, 'off', /in the language of the member who writes to me/);
      await scene.say(alice, '/tip x:jack 3');
      await hears(scene, carl, /^Envié 3\.00 USDC a @jack en X\.$/);
    },
  },
  {
    title: 'alone with the bot a person reads their own language, whatever their group has set',
    on: ['telegram'],
    needs: ['groups'],
    play: async (_stage, scene) => {
      const { alice } = scene;
      await speakSpanish(scene, alice);
      await setGroup(scene, 'Deutsch', /What I say to all here/);
      await scene.say(alice, '/tip x:jack 1', { where: 'direct' });
      await hears(scene, alice, /^Envié 1\.00 USDC a @jack en X\.$/);
    },
  },
];

playOnAll(scenarios);
