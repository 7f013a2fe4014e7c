import type { ComparisonNews } from '../../chain/comparison.ts';

/** Another node of a network. `tell`: reports the outcome of comparing it. */
export type SecondNode = { url: string; tell: (news: ComparisonNews) => void };

/** Shorter than the first node's: nothing is answered before this one has answered, or is left out. */
export const SECOND_TIMEOUT_MS = 1_500;
