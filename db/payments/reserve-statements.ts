/** What every reservation asks and writes, built once. */
import { and, eq, lt, sql } from 'drizzle-orm';
import { UNSETTLED_PAYMENTS_MAX } from '../../core/amounts.ts';
import { given, placeholder, prepare } from '../store/prepare.ts';

export const insertProof = prepare((db, { proofs }) =>
  db
    .insert(proofs)
    .values(given('network', 'payer', 'nonce', 'payloadHash', 'requestHash', 'paymentId', 'alias', 'claimedAtMs'))
    .onConflictDoNothing()
    .returning({ nonce: proofs.nonce }),
);

export const selectLanded = prepare((db, { observedTransfers: seen }) =>
  db
    .select({ fact: seen.fact, consumedBy: seen.consumedBy })
    .from(seen)
    .where(
      and(
        eq(seen.network, placeholder('network')),
        eq(seen.authorizer, placeholder('payer')),
        eq(seen.nonce, placeholder('nonce')),
      ),
    ),
);

/** Nothing comes back where this payer has no room for one more. */
export const addLoad = prepare((db, { payerLoads }) =>
  db
    .insert(payerLoads)
    .values({ ...given('payer'), unsettled: 1 })
    .onConflictDoUpdate({
      target: payerLoads.payer,
      set: { unsettled: sql`${payerLoads.unsettled} + 1` },
      setWhere: lt(payerLoads.unsettled, UNSETTLED_PAYMENTS_MAX),
    })
    .returning({ payer: payerLoads.payer }),
);

export const insertLine = prepare((db, { lines }) =>
  db
    .insert(lines)
    .values(
      given(
        'txnId',
        'paymentId',
        'position',
        'identityId',
        'platform',
        'receiver',
        'recipientKey',
        'display',
        'amountMicroUsdc',
        'note',
        'status',
        'slug',
        'publicSlug',
        'expiresAtMs',
      ),
    ),
);

/** Without a carrier, and with nothing known of its landing. `meta` is JSON as text, or null. */
export const insertReceived = prepare((db, { payments }, clock) =>
  db.insert(payments).values({
    ...given('id', 'network', 'payer', 'payerAccount', 'nonce', 'payTo', 'validAfter', 'validBefore', 'signature'),
    ...given('operation', 'requestHash', 'idempotencyKey', 'sumMicroUsdc', 'feeMicroUsdc', 'costMicroUsdc'),
    ...given('costPrepaid', 'description', 'agentKnown', 'payerReference', 'bound', 'landedBefore', 'endpointId'),
    meta: sql`${placeholder('meta')}`,
    status: 'received',
    nextTryAtMs: placeholder('nowMs'),
    tries: 0,
    delivery: 'waiting',
    createdAtMs: placeholder('nowMs'),
    reservedAtMs: clock,
  }),
);
