import { expect } from 'vitest';
import { REWARD_CARD_MS } from '../../../core/rewards/reward-cards.ts';
import { usdc } from '../harness.ts';
import type { Person, Scene, Shown } from './drivers/chat-driver.ts';
import { expectForAlone, hears, playOnAll, quiet, until, type Scenario } from './play.ts';
import type { Stage } from './stage.ts';

const POST = 'https://farcaster.xyz/marta/0xb87cf233';
const CARD = /wants to reward those who engaged with a post by marta: [0-9]+\.00 USDC for 47 people/;
const PAID = /^Rewarded: [0-9]+\.00 USDC for a post by marta\.\n45 paid, 2 wait to be collected$/;
const NOT_YOURS = /^That is for those who moderate here\./;
const DECIDED = /^That reward is decided already\.$/;

function moderatorOf({ moderator }: Scene): Person {
  if (moderator === null) throw new Error('nobody runs this place');
  return moderator;
}

/**
 * A card whose asker moderates. Bob and Carl do as well, and Alice reads along. One of them is enough for 10 USDC; for more
 * it takes both.
 */
async function propose(stage: Stage, scene: Scene, budget: 10 | 25): Promise<Shown> {
  const { bob, carl } = scene;
  stage.state().balance = usdc(100);
  for (const person of [bob, carl]) scene.letModerate(person, true);
  await scene.say(moderatorOf(scene), `/reward ${POST} ${budget}`);
  return hears(scene, scene.alice, CARD);
}

/** What all see of the card now. */
const seesConfirm = (scene: Scene, label: string): Promise<Shown> =>
  until(() => {
    const card = scene.shown(scene.alice).findLast(({ buttons }) => buttons.includes(label));
    if (card) return card;
    throw new Error(`no card says "${label}", but ${JSON.stringify(scene.shown(scene.alice))}`);
  });

async function expectNothingPaid(stage: Stage): Promise<void> {
  await quiet(stage);
  expect([stage.rewards.proofs, stage.rewards.charged]).toEqual([[], []]);
}

const cardsOf = (scene: Scene, text: RegExp) => scene.shown(scene.alice).filter((message) => text.test(message.text));

const confirming: readonly Scenario[] = [
  {
    title: 'a reward is a card for all; those confirm it who moderate and did not ask for it, and then it is paid',
    needs: ['groups'],
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      const card = await propose(stage, scene, 25);
      expect(card.isPrivate).toBe(false);
      expect(card.text).toContain('1. person1 · 0.531956 USDC');
      expect(card.text).toContain('and 37 more\nLeft out: 1 (1 wrote the post)');
      expect(card.buttons).toEqual(['Confirm 0/2', 'Reject']);
      expect(card.links.map(({ label }) => label)).toEqual(['Who gets what', 'As CSV', 'The post']);
      await scene.press(alice, card, 'Confirm 0/2');
      expectForAlone(scene, alice, await hears(scene, alice, NOT_YOURS));
      const asker = moderatorOf(scene);
      await scene.press(asker, card, 'Confirm 0/2');
      expectForAlone(scene, asker, await hears(scene, asker, /^You asked for this reward yourself/));
      await scene.press(bob, card, 'Confirm 0/2');
      const half = await seesConfirm(scene, 'Confirm 1/2');
      expect(half.text).toMatch(/Confirmed by @?Bob/);
      await expectNothingPaid(stage);
      await scene.press(carl, half, 'Confirm 1/2');
      const end = await hears(scene, alice, PAID);
      expect([end.id, end.buttons, end.isPrivate]).toEqual([card.id, [], false]);
      const telling = end.links.find(({ label }) => label === 'Tell them on Farcaster')?.url ?? '';
      expect(new URL(telling).searchParams.get('text')).toMatch(/^@person1 @person2 .* post by marta/);
      expect(stage.rewards.charged).toHaveLength(1);
    },
  },
  {
    title: 'a moderator who loses the role between card and press confirms nothing, and no longer counts',
    needs: ['groups'],
    play: async (stage, scene) => {
      const { bob, carl } = scene;
      const card = await propose(stage, scene, 25);
      await scene.press(bob, card, 'Confirm 0/2');
      const half = await seesConfirm(scene, 'Confirm 1/2');
      scene.letModerate(bob, false);
      await scene.press(bob, half, 'Confirm 1/2');
      expectForAlone(scene, bob, await hears(scene, bob, NOT_YOURS));
      await scene.press(carl, half, 'Confirm 1/2');
      await until(() => expect(cardsOf(scene, CARD).at(-1)?.text).toMatch(/Confirmed by @?Carl$/m));
      await seesConfirm(scene, 'Confirm 1/2');
      await expectNothingPaid(stage);
    },
  },
  {
    title:
      'a treasury with too little pays nothing; who presses is told what is missing, all see a link, and it pays once it has enough',
    on: ['telegram'],
    needs: ['groups'],
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      const card = await propose(stage, scene, 10);
      stage.state().balance = usdc(9.99);
      await scene.press(bob, card, 'Confirm 0/1');
      const told = await hears(scene, bob, /^The treasury has 9\.99 USDC, and this needs 10\.00 USDC on one network\./);
      expectForAlone(scene, bob, told);
      const short = await seesConfirm(scene, 'Confirm 1/1');
      expect(short.text).toContain('It is confirmed, but no network of the treasury has enough for it.');
      expect(short.links.map(({ label }) => label)).toContain('Pay 10.00 USDC');
      await expectNothingPaid(stage);
      stage.state().balance = usdc(10);
      await scene.press(bob, short, 'Confirm 1/1');
      await hears(scene, alice, PAID);
    },
  },
];

const ending: readonly Scenario[] = [
  {
    title: 'one Reject ends it: nothing is paid, and nobody else can pay for it either',
    on: ['telegram'],
    needs: ['groups'],
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      const card = await propose(stage, scene, 10);
      await scene.press(carl, card, 'Reject');
      const end = await hears(
        scene,
        alice,
        /has rejected the reward of 10\.00 USDC for a post by marta\. Nothing moved\./,
      );
      expect([end.text.includes('Carl'), end.buttons]).toEqual([true, []]);
      await until(() => expect(stage.rewards.rejected).toHaveLength(1));
      await scene.press(bob, card, 'Confirm 0/1', { forged: true });
      expectForAlone(scene, bob, await hears(scene, bob, DECIDED));
      await expectNothingPaid(stage);
    },
  },
  {
    title: 'of a Confirm and a Reject in one moment one counts, and the card says which',
    on: ['discord'],
    needs: ['groups'],
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      const card = await propose(stage, scene, 10);
      await Promise.all([scene.press(bob, card, 'Confirm 0/1'), scene.press(carl, card, 'Reject')]);
      const end = await hears(scene, alice, /has rejected the reward|^Rewarded: /);
      await quiet(stage);
      expect(stage.rewards.charged).toHaveLength(end.text.startsWith('Rewarded') ? 1 : 0);
    },
  },
];

const delivering: readonly Scenario[] = [
  {
    title: 'what is asked for and confirmed by events that come three times is one card and one payment',
    on: ['telegram'],
    needs: ['groups'],
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      const before = stage.rewards.created;
      stage.driver.deliverTimes(3);
      const card = await propose(stage, scene, 10);
      await scene.press(bob, card, 'Confirm 0/1');
      await hears(scene, alice, PAID);
      await quiet(stage);
      expect([stage.rewards.created - before, stage.rewards.charged.length]).toEqual([1, 1]);
      expect(cardsOf(scene, /reward/i)).toHaveLength(1);
    },
  },
  {
    title: 'a payment whose end the bot did not live to hear is sent again as it was, and counted once',
    on: ['discord'],
    needs: ['groups'],
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      const card = await propose(stage, scene, 10);
      stage.rewards.verdict = () => 'pending';
      await scene.press(bob, card, 'Confirm 0/1');
      await hears(scene, alice, /^Paying 10\.00 USDC to 47 people/);
      await until(() => expect(stage.rewards.proofs.length).toBeGreaterThan(0));
      await stage.restart();
      stage.rewards.verdict = () => 'paid';
      stage.clock().pass(REWARD_CARD_MS);
      await stage.resume();
      const end = await hears(scene, alice, PAID);
      expect(end.id).toBe(card.id);
      expect(new Set(stage.rewards.proofs.map(({ header }) => header)).size).toBe(1);
      expect(stage.rewards.charged).toHaveLength(1);
    },
  },
];

const asking: readonly Scenario[] = [
  {
    title: 'a member who does not moderate can ask for nothing, and is told so in private',
    needs: ['groups'],
    play: async (stage, scene) => {
      const before = stage.rewards.created;
      await scene.say(scene.bob, `/reward ${POST} 25`);
      expectForAlone(scene, scene.bob, await hears(scene, scene.bob, NOT_YOURS));
      await quiet(stage);
      expect([stage.rewards.created - before, cardsOf(scene, /reward/i)]).toEqual([0, []]);
    },
  },
  {
    // The client of Discord does not offer the command there.
    title: 'where two talk alone the answer says where to say it',
    needs: ['freeText'],
    play: async (stage, scene) => {
      const before = stage.rewards.created;
      await scene.say(scene.alice, `/reward ${POST} 25`, { where: 'direct' });
      const told = await hears(scene, scene.alice, /^Say \/reward in the server or group whose money it is\.$/);
      expectForAlone(scene, scene.alice, told);
      expect(stage.rewards.created).toBe(before);
    },
  },
];

playOnAll([...confirming, ...delivering, ...asking, ...ending]);
