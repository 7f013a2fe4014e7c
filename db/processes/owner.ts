import { gt, sql, type SQL } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

/** How long after its last sign of life a process's holdings are its own; then others may take them. */
export const LEASE_MS = 10_000;

/** Who holds something. An epoch ends with its lease, so a process that wakes too late no longer holds what it held. */
export type Owner = { process: string; epoch: number };

/** True for a process whose lease runs, by the database's clock. */
export function isAlive({ tables: { processes }, clock }: Pick<Store, 'tables' | 'clock'>): SQL {
  return gt(processes.beatAtMs, sql`${clock} - ${LEASE_MS}`);
}

/** This process's hold on everything that it holds. */
export type ProcessLease = {
  /** Names what is taken from now on. */
  owner: () => Owner;
  /** False: others may have taken what this process held. Asked last before anything that cannot be undone. */
  holds: () => boolean;
  /** Called after each renewal. */
  onBeat: (listener: () => void) => void;
  /** Called before anything else when the lease is over: drop what is held under it. */
  onLost: (listener: () => void) => void;
};

/** Something that one process has at a time. */
export type Hold = {
  /** False: another process has it, or may have taken it. Asked before each piece of its work. */
  isHeld: () => boolean;
  /** Called each time this process takes it. */
  onTaken: (listener: () => void) => void;
  /** Called when this process loses it. */
  onLost: (listener: () => void) => void;
};

/** The right to sign and send from a wallet that pays gas. */
export const laneHolding = (network: string, address: string) => `lane:${network}:${address}`;
/** Scan, audit and all other work on a network that must not be done twice. */
export const settlementHolding = (network: string) => `settlement:${network}`;
/** A worker that takes its part of a network's lanes. */
export const seatHolding = (network: string, process: string) => `seat:${network}:${process}`;
export const jobHolding = (name: string) => `job:${name}`;
/** The one connection by which a bot listens on its platform. */
export const listenerHolding = (platform: string, bot: string) => `listener:${platform}:${bot}`;
