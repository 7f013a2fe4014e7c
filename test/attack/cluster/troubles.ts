import type { Interval } from './evidence.ts';
import type { Member } from './fleet.ts';

/** When none of a role's two processes served. */
export function bothDown([one, other]: readonly Member[]): Interval[] {
  if (one === undefined || other === undefined) throw new Error('a role has two processes');
  return one.outages().flatMap((mine) =>
    other.outages().flatMap((theirs) => {
      const [fromMs, toMs] = [Math.max(mine.fromMs, theirs.fromMs), Math.min(mine.toMs, theirs.toMs)];
      return fromMs < toMs ? [{ fromMs, toMs }] : [];
    }),
  );
}
