import { ChainUnavailable } from '../../chain/errors.ts';
import { BLOCKHASH_BLOCKS } from '../../chain/solana/messages/programs.ts';
import { NETWORK_VARIABLES } from '../../core/config/networks.ts';
import type { Network } from '../../core/networks.ts';
import { Misconfigured } from '../../core/config/misconfigured.ts';
import type { Former } from '../../db/rotations/formers.ts';
import { noteHeads, withoutHead } from '../../db/rotations/heads.ts';
import type { IdMarks } from '../../db/rotations/marks.ts';
import { assertCurrent, takeRotations, type RotatingKey, type RotatingNetwork } from '../../db/rotations/rotation.ts';
import { stampStore } from '../../db/store/stamp.ts';
import type { Db, Store } from '../../db/store/store.ts';
import type { EvmParts } from './evm.ts';
import type { SolanaParts } from './solana.ts';

type NetworkParts = EvmParts | SolanaParts;

/**
 * Ties the books to the mode, and to each network's chain, token, treasury and task address, so that a process with
 * others ends at its start. The two addresses may have replaced others, whose keys are here too. `more`: what else the
 * books belong to. Answers what each epoch of the process asks again.
 */
export async function tieStore(
  store: Store,
  networks: ReadonlyMap<Network, NetworkParts>,
  { mode, more = {}, marks, compromised = [] }: Belongings,
): Promise<{ mayServe: (db: Db) => Promise<void> }> {
  const all = [...networks.values()];
  refuseCompromised(all, compromised);
  const stampWith = (places: readonly Record<string, string>[]) =>
    stampStore(store, { mode }, Object.fromEntries([...places, more].flatMap((one) => Object.entries(one))));
  // A rotation is written for good, so it is certain first that this is the right database.
  await stampWith(all.map(chainOf));
  const rotating = all.map(rotatingOf);
  noteFormers(networks, await takeRotations(store, { networks: rotating, marks }, Date.now()));
  await stampWith(all.map(stampOf));
  return { mayServe: (db) => assertCurrent(db, store, rotating) };
}

/** At the first answer of the right chain after a rotation: how far it had come. */
export async function noteFormerHeads(store: Store, parts: NetworkParts): Promise<void> {
  const { network } = parts.profile;
  // Read beside the writer first: there is one rotation in years.
  if ((await withoutHead(store.read, store.tables, network)).length === 0) return;
  await noteHeads(store, network, await headOf(parts));
}

/** As long as an authorization of ours is valid. */
const SIGNED_SECONDS = 3_600;

/** Solana's newest block is seconds ahead of what is final there. */
const AN_HOUR_OF_BLOCKS = 9_000;

async function headOf(parts: NetworkParts): Promise<Parameters<typeof noteHeads>[2]> {
  switch (parts.family) {
    case 'evm': {
      const { latest } = await parts.rpc.head();
      return { ...latest, until: latest.time + SIGNED_SECONDS };
    }
    case 'svm': {
      const { rpc } = parts;
      // Heights count blocks, so a chain that stands still lets nothing run out.
      const [slot, height, finalized] = await Promise.all([
        rpc.slot('processed'),
        rpc.height('processed'),
        rpc.finalized(),
      ]);
      const ahead = Math.max(slot - finalized.slot, height - finalized.height);
      // Noted once, an absurd answer would keep payouts waiting for good.
      if (ahead > AN_HOUR_OF_BLOCKS) throw new ChainUnavailable('getSlot', 'inconsistent');
      const number = Math.max(slot, finalized.slot);
      // The time of a host says nothing of how far the books are behind, and waiting costs a minute.
      return { number, time: null, until: Math.max(height, finalized.height) + BLOCKHASH_BLOCKS };
    }
  }
}

type Belongings = {
  mode: string;
  more?: Readonly<Record<string, string>>;
  marks: IdMarks;
  compromised?: readonly string[];
};

function refuseCompromised(networks: readonly NetworkParts[], compromised: readonly string[]): void {
  for (const { profile, treasury, apiNetwork } of networks) {
    const found = [treasury.address, apiNetwork.transfers?.address].find((own) => own && compromised.includes(own));
    if (found === undefined) continue;
    throw new Misconfigured(
      `COMPROMISED_ADDRESSES names ${found}, which is still in use on ${profile.network}: replace its key first (docs/keys.md)`,
    );
  }
}

function chainOf({ profile: { network, caip2, usdc } }: Pick<NetworkParts, 'profile'>): Record<string, string> {
  return { [`${network}:chain`]: caip2, [`${network}:token`]: usdc };
}

/** The task address, once that is configured. */
function stampOf({ profile, treasury, apiNetwork: { transfers } }: NetworkParts): Record<string, string> {
  const { network } = profile;
  return {
    ...chainOf({ profile }),
    [`${network}:treasury`]: treasury.address,
    ...(transfers && { [`${network}:task`]: transfers.address }),
  };
}

/** Which keys may have been replaced. */
function rotatingOf(parts: NetworkParts): RotatingNetwork {
  const { profile, treasury, formerTreasuries, formerTasks } = parts;
  const { network } = profile;
  const names = NETWORK_VARIABLES[network];
  const ofTreasury = { address: treasury.address, formers: formerTreasuries };
  const ofTask = { address: taskAddressOf(parts), formers: formerTasks };
  const keys: RotatingKey[] = [
    { role: 'treasury', names: { now: names.treasuryKey, former: names.formerTreasuryKeys }, ...ofTreasury },
    { role: 'task', names: { now: names.taskKey, former: names.formerTaskKeys }, ...ofTask },
  ];
  return { network, keys };
}

function taskAddressOf(parts: NetworkParts): string | null {
  switch (parts.family) {
    case 'evm':
      return parts.task?.address ?? null;
    case 'svm':
      return parts.task?.key.address ?? null;
  }
}

/** Says to each network which of its former treasuries proofs may still name. */
function noteFormers(networks: ReadonlyMap<Network, NetworkParts>, formers: readonly Former[]): void {
  for (const { network, address, sinceMs } of formers) {
    const parts = networks.get(network);
    if (parts?.formerTreasuries.some((one) => one === address)) parts.formerTerms.note(address, sinceMs);
  }
}
