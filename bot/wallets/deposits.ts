import {
  beginWatch,
  freshWatches,
  noteDeposits,
  watchDeposits,
  watchesBehind,
  watchesOf,
} from '../../db/wallets/deposits.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { shownAddressesOf, type PayingNetwork, type ShownAddress } from '../shared/networks.ts';

const BEGUN_AT_ONCE = 50;
const RANGES_AT_ONCE = 20;

type Deps = Pick<CoreDeps, 'store' | 'networks' | 'clock' | 'log'>;

type WatchDeps = Pick<CoreDeps, 'store' | 'networks' | 'clock'>;

/** Where money can be put into a wallet, for its owner to see. */
export async function depositAddressesOf(deps: WatchDeps, walletId: string): Promise<ShownAddress[]> {
  await watchWallet(deps, walletId);
  return shownAddressesOf(deps, walletId);
}

/** From now on what comes to its addresses is looked for; the same again writes nothing. */
export async function watchWallet(deps: WatchDeps, walletId: string): Promise<void> {
  const shown = await Promise.all(
    deps.networks
      .filter(({ deposits }) => deposits !== undefined)
      .map(async ({ network, addressOf }) => ({ walletId, network, address: await addressOf(walletId) })),
  );
  await watchDeposits(deps.store, shown, deps.clock.now());
}

/** Since when all of it is looked for; null where that is from its first day on. */
export async function depositsSince({ store, networks }: WatchDeps, walletId: string): Promise<number | null> {
  const partial = networks.flatMap(({ network, deposits }) =>
    deposits === undefined || deposits.knowsAll ? [] : [network],
  );
  const watches = (await watchesOf(store, walletId)).filter(({ network }) => partial.includes(network));
  return watches.length === 0 ? null : Math.max(...watches.map(({ sinceMs }) => sinceMs));
}

/** Looks on, on each network, from where the last look ended. A network that does not answer waits for the next time. */
export async function lookForDeposits(deps: Deps): Promise<void> {
  for (const paying of deps.networks) {
    try {
      await lookOn(deps, paying);
    } catch (error) {
      deps.log.warn({ network: paying.network, error: String(error) }, 'it is not known what was put into wallets');
    }
  }
}

async function lookOn({ store }: Deps, { network, deposits }: PayingNetwork): Promise<void> {
  if (deposits === undefined) return;
  for (const fresh of await freshWatches(store, network, BEGUN_AT_ONCE)) {
    await beginWatch(store, fresh, await deposits.blockBefore(fresh.sinceMs));
  }
  let newest: number | null = null;
  for (let ranges = 0; ranges < RANGES_AT_ONCE; ranges += 1) {
    const { block, watches } = await watchesBehind(store, network, deposits.addressesMax);
    if (watches.length === 0) return;
    newest ??= await deposits.newestBlock();
    if (newest - block < deposits.blocksMin) return;
    const toBlock = Math.min(newest, block + deposits.blocksMax);
    const addresses = watches.map(({ address }) => address);
    const { found, upTo } = await deposits.depositsTo(addresses, block + 1, toBlock);
    await noteDeposits(store, { network, watches, fromBlock: block, toBlock: upTo }, found);
  }
}
