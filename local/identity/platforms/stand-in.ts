import type { Config } from '../../../core/config/sections.ts';
import type { RandomBytes } from '../../../core/ids.ts';
import type { Recipient } from '../../../core/platforms/recipient.ts';

export type IdentityStandInsOptions = {
  /** The service's own address; asked for late, because its port may be known after this has started. */
  baseUrl: () => string;
  /** The stable id of a person: a positive whole number that is exact in JavaScript. */
  idOf: (recipient: Recipient) => string;
  random: RandomBytes;
  now: () => number;
};

type Closable = { close: () => Promise<void> };

export type StandInOptions = IdentityStandInsOptions & {
  /** Remembers a server that has to be closed in the end, also when a later one does not start. */
  keep: <Server extends Closable>(starting: Promise<Server>) => Promise<Server>;
};

/** Where a newcomer reads mail, and publishes for any website. */
export type StandInPages = { mailbox: string; website: string };

/** Starts what stands in for the providers of one platform, and answers what leads to it. */
export type StartStandIn = (options: StandInOptions) => Promise<{
  /** Takes the place of what is configured. */
  identity: Partial<Config['identity']>;
  toHostUrl?: (host: string, path: string) => string;
  pages?: Partial<StandInPages>;
}>;

/** GitHub and Farcaster tell ids as numbers: one that JavaScript rounds would be another person's. */
export function toExact(id: string): number {
  const value = Number(id);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`expected the id of a person to be an exact positive number, found ${id}`);
}
