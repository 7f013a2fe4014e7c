import { inArray } from 'drizzle-orm';
import { Misconfigured } from '../../core/config/misconfigured.ts';
import { NETWORK_VARIABLES } from '../../core/config/networks.ts';
import type { Network } from '../../core/networks.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db } from '../store/store.ts';

/**
 * By network, a mark of the key that ids and secrets are derived from: of each network that has a key, also of one that
 * is not offered any more, because what came in there may be paid out elsewhere.
 */
export type IdMarks = ReadonlyMap<Network, string>;

export const markName = (network: Network) => `${network}:ids`;

/** Where nothing ever came in, nothing has an id yet, and the key may be another one. */
const chainName = (network: Network) => `${network}:chain`;

/** With other ids the same line would be paid twice. Throws Misconfigured with the cure. */
export async function assertMarks(db: Db, { stamps }: Tables, marks: IdMarks): Promise<void> {
  const names = [...marks.keys()].flatMap((network) => [markName(network), chainName(network)]);
  const rows = await db.select().from(stamps).where(inArray(stamps.name, names));
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  for (const [network, mark] of marks) {
    const isOther = (stored.get(markName(network)) ?? mark) !== mark;
    if (isOther && stored.has(chainName(network))) throw new Misconfigured(otherIds(network));
  }
}

/** Of each network that these books were ever of, whether it is offered now or not. */
export async function noteMarks(db: Db, { stamps }: Tables, marks: IdMarks): Promise<void> {
  const chains = [...marks.keys()].map(chainName);
  const known = await db.select({ name: stamps.name }).from(stamps).where(inArray(stamps.name, chains));
  const isKnown = (network: Network) => known.some(({ name }) => name === chainName(network));
  const rows = [...marks].flatMap(([network, value]) => (isKnown(network) ? [{ name: markName(network), value }] : []));
  if (rows.length > 0) await db.insert(stamps).values(rows).onConflictDoNothing();
}

function otherIds(network: Network): string {
  const { formerTreasuryKeys: former } = NETWORK_VARIABLES[network];
  return `on ${network} ids would be derived from another key, and payouts made twice: put the first treasury key that this installation had first in ${former}, or set its INSTALLATION_SECRET again`;
}
