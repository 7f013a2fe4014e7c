import { MEMO_PROGRAMS } from '../ground/addresses.ts';
import type { Message } from './message.ts';

/** The memos of a message as `getSignaturesForAddress` shows them: `[5] hello; [3] you`. Null without any. */
export function memoOf({ instructions, accounts }: Message): string | null {
  const memos = instructions
    .filter(({ programIndex }) => MEMO_PROGRAMS.some((program) => program === accounts[programIndex]))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`);
  return memos.length === 0 ? null : memos.join('; ');
}
