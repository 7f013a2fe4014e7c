/** Every signature of our own keys on Solana: the policy of each key first, then the key, wherever it is. */
import type { SolanaProfile } from '../solana/messages/profile.ts';
import type { SolanaSigner, SolanaSigning } from '../solana/messages/signer.ts';
import { tokenAccountOf } from '../solana/messages/addresses.ts';
import type { SolanaOwnKey } from './keys.ts';
import { SigningRefused, type SigningGuard, type SigningWish } from './policy.ts';
import { findFault, type SolanaPlace } from './solana-messages.ts';

export type SolanaSigners = {
  treasury: SolanaSigner;
  feePayer: SolanaSigner;
  task: SolanaSigner | null;
  /** What a rotation has replaced. */
  formers: readonly SolanaSigner[];
};
type Role = 'treasury' | 'feePayer' | 'swept';

type SolanaOwnKeys = {
  treasury: SolanaOwnKey;
  feePayer: SolanaOwnKey;
  task: SolanaOwnKey | null;
  formers?: readonly SolanaOwnKey[];
};

/** Each key has one job: the fee payer, which signs what strangers made, can never move USDC of ours. */
const JOBS: Readonly<Record<Role, readonly SolanaSigning[]>> = {
  treasury: ['payout', 'sweep', 'opening'],
  feePayer: ['inbound', 'withdrawal'],
  swept: ['sweep'],
};

export function createSolanaSigners(keys: SolanaOwnKeys, profile: SolanaProfile): SolanaSigners {
  const { treasury, feePayer, task, formers = [] } = keys;
  if (task?.address === treasury.address) throw new Error('SOLANA_TASK_KEY must be another key than the treasury.');
  const swept = [...(task === null ? [] : [task]), ...formers];
  const accountOf = ({ address }: SolanaOwnKey) => ({ owner: address, account: tokenAccountOf(address, profile) });
  const place: SolanaPlace = {
    profile,
    feePayer: feePayer.address,
    treasury: accountOf(treasury),
    swept: swept.map(accountOf),
  };
  return {
    treasury: toSigner('treasury', treasury, place),
    feePayer: toSigner('feePayer', feePayer, place),
    task: task && toSigner('swept', task, place),
    formers: formers.map((key) => toSigner('swept', key, place)),
  };
}

/** The fee payer alone, where there are no books and no treasury any more. */
export function createFeePayer(key: SolanaOwnKey, profile: SolanaProfile): SolanaSigner {
  return toSigner('feePayer', key, { profile, feePayer: key.address, treasury: null, swept: [] });
}

function toSigner(role: Role, key: SolanaOwnKey, place: SolanaPlace): SolanaSigner {
  return {
    address: key.address,
    sign: async (what, messageBytes) => {
      if (!JOBS[role].includes(what)) throw new SigningRefused(what, `the key of the ${role} signs no such thing`);
      const fault = findFault(what, messageBytes, place);
      if (fault !== null) throw new SigningRefused(what, fault);
      return key.signMessage(messageBytes);
    },
  };
}

/** What stops know each of them as. An account of ours is opened before there is anything to stop. */
const WISHES: Readonly<Record<SolanaSigning, SigningWish | null>> = {
  inbound: { kind: 'inbound', step: 'new' },
  payout: { kind: 'payout', step: 'new' },
  sweep: { kind: 'sweep', step: 'new' },
  withdrawal: { kind: 'withdrawal', step: 'new' },
  opening: null,
};

/** The same signer, which asks first. */
export function guardSolana<Signer extends SolanaSigner | null>(signer: Signer, guard: SigningGuard): Signer {
  if (signer === null) return signer;
  const sign: SolanaSigner['sign'] = async (what, messageBytes) => {
    const wish = WISHES[what];
    if (wish !== null) await guard(wish);
    return signer.sign(what, messageBytes);
  };
  return { ...signer, sign };
}
