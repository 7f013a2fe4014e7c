import { ASK_FOR_MS } from '../../core/lookups.ts';
import type { MicroUsdc } from '../../core/money.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import type { ReturnedBecause, WireStatus } from '../../core/states.ts';

/** How certain the inbound transfer is: not in a block (any more), in a block, in a block that stays. */
export type Finality = 'pending' | 'settled' | 'final';

/** What the sentences of a receipt's page need to know. */
export type ReceiptPageFacts = {
  amount: MicroUsdc;
  /** `x:alice`, as programs name them; an e-mail address is masked. */
  recipient: string;
  /** The same, to be named as its reader's language does. */
  to: { platform: Platform; key: string };
  platform: Platform;
  networkName: string;
  status: WireStatus;
  /** Its platform has not said yet whom the name means. */
  isLookedUp: boolean;
  /** Proven to be its recipient's, but no address of theirs can take it yet. */
  waitsForRoute: boolean;
  /** It goes back to the payer, or has got there. */
  isReturned: boolean;
  /** Why it goes back; null while it does not. */
  returnedBecause: ReturnedBecause | null;
  /** With `held`: why, in the words of `transfers.held_reason`. */
  heldReason: string | null;
  finality: Finality;
  /** Settled once, then reorganised away and proven dead. */
  isUndone: boolean;
  /** Until when it can be collected; only while it waits for that. */
  expiresAt: Date | null;
};

/** How far a letter has come: each has its words in every language. */
export type LetterState =
  | 'undone'
  | 'unsettled'
  | 'received'
  | 'lookedUp'
  | 'onItsWay'
  | 'goingBack'
  | 'waiting'
  | 'waitingForRoute'
  | 'held'
  | 'returned';

export function letterStateOf(view: Omit<ReceiptPageFacts, 'to'>): LetterState {
  if (view.isUndone) return 'undone';
  if (view.finality === 'pending') return 'unsettled';
  switch (view.status) {
    case 'paid':
      return 'received';
    case 'queued':
      if (view.isLookedUp) return 'lookedUp';
      return view.isReturned ? 'goingBack' : 'onItsWay';
    case 'pending_claim':
      return view.waitsForRoute ? 'waitingForRoute' : 'waiting';
    case 'held':
      return 'held';
    case 'refunded':
      return 'returned';
  }
}

/** For how long a platform is asked whom a name means. */
export const ASK_FOR_MINUTES = ASK_FOR_MS / 60_000;
