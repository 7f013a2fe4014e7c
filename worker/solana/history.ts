import type { SolanaWorker } from '../dependencies.ts';
import type { SolanaCursor } from './first-cursor.ts';

/**
 * Signatures per account and step; the rest follow in the next step. Far above what lands before transactions become
 * final.
 */
const FOUND_MAX = 5_000;

export type Found = { signature: string; slot: number; failed: boolean };

/** What has touched one of our token accounts since the cursor. */
export type AccountHistory = { since: string; found: readonly Found[]; more: boolean };

/** The history of our token accounts: the treasury's, the task address's where there is one, and by address the former ones. */
export type History = {
  treasury: AccountHistory;
  task: AccountHistory | null;
  formers: ReadonlyMap<string, AccountHistory>;
};

export async function readHistory(
  worker: SolanaWorker,
  cursor: SolanaCursor,
  minContextSlot: number,
): Promise<History> {
  const { rpc, treasuryAccount, task, formers = [] } = worker;
  const read = async (account: string, since: string): Promise<AccountHistory> => {
    const options = { until: since === '' ? null : since, minContextSlot, max: FOUND_MAX };
    return { since, ...(await rpc.signaturesFor(account, options)) };
  };
  const [treasury, ofTask, ...ofFormers] = await Promise.all([
    read(treasuryAccount, cursor.blockHash),
    task ? read(task.account, cursor.taskSignature ?? '') : null,
    ...formers.map(async ({ key, account }) => {
      const history = await read(account, cursor.formers.get(key.address) ?? '');
      return [key.address, history] as const;
    }),
  ]);
  return { treasury, task: ofTask, formers: new Map(ofFormers) };
}

/** Each transaction once, in the order of their slots: a sweep touches both accounts. */
export function transactionsOf(history: History): Found[] {
  const [first, ...others] = accountsOf(history);
  if (others.length === 0) return [...(first?.found ?? [])];
  const all = accountsOf(history).flatMap(({ found }) => found);
  const bySignature = new Map(all.map((one) => [one.signature, one]));
  return [...bySignature.values()].toSorted((a, b) => a.slot - b.slot);
}

export function hasMore(history: History): boolean {
  return accountsOf(history).some(({ more }) => more);
}

/** While there is more to read, finality counts only up to what was read. */
export function readUpTo(history: History, finalizedSlot: number): number {
  const bounds = accountsOf(history).map(({ found, more }) => {
    const last = found.at(-1);
    return more && last !== undefined ? last.slot - 1 : finalizedSlot;
  });
  return Math.min(finalizedSlot, ...bounds);
}

/** After which transaction the next step begins to read, when all up to this slot are listed. */
export function goOnFrom({ since, found }: AccountHistory, listedSlot: number): string {
  return found.filter(({ slot }) => slot <= listedSlot).at(-1)?.signature ?? since;
}

function accountsOf({ treasury, task, formers }: History): AccountHistory[] {
  return [treasury, ...(task === null ? [] : [task]), ...formers.values()];
}
