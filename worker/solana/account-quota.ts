import { placesFor, type OpeningRoom, type WaitingOpening } from '../../core/costs/openings.ts';
import type { OpeningCaps, Opening } from '../../db/costs/openings.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { readCounter } from '../../db/store/counters.ts';
import { heldPayouts, releaseHeld, renameHeld } from '../../db/transfers/held.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { findDestinations, type Destination } from './accounts.ts';
import { accountsCounter, keptAccountsCounter } from './counters.ts';
import { hold, type Ready } from './send.ts';

/** It waits for its recipient, who has to open an account. */
const THEIRS = 'no_token_account';
/** It waits for a day with an account left for it. */
const QUOTA = 'account_quota';
const REASONS = [THEIRS, QUOTA] as const;

const HELD_PAGE = 500;
/** How many are compared with each other; the rest come in their turn. */
const WAITING_MAX = 2_000;

/** The part of a day's accounts for wallets kept here, known for long or not. */
const KEPT_SHARE = 4;

type Opens = { payout: TransferRow; item: { account: string; amount: bigint }; opening: Opening };
type To = Extract<Destination, { kind: 'to' }>;

/** How many more token accounts may be opened today. */
export async function roomOf(worker: SolanaWorker): Promise<OpeningRoom> {
  const { all, kept } = capsFor(worker, []);
  const left = async ({ counter, max }: OpeningCaps['all']) =>
    Math.max(0, max - Number(await readCounter(worker.store, counter)));
  return { all: await left(all), kept: await left(kept) };
}

/** Several payouts may share the account that is opened for them. */
export function capsFor({ accounts, now }: SolanaWorker, openings: readonly Opening[]): OpeningCaps {
  const byOwner = new Map(openings.map((opening) => [opening.owner, opening]));
  return {
    openings: [...byOwner.values()],
    hasLanded: false,
    all: { counter: accountsCounter(now()), max: accounts.dailyMax },
    kept: { counter: keptAccountsCounter(now()), max: Math.floor(accounts.dailyMax / KEPT_SHARE) },
  };
}

/** Holds payouts that need more new accounts than may be opened today; the others go on. */
export async function withinRoom(worker: SolanaWorker, ready: readonly Ready[]): Promise<Ready[]> {
  const opening = ready.flatMap((one) => (one.opening === null ? [] : [{ ...one, opening: one.opening }]));
  if (opening.length === 0) return [...ready];
  // Those that have waited longer, or for more, are not overtaken.
  const held = (await readHeld(worker, [QUOTA])).flatMap(({ opens }) => opens ?? []);
  const places = placesFor([...opening, ...held].map(toWaiting), await roomOf(worker));
  const isIn = ({ item, opening: own }: Ready) => own === null || places.has(item.account);
  for (const one of ready.filter((other) => !isIn(other))) await hold(worker, one.payout, QUOTA);
  return ready.filter(isIn);
}

/**
 * Releases payouts held for lack of a token account, once there is one, or once the sum for the recipient is worth one
 * and the day has a place for it. Answers how many.
 */
export async function releaseWaitingForAccounts(worker: SolanaWorker): Promise<number> {
  const { store, now } = worker;
  const held = await readHeld(worker, REASONS);
  const places = placesFor(
    held.flatMap(({ opens }) => (opens === null ? [] : [toWaiting(opens)])),
    await roomOf(worker),
  );
  let released = 0;
  for (const { payout, to, opens } of held) {
    const reason = payout.heldReason ?? '';
    const isOpen = to !== null && (opens === null || places.has(to.item.account));
    if (isOpen) released += (await releaseHeld(store, payout.id, reason, now())) ? 1 : 0;
    else await renameHeld(store, payout.id, { from: reason, to: to === null ? THEIRS : QUOTA });
  }
  return released;
}

type Held = { payout: TransferRow; to: To | null; opens: Opens | null };

/** What is held for one of these reasons, and where it would go by now. */
async function readHeld(worker: SolanaWorker, reasons: readonly string[]): Promise<Held[]> {
  const { store, profile } = worker;
  const found: Held[] = [];
  let after = '';
  while (found.length < WAITING_MAX) {
    const page = await heldPayouts(store, { network: profile.network, reasons, after, limit: HELD_PAGE });
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.toAddress;
    const destinations = await findDestinations(worker, page);
    for (const payout of page) {
      const destination = destinations.get(payout.id);
      const to = destination?.kind === 'to' ? destination : null;
      const opens = to === null || to.opening === null ? null : { payout, item: to.item, opening: to.opening };
      found.push({ payout, to, opens });
    }
  }
  return found;
}

function toWaiting({ payout, item, opening }: Opens): WaitingOpening {
  return {
    account: item.account,
    sumMicroUsdc: item.amount,
    sinceMs: payout.createdAtMs,
    isKept: opening.isKept,
  };
}
