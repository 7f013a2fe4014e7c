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
  if (outgoing === undefined) return;
  const abort = () => {
    if (!outgoing.writableFinished) controller.abort();
  };
  // It may have been closed before anyone asked.
  if (outgoing.closed) abort();
  else outgoing.once('close', abort);
}

/** The connection of this request: the same each time. */
export function connectionOf(c: Context<ApiEnv>, { ids }: Pick<ApiDependencies, 'ids'>): CallerConnection {
  const known = c.get('connection');
  if (known !== undefined) return known;
  let id: string | null = null;
  let controller: AbortController | null = null;
  const open = () => {
    if (controller !== null) return controller;
    controller = new AbortController();
    abortOnHangUp(c, controller);
    return controller;
  };
  // Most requests only ask for a price: they need no name, and nobody waits for their end.
  const connection: CallerConnection = {
    get id() {
      return (id ??= ids.slug());
    },
    get signal() {
      return open().signal;
    },
    destroy: () => {
      c.env?.outgoing?.destroy();
      open().abort();
    },
    whenOver: (listener) => {
      const outgoing = c.env?.outgoing;
      if (outgoing === undefined) return;
      if (outgoing.closed) listener();
      else outgoing.once('close', listener);
    },
  };
  c.set('connection', connection);
  return connection;
}

/**
 * Called before the answer of a payment leaves; throws when none may leave. Then notes whether the caller took it: all
 * was written to its socket and was not turned away. What a proxy has taken and its client has not, we cannot see; that
 * client repeats the same proof, or the same idempotency key, and gets the stored answer.
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
  const { outgoing, incoming } = c.env ?? {};
  if (outgoing === undefined || incoming === undefined) note('handed');
  else responses.follow(connection, { outgoing, incoming }, note);
}
