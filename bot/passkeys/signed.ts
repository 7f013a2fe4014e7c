import { holdsAt, isGuardedAt } from '../../core/wallets/passkeys.ts';
import { passkeysOf, usePasskey, findPasskey, type Passkey, type PasskeyUse } from '../../db/wallets/passkeys.ts';
import type { Passkeys } from '../../identity/passkeys/passkeys.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';

type PasskeyBooks = Pick<CoreDeps, 'store' | 'clock'>;

export type PasskeyDeps = PasskeyBooks & {
  /** Absent where browsers have none for this address. */
  passkeys: Passkeys | null;
};

/** Those of a wallet that count now: with one of them money leaves. */
export async function countingPasskeys({ store, clock }: PasskeyBooks, walletId: string): Promise<Passkey[]> {
  const nowMs = clock.now();
  return (await passkeysOf(store.read, store.tables, walletId, nowMs)).filter((one) => holdsAt(one, nowMs));
}

/** Whether a passkey of this wallet counts, now or at a later time. */
export async function isGuarded(deps: PasskeyBooks, walletId: string, atMs = deps.clock.now()): Promise<boolean> {
  const known = await passkeysOf(deps.store.read, deps.store.tables, walletId, deps.clock.now());
  return isGuardedAt(known, atMs);
}

/** What a browser needs to have exactly this agreed to; null where no passkey counts, or this browser cannot be asked. */
export async function optionsToSign(deps: PasskeyDeps, walletId: string, challenge: string): Promise<string | null> {
  const known = await countingPasskeys(deps, walletId);
  if (known.length === 0 || deps.passkeys === null) return null;
  return JSON.stringify(await deps.passkeys.requestOptions({ challenge, known }));
}

/** Which passkey signed one of these challenges; null where none of ours did. It may count for another wallet, or not yet. */
export async function signatureIn(
  { store, passkeys }: PasskeyDeps,
  answer: string,
  challenges: readonly string[],
): Promise<PasskeyUse | null> {
  const id = passkeys?.idIn(answer) ?? null;
  const passkey = id === null ? null : await findPasskey(store, id);
  if (passkeys === null || passkey === null) return null;
  const counter = await passkeys.readSigned(answer, challenges, passkey);
  return counter === null ? null : { id: passkey.id, counter };
}

/** The passkey of this wallet that has agreed, counted once; null where none of those that count did. */
export async function agreedWith(
  deps: PasskeyDeps,
  walletId: string,
  { answer, challenges }: { answer: string; challenges: readonly string[] },
): Promise<Passkey | null> {
  const use = await signatureIn(deps, answer, challenges);
  const used = use === null ? null : await usePasskey(deps.store, use, deps.clock.now());
  return used?.walletId === walletId ? used : null;
}
