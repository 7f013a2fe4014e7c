/** What differs between Solana networks. */
export type SolanaProfile = {
  network: 'solana';
  /** Network name in x402 v2: the first 32 characters of the genesis hash (CAIP-2, namespace solana). */
  caip2: string;
  /** Other names of the same network that clients write. */
  aliases: readonly string[];
  /** Network name in x402 v1. */
  v1Name: 'solana' | 'solana-devnet';
  /** The mint. */
  usdc: string;
  decimals: 6;
  /** What `getGenesisHash` answers there. */
  genesisHash: string;
  /** When the finalized slot is further behind the confirmed one, the network takes no more payments. Usually 31. */
  lagMaxSlots: number;
};

/** Two minutes. */
const LAG_MAX_SLOTS = 300;

const SOLANA: SolanaProfile = {
  network: 'solana',
  caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  aliases: ['solana:mainnet'],
  v1Name: 'solana',
  // Circle, "USDC contract addresses".
  usdc: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  decimals: 6,
  genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  lagMaxSlots: LAG_MAX_SLOTS,
};

const SOLANA_DEVNET: SolanaProfile = {
  network: 'solana',
  caip2: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  aliases: ['solana:devnet'],
  v1Name: 'solana-devnet',
  usdc: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  decimals: 6,
  genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  lagMaxSlots: LAG_MAX_SLOTS,
};

// Published x402 clients refuse any other mint and network, so the local chain imitates mainnet and its genesis hash.
const PROFILES = { local: SOLANA, testnet: SOLANA_DEVNET, mainnet: SOLANA } as const satisfies Record<
  string,
  SolanaProfile
>;

export function solanaProfile(mode: keyof typeof PROFILES): SolanaProfile {
  return PROFILES[mode];
}

/** Of all networks: money sent to a mint is lost on each of them. */
export const USDC_MINTS: readonly string[] = [SOLANA.usdc, SOLANA_DEVNET.usdc];
