import { canonicalAddress, NETWORKS, type Network } from '../../core/networks.ts';

export const TARGETS_BYTES_MAX = 64 * 1024 * 1024;
/** Stands for every wallet that has no line of its own. */
const ANY = '*';

export type Targets = {
  /** Where the money of a wallet goes; undefined where no line names it. */
  of: (walletId: string, network: Network) => string | undefined;
  all: readonly Target[];
  /** The wallets that have a line of their own. */
  named: readonly string[];
};
/** The address as written: upper and lower case are a checksum on Base. */
export type Target = { network: Network; address: string };

/**
 * Lines of `walletId,network,address`; `*` as the id means all others. Empty lines and those that begin with # are
 * skipped. Throws with the number of the line, and where one wallet would have two addresses on a network.
 */
export function readTargets(text: string): Targets {
  const found = new Map<string, Target>();
  const named = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    // The last two cannot hold a comma; an id of an e-mail address might.
    const [, walletId = '', networkText, address = ''] = /^(.+),([^,]+),([^,]+)$/.exec(line) ?? [];
    const network = NETWORKS.find((name) => name === networkText?.trim());
    if (network === undefined) {
      throw new Error(
        `Line ${index + 1} of the addresses must be walletId,network,address; found ${line.length} characters.`,
      );
    }
    const id = walletId.trim();
    const key = `${network}/${id}`;
    const target = { network, address: address.trim() };
    const known = found.get(key);
    if (known !== undefined && canonical(known) !== canonical(target)) {
      throw new Error(`Line ${index + 1} of the addresses names a second one for ${id} on ${network}.`);
    }
    found.set(key, target);
    if (id !== ANY) named.add(id);
  }
  const all = [
    ...new Map([...found.values()].map((target) => [`${target.network}/${target.address}`, target])).values(),
  ];
  const targetOf = (id: string, network: Network) => found.get(`${network}/${id}`) ?? found.get(`${network}/${ANY}`);
  return {
    of: (id, network) => {
      const target = targetOf(id, network);
      return target && canonical(target);
    },
    all,
    named: [...named],
  };
}

function canonical({ network, address }: Target): string {
  return canonicalAddress(network, address);
}
