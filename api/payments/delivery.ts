import type { Context } from 'hono';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { ApiEnv } from '../http/env.ts';
import type { CallerConnection } from '../responses/responses.ts';

/** Aborted when the caller hangs up before its answer is written. */
export function hangUpSignal(c: Context<ApiEnv>): AbortSignal {
  const controller = new AbortController();
  abortOnHangUp(c, controller);
  return controller.signal;
}

function abortOnHangUp(c: Context<ApiEnv>, controller: AbortController): void {
  const outgoing = c.env?.outgoing;
  outgoing?.once('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
}

/** The connection of this request: the same each time. */
export function connectionOf(c: Context<ApiEnv>, { ids }: Pick<ApiDependencies, 'ids'>): CallerConnection {
  const known = c.get('connection');
  if (known !== undefined) return known;
  const controller = new AbortController();
  abortOnHangUp(c, controller);
  const destroy = () => {
    c.env?.outgoing?.destroy();
    controller.abort();
  };
  let id: string | null = null;
  const connection = {
    // Most requests only ask for a price, and need none.
    get id() {
      return (id ??= ids.slug());
    },
    signal: controller.signal,
    destroy,
  };
  c.set('connection', connection);
  return connection;
}

/**
 * Called before the answer of a payment leaves; when none may, it throws. Then notes whether the 200 really left:
 * `finish` means that every byte was handed to the network. What the network then loses we cannot see; the caller
 * repeats the same proof and gets the stored answer.
 */
export async function handOver(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'responses' | 'ids'>,
  paymentId: string,
): Promise<void> {
  const { responses } = dependencies;
  const connection = connectionOf(c, dependencies);
  await responses.hand(connection, paymentId);
  const note = (delivery: 'handed' | 'missed') => void responses.end(connection, paymentId, delivery);
  const outgoing = c.env?.outgoing;
  if (!outgoing) return note('handed');
  if (outgoing.destroyed) return note('missed');
  outgoing.once('finish', () => note('handed'));
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) note('missed');
  });
}
