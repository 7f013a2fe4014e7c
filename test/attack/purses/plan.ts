import { walletIdOf } from '../../../core/claims/claims.ts';
import { microUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { localUserId } from '../../../local/identity.ts';

/** A person with a purse of their own. Every sum, name and word of theirs is nobody else's, so that it shows whose page it is on. */
export type PursePlan = {
  index: number;
  platform: 'x' | 'code';
  /** Two people have the same one, each on a platform of their own. */
  handle: string;
  walletId: string;
  network: Network;
  collected: MicroUsdc;
  /** To a name that nobody has proven. */
  sent: MicroUsdc;
  friend: string;
  note: string;
  takenOut: MicroUsdc;
};

export type Sums = Pick<PursePlan, 'collected' | 'sent' | 'takenOut'>;

const SOLANA_EVERY = 4;
const PLATFORMS = ['x', 'code'] as const;

/** The last digit tells what it is of, and none ends with 0: so all have six decimals, and no two are the same. */
export function sumsOf(index: number): Sums {
  const place = BigInt(index);
  return {
    collected: microUsdc(3_000_009n + 40n * place),
    sent: microUsdc(1_000_001n + 10n * place),
    takenOut: microUsdc(500_002n + 10n * place),
  };
}

export function makePlan(count: number, seed: number, networks: readonly Network[]): PursePlan[] {
  return Array.from({ length: count }, (_, index) => {
    const platform = PLATFORMS[index % PLATFORMS.length] ?? 'x';
    const number = (place: number) => `${seed}n${String(place).padStart(4, '0')}`;
    const handle = `p${number(index - (index % PLATFORMS.length))}`;
    const stableId = localUserId(parseRecipient(platform, handle));
    return {
      index,
      platform,
      handle,
      walletId: walletIdOf(platform, stableId),
      network: networks.includes('solana') && (index + seed) % SOLANA_EVERY === 0 ? 'solana' : 'base',
      ...sumsOf(index),
      friend: `f${number(index)}`,
      note: `w${number(index)}`,
    };
  });
}
