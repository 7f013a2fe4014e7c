import { eq, sql, type SQL } from 'drizzle-orm';
import { accounts as accountNames } from '../../core/ledger.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { NETWORKS, type Network } from '../../core/networks.ts';
import type { Store } from '../store/store.ts';

/** The books of one network at one block. */
export type Solvency = {
  network: Network;
  /** Up to where the chain has been read into the books; null before the first scan. */
  block: number | null;
  /** What the chain holds for us. */
  assets: MicroUsdc;
  /** What is owed to recipients and payers, is on its way to them, or is not explained yet; and our earned fees. */
  liabilities: MicroUsdc;
  /** The operator's own money, put in. */
  float: MicroUsdc;
  /** What was paid out against a payment that the chain then took back. */
  reorgLoss: MicroUsdc;
  /** Everything owed is there, and the books add up. */
  isSolvent: boolean;
};

type Role = 'assets' | 'liabilities' | 'float' | 'reorgLoss';

/** What each kind of account is in this sum; null: it is not in USDC. A new kind does not compile without a row. */
const ROLES = {
  escrow: 'liabilities',
  chain: 'assets',
  outflight: 'liabilities',
  refundDue: 'liabilities',
  suspense: 'liabilities',
  fees: 'liabilities',
  float: 'float',
  reorgLoss: 'reorgLoss',
  native: null,
  gasSpent: null,
} as const satisfies Record<keyof typeof accountNames, Role | null>;

/**
 * Every network that has books. One statement, so that balances and block are of the same moment. It reads each USDC
 * account once: frequent callers keep the answer for a while.
 */
export async function readSolvency(store: Store): Promise<Solvency[]> {
  const { accounts, scanCursors } = store.tables;
  const rows = await store.read
    .select({
      network: sql<string>`${scanCursors.network}`,
      part: sql<string>`'block'`,
      value: text(scanCursors.block),
    })
    .from(scanCursors)
    .unionAll(
      store.read
        .select({
          network: choose(accounts.name, (network) => network),
          part: choose(accounts.name, (_network, role) => role),
          value: text(sql`sum(${accounts.balance})`),
        })
        .from(accounts)
        .where(eq(accounts.unit, 'usdc'))
        // By position: the database cannot see that two expressions with parameters are the same.
        .groupBy(sql`1`, sql`2`),
    );
  return NETWORKS.filter((name) => rows.some(({ network }) => network === name)).map((network) =>
    toSolvency(network, new Map(rows.filter((row) => row.network === network).map(({ part, value }) => [part, value]))),
  );
}

/** As text, because sums outgrow the doubles that one driver hands out and the types of the other. */
const text = (value: SQL | Store['tables']['scanCursors']['block']) => sql<string>`cast(${value} as text)`;

/** A value per account, told from the beginning of its name; `unknown` for a name that no rule makes. */
function choose(
  name: Store['tables']['accounts']['name'],
  value: (network: Network, role: Role) => string,
): SQL<string> {
  const cases = BEGINNINGS.map(
    ({ beginning, network, role }) =>
      sql`when substr(${name}, 1, ${sql.raw(String(beginning.length))}) = ${beginning} then ${value(network, role)}`,
  );
  return sql<string>`case ${sql.join(cases, sql` `)} else 'unknown' end`;
}

const BEGINNINGS = Object.entries(ROLES).flatMap(([kind, role]) =>
  role === null ? [] : NETWORKS.map((network) => ({ beginning: beginningOf(kind, network), network, role })),
);

/** `escrow:base:` for every person's escrow, `fees:base` where there is one account. */
function beginningOf(kind: string, network: Network): string {
  const known = kind as keyof typeof ROLES;
  return accountNames[known](network, '');
}

function toSolvency(network: Network, parts: ReadonlyMap<string, string>): Solvency {
  const balance = (role: Role) => BigInt(parts.get(role) ?? '0');
  const block = parts.get('block');
  const sum = balance('assets') + balance('reorgLoss') + balance('liabilities') + balance('float');
  const assets = microUsdc(balance('assets'));
  const liabilities = microUsdc(-balance('liabilities'));
  return {
    network,
    block: block === undefined ? null : Number(block),
    assets,
    liabilities,
    float: microUsdc(-balance('float')),
    reorgLoss: microUsdc(balance('reorgLoss')),
    isSolvent: sum === 0n && assets >= liabilities,
  };
}
