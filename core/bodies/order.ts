import type { MicroUsdc } from '../money.ts';
import type { Platform } from '../platforms/platforms.ts';
import type { Recipient } from '../platforms/recipient.ts';

/** What is to be paid to one recipient, as the request says it. */
export type OrderedLine = {
  recipient: Recipient;
  /** Whose name it is, where that is known for certain already; absent: the platform is asked. */
  stableId?: string;
  /** As the caller wrote it. */
  receiver: string;
  amount: MicroUsdc;
  /** Where the receiver stood in the request, for errors that are found later. */
  field: string;
  /** Its own note; null where the payment's note counts. */
  note: string | null;
};

/** A paid request in the program's own form, whichever interface it came through. */
export type Purchase = {
  lines: readonly OrderedLine[];
  description: string | null;
  meta: Record<string, unknown> | null;
  /** The payer's own reference: stored, never proof of anything. */
  payerReference: string | null;
};

export type PlatformOffer = {
  /** Whether our bot asks, for whom there are more platforms. */
  isBot: boolean;
  /** Throws AppError for a platform that is not offered here. */
  check: (platform: Platform, field: string) => void;
};
