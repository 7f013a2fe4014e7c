import type { Cursor } from '../../db/scan/cursor.ts';
import type { SolanaWorker } from '../dependencies.ts';

/**
 * Signatures per account and step; the rest follow in the next step. Far above what lands before transactions become
 * final.
 */
const FOUND_MAX = 5_000;

export type Found = { signature: string; slot: number; failed: boolean };

/** What has touched one of our token accounts since the cursor. */
export type AccountHistory = { since: string; found: readonly Found[]; more: boolean };

/** The history of our token accounts: the treasury's, and the task address's where there is one. */
export type History = { treasury: AccountHistory; task: AccountHistory | null };

export async function readHistory(worker: SolanaWorker, cursor: Cursor, minContextSlot: number): Promise<History> {
  const { rpc, treasuryAccount, task } = worker;
  const read = async (account: string, since: string): Promise<AccountHistory> => {
    const options = { until: since === '' ? null : since, minContextSlot, max: FOUND_MAX };
    return { since, ...(await rpc.signaturesFor(account, options)) };
  };
  const [treasury, ofTask] = await Promise.all([
    read(treasuryAccount, cursor.blockHash),
    task ? read(task.account, cursor.taskSignature ?? '') : null,
  ]);
  return { treasury, task: ofTask };
}

/** Each transaction once, in the order of their slots: a sweep touches both accounts. */
export function transactionsOf({ treasury, task }: History): Found[] {
  if (task === null) return [...treasury.found];
  const bySignature = new Map([...treasury.found, ...task.found].map((one) => [one.signature, one]));
  return [...bySignature.values()].toSorted((a, b) => a.slot - b.slot);
}

export function hasMore({ treasury, task }: History): boolean {
  return treasury.more || task?.more === true;
}

/** While there is more to read, finality counts only up to what was read. */
export function readUpTo({ treasury, task }: History, finalizedSlot: number): number {
  const bounds = [treasury, ...(task === null ? [] : [task])].map(({ found, more }) => {
    const last = found.at(-1);
    return more && last !== undefined ? last.slot - 1 : finalizedSlot;
  });
  return Math.min(finalizedSlot, ...bounds);
}

/** After which transaction the next step begins to read, when all up to this slot are listed. */
export function goOnFrom({ since, found }: AccountHistory, listedSlot: number): string {
  return found.filter(({ slot }) => slot <= listedSlot).at(-1)?.signature ?? since;
}
