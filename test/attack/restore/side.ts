import type { Network } from '../../../core/networks.ts';
import type { Cursor } from '../../../db/scan/cursor.ts';
import type { TestRolesOptions } from '../../support/test-roles.ts';
import type { TestService } from '../../support/service.ts';

/** Its address as the books write it. */
export type Payer = { address: string };

/** What these tests need of a service on either family. */
export type Restored = Pick<TestService, 'url' | 'store' | 'worker' | 'close'>;

/** What is to be signed. A network that has nonces takes this one. */
export type Asked = { payer: Payer; value: bigint; nonce: `0x${string}`; validBefore: number };

export type Moved = { paidIn: Map<string, bigint>; paidOut: Map<string, bigint> };

/** A chain with the installation's keys on it, as the restore needs it. */
export type Side = {
  network: Network;
  /** By then what was signed in the lost time has landed, or never will. */
  laterSeconds: number;
  start: (common: TestRolesOptions) => Promise<Restored>;
  createPayer: (microUsdc: bigint) => Promise<Payer>;
  /** An address that has never had anything. */
  newWallet: () => string;
  sign: (asked: Asked) => Promise<string>;
  /** A stranger sends a copy of what the payer signed; null where nobody but us can send it. */
  copy: ((asked: Asked) => Promise<void>) | null;
  /** The chain goes on by so much. Answers what says of a cursor that all of it is read. */
  advance: (seconds: number) => Promise<(cursor: Cursor) => boolean>;
  /** What the chain says each address got from the treasury, and the treasury from each. */
  moved: () => Promise<Moved>;
  close: () => Promise<void>;
};

export function addTo(sums: Map<string, bigint>, address: string, value: bigint): void {
  sums.set(address, (sums.get(address) ?? 0n) + value);
}
