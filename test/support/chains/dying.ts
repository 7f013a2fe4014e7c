import type { Failpoint } from '../../../core/failpoints.ts';

/** What ends when it comes to this point, and does nothing more from then on. Null: nothing ends. */
export function dyingAt(point: Failpoint | null): { failpoint: (name: Failpoint) => void; isOver: () => boolean } {
  let isOver = false;
  return {
    isOver: () => isOver,
    failpoint(name) {
      isOver ||= name === point;
      if (isOver) throw new Error(`the service ends at ${point}`);
    },
  };
}
