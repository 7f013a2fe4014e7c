/**
 * Random lives of lines whose platforms are away: payments, blocks, reorganisations, deaths, answers of every kind, two
 * workers that hear different things, cancellations, wallets. After every step all invariants hold; at the end, when
 * everything has come to rest, each line is with one owner exactly once. `npm run torture -- storms` lives more of them;
 * ATTACK_SEED as in the model test.
 */
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Recipient } from '../../core/platforms/recipient.ts';
import { postEntry } from '../../db/ledger/ledger.ts';
import type { LineRow } from '../../db/payments/records/find.ts';
import { refundLine } from '../../db/refunds/refund-line.ts';
import { resolveLine, returnUnresolved } from '../../db/resolving/resolve-line.ts';
import type { Resolution } from '../../identity/port.ts';
import { ASK_FOR_MS } from '../../core/lookups.ts';
import { resolvingRound, type ResolvingWorker } from '../../worker/resolving.ts';
import { reportFaults, stormSize } from '../../scripts/torture/faults.ts';
import { openBooks, type Books } from '../support/books.ts';
import { runUntilSeen } from '../support/seen.ts';

const RUNS = stormSize(3);
const SEED = Number(process.env['ATTACK_SEED'] ?? 20_261_121);
const NAMES = ['alice', 'bob', 'carol', 'nobody'] as const;
type Name = (typeof NAMES)[number];

type Life = { books: Books; paymentIds: string[]; finalized: number; changedHands: boolean; orphans: Set<string> };
type Step = { act: (life: Life) => Promise<unknown>; text: string; [fc.toStringMethod]: () => string };

/** How often each step, and each end, was met: a model that never gets anywhere has tested nothing. */
const seen = new Map<string, number>();
const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

const step = (name: string, act: Step['act'], text = ''): Step => ({
  text: `${name}${text}`,
  [fc.toStringMethod]: () => `${name}${text}`,
  act: async (life) => {
    count(name);
    await act(life);
  },
});

/** What the platform would say, were it there. */
function truth({ changedHands }: Life, { key }: Pick<Recipient, 'key'>): Resolution {
  if (key === 'nobody') return { kind: 'not-found' };
  const id = NAMES.findIndex((name) => name === key) + 1;
  return { kind: 'found', stableId: String(changedHands && key === 'carol' ? 99 : id) };
}

function workerOf(life: Life, answers: (recipient: Recipient) => Resolution): ResolvingWorker {
  const { store, ids, transferIdOf, clock } = life.books;
  const identity = { resolve: async (recipient: Recipient) => answers(recipient) };
  const log = pino({ level: 'silent' });
  return { store, ids, transferIdOf, now: () => clock.nowMs, log, announce: () => undefined, identity };
}

const isOpen = (status: string) => status === 'received' || status === 'settling';

async function openPayments({ books, paymentIds }: Life): Promise<string[]> {
  const payments = await Promise.all(paymentIds.map((id) => books.paymentOf(id)));
  return payments.filter(({ status }) => isOpen(status)).map(({ id }) => id);
}

async function allLines({ books, paymentIds }: Life): Promise<LineRow[]> {
  return (await Promise.all(paymentIds.map((id) => books.linesFor(id)))).flat();
}

const aLine = async (life: Life, at: number): Promise<LineRow | undefined> => {
  const lines = await allLines(life);
  return lines[at % Math.max(1, lines.length)];
};

async function claim(life: Life, names: readonly Name[], known: boolean, fee: bigint): Promise<void> {
  const payees = names.map((name, index) => {
    const person = known ? truth(life, { key: name }) : null;
    return { name, stableId: person?.kind === 'found' ? person.stableId : null, amount: 10_000n + BigInt(index) };
  });
  const claimed = await life.books.claim({ payer: `0x${life.paymentIds.length}`, fee, payees });
  if (claimed.kind !== 'reserved') throw new Error(`expected a reservation, found ${claimed.kind}`);
  life.paymentIds.push(claimed.paymentId);
}

async function mine(life: Life, share: number): Promise<void> {
  const open = await openPayments(life);
  await life.books.mine(open.slice(0, Math.ceil(open.length * share)), life.finalized);
}

async function reorganise(life: Life): Promise<void> {
  if (life.books.height() <= life.finalized + 1) return;
  await life.books.reorganise();
}

/** Everything more than two blocks deep stays. */
async function finalize(life: Life): Promise<void> {
  life.finalized = Math.max(life.finalized, life.books.height() - 2);
  await life.books.mine([], life.finalized);
}

async function bury(life: Life, at: number): Promise<void> {
  const open = await openPayments(life);
  const id = open[at % Math.max(1, open.length)];
  if (id !== undefined && (await life.books.bury(id))) life.orphans.add(id);
}

async function link(life: Life, name: Name): Promise<void> {
  const person = truth(life, { key: name });
  if (person.kind === 'found') await life.books.link(await life.books.meet(name, person.stableId));
}

/** Two workers have asked, and heard different things; both act on it, and the payer does, too. */
async function contradict(life: Life, at: number): Promise<void> {
  const line = await aLine(life, at);
  if (line === undefined) return;
  const { store, ids, clock } = life.books;
  const dependencies = { newIdentityId: ids.identityId, transferIdOf: ids.payoutId, nowMs: clock.nowMs };
  const person = truth(life, { key: line.recipientKey });
  await Promise.all([
    person.kind === 'found' ? resolveLine(store, line.txnId, person, dependencies) : null,
    returnUnresolved(store, line.txnId, 'no_answer', clock.nowMs),
    refundLine(store, line.txnId, clock.nowMs),
  ]);
}

const index = fc.nat({ max: 50 });
const names = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 });
const steps = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(names, fc.boolean(), fc.constantFrom(0n, 300n))
      .map(([to, known, fee]) =>
        step('pay', (life) => claim(life, to, known, fee), `(${to.join(' ')}, ${known}, ${fee})`),
      ),
  },
  { weight: 8, arbitrary: fc.constantFrom(0.5, 1).map((share) => step('mine', (life) => mine(life, share))) },
  { weight: 5, arbitrary: fc.constant(step('reorg', reorganise)) },
  { weight: 2, arbitrary: fc.constant(step('finalize', finalize)) },
  { weight: 2, arbitrary: index.map((at) => step('die', (life) => bury(life, at))) },
  {
    weight: 4,
    arbitrary: fc.constant(step('ask', (life) => resolvingRound(workerOf(life, (who) => truth(life, who))))),
  },
  {
    weight: 4,
    arbitrary: fc.constant(
      step('ask in vain', (life) => resolvingRound(workerOf(life, () => ({ kind: 'unavailable' })))),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constant(
      step('two ask', (life) => {
        const [one, other] = [
          workerOf(life, (who) => truth(life, who)),
          workerOf(life, () => ({ kind: 'unavailable' })),
        ];
        return Promise.all([resolvingRound(one), resolvingRound(other)]);
      }),
    ),
  },
  { weight: 4, arbitrary: index.map((at) => step('contradict', (life) => contradict(life, at))) },
  {
    weight: 3,
    arbitrary: index.map((at) =>
      step('cancel', async (life) => {
        const line = await aLine(life, at);
        if (line) await refundLine(life.books.store, line.txnId, life.books.clock.nowMs);
      }),
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(...NAMES).map((name) => step('link', (life) => link(life, name))) },
  { weight: 1, arbitrary: fc.constant(step('rename', async (life) => void (life.changedHands = !life.changedHands))) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(1_000, 30_000, ASK_FOR_MS)
      .map((ms) => step('wait', async ({ books }) => void (books.clock.nowMs += ms), `(${ms})`)),
  },
);

/** The chain goes on, the platform answers, and everything is decided. */
async function comeToRest(life: Life): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await mine(life, 1);
    life.books.clock.nowMs += ASK_FOR_MS;
    await resolvingRound(workerOf(life, (who) => truth(life, who)));
  }
  life.finalized = life.books.height();
  await life.books.mine([], life.finalized);
}

async function findFaults(life: Life): Promise<string[]> {
  const faults: string[] = [];
  const { store } = life.books;
  const entries = await store.read.select().from(store.tables.entries);
  const refunds = await store.read.select().from(store.tables.refunds);
  const payouts = await store.read.select().from(store.tables.transfers);
  for (const line of await allLines(life)) {
    const { txnId, paymentId, status, payoutId } = line;
    count(`line ${status}`);
    const dead = life.orphans.has(paymentId);
    if (status === 'resolving' || status === 'accepted') faults.push(`line ${txnId} ends as ${status}`);
    if (status === 'void' && !dead) faults.push(`line ${txnId} is void, its payment lives`);
    const back = refunds.filter((refund) => refund.txnId === txnId).length;
    const resolved = entries.filter(({ cause }) => cause === `resolve:${paymentId}:${txnId}`).length;
    if (back !== (status === 'returning' ? 1 : 0)) faults.push(`line ${txnId} is ${status} with ${back} refunds`);
    if (resolved > 1) faults.push(`line ${txnId} was resolved ${resolved} times`);
    if (status === 'paying' && !payouts.some(({ id }) => id === payoutId)) faults.push(`line ${txnId} has no payout`);
  }
  const paid = payouts.reduce((sum, { amountMicroUsdc }) => sum + amountMicroUsdc, 0n);
  if ((await life.books.owed('outflight:base')) !== paid) faults.push('what is on its way is not what left');
  return faults;
}

async function live(moments: readonly Step[], sabotage?: (life: Life) => Promise<unknown>): Promise<string[]> {
  const books = await openBooks();
  const life: Life = { books, paymentIds: [], finalized: 1, changedHands: false, orphans: new Set() };
  try {
    for (const moment of moments) {
      await moment.act(life);
      await books.assertSound();
    }
    await sabotage?.(life);
    await comeToRest(life);
    await books.assertSound();
    return await findFaults(life);
  } finally {
    await books.close();
  }
}

test(
  'whatever happens while names are looked up, no money is lost, doubled or anybody else’s',
  { timeout: 60_000 + RUNS * 15_000 },
  async () => {
    const property = fc.asyncProperty(
      fc.array(steps, { minLength: 15, maxLength: 60, size: 'max' }),
      async (moments) => {
        expect(await live(moments)).toEqual([]);
      },
    );
    const run = async (round: number) => {
      await fc.assert(property, { numRuns: RUNS, seed: SEED + round });
      console.log(Object.fromEntries(seen));
    };
    const ends = ['line escrowed', 'line paying', 'line returning', 'line void'];
    const wanted = ['two ask', 'contradict', 'reorg', 'die', ...ends];
    await runUntilSeen(5, run, () => wanted.filter((name) => !seen.has(name)));
    reportFaults(Object.fromEntries(seen));
  },
);

test('CONTROL: a line that is resolved behind the books’ back, and one that is refunded twice, are both seen', async () => {
  const pay = step('pay', (life) => claim(life, ['alice'], false, 0n));
  const block = step('mine', (life) => mine(life, 1));
  expect(await live([pay, block])).toEqual([]);
  const setStatus = async ({ books }: Life) => {
    const { tables, tx } = books.store;
    await tx((db) => db.update(tables.lines).set({ status: 'escrowed' }));
  };
  await expect(live([pay, block], setStatus)).rejects.toThrow('lookups = resolving lines');
  const refundTwice = async (life: Life) => {
    const { store, clock } = life.books;
    const line = await aLine(life, 0);
    await refundLine(store, line?.txnId ?? 0, clock.nowMs);
    const [refund] = await store.read.select().from(store.tables.refunds);
    if (refund === undefined) throw new Error('there is no refund to repeat');
    await store.tx((db) => db.insert(store.tables.refunds).values({ ...refund, id: 'again' }));
  };
  expect(await live([pay, block], refundTwice)).toEqual([expect.stringContaining('is returning with 2 refunds')]);
  const postTwice = async (life: Life) => {
    const { store } = life.books;
    const line = await aLine(life, 0);
    const account = `escrow:base:${line?.identityId}`;
    const posting = { account, unit: 'usdc', side: 'liability', amount: 1n } as const;
    const entry = { cause: 'again', postings: [posting, { ...posting, account: 'escrow:base:mallory', amount: -1n }] };
    await store.tx((db) => postEntry(db, store.tables, entry, 0));
  };
  await expect(live([pay, block], postTwice)).rejects.toThrow();
});
