import { AppError } from '../../core/errors.ts';
import type { OrderedLine } from '../../core/bodies/order.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import { isOptedOut } from '../../db/identities/identities.ts';
import { isBlocked } from '../../db/tips/blocks.ts';
import type { NewLine } from '../../db/payments/order.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';

type Requested = { lines: readonly OrderedLine[] };

/**
 * The lines of a payment, with the stable id behind each name. Platforms are asked before the payment is reserved, so
 * that an unknown name costs nothing; one that does not answer in time is asked again afterwards. None is asked when
 * the payment will join an earlier one, whose stored answer counts even if the name is gone by now.
 */
export async function toLines(
  { ids, identity, store }: Pick<ApiDependencies, 'ids' | 'identity' | 'store'>,
  request: Requested,
  resolves: boolean,
  payer: string,
): Promise<NewLine[]> {
  const resolving = request.lines.map(async (line): Promise<NewLine> => {
    const { recipient, receiver, amount, field, note } = line;
    const found = line.stableId === undefined && resolves ? await resolve(identity, recipient, field) : null;
    const { stableId = null, ...since } = found ?? (line.stableId === undefined ? {} : { stableId: line.stableId });
    if (stableId !== null) await refuseUnwanted(store, { ...recipient, stableId, payer }, field);
    return {
      txnId: ids.txnId(),
      slug: ids.slug(),
      publicSlug: ids.slug(),
      identityId: ids.identityId(),
      recipient: { platform: recipient.platform, stableId, key: recipient.key, display: recipient.display, ...since },
      receiver,
      amountMicroUsdc: amount,
      note,
    };
  });
  return Promise.all(resolving);
}

/** Before payment only the memory is asked: a caller without a proof must not make us ask platforms. */
export function refuseKnownUnknown({ identity }: Pick<ApiDependencies, 'identity'>, request: Requested): void {
  for (const { recipient, stableId, field } of request.lines) {
    if (stableId === undefined && identity.peek(recipient)?.kind === 'not-found') throw notFound(recipient, field);
  }
}

/** Null: the platform did not answer. */
async function resolve(
  identity: ApiDependencies['identity'],
  recipient: Recipient,
  field: string,
): Promise<{ stableId: string; sinceMs?: number } | null> {
  const resolution = await identity.resolve(recipient);
  switch (resolution.kind) {
    case 'found': {
      const { kind: _kind, ...person } = resolution;
      return person;
    }
    case 'not-found':
      throw notFound(recipient, field);
    case 'unavailable':
      return null;
  }
}

/**
 * The present owner of the name decides, however it was written. A payer whom they have blocked is told the same as
 * everyone is told of a person who takes nothing.
 */
async function refuseUnwanted(
  store: ApiDependencies['store'],
  { platform, display, stableId, payer }: Recipient & { stableId: string; payer: string },
  field: string,
): Promise<void> {
  const isUnwanted =
    (await isOptedOut(store, platform, stableId)) ||
    (await isBlocked(store.read, store.tables, { platform, stableId, payer }));
  if (!isUnwanted) return;
  const detail = `"${display}" on ${platform} does not accept payments.`;
  throw new AppError('receiver_opted_out', { field, detail });
}

function notFound(recipient: Recipient, field: string): AppError {
  const detail = `Nobody is called "${recipient.display}" on ${recipient.platform}.`;
  return new AppError('receiver_not_found', { field, detail });
}

/** Throws AppError for a platform that this installation does not offer: its recipients could not collect. */
export function assertOffered(
  { identity }: Pick<ApiDependencies, 'identity'>,
  platform: Platform,
  field: string,
): void {
  if (identity.platforms.includes(platform)) return;
  throw new AppError('platform_unavailable', { field, detail: `${platform} is not offered here.` });
}
