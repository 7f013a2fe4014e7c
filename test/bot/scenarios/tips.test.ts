import { expect } from 'vitest';
import { usdc } from '../harness.ts';
import { hears, payments, playOnAll, quiet, type Scenario } from './play.ts';

/** Every way to name a person, and what is asked of the API for it. */
const NAMES: readonly [text: string, path: string, receiver: string, shown: RegExp][] = [
  ['x:jack', '/payments/x/pay', 'jack', /@jack on X/],
  ['@gh/Octo-Cat', '/payments/code/pay', 'Octo-Cat', /octo-cat on GitHub/],
  ['https://x.com/jack', '/payments/x/pay', 'jack', /@jack on X/],
  ['example.com', '/payments/web/pay', 'example.com', /example\.com/],
  ['vitalik.eth', '/payments/decsocial/pay', 'vitalik.eth', /@vitalik\.eth on Farcaster/],
];

function byName([text, path, receiver, shown]: (typeof NAMES)[number]): Scenario {
  return {
    title: `${text} is tipped by that name`,
    play: async (stage, scene) => {
      await scene.say(scene.alice, `/tip ${text} 0,5`);
      expect((await hears(scene, scene.alice, /^Sent 0\.50 USDC to /)).text).toMatch(shown);
      expect(payments(stage)).toEqual([{ path, body: { receiver, amount: '0.5' } }]);
    },
  };
}

const scenarios: readonly Scenario[] = [
  ...NAMES.map(byName),
  {
    title: 'a tip is one message from its first word to its end, and its note goes along',
    play: async (stage, scene) => {
      await scene.say(scene.alice, '/tip x:jack 1.5 for lunch');
      const shown = await hears(scene, scene.alice, /^Sent 1\.50 USDC to @jack on X\.$/);
      expect(shown.marks).toEqual(['bold']);
      expect(payments(stage)).toEqual([
        { path: '/payments/x/pay', body: { receiver: 'jack', amount: '1.5', description: 'for lunch' } },
      ]);
      expect(scene.shown(scene.alice)).toHaveLength(1);
    },
  },
  {
    title: 'all of what there is goes by one word',
    play: async (stage, scene) => {
      stage.state().balance = usdc(2.5);
      await scene.say(scene.alice, '/tip x:jack all');
      await hears(scene, scene.alice, /^Sent 2\.50 USDC to @jack on X/);
    },
  },
  {
    title: 'how a tip ended is read by everybody in the place',
    needs: ['groups'],
    play: async (_stage, scene) => {
      await scene.say(scene.alice, '/tip x:jack 1');
      const shown = await hears(scene, scene.bob, /^Sent 1\.00 USDC to @jack on X\.$/);
      expect(shown.isPrivate).toBe(false);
      await scene.say(scene.alice, '/tip x:jack 2', { where: 'direct' });
      await hears(scene, scene.alice, /^Sent 2\.00 USDC to @jack on X\.$/);
      expect(scene.everRead(scene.bob).join('\n')).not.toContain('2.00');
    },
  },
  {
    title: 'a member of the place is tipped by a mention, and shown by name',
    needs: ['mentions'],
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await scene.say(alice, '/tip @Bob 1 thanks', { mentioning: [bob] });
      const shown = await hears(scene, carl, /^Sent 1\.00 USDC to @?Bob\.$/);
      expect(shown.marks).toContain('mention');
      expect(payments(stage)).toEqual([
        { path: `/payments/${stage.name}/pay`, body: { receiver: bob.id, amount: '1', description: 'thanks' } },
      ]);
      expect([scene.rung(alice), scene.rung(carl)]).toEqual([0, 0]);
    },
  },
  {
    title: 'a reply tips the author of the message',
    needs: ['replies'],
    play: async (stage, scene) => {
      const message = await scene.post(scene.bob, 'I made this');
      await scene.say(scene.alice, '/tip 0.5 well done', { replyTo: message });
      await hears(scene, scene.carl, /^Sent 0\.50 USDC to @?Bob\.$/);
      expect(payments(stage)).toEqual([
        {
          path: `/payments/${stage.name}/pay`,
          body: { receiver: scene.bob.id, amount: '0.5', description: 'well done' },
        },
      ]);
      expect([scene.rung(scene.alice), scene.rung(scene.carl)]).toEqual([0, 0]);
    },
  },
  {
    title: 'one answer under a message counts the tips of all for it, from the second on',
    needs: ['summaries', 'replies'],
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      const message = await scene.post(bob, 'I made this');
      const summaries = () => scene.shown(bob).filter(({ text }) => /^@?Bob got/.test(text));
      await scene.say(alice, '/tip 0.5', { replyTo: message });
      await hears(scene, bob, /^Sent 0\.50 USDC to @?Bob\.$/);
      await quiet(stage);
      expect(scene.shown(bob)).toHaveLength(1);
      await Promise.all([
        scene.say(carl, '/tip 1', { replyTo: message }),
        scene.say(alice, '/tip 2', { replyTo: message }),
      ]);
      await hears(scene, bob, /^@?Bob got 3\.50 USDC for this, from 2 people, in 3 tips\./);
      expect(summaries()).toMatchObject([{ answers: message, examples: ['/claim'] }]);
    },
  },
  {
    title: 'a name without a network is one on this platform, and nobody’s before its bearer was seen with it',
    needs: ['bareNames'],
    play: async (stage, scene) => {
      await scene.say(scene.alice, '/tip @carl_x 1');
      await hears(scene, scene.alice, /nobody called @carl_x in this group lately, so nothing was sent/);
      expect(payments(stage)).toEqual([]);
    },
  },
  {
    title: 'an e-mail address is read by nobody else in full',
    needs: ['groups'],
    play: async (stage, scene) => {
      await scene.say(scene.alice, '/tip carol@example.com 1');
      await hears(scene, scene.alice, /^Sent 1\.00 USDC to c\*\*\*@example\.com\.$/);
      await quiet(stage);
      expect(payments(stage)).toMatchObject([{ path: '/payments/email/pay', body: { receiver: 'carol@example.com' } }]);
      expect(scene.everRead(scene.bob).join('\n')).not.toContain('carol');
    },
  },
  {
    title: 'an e-mail address stays as it is where nobody reads along',
    play: async (_stage, scene) => {
      await scene.say(scene.alice, '/tip carol@example.com 1', { where: 'direct' });
      await hears(scene, scene.alice, /^Sent 1\.00 USDC to carol@example\.com\.$/);
    },
  },
];

playOnAll(scenarios);
