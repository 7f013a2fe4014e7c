/** What accounts held some blocks ago: an answer at `confirmed` or `finalized` is older than the newest state. */
import type { Address } from '@solana/kit';
import { type Account, isSameAccount } from './account.ts';
import type { Vm } from './vm.ts';

/** Until this block, the account was this. */
type Change = { height: number; before: Account | null };

export type AccountVersions = ReturnType<typeof createAccountVersions>;

export function createAccountVersions(vm: Vm) {
  const changes = new Map<Address, Change[]>();
  const everChanged = new Set<Address>();
  let revision = 0;

  /** As the account was when the block of this height was complete. */
  function read(address: Address, height = Number.POSITIVE_INFINITY): Account | null {
    const later = changes.get(address)?.find((change) => change.height > height);
    return later ? later.before : vm.read(address);
  }

  /** To be called after a change, with what was there before it. */
  function note(address: Address, before: Account | null, height: number): void {
    if (isSameAccount(before, vm.read(address))) return;
    revision += 1;
    everChanged.add(address);
    changes.set(address, [...(changes.get(address) ?? []), { height, before }]);
  }

  /** Does some work while these accounts are as they were at that height. It must not change them. */
  function withVersions<T>(addresses: readonly Address[], height: number, work: () => T): T {
    const changed = addresses.filter((address) => changes.get(address)?.some((change) => change.height > height));
    const newest = changed.map((address) => ({ address, account: vm.read(address) }));
    try {
      for (const address of changed) vm.write(address, read(address, height));
      return work();
    } finally {
      for (const { address, account } of newest) vm.write(address, account);
    }
  }

  return {
    read,
    note,
    withVersions,
    /** Every account of a program, as of that height. */
    ownedBy(program: Address, height: number): { address: Address; account: Account }[] {
      const addresses = new Set([...vm.ownedBy(program).map((found) => found.address), ...changes.keys()]);
      return [...addresses].flatMap((address) => {
        const account = read(address, height);
        return account?.owner === program ? [{ address, account }] : [];
      });
    },
    /** No query reaches behind the finalized block. */
    forgetUntil(height: number): void {
      for (const [address, list] of changes) {
        const kept = list.filter((change) => change.height > height);
        if (kept.length === 0) changes.delete(address);
        else if (kept.length < list.length) changes.set(address, kept);
      }
    },
    /** Counts changes. */
    revision: () => revision,
    /** What makes this chain differ from a new one. */
    everChanged: (): Address[] => [...everChanged],
  };
}
