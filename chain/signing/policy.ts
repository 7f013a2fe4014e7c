import type { CarrierStep } from '../../core/payments/stops.ts';
import type { CarrierKind } from '../../core/transfers/carriers.ts';

/** What a signature is for, as stops know it. */
export type SigningWish = { kind: CarrierKind; step: CarrierStep };

/** Asked right before each signature: it throws where a stop, a lost lease or a limit forbids it. */
export type SigningGuard = (wish: SigningWish) => Promise<void>;

/** A signature that must not be made. That it was asked for at all is a defect, so nothing tries it again with other words. */
export class SigningRefused extends Error {
  constructor(kind: string, reason: string) {
    super(`no ${kind} is signed: ${reason}`);
    this.name = 'SigningRefused';
  }
}
