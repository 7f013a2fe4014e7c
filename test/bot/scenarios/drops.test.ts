import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { ban, unban } from '../../../db/communities/community-bans.ts';
import { usdc } from '../harness.ts';
import type { Person, Scene, Shown } from './drivers/chat-driver.ts';
import type { Stage } from './stage.ts';
import { expectForAlone, hears, payments, playOnAll, quiet, until, type Scenario } from './play.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NEEDS = ['groups', 'mentions'] as const;

const userOf = ({ name }: Pick<Stage, 'name'>, { id }: Person): string => `${name}:${id}`;

/** Bob and Carl may take shares here: they moderate where there are roles, and are known for long where there are none. */
async function open(stage: Stage, scene: Scene): Promise<void> {
  const { bob, carl, moderator } = scene;
  for (const person of [bob, carl]) scene.letModerate(person, true);
  if (moderator === null) throw new Error('nobody runs this place');
  await scene.say(moderator, '/settings notes on');
  await hears(scene, moderator, /^Done\. From now on:/);
  const { communitySettings } = stage.store.tables;
  const rows = await stage.store.read.select().from(communitySettings);
  const row = rows.findLast(({ changedBy }) => changedBy === userOf(stage, moderator));
  if (!row) throw new Error('there are no settings');
  const settings = { ...row.settings, dropRole: { id: '1', name: 'crew' } };
  const isIt = eq(communitySettings.communityId, row.communityId);
  await stage.store.tx((db) => db.update(communitySettings).set({ settings }).where(isIt));
  if (stage.name === 'telegram') await makeKnown(stage, row.communityId, [bob, carl]);
}

async function makeKnown(stage: Stage, communityId: string, people: readonly Person[]): Promise<void> {
  const { communityPeople, communityAnswers } = stage.store.tables;
  const nowMs = stage.clock().now();
  const place = { transport: stage.name, communityId };
  await stage.store.tx(async (db) => {
    for (const userId of people.map((person) => userOf(stage, person))) {
      const seen = { userId, username: null, isBot: false, firstSeenAtMs: nowMs - 20 * DAY_MS, seenAtMs: nowMs };
      await db
        .insert(communityPeople)
        .values({ ...place, ...seen })
        .onConflictDoUpdate({
          target: [communityPeople.transport, communityPeople.communityId, communityPeople.userId],
          set: { firstSeenAtMs: seen.firstSeenAtMs },
        });
      for (const at of [1, 2, 3, 4, 5]) {
        await db
          .insert(communityAnswers)
          .values({ ...place, userId, messageId: `m${at}`, byId: `${stage.name}:${at}` });
      }
    }
  });
}

async function drop(scene: Scene, text = '/drop 5 10 people 1h'): Promise<Shown> {
  await scene.say(scene.alice, text);
  return hears(scene, scene.bob, /drops 5\.00 USDC: 0\.50 USDC each for 10 people\./);
}

async function take(scene: Scene, person: Person, card: Shown): Promise<void> {
  await scene.press(person, card, 'I’m in');
  // Others hear the same words when they press.
  expect((await hears(scene, person, /^You’re in: 0\.50 USDC for you/)).isPrivate).toBe(true);
}

/** Its time is over, and the giver looks at the list. */
async function list(stage: Stage, scene: Scene): Promise<Shown> {
  stage.clock().pass(HOUR_MS + 1_000);
  await stage.resume();
  const card = await hears(scene, scene.alice, /^Closed: /);
  await scene.press(scene.alice, card, 'See the list');
  return hears(scene, scene.alice, / on your list, /);
}

/** They stand on no list while moderators have banned them. Answers how their ban is lifted. */
async function banTaker(stage: Stage, person: Person): Promise<() => Promise<unknown>> {
  const { drops, dropTakers } = stage.store.tables;
  const userId = userOf(stage, person);
  const [row] = await stage.store.read
    .select({ transport: drops.transport, communityId: drops.communityId })
    .from(dropTakers)
    .innerJoin(drops, eq(drops.id, dropTakers.dropId))
    .where(eq(dropTakers.userId, userId));
  if (!row) throw new Error(`${person.name} has no share`);
  const member = { ...row, userId };
  await ban(stage.store, member, { bannedBy: 'a moderator', nowMs: stage.clock().now() });
  return () => unban(stage.store, member);
}

const scenarios: readonly Scenario[] = [
  {
    title: 'the card of a drop speaks the language that its group has set, and the list that of its giver',
    on: ['discord'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, moderator } = scene;
      await scene.say(alice, '/language español', { where: 'direct' });
      await hears(scene, alice, /^Desde ahora hablo español/);
      await open(stage, scene);
      if (moderator === null) throw new Error('nobody runs this place');
      await scene.say(moderator, '/settings language Deutsch');
      await hears(scene, moderator, /What I say to all here: in Deutsch/);
      await scene.say(alice, '/drop 5 10 people 1h');
      const card = await hears(scene, bob, /verteilt 5\.00 USDC: je 0\.50 USDC für 10 Leute\./);
      await scene.press(bob, card, 'Ich bin dabei');
      await hears(scene, bob, /^You’re in: 0\.50 USDC for you/);
      stage.clock().pass(HOUR_MS + 1_000);
      await stage.resume();
      const closed = await hears(scene, alice, /^Geschlossen: /);
      await scene.press(alice, closed, 'Liste ansehen');
      const listed = await hears(scene, alice, /^1 en tu lista, 0\.50 USDC en total\./);
      expectForAlone(scene, alice, listed);
      await scene.press(alice, listed, 'Pagar 0.50 USDC');
      await hears(scene, bob, /^0\.50 USDC an .*gesendet/);
    },
  },
  {
    title: 'a drop is one message: shares close, the giver strikes a name and pays the others at once, exactly',
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await open(stage, scene);
      stage.driver.deliverTimes(3);
      const card = await drop(scene);
      expect(card.isPrivate).toBe(false);
      for (const person of [bob, carl, bob]) await take(scene, person, card);
      await hears(scene, bob, /Taken: 2 of 10/);
      const listed = await list(stage, scene);
      expectForAlone(scene, alice, listed);
      expect(listed.buttons).toEqual(['Pay 1.00 USDC', 'Strike 1', 'Strike 2']);
      expect(payments(stage)).toEqual([]);
      await scene.press(alice, listed, 'Strike 2');
      const left = await hears(scene, alice, /^1 on your list, 0\.50 USDC in all\./);
      await scene.press(alice, left, 'Pay 0.50 USDC');
      await hears(scene, bob, /^Sent 0\.50 USDC/);
      await scene.press(alice, listed, 'Pay 1.00 USDC', { forged: true });
      await quiet(stage);
      const receivers = [{ receiver: bob.id, amount: '0.5' }];
      expect(payments(stage)).toEqual([{ path: `/payments/${stage.name}/batch-pay`, body: { receivers } }]);
      // The card itself says how it ended.
      expect(
        scene
          .shown(carl)
          .filter(({ isPrivate }) => !isPrivate)
          .at(-1)?.id,
      ).toBe(card.id);
    },
  },
  {
    title: 'a share is for those who may, once, and never for the giver or under another name',
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await open(stage, scene);
      scene.letModerate(carl, false);
      if (stage.name === 'telegram') {
        const { communityAnswers } = stage.store.tables;
        await stage.store.tx((db) =>
          db.delete(communityAnswers).where(eq(communityAnswers.userId, userOf(stage, carl))),
        );
      }
      const card = await drop(scene);
      await scene.press(alice, card, 'I’m in', { forged: true });
      await hears(scene, alice, /^That drop is yours\./);
      await scene.press(carl, card, 'I’m in');
      expectForAlone(scene, carl, await hears(scene, carl, /^This one is not for you yet\./));
      await take(scene, bob, card);
      // Carl proves a name that Bob has proven: from then on they are one person.
      const { walletHolders } = stage.store.tables;
      const kept = { walletId: `kept by ${card.id}`, identityId: `name of ${card.id}`, name: 'x:bob' };
      const since = { sinceMs: stage.clock().now(), spendsFromMs: 0, looksFromMs: 0 };
      for (const person of [bob, carl]) {
        const holderId = userOf(stage, person);
        await stage.store.tx((db) => db.insert(walletHolders).values({ holderId, ...kept, ...since }));
      }
      const { dropTakers } = stage.store.tables;
      const [row] = await stage.store.read
        .select()
        .from(dropTakers)
        .where(eq(dropTakers.userId, userOf(stage, bob)));
      const late = { dropId: row?.dropId ?? '', userId: userOf(stage, carl), position: 1, names: [], isStruck: false };
      await stage.store.tx((db) => db.insert(dropTakers).values(late));
      const listed = await list(stage, scene);
      expect(listed.buttons).toEqual(['Pay 0.50 USDC', 'Strike 1']);
    },
  },
  {
    title: 'a giver pays nobody whose name they have not read: one who comes back to the list is read first',
    on: ['telegram'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await open(stage, scene);
      const card = await drop(scene);
      for (const person of [bob, carl]) await take(scene, person, card);
      const { blockedPayers, walletHolders } = stage.store.tables;
      const kept = { walletId: `kept by ${card.id}`, identityId: `name of ${card.id}`, name: 'x:carl' };
      const since = { sinceMs: stage.clock().now(), spendsFromMs: 0, looksFromMs: 0 };
      const blocked = { identityId: kept.identityId, payer: userOf(stage, alice), createdAtMs: stage.clock().now() };
      await stage.store.tx(async (db) => {
        await db.insert(walletHolders).values({ holderId: userOf(stage, carl), ...kept, ...since });
        await db.insert(blockedPayers).values(blocked);
      });
      const listed = await list(stage, scene);
      expect(listed.buttons).toEqual(['Pay 0.50 USDC', 'Strike 1']);
      await stage.store.tx((db) => db.delete(blockedPayers));
      await scene.press(alice, listed, 'Pay 0.50 USDC');
      await hears(scene, alice, /^The list has changed meanwhile\./);
      await quiet(stage);
      expect(payments(stage)).toEqual([]);
      await scene.say(alice, '/drop');
      const again = await hears(scene, alice, /^2 on your list, 1\.00 USDC in all\./);
      // A button pays the list that it stands under, whatever its giver has seen since.
      await scene.press(alice, listed, 'Pay 0.50 USDC', { forged: true });
      const shown = await hears(
        scene,
        alice,
        /^The list has changed meanwhile\.[^]*\b2 on your list, 1\.00 USDC in all\./,
      );
      expectForAlone(scene, alice, shown);
      expect(shown.buttons).toEqual(again.buttons);
      await quiet(stage);
      expect(payments(stage)).toEqual([]);
      await scene.press(alice, shown, 'Pay 1.00 USDC');
      await hears(scene, bob, /^Sent 1\.00 USDC/);
      expect(payments(stage)).toHaveLength(1);
    },
  },
  {
    title: 'a drop that nobody asks for, or that is not paid in time, ends by itself and pays nothing',
    on: ['discord'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await open(stage, scene);
      const empty = await drop(scene);
      stage.clock().pass(2 * HOUR_MS);
      await scene.press(bob, empty, 'I’m in');
      await hears(scene, bob, /^This drop takes nobody in any more\./);
      await stage.resume();
      await hears(scene, carl, /Nobody asked for a share\./);
      const card = await drop(scene);
      await take(scene, bob, card);
      const listed = await list(stage, scene);
      stage.clock().pass(25 * HOUR_MS);
      await stage.resume();
      await hears(scene, carl, /did not pay the drop of 5\.00 USDC in time\./);
      await scene.press(alice, listed, 'Pay 0.50 USDC');
      await hears(scene, alice, /^You have no drop here whose list waits for you\./);
      await quiet(stage);
      expect(payments(stage)).toEqual([]);
    },
  },
  {
    title: 'a bot that stops between the press and the payment of a drop pays it once after its next start',
    on: ['discord'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      await open(stage, scene);
      await take(scene, bob, await drop(scene));
      const listed = await list(stage, scene);
      stage.api.script((request) => ({ do: request.header ? 'hang' : 'challenge' }));
      await scene.press(alice, listed, 'Pay 0.50 USDC');
      await until(() => expect(stage.api.headers()).toHaveLength(1));
      const stopped = stage.restart();
      stage.api.script((request) => ({ do: request.header ? 'paid' : 'challenge' }));
      await stopped;
      await stage.resume();
      await hears(scene, bob, /^Sent 0\.50 USDC/);
      expect(stage.api.headers()).toHaveLength(1);
      expect(payments(stage)).toHaveLength(1);
    },
  },
  {
    title: 'a giver with too little hears it alone, and pays once money is there; a second drop waits for the first',
    on: ['telegram'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob } = scene;
      await open(stage, scene);
      stage.state().balance = usdc(4);
      await scene.say(alice, '/drop 5 10 people 1h');
      expectForAlone(scene, alice, await hears(scene, alice, /^You have too little for that\./));
      stage.state().balance = usdc(100);
      await scene.say(alice, '/drop 30 10 people');
      await hears(scene, alice, /^That is over your 25\.00 USDC a day/);
      stage.state().balance = usdc(20);
      await take(scene, bob, await drop(scene));
      await scene.say(alice, '/drop 2 2 people');
      await hears(scene, alice, /^You have a drop here already\./);
      const listed = await list(stage, scene);
      stage.state().balance = usdc(0);
      await scene.press(alice, listed, 'Pay 0.50 USDC');
      expectForAlone(scene, alice, await hears(scene, alice, /^You have too little for that\./));
      stage.state().balance = usdc(20);
      await scene.press(alice, listed, 'Pay 0.50 USDC');
      await hears(scene, bob, /^Sent 0\.50 USDC/);
      await quiet(stage);
      expect(payments(stage)).toHaveLength(1);
    },
  },
  {
    title: 'a giver calls a drop off, and then nobody is paid',
    on: ['discord'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, carl } = scene;
      await open(stage, scene);
      const card = await drop(scene);
      await take(scene, bob, card);
      await scene.press(carl, card, 'Call it off', { forged: true });
      await scene.press(alice, card, 'Call it off');
      await hears(scene, carl, /called off the drop of 5\.00 USDC\. Nobody was paid\./);
      await quiet(stage);
      expect(payments(stage)).toEqual([]);
    },
  },
  {
    title: 'a drop out of the treasury is asked for and confirmed by those who moderate, and paid once, exactly',
    on: ['discord'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, carl, moderator } = scene;
      if (moderator === null) throw new Error('nobody runs this place');
      await open(stage, scene);
      stage.state().balance = usdc(100);
      const asked = '/drop 30 10 people 1h from treasury';
      await scene.say(alice, asked);
      expectForAlone(scene, alice, await hears(scene, alice, /^That is for those who moderate here\./));
      stage.driver.deliverTimes(3);
      scene.letModerate(alice, true);
      await scene.say(alice, asked);
      const card = await hears(scene, bob, /^The community drops 30\.00 USDC: 3\.00 USDC each for 10 people\./);
      expect(card.isPrivate).toBe(false);
      await scene.press(alice, card, 'I’m in', { forged: true });
      await hears(scene, alice, /^That drop is yours\./);
      for (const person of [bob, carl]) {
        await scene.press(person, card, 'I’m in');
        await hears(scene, person, /^You’re in: 3\.00 USDC for you, once the community has looked/);
      }
      stage.clock().pass(HOUR_MS + 1_000);
      await stage.resume();
      const closed = await hears(scene, alice, /^Closed: 2 .* from the treasury\. .* 0 of 2 so far\./);
      const listFor = async (person: Person) => {
        await scene.press(person, closed, 'See the list');
        return hears(scene, person, / on your list, 6\.00 USDC in all\./);
      };
      const confirm = async (person: Person) => scene.press(person, await listFor(person), 'Confirm 6.00 USDC');
      // Neither who asked for it nor who stands on the list decides.
      await confirm(alice);
      await hears(scene, alice, /^You asked for this drop yourself/);
      await confirm(bob);
      await hears(scene, bob, /^You have a share in this one/);
      await confirm(moderator);
      await hears(scene, moderator, /^Confirmed\. Others who moderate confirm it as well/);
      await hears(scene, carl, /1 of 2 so far\./);
      await quiet(stage);
      expect(payments(stage)).toEqual([]);
      // Alice strikes a name: the list is another one, and Mona confirms it again.
      await scene.press(alice, await listFor(alice), 'Strike 2');
      await hears(scene, alice, /^1 on your list, 3\.00 USDC in all\./);
      await hears(scene, bob, /0 of 2 so far\./);
      await scene.press(moderator, closed, 'See the list');
      const left = await hears(scene, moderator, /^1 on your list, 3\.00 USDC in all\./);
      await scene.press(moderator, left, 'Confirm 3.00 USDC');
      await hears(scene, bob, /1 of 2 so far\./);
      // Who was struck has no share any more.
      await scene.press(carl, closed, 'See the list');
      const last = await hears(scene, carl, /^1 on your list, 3\.00 USDC in all\./);
      await scene.press(carl, last, 'Confirm 3.00 USDC');
      await hears(scene, bob, /^Sent 3\.00 USDC/);
      await quiet(stage);
      const receivers = [{ receiver: bob.id, amount: '3' }];
      expect(payments(stage)).toEqual([{ path: `/payments/${stage.name}/batch-pay`, body: { receivers } }]);
      const { orders } = stage.store.tables;
      const rows = (await stage.store.read.select().from(orders)).filter(({ userId }) => userId.includes('-g'));
      // Nobody's: neither in a history, nor counted against anyone's limits.
      expect(rows).toMatchObject([{ status: 'answered', countedMicroUsdc: null, userId: rows[0]?.walletId }]);
    },
  },
  {
    title: 'one who moderates confirms the list that they have seen, whatever another one looks at meanwhile',
    on: ['telegram'],
    needs: NEEDS,
    play: async (stage, scene) => {
      const { alice, bob, carl, moderator } = scene;
      if (moderator === null) throw new Error('nobody runs this place');
      await open(stage, scene);
      stage.state().balance = usdc(100);
      scene.letModerate(alice, true);
      await scene.say(alice, '/drop 10 10 people 1h from treasury');
      const card = await hears(scene, bob, /^The community drops 10\.00 USDC: 1\.00 USDC each for 10 people\./);
      for (const person of [bob, carl]) {
        await scene.press(person, card, 'I’m in');
        await hears(scene, person, /^You’re in: 1\.00 USDC for you/);
      }
      const lift = await banTaker(stage, carl);
      stage.clock().pass(HOUR_MS + 1_000);
      await stage.resume();
      const closed = await hears(scene, alice, /^Closed: 2 .* from the treasury\. .* 0 of 1 so far\./);
      await scene.press(moderator, closed, 'See the list');
      const seen = await hears(scene, moderator, /^1 on your list, 1\.00 USDC in all\./);
      // Alice, who asked for it, lets Carl back in and looks at the list herself.
      await lift();
      await scene.press(alice, closed, 'See the list');
      await hears(scene, alice, /^2 on your list, 2\.00 USDC in all\./);
      await scene.press(moderator, seen, 'Confirm 1.00 USDC');
      const shown = await hears(scene, moderator, /^The list has changed meanwhile\.[^]*\b2 on your list, 2\.00 USDC/);
      await quiet(stage);
      expect(payments(stage)).toEqual([]);
      const { dropConfirmations } = stage.store.tables;
      const isTheirs = eq(dropConfirmations.userId, userOf(stage, moderator));
      expect(await stage.store.read.select().from(dropConfirmations).where(isTheirs)).toEqual([]);
      await scene.press(moderator, shown, 'Confirm 2.00 USDC');
      await hears(scene, bob, /^Sent 2\.00 USDC/);
      await quiet(stage);
      expect(payments(stage)).toHaveLength(1);
    },
  },
];

playOnAll(scenarios);
