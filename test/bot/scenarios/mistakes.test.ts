import { expect } from 'vitest';
import { expectForAlone, hears, payments, playOnAll, quiet, until, type Scenario } from './play.ts';
import type { Means, Scene } from './drivers/chat-driver.ts';
import type { Stage } from './stage.ts';
import { usdc } from '../harness.ts';

type Mistake = {
  what: string;
  /** The grammar finds it, which knows no transport: it is shown as the first of them is on each. */
  isRead?: true;
  text: string;
  needs?: readonly (keyof Means)[];
  /** Whom `@Name` in the text mentions. */
  mentioning?: (scene: Scene) => Scene['alice'] | null;
  before?: (stage: Stage) => void;
  answer: RegExp;
  /** The corrected command that stands under it. */
  example: string | RegExp;
  /** What comes of sending the corrected command as it stands. */
  next: RegExp;
};

const PAID = /^Sent .* USDC to /;
const CARD = /^Send .* USDC in all to /;
const ADDRESSES = /^To add money, send USDC on Base/;
const noMoney = (stage: Stage): void => {
  stage.state().balance = usdc(0);
};
const tooLittleMoney = (stage: Stage): void => {
  stage.state().balance = usdc(0.3);
  stage.api.script((request) =>
    request.header === null
      ? { do: 'challenge' }
      : { do: 'answer', status: 402, json: { code: 402, error: 'insufficient_funds' } },
  );
};
const many = Array.from({ length: 101 }, (_, index) => `x:p${index}`).join(' ');

const MISTAKES: readonly Mistake[] = [
  { what: 'no network', text: '/tip alice 1', answer: /^Which "alice"\?/, example: '/tip x:alice 1', next: PAID },
  {
    what: 'an unknown network',
    isRead: true,
    text: '/tip myspace:tom 1',
    answer: /"myspace:tom"/,
    example: '/tip @x:alice 1',
    next: PAID,
  },
  {
    what: 'a letter that only looks like one',
    isRead: true,
    text: '/tip x:аlice 1',
    answer: /The “а” in "x:аlice" only looks like “a”/,
    example: '/tip @x:alice 1',
    next: PAID,
  },
  {
    what: '1,000',
    isRead: true,
    text: '/tip x:jack 1,000',
    answer: /Is "1,000" more than a thousand/,
    example: '/tip x:jack 1',
    next: PAID,
  },
  {
    what: '1k',
    isRead: true,
    text: '/tip x:jack 1k',
    answer: /write "1k" out in digits/,
    example: '/tip x:jack 10',
    next: PAID,
  },
  {
    what: '1e3',
    isRead: true,
    text: '/tip x:jack 1e3',
    answer: /write "1e3" out in digits/,
    example: '/tip x:jack 1',
    next: PAID,
  },
  {
    what: '0',
    isRead: true,
    text: '/tip x:jack 0',
    answer: /too little: a tip is 0\.01 to 10 USDC/,
    example: '/tip x:jack 0.01',
    next: PAID,
  },
  {
    what: '11',
    isRead: true,
    text: '/tip x:jack 11',
    answer: /too much at once: a tip is 0\.01 to 10 USDC/,
    example: '/tip x:jack 10',
    next: PAID,
  },
  {
    what: '7 decimals',
    isRead: true,
    text: '/tip x:jack 0.1234567',
    answer: /more than 6 decimals, and I don’t round/,
    example: '/tip x:jack 0.123456',
    next: PAID,
  },
  {
    what: 'another currency',
    isRead: true,
    text: '/tip x:jack 5€',
    answer: /I only send USDC/,
    example: '/tip x:jack 1',
    next: PAID,
  },
  {
    what: 'half of nothing',
    text: '/tip x:jack half',
    before: noMoney,
    answer: /^There is nothing to send yet/,
    example: '/deposit',
    next: ADDRESSES,
  },
  {
    what: 'all of nothing',
    text: '/tip x:jack all',
    before: noMoney,
    answer: /^There is nothing to send yet/,
    example: '/deposit',
    next: ADDRESSES,
  },
  {
    what: 'all for each of two',
    isRead: true,
    text: '/tip x:jack x:jill all',
    answer: /only go to one person/,
    example: '/tip x:jack x:jill all split',
    next: CARD,
  },
  {
    what: '101 people',
    text: `/tip ${many} 0.01`,
    answer: /more than 100 people/,
    example: '/tip x:alice x:bob 1',
    next: CARD,
  },
  {
    what: 'a note of 141 characters',
    isRead: true,
    text: `/tip x:jack 1 ${'n'.repeat(141)}`,
    answer: /note is too long/,
    example: '/tip x:jack 1 thank you!',
    next: PAID,
  },
  {
    what: 'not enough money',
    text: '/tip x:jack 1',
    before: tooLittleMoney,
    answer: /^You need 1\.00 USDC and have 0\.30, so 0\.70 USDC is missing\. Nothing was charged\./,
    example: '/deposit',
    next: ADDRESSES,
  },
  {
    what: 'nobody and nothing',
    text: '/tip',
    needs: ['freeText'],
    answer: /^Say who and how much/,
    example: '/tip @x:alice 1',
    next: PAID,
  },
  {
    what: 'no amount',
    text: '/tip x:jack thanks',
    needs: ['freeText'],
    answer: /^How much\?/,
    example: '/tip x:jack 1',
    next: PAID,
  },
  { what: 'nobody', text: '/tip 1', answer: /^Who is it for\?/, example: '/tip @x:alice 1', next: PAID },
  {
    what: 'oneself',
    text: '/tip @Alice 1',
    needs: ['mentions'],
    mentioning: ({ alice }) => alice,
    answer: / is you\. Send it to someone else:/,
    example: '/tip x:alice 1',
    next: PAID,
  },
  {
    what: 'oneself among others',
    text: '/tip @Alice x:jack 1',
    needs: ['mentions'],
    mentioning: ({ alice }) => alice,
    answer: / is you\. Send it to someone else:/,
    example: '/tip x:jack 1',
    next: PAID,
  },
  {
    what: 'a program',
    text: '/tip @Robot 1',
    needs: ['mentions', 'programs'],
    mentioning: ({ robot }) => robot,
    answer: / is a bot, and bots can’t collect money/,
    example: '/tip x:alice 1',
    next: PAID,
  },
  {
    what: 'an address that is none',
    text: '/withdraw 1 0x1234',
    answer: /^This is not an address\./,
    example: '/balance',
    next: /^You have 20\.00 USDC/,
  },
  {
    what: 'a claim without a network',
    text: '/claim alice',
    answer: /^Which "alice"\?/,
    example: '/claim x:alice',
    next: /^Open the page/,
  },
];

function toScenario({ what, isRead, text, needs = [], mentioning, before, answer, example, next }: Mistake): Scenario {
  return {
    title: `${what}: a short answer for that person alone, with a command that works`,
    needs,
    ...(isRead && { on: ['web'] as const }),
    play: async (stage, scene) => {
      before?.(stage);
      const mentioned = mentioning?.(scene);
      await scene.say(scene.alice, text, { mentioning: mentioned ? [mentioned] : [] });
      const shown = await hears(scene, scene.alice, answer);
      expect(shown.text.length).toBeLessThan(300);
      expect(shown.examples[0]).toMatch(example);
      expectForAlone(scene, scene.alice, shown);
      await quiet(stage);
      // What all saw of it at first is taken back a moment later.
      await until(() => expect(scene.shown(scene.bob)).toEqual([]));
      // How much money there is, only the API knows for certain: it was asked, and has refused.
      expect(payments(stage)).toHaveLength(before === tooLittleMoney ? 1 : 0);
      stage.reset();
      await scene.say(scene.alice, shown.examples[0] ?? '');
      await hears(scene, scene.alice, next);
    },
  };
}

playOnAll(MISTAKES.map(toScenario));
