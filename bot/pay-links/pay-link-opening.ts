import type { OrderRow } from '../../db/tips/orders.ts';
import type { Tasks } from '../../client/tasks.ts';
import { within } from '../../queue/deadline.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PayingNetwork } from '../shared/networks.ts';

const PROBE_LIMIT_MS = 5_000;

type Opened = {
  answer: Awaited<ReturnType<Tasks['open']>>;
  /** Where a transfer can come back from: on other networks none may be asked for. */
  networks: readonly PayingNetwork[];
};

/**
 * Opens the task of a link with the wallets of its person for what comes back. The API looks at each of them on its own
 * network, and opens nothing while one does not answer. Each names its network (CAIP-10): the form alone fits several. Then the link works on the others: a network that is down must
 * not keep a link from being paid on another.
 */
export async function openLinkTask(
  deps: Pick<CoreDeps, 'networks' | 'log'>,
  links: Tasks,
  order: OrderRow,
): Promise<Opened> {
  const open = async (networks: readonly PayingNetwork[]): Promise<Opened> => {
    const addresses = await Promise.all(
      networks.map(async ({ addressOf, pinned }) => `${pinned.caip2}:${await addressOf(order.walletId)}`),
    );
    return { answer: await links.open({ route: order.route, body: order.body }, addresses), networks };
  };
  const opened = await open(deps.networks);
  if (opened.answer.kind !== 'unreachable') return opened;
  const answering = await Promise.all(deps.networks.map((paying) => doesAnswer(deps, paying, order.walletId)));
  const up = deps.networks.filter((_, index) => answering[index]);
  return up.length === 0 || up.length === deps.networks.length ? opened : open(up);
}

/** Asks what the API asks: any answer of the network about the address counts as one. */
async function doesAnswer(
  { log }: Pick<CoreDeps, 'log'>,
  { network, addressOf, checkAddress }: PayingNetwork,
  walletId: string,
) {
  try {
    const check = await within(checkAddress(await addressOf(walletId)), PROBE_LIMIT_MS, 'checking an address');
    return check.kind !== 'unavailable';
  } catch (error) {
    log.warn({ network, error: String(error) }, 'a network does not say whether a link can use it');
    return false;
  }
}
