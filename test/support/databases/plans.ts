/** By which way SQLite finds the rows of each statement, as it says itself. */
import { openSqlite } from '../../../db/store/store-sqlite.ts';
import type { Recorded } from './recorded.ts';

/** The steps of the plan of each statement, by its text. */
export type Plans = ReadonlyMap<string, readonly string[]>;

export function plansOf(path: string, statements: Recorded): Plans {
  const handle = openSqlite(path, 0);
  const planOf = (text: string, values: readonly unknown[] = []): string[] =>
    handle
      .prepare<unknown[], { detail: string }>(`explain query plan ${text}`)
      .all(...values)
      .map(({ detail }) => detail);
  try {
    return new Map([...statements].map(([text, [values]]) => [text, planOf(text, values)]));
  } finally {
    handle.close();
  }
}

/** They lead to all that was ever in a state, kept here, on a platform or seen by a transport. */
const BROAD =
  /(lines_status|payments_status|wallets_source)_idx|identities_key_idx \(platform=\?\)|community_people_name_idx \(transport=\?\)/;
/** The rows of a statement itself, settings, offers of unpaid tasks, and what has changed since the last audit. */
const SMALL = /^SCAN (\d+-ROW VALUES|payout_settings|task_offers|audit_feed)/;

/** The steps that read more the longer the service has run. */
export const growing = (plan: readonly string[]): string[] =>
  plan.filter((step) => BROAD.test(step) || (step.startsWith('SCAN ') && !SMALL.test(step)));
