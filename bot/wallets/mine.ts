import type { Paragraph } from '../../core/view.ts';
import { sumsOfPerson, type PersonSums } from '../../db/tips/mine.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { readHoldings, sumOf, type Holding } from '../paying/balance.ts';
import type { Origin } from '../shared/messenger.ts';
import { payersOf } from '../shared/networks.ts';
import { heldWallet, walletsSeen } from '../shared/wallets.ts';

type Deps = Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'networks' | 'log' | 'faucet'>;

/** What waits for this person under every name that they have proven, what they have received, and what they have sent. */
export async function readSums(
  { store, networks, clock }: Pick<Deps, 'store' | 'networks' | 'clock'>,
  origin: Origin,
): Promise<PersonSums> {
  const wallets = await walletsSeen(store, origin.userId, clock.now());
  const identityIds = wallets.flatMap(({ identityId }) => identityId ?? []);
  const payers = await payersOf(
    { networks },
    wallets.map(({ walletId }) => walletId),
  );
  return sumsOfPerson(store, { identityIds, payers });
}

/** What is there for this person, before anything else is said; nothing for one to whom nothing has happened yet. */
export async function mineLines(deps: Deps, origin: Origin): Promise<{ lines: Paragraph[]; sums: PersonSums }> {
  const sums = await readSums(deps, origin);
  const places = await readHoldings(deps, origin.walletId).catch((): Holding[] => []);
  const isNew = sumOf(places) === 0n && sums.waiting === 0n && sums.received === 0n && sums.sent === 0n;
  if (isNew) return { lines: [], sums };
  const { name } = await heldWallet(deps, origin);
  return { lines: moneyLines(deps, { name, places, sums }), sums };
}

type Money = { name: string | null; places: readonly Holding[]; sums: PersonSums };

/** An empty wallet is no news where money waits for its owner. */
export function moneyLines({ texts, faucet }: Deps, { name, places, sums }: Money): Paragraph[] {
  const { waiting, received, sent } = sums;
  const isEmpty = sumOf(places) === 0n && places.every(({ amount }) => amount !== null);
  const balance = texts.balance({ name, places }, faucet !== undefined);
  const spendable = places.length === 0 || (isEmpty && waiting > 0n) ? [] : [balance];
  return [
    ...spendable,
    ...(waiting > 0n ? [texts.waits(waiting, spendable.length === 0)] : []),
    ...(received > 0n || sent > 0n ? [texts.soFar(received, sent)] : []),
  ];
}
