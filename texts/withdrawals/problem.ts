import type { MicroUsdc } from '../../core/money.ts';
import type { AddressRefusal } from '../../core/payments/payout-address.ts';

/** Why a wish to withdraw does not go on as it is; the sentences for each stand in `texts/`. */
export type WithdrawProblem =
  | { code: 'network_off'; place: string }
  /** The address fits several networks, and none was named. */
  | { code: 'which_network' }
  | { code: 'unreachable'; place: string }
  | { code: 'address'; reason: AddressRefusal }
  | { code: 'own_address' }
  | { code: 'too_little'; least: MicroUsdc }
  | { code: 'not_enough'; held: MicroUsdc; place: string };
