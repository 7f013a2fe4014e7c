import type { Context } from 'hono';
import { ChainUnavailable } from '../../chain/errors.ts';
import { parseRegistration, type Registration } from '../../core/bodies/endpoint.ts';
import { AppError } from '../../core/errors.ts';
import { addEndpoint } from '../../db/events/endpoints.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { callerAddress } from '../http/caller.ts';
import type { ApiEnv } from '../http/env.ts';
import { readJsonBody } from '../http/read-body.ts';
import { takeBudget, takeHost } from './budget.ts';
import { askChallenge } from './challenge.ts';

/**
 * `POST /events/endpoints`: an address in, its secret out, once. The payer has signed for the address, and the address has
 * answered with a challenge that nobody else was told: so nobody aims our requests at a host that did not ask for them.
 */
export async function registerEndpoint(c: Context<ApiEnv>, dependencies: ApiDependencies): Promise<Response> {
  const { events, store, ids, now, settings } = dependencies;
  if (events === undefined) throw new AppError('not_found');
  const terms = { nowSeconds: Math.floor(now() / 1_000), allowsHttp: events.allowsHttp };
  const registration = parseRegistration(await readJsonBody(c.req.raw), terms);
  const { network, payer, url } = registration;
  const caller = callerAddress(c, settings.isTrustedProxy);
  takeBudget(events.limits.caller, caller);
  await checkSigner(dependencies, registration);
  takeHost(events.limits, caller, url);
  const id = ids.endpointId();
  const secret = events.secrets.secretOf(network, id);
  if (secret === null) throw new Error(`there is no treasury key of ${network}, which is offered`);
  await askChallenge(dependencies, events, url);
  const nowMs = now();
  if (!(await addEndpoint(store, { id, network, payer, url, nowMs }))) throw new AppError('too_many_event_endpoints');
  return c.json(
    { code: 201, msg: 'Keep the secret: it is not shown again.', data: toData(registration, id, secret) },
    201,
  );
}

function toData({ network, url }: Registration, id: string, secret: string) {
  return { endpoint_id: id, network, url, secret };
}

async function checkSigner(
  { networks }: Pick<ApiDependencies, 'networks'>,
  { network, payer, signedUrl: url, validBefore, signature }: Registration,
): Promise<void> {
  const found = networks.find(({ terms }) => terms.network === network);
  if (found === undefined) {
    const detail = `This installation does not offer ${network}.`;
    throw new AppError('validation_failed', { field: 'network', detail });
  }
  const { checker } = found;
  if (await unlessAway(checker.isEndpointOf(payer, { url, validBefore }, signature))) return;
  const detail = `The signature is not the payer’s: sign ${checker.endpointWords({ url, validBefore })}`;
  throw new AppError('invalid_signature', { field: 'signature', detail });
}

/** Only the chain knows whether a contract signed. */
async function unlessAway<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ChainUnavailable) throw new AppError('upstream_unavailable', { retryAfterSeconds: 5 });
    throw error;
  }
}
