import { isDeepStrictEqual } from 'node:util';

/** Each further one is a change within the moment that showing takes. */
const SHOWN_MAX = 5;

/**
 * Shows what the rows say. A process that was stopped may come to it long after another one has moved them on and shown that,
 * and its edit comes last: so they are read once more, and what they say by then is shown. Answers with what is shown; null
 * where there is nothing to show.
 */
export async function showCurrent<State>(card: {
  /** What is known already. */
  first?: State;
  read: () => Promise<State | null>;
  show: (state: State) => Promise<void>;
  /** What people see of it: where this is the same, nothing has to be shown again. */
  faceOf: (state: State) => unknown;
}): Promise<State | null> {
  const { read, show, faceOf } = card;
  let shown: State | null = null;
  let state = card.first ?? (await read());
  for (let round = 0; state !== null && round < SHOWN_MAX; round++) {
    await show(state);
    shown = state;
    const now = await read();
    if (now === null || isDeepStrictEqual(faceOf(now), faceOf(state))) break;
    state = now;
  }
  return shown;
}
