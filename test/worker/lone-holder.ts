import type { Holder } from '../../db/processes/holdings.ts';

/** For a worker that is alone in its test: it has whatever it wants. */
export function createLoneHolder(): Holder {
  return {
    process: 'alone',
    want: () => ({ isHeld: () => true, onTaken: () => undefined, onLost: () => undefined }),
    release: async () => undefined,
    read: async () => [],
    close: async () => undefined,
  };
}
