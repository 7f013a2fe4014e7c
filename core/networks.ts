/** Networks as the program names them. The wire names of both x402 generations live in `chain/`'s profiles. */
export const NETWORKS = ['base', 'solana', 'polygon'] as const;
export type Network = (typeof NETWORKS)[number];

/** The kind of a chain: the only thing that code branches on, always with a case for each. */
export type Family = 'evm' | 'svm';

type Row = {
  family: Family;
  /** The name for people, for any of its chains. */
  title: string;
  /** The coin that gas is paid in. */
  coin: string;
  /** Whether it is served unless the configuration says otherwise. */
  isDefault: boolean;
  /** Other words that people write for it. */
  words: readonly string[];
  /** The CAIP-2 name of the chain of real money. */
  mainnet: string;
  /** Its chains by CAIP-2 name. `transactions`: null where no public explorer is linked. */
  chains: Readonly<Record<string, { title: string; transactions: string | null }>>;
};

/**
 * A network is a row here and a profile beside its chain (`chain/evm/rpc/profile.ts`,
 * `chain/solana/messages/profile.ts`); ARCHITECTURE lists what else a new one needs. Explorers are the ones that the chains'
 * own documents link to.
 */
const ROWS = {
  base: {
    family: 'evm',
    title: 'Base',
    coin: 'ETH',
    isDefault: true,
    words: [],
    mainnet: 'eip155:8453',
    chains: {
      'eip155:8453': { title: 'Base', transactions: 'https://basescan.org/tx/' },
      'eip155:84532': { title: 'Base Sepolia (test money)', transactions: 'https://sepolia.basescan.org/tx/' },
    },
  },
  solana: {
    family: 'svm',
    title: 'Solana',
    coin: 'SOL',
    isDefault: true,
    words: ['sol'],
    mainnet: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    chains: {},
  },
  // Off by default: tested on its local chain, and not tried on the real one yet.
  polygon: {
    family: 'evm',
    title: 'Polygon',
    coin: 'POL',
    isDefault: false,
    words: ['pol'],
    mainnet: 'eip155:137',
    chains: {
      'eip155:137': { title: 'Polygon', transactions: 'https://polygonscan.com/tx/' },
      'eip155:80002': { title: 'Polygon Amoy (test money)', transactions: 'https://amoy.polygonscan.com/tx/' },
    },
  },
} as const satisfies Record<Network, Row>;

export const DEFAULT_NETWORKS: readonly Network[] = NETWORKS.filter((network) => ROWS[network].isDefault);

/** The bot runs only where this network is served: its wallets are shown first and paid from first. */
export const BOT_NETWORK: Network = 'base';

/** The networks of one family. */
export type NetworkOf<F extends Family> = {
  [Name in Network]: (typeof ROWS)[Name]['family'] extends F ? Name : never;
}[Network];
export type EvmNetwork = NetworkOf<'evm'>;
export type SvmNetwork = NetworkOf<'svm'>;

const CHAINS: ReadonlyMap<string, Row['chains'][string]> = new Map(
  NETWORKS.flatMap((network) => Object.entries<Row['chains'][string]>(ROWS[network].chains)),
);

/** A value for each network. */
export function eachNetwork<T>(valueOf: (network: Network) => T): Record<Network, T> {
  return { base: valueOf('base'), solana: valueOf('solana'), polygon: valueOf('polygon') };
}

export function familyOf(network: Network): Family {
  return ROWS[network].family;
}

export function isOf<F extends Family>(family: F, network: Network): network is NetworkOf<F> {
  return ROWS[network].family === family;
}

/** The CAIP-2 name of the chain of real money. */
export function mainnetOf(network: Network): string {
  return ROWS[network].mainnet;
}

export function coinOf(network: Network): string {
  return ROWS[network].coin;
}

/** Units are billionths of the coin on every network. */
export function coinsText(units: bigint, network: Network): string {
  const fraction = (units % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return `${units / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`} ${coinOf(network)}`;
}

/** A network beside its family, so that a switch over the one narrows the other. */
export type Placed = { family: 'evm'; network: EvmNetwork } | { family: 'svm'; network: SvmNetwork };

export function inFamily(network: Network): Placed {
  if (isOf('evm', network)) return { family: 'evm', network };
  if (isOf('svm', network)) return { family: 'svm', network };
  return network satisfies never;
}

/** The network of this name; null for any other text. */
export function findNetworkName(name: string): Network | null {
  return NETWORKS.find((network) => network === name) ?? null;
}

/** The same for a name in our own books. Throws for an unknown name, which must not pass for another network. */
export function networkNamed(name: string): Network {
  const network = findNetworkName(name);
  if (network === null) throw new Error(`expected a network (${NETWORKS.join(', ')}), found ${JSON.stringify(name)}`);
  return network;
}

/** What people may write for a network, in small letters. */
export const NETWORK_WORDS: ReadonlyMap<string, Network> = new Map(
  NETWORKS.flatMap((network) => [network, ...ROWS[network].words].map((word): [string, Network] => [word, network])),
);

/** `Base`, or the name of its chain. A network that was switched off keeps its general name. */
export function networkTitle(network: string, caip2: string | null): string {
  const known = findNetworkName(network);
  return CHAINS.get(caip2 ?? '')?.title ?? (known === null ? network : ROWS[known].title);
}

/** Null where no public explorer is known. Hashes come from the chain, so only plain characters may form a link. */
export function transactionUrl(caip2: string | null, transaction: string): string | null {
  const transactions = CHAINS.get(caip2 ?? '')?.transactions ?? null;
  return transactions === null || !/^[0-9A-Za-z]+$/.test(transaction) ? null : transactions + transaction;
}

const CANONICAL = {
  // The case of letters is a checksum in addresses, and means nothing in hashes.
  evm: (text: string) => text.toLowerCase(),
  // Base58 is case-sensitive: one spelling only.
  svm: (text: string) => text,
} as const satisfies Record<Family, (text: string) => string>;

/** An address, or the hash of a transaction, as the books write it. */
export function canonicalAddress(network: Network, address: string): string {
  return CANONICAL[familyOf(network)](address);
}

/** Hex is compared without its checksum's upper case; base58 has one spelling only. */
export function sameAddress(network: Network, one: string, other: string): boolean {
  return canonicalAddress(network, one) === canonicalAddress(network, other);
}

const ADDRESS_FORMS = {
  evm: /^0x/i,
  // Base58 of 32 bytes.
  svm: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
} as const satisfies Record<Family, RegExp>;

/**
 * The form of an address tells its family, never its network. Null for what looks like no address. Whether money may go
 * to it is checked on its network.
 */
export function addressFamily(text: string): Family | null {
  const families: readonly Family[] = ['evm', 'svm'];
  return families.find((family) => ADDRESS_FORMS[family].test(text)) ?? null;
}
