import { createHash } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { createBoundedMap } from './bounded-map.ts';

type Hex = `0x${string}`;

export type FarcasterPerson = {
  name: string;
  fid: number;
  /** Of the key that owns the account. */
  address: Hex;
  sign: (message: string) => Promise<Hex>;
};

/** The accounts of the pretend Farcaster, which its relay, its hub and its Optimism share. */
export type FarcasterPeople = {
  /** Every person exists as soon as a newcomer wants to be that person. */
  personOf: (name: string) => FarcasterPerson;
  byFid: (fid: number) => FarcasterPerson | null;
  byAddress: (address: string) => FarcasterPerson | null;
};

const KEPT_MAX = 1_000;

/** Keys are derived from names: they own play accounts only, and are the same after a new start. */
export function createFarcasterPeople({ fidOf }: { fidOf: (name: string) => number }): FarcasterPeople {
  const people = createBoundedMap<string, FarcasterPerson>(KEPT_MAX);
  const find = (isMeant: (person: FarcasterPerson) => boolean) => [...people.values()].find(isMeant) ?? null;
  return {
    personOf: (name) => {
      const known = people.get(name);
      if (known) return known;
      const key: Hex = `0x${createHash('sha256').update(`pennypost/local/farcaster/${name}`).digest('hex')}`;
      const account = privateKeyToAccount(key);
      const sign = (message: string) => account.signMessage({ message });
      const person = { name, fid: fidOf(name), address: account.address, sign };
      people.set(name, person);
      return person;
    },
    byFid: (fid) => find((person) => person.fid === fid),
    byAddress: (address) => find((person) => person.address.toLowerCase() === address.toLowerCase()),
  };
}
