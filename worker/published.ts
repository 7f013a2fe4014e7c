import { NETWORKS, type Network } from '../core/networks.ts';
import type { AddressCheck } from '../core/payments/payout-address.ts';
import { findPlatform } from '../core/platforms/platforms.ts';
import { linkPublished } from '../db/published/link.ts';
import { startWalk } from '../db/payments/records/waiting-people.ts';
import { lookForPublishers, walletless, walletlessOf, type Walletless } from '../db/published/waiting.ts';
import type { PublishedAddress } from '../identity/platforms/platform-identity.ts';
import { PUBLISHING_PLATFORMS, type FindPublished } from '../identity/platforms/published.ts';
import type { WorkerContext } from './dependencies.ts';
import { createRenewal } from './published-renewal.ts';

/** A person who has published no usable address is asked about again after a day. */
export const ASK_AGAIN_MS = 24 * 3_600_000;
/** A person whose platform or chain did not answer is asked about again soon. */
export const RETRY_MS = 5 * 60_000;
/** How often everyone who waits is checked; new ones do not wait for it. */
const LOOK_THROUGH_MS = 60_000;
/** At the same time. */
const AT_ONCE = 8;
/** The oldest are forgotten first. A forgotten person is asked about once more, which costs a question and no money. */
const REMEMBERED_MAX = 10_000;
const HINTS_MAX = 1_000;

export type PublishedSources = {
  find: FindPublished;
  /** Whether money may go to an address of this network; one for each that is served. */
  check: Partial<Record<Network, (published: PublishedAddress) => Promise<AddressCheck>>>;
};

export type PublishedWorker = Pick<WorkerContext, 'store' | 'transferIdOf' | 'now' | 'log'> & {
  published: PublishedSources;
};

export type PublishedRounds = {
  /** This payment has settled: its recipients are asked for in the next round. */
  hint: (paymentId: string) => void;
  /** Answers how many payouts were made. */
  round: () => Promise<number>;
};

/**
 * Pays what waits for people who published an address, so that they need not collect it. Memory
 * only holds whom not to ask about yet; the database says who waits and whose address counts.
 */
export function createPublishedRounds(worker: PublishedWorker): PublishedRounds {
  const { store, now } = worker;
  const askAgainAtMs = new Map<string, number>();
  const hints = new Set<string>();
  const renew = createRenewal(worker);
  const walk = startWalk();
  let nextLookMs = -Infinity;

  async function findPeople(): Promise<Walletless[]> {
    const platforms = PUBLISHING_PLATFORMS;
    const [hint] = hints;
    if (hint !== undefined) {
      hints.delete(hint);
      return walletlessOf(store, hint, { platforms, nowMs: now() });
    }
    if (now() < nextLookMs) return [];
    const { people, next } = await lookForPublishers(store, walk, platforms);
    walk.after = next;
    if (next === null) nextLookMs = now() + LOOK_THROUGH_MS;
    return walletless(store, people, now());
  }

  async function attend(person: Walletless): Promise<number> {
    const result = await payPublished(worker, person);
    if (result.kind === 'paid') return result.payouts;
    askAgainAtMs.delete(person.identityId);
    askAgainAtMs.set(person.identityId, now() + (result.kind === 'none' ? ASK_AGAIN_MS : RETRY_MS));
    const [oldest] = askAgainAtMs.keys();
    if (oldest !== undefined && askAgainAtMs.size > REMEMBERED_MAX) askAgainAtMs.delete(oldest);
    return 0;
  }

  return {
    hint: (paymentId) => {
      if (hints.size < HINTS_MAX) hints.add(paymentId);
    },
    round: async () => {
      await renew();
      let payouts = 0;
      do {
        const people = (await findPeople()).filter(({ identityId }) => (askAgainAtMs.get(identityId) ?? 0) <= now());
        for (let first = 0; first < people.length; first += AT_ONCE) {
          const made = await Promise.all(people.slice(first, first + AT_ONCE).map(attend));
          payouts += made.reduce((sum, count) => sum + count, 0);
        }
      } while (hints.size > 0);
      return payouts;
    },
  };
}

type Outcome = { kind: 'paid'; payouts: number } | { kind: 'none' } | { kind: 'later' };

/** A person who cannot be paid must not stop the others. */
async function payPublished(worker: PublishedWorker, person: Walletless): Promise<Outcome> {
  const { store, transferIdOf, now, log } = worker;
  const { identityId } = person;
  try {
    const choice = await choose(worker, person);
    if (choice.kind !== 'chosen') return choice;
    const dependencies = { transferIdOf, nowMs: now() };
    const payouts = await linkPublished(store, { identityId, addresses: choice.addresses }, dependencies);
    if (payouts === null) return { kind: 'none' };
    log.info({ identityId, payouts: payouts.length }, 'a published address is used');
    return { kind: 'paid', payouts: payouts.length };
  } catch (error) {
    log.error({ err: error, identityId }, 'a published address could not be used; it is tried again');
    return { kind: 'later' };
  }
}

type Choice =
  | { kind: 'chosen'; addresses: readonly { network: Network; address: string }[] }
  | Exclude<Outcome, { kind: 'paid' }>;

/**
 * An address on each network that holds the person's money; where none of them has one, an address on another network.
 */
async function choose({ published }: PublishedWorker, person: Walletless): Promise<Choice> {
  const platform = findPlatform(person.platform);
  if (platform === null) return { kind: 'none' };
  const found = await published.find({ ...person, platform }, new AbortController().signal);
  if (found.kind === 'unavailable') return { kind: 'later' };
  const isOfMoney = (network: Network) => person.networks.includes(network);
  const chosen: { network: Network; address: string }[] = [];
  let isUnsure = false;
  for (const network of NETWORKS.toSorted((a, b) => Number(isOfMoney(b)) - Number(isOfMoney(a)))) {
    if (!isOfMoney(network) && (chosen.length > 0 || isUnsure)) break;
    const first = await firstFine(
      published,
      found.addresses.filter((each) => each.network === network),
    );
    if (first.kind === 'fine') chosen.push({ network, address: first.address });
    if (first.kind === 'later') isUnsure = true;
  }
  if (chosen.length > 0) return { kind: 'chosen', addresses: chosen };
  return { kind: isUnsure ? 'later' : 'none' };
}

type First = { kind: 'fine'; address: string } | { kind: 'none' } | { kind: 'later' };

/** While the chain does not answer about one address, the next one does not take its place. */
async function firstFine({ check }: PublishedSources, addresses: readonly PublishedAddress[]): Promise<First> {
  for (const published of addresses) {
    const checked = await check[published.network]?.(published);
    if (checked === undefined) return { kind: 'none' };
    if (checked.kind === 'unavailable') return { kind: 'later' };
    if (checked.kind === 'fine') return { kind: 'fine', address: checked.address };
  }
  return { kind: 'none' };
}
