/** Casts and reactions, in the hub's own units: fids, hashes, and seconds since the beginning of 2021. */
import { createHash } from 'node:crypto';

export type CastId = { fid: number; hash: string };

export type HubCast = CastId & { text: string; timestamp: number; parent?: CastId };

export type HubReaction = { fid: number; type: 'LIKE' | 'RECAST'; target: CastId; timestamp: number };

export type HubPosts = {
  casts: () => readonly HubCast[];
  reactions: () => readonly HubReaction[];
  /** The name that an account shows; null: none. */
  nameOf: (fid: number) => string | null;
  /** False: like a bare hub, it finds a cast only together with its author. */
  hasIndex?: boolean;
};

/** Stands for a cast's or reaction's real hash, which is as long and looks as random. */
export function toHubHash(text: string): string {
  return `0x${createHash('sha256').update(`pennypost/local/farcaster/${text}`).digest('hex').slice(0, 40)}`;
}

const EPOCH_MS = Date.UTC(2021, 0, 1);

export function toHubTime(atMs: number): number {
  return Math.floor((atMs - EPOCH_MS) / 1_000);
}
