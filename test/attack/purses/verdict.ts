import { formatUsdc } from '../../../core/money.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { readBooks as readLedger } from '../../../db/audit/books.ts';
import { readBooks, type Books } from '../chat-kills/books.ts';
import type { Installation } from './installation.ts';
import { balancesOf } from './marks.ts';
import type { Owner } from './owner.ts';

/** What became of one purse, by the chain and the books. */
export type PurseOutcome = {
  name: string;
  /** In the purse, by the chain. */
  left: bigint;
  /** At the address that it was taken out to, by the chain. */
  out: bigint;
  payments: number;
  /** Waiting for the friend. */
  inEscrow: bigint;
  /** What came in less all of these: what is lost, or negative, twice. */
  missing: bigint;
  isExact: boolean;
};

export async function judgePurses(owners: readonly Owner[], installation: Installation): Promise<PurseOutcome[]> {
  const books = await readBooks(installation.store);
  const outcomes: PurseOutcome[] = [];
  for (const owner of owners) outcomes.push(await judge(owner, installation, books));
  return outcomes;
}

async function judge(
  { plan, outAddress }: Owner,
  { onChain, addressesOf }: Installation,
  { entries }: Books,
): Promise<PurseOutcome> {
  const { platform, handle, network, walletId, collected, sent, takenOut, friend } = plan;
  const left = await onChain(network, addressesOf(walletId)[network === 'base' ? 'base' : 'solana']);
  const out = await onChain(network, outAddress);
  const { payments = 0, inEscrow = 0n } = entries.get(friend) ?? {};
  const missing = collected - left - out - inEscrow;
  const [, , afterAll] = balancesOf(plan);
  const isExact = left === afterAll && out === takenOut && inEscrow === sent && payments === 1;
  return { name: `${platform}:${handle} on ${network}`, left, out, payments, inEscrow, missing, isExact };
}

/** What is wrong with a table of movements; nothing where it has what came, was sent and taken out, each once. */
export function findWrongLines(table: string, { plan }: Owner): string[] {
  const [, ...rows] = table.trimEnd().split('\r\n');
  const found = rows.map((row) => row.split(',')).map(([, , kind, , into, out]) => `${kind} ${into}${out}`);
  const { collected, sent, takenOut } = plan;
  const wanted = [`received ${formatUsdc(collected)}`, `sent ${formatUsdc(sent)}`, `out ${formatUsdc(takenOut)}`];
  const isRight = found.toSorted().join() === wanted.toSorted().join();
  return isRight ? [] : [`${plan.platform}:${plan.handle} reads ${found.join(', ')}`];
}

/** The ledger against itself and, for the treasury, against the chain. */
export async function findBrokenBooks({ store, treasury, onChain }: Installation): Promise<string[]> {
  const violations = (await findViolations(store)).map(({ rule, detail }) => `${rule}: ${detail}`);
  const held = (await readLedger(store, 'base', [treasury]))?.held.get(treasury);
  const chain = await onChain('base', treasury);
  return held === chain
    ? violations
    : [...violations, `the books say ${held} of the treasury, the chain says ${chain}`];
}
