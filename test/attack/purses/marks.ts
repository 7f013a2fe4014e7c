import { formatUsdc, microUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { PursePlan, Sums } from './plan.ts';

/** What a person may see of the balance, in the order of their life. */
export function balancesOf({ collected, sent, takenOut }: Sums): [MicroUsdc, MicroUsdc, MicroUsdc] {
  return [collected, microUsdc(collected - sent), microUsdc(collected - sent - takenOut)];
}

const SUM = /(?<![\d.])\d+\.\d{6}(?!\d)/g;
const WORD = /\b[pfw]\d+n\d{4}\b/g;
/** Of both families. Much else has the form of one, and is looked up in vain. */
const ADDRESS = /0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}/gi;

export type Marks = ReturnType<typeof createMarks>;

/** `addresses`: of each person, by their index. */
export function createMarks(plans: readonly PursePlan[], addresses: readonly (readonly string[])[]) {
  const owners = new Map<string, Set<number>>();
  const note = (mark: string, index: number) => owners.set(mark, (owners.get(mark) ?? new Set()).add(index));
  for (const plan of plans) {
    const { index, handle, friend, note: words, sent, takenOut } = plan;
    for (const sum of [...balancesOf(plan), sent, takenOut]) note(formatUsdc(sum), index);
    for (const mark of [handle, friend, words]) note(mark, index);
    for (const address of addresses[index] ?? []) note(keyOf(address), index);
  }
  const isNobodys = (mark: string) => !owners.has(mark);

  return {
    /** What stands there of others, or is a sum of nobody: then something was counted twice, or in part. */
    strangersIn(text: string, own: number): string[] {
      const sums = [...text.matchAll(SUM)].map(([mark]) => mark);
      const words = [...text.matchAll(WORD)].map(([mark]) => mark);
      const known = [...text.matchAll(ADDRESS)].map(([address]) => keyOf(address)).filter((key) => owners.has(key));
      const found = [...new Set([...sums, ...words, ...known])];
      return found.filter((mark) => isNobodys(mark) || owners.get(mark)?.has(own) === false);
    },
    /** A page that shows nothing of its own reader either proves nothing. */
    isAbout: (text: string, own: number): boolean =>
      [...text.matchAll(SUM)].some(([mark]) => owners.get(mark)?.has(own) === true),
  };
}

const keyOf = (address: string): string => (address.startsWith('0x') ? address.toLowerCase() : address);
