/** Rewards as their page can be seen. */
import { eq } from 'drizzle-orm';
import { distributionOrderId, type Distribution, type FrozenShare } from '../../../core/rewards/distribution.ts';
import { microUsdc } from '../../../core/money.ts';
import type { LineState, PaymentState } from '../../../core/states.ts';
import { addDistribution } from '../../../db/rewards/distributions.ts';
import { newDistribution } from '../../support/rewards/distributions.ts';
import { NOW_MS, type Installation } from './installation.ts';

export type RewardSeed = {
  people?: number;
  change?: Partial<Distribution>;
  /** The state of its payment; absent: nobody has confirmed it. `lines` are the states of its lines, the last repeated. */
  payment?: { status: PaymentState; isAnswered?: boolean; lines?: readonly LineState[] };
};

export const REWARD_SEEDS = {
  'waiting to be confirmed': { people: 38 },
  'being paid': { people: 38, payment: { status: 'settling', isAnswered: false } },
  'on its way': { people: 12, payment: { status: 'settled', lines: ['escrowed', 'resolving'] } },
  'partly there, final': { people: 12, payment: { status: 'final', lines: ['escrowed'] } },
  rejected: { people: 3, change: { rejectedAtMs: NOW_MS } },
  'for one person': { people: 1, change: { leftOut: [] } },
  'long and hostile': {
    people: 2,
    change: {
      excerpt: `<script>alert(1)</script> ${'W'.repeat(90)} \u202Egnp.exe https://evil.example ${'long '.repeat(80)}`,
      authorName: 'a-very-long-name.a-very-long-name-too.a-very-long-name-as-well.eth',
    },
  },
} as const satisfies Record<string, RewardSeed>;

/** Answers the address of its page. */
export async function seedReward(installation: Installation, seed: RewardSeed = {}): Promise<string> {
  const { people = 2, change, payment } = seed;
  const shares = sharesFor(people);
  const budget = microUsdc(shares.reduce((sum, share) => sum + share.amount, 0n));
  const distribution = newDistribution(NOW_MS, { shares, budget, ...change });
  await addDistribution(installation.store, distribution, { secretHash: 'ab'.repeat(32), caller: null });
  if (payment !== undefined) await seedPayment(installation, distribution, payment);
  return `/rewards/${distribution.id}`;
}

/** The last repeated for every reader who follows. */
export const PEOPLE_NAMES = ['inkwell-ada', 'piotr-draws', 'saltmarsh', 'a-name-of-16-long', 'noor'];

function sharesFor(people: number): FrozenShare[] {
  const total = (people * (people + 1)) / 2;
  const parts = Array.from({ length: people }, (_, index) => Math.floor(((people - index) / total) * 1_000_000));
  parts[0] = (parts[0] ?? 0) + 1_000_000 - parts.reduce((sum, part) => sum + part, 0);
  return parts.map((weightMillionths, index) => ({
    userId: String(100 + index),
    username: PEOPLE_NAMES[index] ?? `fan-${index + 1}`,
    weightMillionths,
    amount: microUsdc(BigInt(weightMillionths) * 20n),
    walletAddress: null,
  }));
}

async function seedPayment(
  installation: Installation,
  { id, shares, budget }: Distribution,
  { status, isAnswered = true, lines: states = ['accepted'] }: NonNullable<RewardSeed['payment']>,
): Promise<void> {
  const { store, dependencies } = installation;
  const { lines, purchases } = store.tables;
  const answer = isAnswered ? { code: 200 } : null;
  const landed = isAnswered ? {} : { landedTransaction: null, landedBlock: null, settledAtMs: null };
  const operation = 'rest.confirm-distribution';
  const { paymentId, txnId } = await installation.seed({
    payment: { status, operation, answer, ...landed },
    amountMicroUsdc: budget,
  });
  await store.tx(async (db) => {
    await db.insert(purchases).values({ orderId: distributionOrderId(id), paymentId });
    const [first] = await db.select().from(lines).where(eq(lines.txnId, txnId));
    if (!first) throw new Error('the seeded payment has no line');
    await db.delete(lines).where(eq(lines.txnId, txnId));
    for (const [position, { username, amount }] of shares.entries()) {
      const { ids } = dependencies;
      await db.insert(lines).values({
        ...first,
        txnId: ids.txnId(),
        slug: ids.slug(),
        publicSlug: ids.slug(),
        position,
        platform: 'decsocial',
        receiver: username,
        recipientKey: username,
        display: username,
        amountMicroUsdc: amount,
        status: states[position] ?? states.at(-1) ?? 'accepted',
      });
    }
  });
}
