import type { Refused } from '../../client/refusal.ts';

/** A refusal in one word, as a service answers it to a payment. */
export const refusedBy = (reason: string): Refused => ({
  kind: 'refused',
  status: 402,
  reason,
  detail: null,
  line: null,
  isUnclaimed: true,
});
