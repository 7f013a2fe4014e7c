import type { MicroUsdc } from '../money.ts';
import type { Platform } from '../platforms/platforms.ts';
import type { Recipient } from '../platforms/recipient.ts';

/** A payment to one recipient, as the request names it. */
export type OrderedLine = {
  recipient: Recipient;
  /** The stable id behind the name, where it is already known for certain; absent: the platform is asked. */
  stableId?: string;
  /** As the caller wrote it. */
  receiver: string;
  amount: MicroUsdc;
  /** The receiver's place in the request, for errors that are found later. */
  field: string;
  /** Null: the payment's note applies. */
  note: string | null;
};

/** A paid request in the program's own form, the same for every interface. */
export type Purchase = {
  lines: readonly OrderedLine[];
  description: string | null;
  meta: Record<string, unknown> | null;
  /** The payer's own reference. It is stored and proves nothing. */
  payerReference: string | null;
};

export type PlatformOffer = {
  /** Whether our bot asks: it is offered more platforms. */
  isBot: boolean;
  /** Throws AppError for a platform that is not offered here. */
  check: (platform: Platform, field: string) => void;
};
