import type { Failpoint } from '../core/failpoints.ts';

import type { Logger } from 'pino';
import type { BaseProfile } from '../chain/base/profile.ts';
import type { BaseRpc } from '../chain/base/rpc.ts';
import type { TreasurySigner } from '../chain/base/treasury.ts';
import type { Ids } from '../core/ids.ts';
import type { Store } from '../db/store.ts';

/** Everything the settlement of one EVM network needs from outside. */
export type BaseWorker = {
  store: Store;
  rpc: BaseRpc;
  profile: BaseProfile;
  treasury: TreasurySigner;
  lanes: readonly Lane[];
  /** Every address of ours on this network, in lower case. */
  ownAddresses: readonly `0x${string}`[];
  ids: Ids;
  now: () => number;
  log: Logger;
  settings: WorkerSettings;
  /** Something about these payments changed: whoever waits for them looks at their rows. */
  announce: (paymentIds: readonly string[]) => void;
  /** Named points at which a test kills the process. */
  failpoint: (name: Failpoint) => void;
};

/** A wallet that holds gas money and sends batches, one at a time. */
export type Lane = { key: `0x${string}`; address: `0x${string}` };

export type WorkerSettings = {
  baseUrl: string;
  exposureCapMicroUsdc: bigint;
  /** Less than this is not sent back alone: it waits for more of the same payer. */
  refundMinMicroUsdc: bigint;
  /** How often the chain is asked for a new block. */
  scanEveryMs: number;
  /** A batch that is not in a block after this time is sent again with higher fees. */
  replaceAfterMs: number;
  /** Priority fee in wei per gas. */
  tipWei: bigint;
};
