import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { View } from '../../../core/view.ts';
import { runUntilSeen } from '../../support/seen.ts';
import { DAY_MS, HOUR_MS, MEMBER, MOD, openTreasuryWorld, OTHER_MOD, OWNER, SAFE } from './treasury-world.ts';

const PEOPLE = [OWNER, MOD, OTHER_MOD, MEMBER] as const;
const ADDRESSES = [SAFE, `0x${'ef'.repeat(20)}`] as const;

type Step =
  | { do: 'wait'; hours: number }
  | { do: 'set' | 'drop' | 'propose' | 'stop' | 'reject'; by: number; address: number }
  /** All at once. */
  | { do: 'confirm'; by: number[] }
  | { do: 'roles'; owner: number; moderators: number[] };

const person = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 12, 24, 25) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'set' as const,
        'set' as const,
        'propose' as const,
        'propose' as const,
        'drop' as const,
        'stop' as const,
        'reject' as const,
      ),
      by: fc.constantFrom(0, 0, 1, 1, 2, 3),
      address: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('confirm' as const), by: fc.array(person, { minLength: 1, maxLength: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('roles' as const),
      owner: person,
      moderators: fc.uniqueArray(person, { maxLength: 3 }),
    }),
  },
);

/** An ordinary story, and one in too much haste: what follows can go wrong. Else hardly any run would move money. */
const openings: Step[][] = [24, 24, 12].map((hours) => [
  { do: 'set', by: 0, address: 0 },
  { do: 'wait', hours },
  { do: 'propose', by: 1, address: 0 },
]);

/** What was seen from outside, from which every withdrawal must follow. */
type Seen = {
  addresses: { address: string; atMs: number; endedAtMs: number }[];
  confirmed: { userId: string; card: string; atMs: number }[];
};

let moved = 0;

async function play(steps: readonly Step[]): Promise<void> {
  const world = await openTreasuryWorld();
  try {
    const seen: Seen = { addresses: [], confirmed: [] };
    let card: string | null = null;
    let told: string | null = null;
    let known = 0;
    for (const one of steps) {
      const nowMs = world.clock.now();
      const by = 'by' in one && typeof one.by === 'number' ? (PEOPLE[one.by] ?? MEMBER) : MEMBER;
      const mayOwn = by === world.run.ownerId;
      const mayDecide = mayOwn || world.run.moderatorIds.includes(by);
      if (one.do === 'wait') world.clock.pass(one.hours * HOUR_MS);
      if (one.do === 'roles') {
        world.run.ownerId = PEOPLE[one.owner] ?? OWNER;
        world.run.moderatorIds = one.moderators.flatMap((index) => PEOPLE[index] ?? []);
      }
      if (one.do === 'set') {
        const address = ADDRESSES[one.address] ?? SAFE;
        const view = await world.say(by, `/treasury address ${address}`);
        if (mayOwn) {
          endWaiting(seen, nowMs);
          seen.addresses.push({ address, atMs: nowMs, endedAtMs: Infinity });
          told = buttonIn(view, 'Stop') ?? told;
        }
      }
      if (one.do === 'drop') {
        await world.say(by, '/treasury address off base');
        if (mayOwn) for (const past of seen.addresses) past.endedAtMs = Math.min(past.endedAtMs, nowMs);
        else if (mayDecide) endWaiting(seen, nowMs);
      }
      if (one.do === 'stop' && told !== null) {
        await world.press(by, told);
        if (mayDecide) endWaiting(seen, nowMs);
      }
      if (one.do === 'propose') card = buttonsOf(await world.say(by, '/treasury withdraw 1 base')) ?? card;
      if (one.do === 'reject' && card !== null) await world.press(by, card.split(' ')[1] ?? '');
      if (one.do === 'confirm' && card !== null) {
        const [confirm = ''] = card.split(' ');
        const people = one.by.map((index) => PEOPLE[index] ?? MEMBER);
        const those: string = card;
        const running = [world.run.ownerId, ...world.run.moderatorIds];
        const counting = people.filter((userId) => running.includes(userId));
        seen.confirmed.push(...counting.map((userId) => ({ userId, card: those, atMs: nowMs })));
        await Promise.all(people.map((userId) => world.press(userId, confirm)));
      }
      await world.bot.idle();
      known = await judge(world, seen, card, known);
    }
    moved += known;
  } finally {
    await world.close();
  }
}

type World = Awaited<ReturnType<typeof openTreasuryWorld>>;

/** Every withdrawal is judged at the step that made it, by who is what at that moment. */
async function judge(world: World, seen: Seen, card: string | null, known: number): Promise<number> {
  const rows = await world.withdrawals();
  expect(rows.length - known).toBeLessThanOrEqual(1);
  expect(world.signed.length).toBe(rows.length);
  if (rows.length === known) return known;
  const [newest] = rows.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  const nowMs = world.clock.now();
  const isOld = seen.addresses.some(
    ({ address, atMs, endedAtMs }) => address === newest?.toAddress && atMs + DAY_MS <= nowMs && endedAtMs > nowMs,
  );
  const agreed = new Set(
    seen.confirmed.filter((one) => one.card === card && one.atMs > nowMs - DAY_MS).map(({ userId }) => userId),
  );
  const { ownerId, moderatorIds } = world.run;
  const others = moderatorIds.filter((id) => id !== ownerId && agreed.has(id));
  expect({ isOld, hasOwner: ownerId !== null && agreed.has(ownerId), hasOther: others.length > 0 }).toEqual({
    isOld: true,
    hasOwner: true,
    hasOther: true,
  });
  return rows.length;
}

function endWaiting(seen: Seen, nowMs: number): void {
  for (const past of seen.addresses) if (past.atMs + DAY_MS > nowMs) past.endedAtMs = Math.min(past.endedAtMs, nowMs);
}

function buttonIn({ actions }: View, label: string): string | null {
  const button = actions.find((action) => action.kind === 'button' && action.label.startsWith(label));
  return button?.kind === 'button' ? button.id : null;
}

/** Both of a card, which stand for it. */
function buttonsOf(view: View): string | null {
  const [confirm, reject] = [buttonIn(view, 'Confirm'), buttonIn(view, 'Reject')];
  return confirm === null || reject === null ? null : `${confirm} ${reject}`;
}

test('no money leaves without the owner and another, or to an address younger than a day, whatever happens when', async () => {
  const rest = fc.array(step, { minLength: 3, maxLength: 14 });
  const stories = fc.tuple(fc.constantFrom(...openings), rest).map((parts) => parts.flat());
  const run = () => fc.assert(fc.asyncProperty(stories, play), { numRuns: 25, endOnFailure: true });
  // Else nothing was judged.
  await runUntilSeen(10, run, () => (moved > 10 ? [] : ['ten withdrawals']));
}, 300_000);
