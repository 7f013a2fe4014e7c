import { randomBytes } from 'node:crypto';
import type { Store } from '../../../db/store/store.ts';

type PaymentInsert = Store['tables']['payments']['$inferInsert'];
type PayoutInsert = Store['tables']['transfers']['$inferInsert'];

/** Who must not be found in anything that is told about the rows. */
export const PEOPLE = {
  payer: `0x${'99'.repeat(20)}`,
  wallet: `0x${'77'.repeat(20)}`,
  treasury: `0x${'11'.repeat(20)}`,
  identityId: 'person_alice_1',
};

const random = () => randomBytes(16).toString('hex');

/** Rows as they stand while nothing about them matters but what the test says. */
export async function addPayments(store: Store, changes: readonly Partial<PaymentInsert>[]): Promise<void> {
  const rows = changes.map((change) => ({ ...paymentRow(), ...change }));
  await store.tx(async (db) => {
    for (const part of inParts(rows)) await db.insert(store.tables.payments).values(part);
  });
}

export async function addPayouts(store: Store, changes: readonly Partial<PayoutInsert>[]): Promise<void> {
  const rows = changes.map((change) => ({ ...payoutRow(), ...change }));
  await store.tx(async (db) => {
    for (const part of inParts(rows)) await db.insert(store.tables.transfers).values(part);
  });
}

/** A statement has a limit of values. */
function inParts<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / 100) }, (_, part) => rows.slice(part * 100, (part + 1) * 100));
}

function paymentRow(): PaymentInsert {
  return {
    id: `attempt_1795000000000_${random()}`,
    network: 'base',
    payer: PEOPLE.payer,
    nonce: `0x${random()}`,
    payTo: PEOPLE.treasury,
    validAfter: 0,
    validBefore: 1,
    signature: '0x00',
    operation: 'rest.pay',
    requestHash: 'hash',
    sumMicroUsdc: 1n,
    feeMicroUsdc: 0n,
    costMicroUsdc: 0n,
    costPrepaid: 0n,
    agentKnown: false,
    status: 'received',
    nextTryAtMs: 0,
    tries: 0,
    delivery: 'waiting',
    createdAtMs: 0,
    reservedAtMs: 0,
    bound: false,
    landedBefore: false,
  };
}

function payoutRow(): PayoutInsert {
  return {
    id: random(),
    network: 'base',
    purpose: 'payout',
    sourceAccount: `escrow:base:${PEOPLE.identityId}`,
    fromAddress: PEOPLE.treasury,
    toAddress: PEOPLE.wallet,
    amountMicroUsdc: 1n,
    generation: 0,
    status: 'queued',
    nextTryAtMs: 0,
    tries: 0,
    exposed: false,
    createdAtMs: 0,
  };
}
