import type { Network } from '../core/networks.ts';
import type { WorkerContext } from './dependencies.ts';

export type RunningSettlement = {
  /** New work is in the database, `payments` of it new payments. */
  wake: (payments?: number) => void;
  close: () => Promise<void>;
};

/** The settlement of one network, ready to be started with what all networks share. */
export type NetworkSettlement = {
  network: Network;
  start: (context: WorkerContext) => Promise<RunningSettlement>;
};
