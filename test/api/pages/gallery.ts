import { setTipPage } from '../../../db/tip-pages/tip-pages.ts';
import { NOW_MS, type Installation, type Seed } from './installation.ts';
import { REWARD_SEEDS, seedReward, type RewardSeed } from './rewards.ts';

const DAY_MS = 86_400_000;

/** Every state that a receipt can be seen in, by name. Pictures and the accessibility check go through all of them. */
export const RECEIPT_SEEDS = {
  'waiting, settled': {
    payment: { description: 'Thanks for the quick fix on Friday night!', meta: { agent_name: 'Marta' } },
  },
  'waiting, final': { payment: { status: 'final' } },
  'on its way': { payout: { status: 'broadcast' }, payment: { meta: { agent_name: 'buildbot' } } },
  'received, final': {
    payout: { status: 'final' },
    payment: { status: 'final', description: 'For the talk. See you in Lyon' },
    amountMicroUsdc: 3_200_000n,
  },
  held: { payout: { status: 'held' }, payment: { status: 'final' }, amountMicroUsdc: 10_000_000n },
  'going back, not collected': {
    line: { status: 'returning' },
    payment: { status: 'final', meta: { agent_name: 'Marta' } },
    refundedAtMs: NOW_MS + 30 * DAY_MS,
  },
  'returned, not collected': {
    line: { status: 'returning' },
    payout: { status: 'final' },
    payment: { status: 'final', meta: { agent_name: 'Marta' } },
    refundedAtMs: NOW_MS + 30 * DAY_MS,
  },
  'returned, taken back': {
    line: { status: 'returning' },
    payout: { status: 'final' },
    payment: { status: 'final', meta: { agent_name: 'Marta' } },
    refundedAtMs: NOW_MS + 60_000,
  },
  'returned, declined': {
    line: { status: 'returning', returnReason: 'declined' },
    payout: { status: 'final' },
    payment: { status: 'final' },
    refundedAtMs: NOW_MS + 60_000,
  },
  'reorganised away': {
    payment: { status: 'settling', landedTransaction: null, landedBlock: null },
  },
  undone: {
    payment: { status: 'rejected', landedTransaction: null, landedBlock: null },
    line: { status: 'void' },
  },
  'long and hostile': {
    amountMicroUsdc: 9_876_543n,
    payment: {
      description: `<script>alert(1)</script> ${'W'.repeat(60)} \u202Egnp.exe ${'long '.repeat(400)}`,
      meta: { agent_name: `"><img src=x onerror=alert(1)> ${'n'.repeat(80)}` },
    },
    line: { platform: 'web', recipientKey: `${'a-very-long-label'.repeat(3)}.${'b'.repeat(60)}.example.com` },
  },
  'to an e-mail address': { line: { platform: 'email', recipientKey: 'alice.secret@example.com' } },
} as const satisfies Record<string, Seed>;

/** Names of pages and their paths. */
export async function listPages(installation: Installation): Promise<Map<string, string>> {
  const pages = new Map<string, string>([
    ['landing', '/'],
    ...['real', 'help', 'terms', 'privacy', 'status'].map((name) => [name, `/${name}`] as const),
    ['nothing there', '/receipts/AAAAAAAAAAAAAAAAAAAAAA'],
  ]);
  for (const [name, seed] of Object.entries<Seed>(RECEIPT_SEEDS)) {
    pages.set(`receipt ${name}`, `/receipts/${(await installation.seed(seed)).slug}`);
  }
  pages.set('send to a name', '/to/x/nobody');
  pages.set('tip page', await seedTipPage(installation));
  pages.set('take back', `/receipts/${(await installation.seed()).slug}/take-back`);
  pages.set('report', `/receipts/${(await installation.seed()).slug}/report`);
  for (const [name, seed] of Object.entries<RewardSeed>(REWARD_SEEDS)) {
    pages.set(`reward ${name}`, await seedReward(installation, seed));
  }
  return pages;
}

async function seedTipPage({ store, clock }: Installation): Promise<string> {
  const person = { id: 'person_tipped', platform: 'x', stableId: '99', key: 'marta', display: 'marta', createdAtMs: 0 };
  await store.tx((db) => db.insert(store.tables.identities).values(person));
  const page = { words: 'I write free software at night. Thank you for the tea!' };
  await setTipPage(store, { identityId: person.id, page }, clock.nowMs);
  return '/to/x/marta';
}
