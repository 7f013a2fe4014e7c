import { beginWatch, freshWatches, noteDeposits, watchDeposits, watchesBehind } from '../../db/wallets/deposits.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { shownAddressesOf, type PayingNetwork, type ShownAddress } from '../shared/networks.ts';

const BEGUN_AT_ONCE = 50;
const RANGES_AT_ONCE = 20;

type Deps = Pick<CoreDeps, 'store' | 'networks' | 'clock' | 'log'>;

/** Where money can be put into a wallet, for its owner to see: from now on what comes there is looked for. */
export async function depositAddressesOf(
  deps: Pick<CoreDeps, 'store' | 'networks' | 'clock'>,
  walletId: string,
): Promise<ShownAddress[]> {
  const shown = await Promise.all(
    deps.networks
      .filter(({ deposits }) => deposits !== undefined)
      .map(async ({ network, addressOf }) => ({ walletId, network, address: await addressOf(walletId) })),
  );
  await watchDeposits(deps.store, shown, deps.clock.now());
  return shownAddressesOf(deps, walletId);
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
