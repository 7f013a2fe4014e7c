/** What callers and recipients do, in the same words on every network. */
import { expect } from 'vitest';
import type { Network } from '../../core/networks.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../db/identities/identities.ts';
import { linkWallet } from '../../db/transfers/link-wallet.ts';
import { localUserId } from '../../local/identity.ts';
import { post, type Reply } from '../support/pay.ts';
import type { Payer, Service } from './network.ts';

/** One USDC, in micro-USDC. */
export const USDC = 1_000_000n;

export const toMicro = (amount: number) => BigInt(Math.round(amount * 1_000_000));

export type Order = { receiver: string; amount: number };
export type Headers = Record<string, string>;

let names = 0;
/** A handle that no other case knows, so that no case meets money or retries of another. */
export function freshHandle(stem = 'somebody'): string {
  names += 1;
  return `${stem}${names}`;
}

/** An order of 1 USDC to a new recipient, unless told otherwise. */
export function freshOrder(amount = 1): Order {
  return { receiver: freshHandle(), amount };
}

export function present(
  service: Service,
  proof: string,
  body: unknown,
  { path = 'x/pay', headers = {} }: { path?: string; headers?: Headers } = {},
): Promise<Reply> {
  return post(`${service.url}/payments/${path}`, body, { 'PAYMENT-SIGNATURE': proof, ...headers });
}

/** Pays an order with a new proof. */
export async function pay(service: Service, payer: Payer, order: Order, headers: Headers = {}): Promise<Reply> {
  const proof = await payer.prove(service, { microUsdc: toMicro(order.amount) });
  return present(service, proof, order, { headers });
}

/** The same, for cases that begin only afterwards. */
export async function payAlready(service: Service, payer: Payer, order: Order): Promise<number> {
  const reply = await pay(service, payer, order);
  expect([reply.status, reply.body['error']]).toEqual([200, undefined]);
  return reply.body.data.txn_id;
}

export type BatchLine = { txn_id: number; username: string; amount: number; status: string };

export async function payBatch(service: Service, payer: Payer, receivers: readonly Order[]): Promise<BatchLine[]> {
  const microUsdc = receivers.reduce((sum, { amount }) => sum + toMicro(amount), 0n);
  const proof = await payer.prove(service, { microUsdc });
  const reply = await present(service, proof, { receivers }, { path: 'x/batch-pay' });
  expect([reply.status, reply.body['error']]).toEqual([200, undefined]);
  return reply.body['data'] as unknown as BatchLine[];
}

/** Gives x:{handle} a wallet, and sends there what waits for it. */
export async function link(service: Service, network: Network, handle: string, address: string): Promise<void> {
  const { store, transferIdOf, worker } = service;
  const recipient = parseRecipient('x', handle);
  const person = { ...recipient, stableId: localUserId(recipient) };
  const newId = `person_of_${handle}`;
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, newId, Date.now()));
  await linkWallet(store, { identityId, network, address, source: 'test' }, transferIdOf, Date.now());
  worker?.wake();
}

/** What a caller is told about a payment. */
export async function wireStatus(service: Service, txnId: number): Promise<string> {
  const response = await fetch(`${service.url}/payments/validate?txn_id=${txnId}`);
  const { data } = (await response.json()) as { data?: { status?: string } };
  return data?.status ?? `HTTP ${response.status}`;
}

export async function cancel(service: Service, signer: Payer, txnId: number): Promise<Reply> {
  const validBefore = Math.floor(Date.now() / 1000) + 120;
  const signature = await signer.signCancellation(txnId, validBefore);
  return post(`${service.url}/payments/${txnId}/cancel`, { signature, valid_before: validBefore });
}
