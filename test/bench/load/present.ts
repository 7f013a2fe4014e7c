/** Many payers present what they have signed, each at its moment, and go on as a careful client does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateKeyAccount } from 'viem/accounts';
import { Pool } from 'undici';
import { z } from 'zod';
import { signPayment } from './payers.ts';
import type { Side } from './sides.ts';

/** So long a proof is good for, as the terms of both say. */
const VALID_MS = 60_000;
/** Who is told to wait and has no more time left than this signs again; nothing was reserved. */
const LEFT_MS = 10_000;
const AGAIN_MS = 1_000;
const PATIENCE_MS = 240_000;

/** So many callers do not come from one address, from which a service takes a part of its connections only. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];

export type Presented = {
  dueMs: number;
  answeredMs: number;
  /** The last one. */
  status: number;
  /** What was answered before it. */
  earlier: readonly string[];
  transaction: string | null;
};

type Payment = { payer: PrivateKeyAccount; header: string; dueMs: number; untilMs: number; number: number };

/** Signed before the first is due; `dueMs` answers when each is, from the beginning, which comes after `untilBegin`. */
export async function signCrowd(
  side: Side,
  payers: readonly PrivateKeyAccount[],
  { count, dueMs, untilBegin }: { count: number; dueMs: (index: number) => number; untilBegin: () => Promise<void> },
): Promise<{ payments: Payment[]; beginMs: number }> {
  const signMs = count * (await millisecondsAProof(side, payers)) + 500;
  const plannedMs = performance.now() + signMs;
  const wallMs = Date.now() + signMs;
  const signed: Omit<Payment, 'dueMs'>[] = [];
  for (let index = 0; index < count; index += 1) {
    const payer = payers[index % payers.length];
    if (payer === undefined) throw new Error('there are no payers');
    const untilMs = wallMs + dueMs(index) + VALID_MS;
    const header = await signPayment(payer, side.payTo, untilMs);
    numbers += 1;
    signed.push({ payer, header, untilMs, number: numbers });
  }
  const lateMs = performance.now() - plannedMs;
  if (lateMs > LEFT_MS) throw new Error(`${count} proofs were signed ${Math.round(lateMs)} ms too late`);
  if (lateMs < 0) await sleep(-lateMs);
  await untilBegin();
  const beginMs = performance.now();
  const payments = signed.map((one, index) => ({ ...one, dueMs: beginMs + dueMs(index) }));
  return { payments, beginMs };
}

/** On this machine at this moment, and half as much again. */
async function millisecondsAProof(side: Side, payers: readonly PrivateKeyAccount[]): Promise<number> {
  const beganMs = performance.now();
  for (let time = 0; time < SIGN_TRIES; time += 1) {
    const payer = payers[time % payers.length];
    if (payer !== undefined) await signPayment(payer, side.payTo, Date.now() + VALID_MS);
  }
  return (1.5 * (performance.now() - beganMs)) / SIGN_TRIES;
}

const SIGN_TRIES = 20;
/** A prime, so that a payer who comes again pays another recipient: to the same one it would be the same request. */
const RECEIVERS = 499;
let numbers = 0;

/** `comesBack`: whether one who is told to come later does. */
export async function presentAll(side: Side, payments: readonly Payment[], comesBack: boolean): Promise<Presented[]> {
  const limits = { bodyTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS };
  const pools = side.urls.flatMap((url) => ADDRESSES.map((localAddress) => new Pool(url, { ...limits, localAddress })));
  try {
    return await Promise.all(
      payments.map(async (payment, index) => {
        const pool = pools[index % pools.length];
        if (pool === undefined) throw new Error(`${side.name} has no address`);
        await sleep(Math.max(0, payment.dueMs - performance.now()));
        return present(side, pool, payment, comesBack);
      }),
    );
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
}

async function present(side: Side, pool: Pool, payment: Payment, comesBack: boolean): Promise<Presented> {
  const { dueMs, number } = payment;
  const earlier: string[] = [];
  let { header, untilMs } = payment;
  for (;;) {
    const { status, error, transaction, retryAfterMs } = await ask(pool, side.path, number, header);
    const answeredMs = performance.now();
    const isRefused = status === 503 && error === 'overloaded';
    const mayComeBack = isRefused ? comesBack : status === 0 || PENDING.has(error);
    if (status === 200 || !mayComeBack || side.name === 'stock' || answeredMs - dueMs > PATIENCE_MS) {
      return { dueMs, answeredMs, status, earlier, transaction };
    }
    earlier.push(`${status} ${error}`);
    await sleep(retryAfterMs ?? AGAIN_MS);
    if (isRefused && untilMs - Date.now() < LEFT_MS) {
      untilMs = Date.now() + VALID_MS;
      header = await signPayment(payment.payer, side.payTo, untilMs);
    }
  }
}

/** Answers after which the same proof has to be presented again: the payment may be under way. */
const PENDING = new Set(['settlement_pending', 'internal_error', 'network_unavailable']);

const settlementSchema = z.object({ transaction: z.string() });
const errorSchema = z.object({ error: z.string() });

/** Status 0: the connection broke. */
async function ask(pool: Pool, path: string, number: number, header: string) {
  try {
    const response = await pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'PAYMENT-SIGNATURE': header },
      body: JSON.stringify({ receiver: `person${number % RECEIVERS}`, amount: 0.05 }),
    });
    const text = await response.body.text();
    const settled = response.headers['payment-response'];
    const after = Number(response.headers['retry-after'] ?? NaN);
    return {
      status: response.statusCode,
      error: response.statusCode === 200 ? '' : errorIn(text),
      transaction: typeof settled === 'string' ? transactionIn(settled) : null,
      retryAfterMs: Number.isFinite(after) ? after * 1_000 : null,
    };
  } catch (error) {
    return {
      status: 0,
      error: error instanceof Error ? error.message : 'broken',
      transaction: null,
      retryAfterMs: null,
    };
  }
}

function transactionIn(header: string): string | null {
  const { data } = settlementSchema.safeParse(JSON.parse(Buffer.from(header, 'base64').toString()));
  return data === undefined || data.transaction === '' ? null : data.transaction;
}

function errorIn(text: string): string {
  try {
    return errorSchema.safeParse(JSON.parse(text)).data?.error ?? 'no reason';
  } catch {
    return 'no JSON';
  }
}
