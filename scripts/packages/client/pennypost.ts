/** The package `pennypost-client`: what a browser, Node and Deno have alike is handed to the library here. */
import { createLibrary } from '../../../client/library.ts';
import type { Pennypost, PennypostOptions } from '../../../client/pennypost.ts';

export { PennypostError } from '../../../client/pennypost.ts';
export type {
  FailureKind,
  Paid,
  PaidLine,
  Payment,
  PaymentStore,
  PayOptions,
  Pennypost,
  PennypostOptions,
  Reward,
  RewardRequest,
  Share,
  TakenBack,
  WaitOptions,
} from '../../../client/pennypost.ts';
export type { PaymentSigner } from '../../../core/payments/signer.ts';

/** Pays and asks one service. */
export function createPennypost(options: PennypostOptions): Pennypost {
  return createLibrary(options, {
    // A browser's fetch must be called on its window.
    fetch: (input, init) => globalThis.fetch(input, init),
    clock: {
      now: Date.now,
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    },
    sha256: async (bytes) => new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)),
    random: (bytes) => globalThis.crypto.getRandomValues(new Uint8Array(bytes)),
  });
}
