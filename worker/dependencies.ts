import type { Logger } from 'pino';
import type { EvmProfile } from '../chain/evm/rpc/profile.ts';
import type { EvmRpc } from '../chain/evm/rpc/rpc.ts';
import type { Lane, SweepSigner, TreasurySigner } from '../chain/signing/evm.ts';
import type { SolanaProfile } from '../chain/solana/messages/profile.ts';
import type { SolanaSigner } from '../chain/solana/messages/signer.ts';
import type { SolanaRpc } from '../chain/solana/rpc/rpc.ts';
import type { Carriers } from '../core/transfers/carriers.ts';
import type { Screen } from '../core/screening/screening.ts';
import type { TransferIdOf } from '../core/transfers/source.ts';
import type { PassPoint } from '../core/failpoints.ts';
import type { Ids } from '../core/ids.ts';
import type { Holder } from '../db/processes/holdings.ts';
import { settlementHolding, type Hold } from '../db/processes/owner.ts';
import type { Store } from '../db/store/store.ts';
import type { Identity } from '../identity/port.ts';
import type { Heads } from '../chain/evm/heads.ts';

/** What the settlement of any network needs from outside. */
export type WorkerContext = {
  store: Store;
  ids: Ids;
  transferIdOf: TransferIdOf;
  now: () => number;
  log: Logger;
  settings: WorkerSettings;
  /** Resolves names when a task is paid; without it every name is looked up afterwards. */
  identity?: Pick<Identity, 'resolve'>;
  /** Asked before a payout is signed. Null or absent: every payout may leave. */
  screen?: Screen | null;
  /** These payments changed: callers that wait for them read their rows again. */
  announce: (paymentIds: readonly string[]) => void;
  /** What one worker at a time has or does. */
  holder: Holder;
  /** Named points at which a test kills the process, and traces see who passes. */
  failpoint: PassPoint;
};

export type WorkerSettings = {
  baseUrl: string;
  /** How long what was needed for a while only is kept. */
  retentionDays: number;
  /** Mails of all kinds in a day; null for any number. */
  mailsDailyMax: number | null;
  exposureCapMicroUsdc: bigint;
  /** A smaller refund is not sent alone: it waits for more of the same payer. */
  refundMinMicroUsdc: bigint;
  /** The rules per kind of carrier: `CARRIERS`, except in controls. */
  carriers: Carriers;
};

/** Everything the settlement of one EVM network needs from outside. */
export type EvmWorker = WorkerContext & {
  rpc: EvmRpc;
  profile: EvmProfile;
  treasury: TreasurySigner;
  /** Where plain transfers for tasks come to; null or absent: none do. */
  task?: SweepSigner | null;
  /** Treasuries and task addresses that were replaced. Absent: none was. */
  formers?: readonly SweepSigner[];
  /** Whether others may know the key of an address that was replaced. Absent: of none. */
  formerTerms?: { isCompromised: (address: string) => boolean };
  lanes: readonly Lane[];
  /** Shares questions of the scan with other parts; absent: nothing is shared. */
  heads?: Heads;
  /** A lane without gas money gets no batch; absent: all have some. */
  isDry?: (lane: Lane) => boolean;
  /** Every address of ours on this network, in lower case. */
  ownAddresses: readonly `0x${string}`[];
  pace: EvmPace;
};

/** What of ours is moved to the treasury. */
export function sweptOf<Swept>({ task, formers = [] }: { task?: Swept | null; formers?: readonly Swept[] }): Swept[] {
  return [...(task ? [task] : []), ...formers];
}

export type EvmPace = {
  /** How often the chain is asked for a new block where none is known to be due. */
  scanEveryMs: number;
  /** The same once a block is due that may hold what is on its way; absent: as often. */
  dueScanEveryMs?: number;
  /** How often rows are looked for while none is open; absent: as often as at work. */
  idleEveryMs?: number;
  /** From one block to the next; absent: a block may come at any time. */
  blockMs?: number;
  /** A batch that is not in a block after this time is sent again with higher fees. */
  replaceAfterMs: number;
};

/** Everything the settlement on Solana needs from outside. */
export type SolanaWorker = WorkerContext & {
  rpc: SolanaRpc;
  profile: SolanaProfile;
  /** Owns the money, and pays the fees of its own payouts. */
  treasury: SolanaSigner;
  /** Pays the fees of payers' transactions, and owns nothing else. */
  feePayer: SolanaSigner;
  /** The treasury's token account. */
  treasuryAccount: string;
  /** Where plain transfers for tasks come to; null or absent: none do. */
  task?: SweptAccount | null;
  /** Those of treasuries and task addresses that were replaced. Absent: none was. */
  formers?: readonly SweptAccount[];
  /** Whether others may know the key of an address that was replaced. Absent: of none. */
  formerTerms?: { isCompromised: (address: string) => boolean };
  /** Every address of ours on this network. */
  ownAddresses: readonly string[];
  accounts: AccountPolicy;
  pace: SolanaPace;
};

/** The key of the task address or of a former one, which signs sweeps to the treasury only, and its token account. */
export type SweptAccount = { key: SolanaSigner; account: string };

/** Which recipients without a token account get one at our cost. */
export type AccountPolicy = {
  policy: 'min-amount' | 'always' | 'never';
  /** For `min-amount`: what a payout must be worth. */
  minMicroUsdc: bigint;
  /** How long the platform must have known the recipient's account; 0: any time, and platforms that do not tell. */
  ageMinMs: number;
  dailyMax: number;
};

export type SolanaPace = {
  /** How often open transactions are asked for. */
  followEveryMs: number;
  /** How often our account is asked for what else has touched it. */
  scanEveryMs: number;
  /** The same while nothing is on its way and no task is open; absent: as often. */
  idleScanEveryMs?: number;
  /** How often rows are looked for while none is open; absent: as often as at work. */
  idleEveryMs?: number;
  /** Price per compute unit of payouts, in millionths of a lamport. */
  microLamportsPerUnit: number;
  /** How many payouts are offered to one transaction; more than fit, unless a test wants small ones. */
  companyMax: number;
};

/** The hold on all work of a network that two workers would do twice: scan, audit, tasks, signing of what it owes. */
export function settlementOf({ holder, profile }: Pick<EvmWorker | SolanaWorker, 'holder' | 'profile'>): Hold {
  return holder.want(settlementHolding(profile.network));
}
