/** A payer is told by a receiver of their own what becomes of a payment, on the whole way of the money. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancellationDomain, CANCELLATION_TYPES } from '../../../chain/evm/wallet-forms.ts';
import { ENDPOINT_TYPES } from '../../../chain/evm/endpoint-consent.ts';
import { microUsdc } from '../../../core/money.ts';
import { findIdentity } from '../../../db/identities/identities.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { createTestEvents } from '../../support/events/event-parts.ts';
import { startEventReceiver, type EventReceiver } from '../../support/events/event-receiver.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

type Account = Awaited<ReturnType<BaseChain['createAccount']>>;
let chain: BaseChain;
let service: TestService;
let receiver: EventReceiver;
let account: Account;
/** Pays too, and registered nothing. */
let stranger: Account;
let endpointId: string;
const parts = createTestEvents();

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, events: parts });
  receiver = await startEventReceiver();
  account = await chain.createAccount({ usdc: microUsdc(5_000_000n), wei: 0n });
  stranger = await chain.createAccount({ usdc: microUsdc(1_000_000n), wei: 0n });
  endpointId = await register();
});
afterAll(async () => {
  await service.assertSound();
  await service.close();
  await receiver.close();
  await parts.close();
  await chain.close();
});

async function register(): Promise<string> {
  const validBefore = Math.floor(Date.now() / 1_000) + 300;
  const signature = await account.signTypedData({
    domain: cancellationDomain(service.parts.profile),
    types: ENDPOINT_TYPES,
    primaryType: 'RegisterEndpoint',
    message: { url: receiver.url, validBefore: BigInt(validBefore) },
  });
  const asked = { network: 'base', payer: account.address, url: receiver.url, valid_before: validBefore, signature };
  const { body } = await post(`${service.url}/events/endpoints`, asked);
  const { endpoint_id: id, secret } = body.data as unknown as { endpoint_id: string; secret: string };
  receiver.expect(secret);
  return id;
}

async function proofFor(value: bigint, by = account): Promise<string> {
  return makeProof({ from: by.address, signer: by, payTo: service.parts.treasury.address, value });
}

test('a batch is told of once for each state: settled, collected, returned', async () => {
  const receivers = ['ann', 'ben', 'cid'].map((name) => ({ receiver: name, amount: 0.5 }));
  const headers = { 'PAYMENT-SIGNATURE': await proofFor(1_500_000n), 'Event-Endpoint': endpointId };
  const { status, body } = await post(`${service.url}/payments/x/batch-pay`, { receivers }, headers);
  expect(status).toBe(200);
  const txnIds = (body.data as unknown as { txn_id: number }[]).map((line) => line.txn_id);
  await eventually(async () => expect(receiver.ofType('settled')).toMatchObject([{ txnIds }]));

  const { store, base } = service;
  for (const name of ['ann', 'ben']) {
    const identity = await findIdentity(store, 'x', localUserId(parseRecipient('x', name)));
    const { address } = await chain.createAccount({ wei: 0n });
    const wallet = { identityId: identity?.id ?? '', network: 'base' as const, address, source: 'test' };
    await linkWallet(store, wallet, base.transferIdOf, Date.now());
  }
  service.worker?.wake();
  const validBefore = Math.floor(Date.now() / 1_000) + 120;
  const [, , third = 0] = txnIds;
  const signature = await account.signTypedData({
    domain: cancellationDomain(service.parts.profile),
    types: CANCELLATION_TYPES,
    primaryType: 'Cancel',
    message: { txnId: BigInt(third), validBefore: BigInt(validBefore) },
  });
  await post(`${service.url}/payments/${third}/cancel`, { signature, valid_before: validBefore });
  const told = () => receiver.ofType('collected').flatMap((event) => [...event.txnIds]);
  await eventually(async () => expect(new Set(told())).toEqual(new Set(txnIds.slice(0, 2))), 20_000);
  await eventually(async () => expect(receiver.ofType('returned')).toMatchObject([{ txnIds: [third] }]), 20_000);
  expect(told()).toHaveLength(2);
  expect(receiver.received.map(({ type }) => type)).not.toContain('payment.held');
});

test('the header is no part of the request, and is on no answer and no receipt', async () => {
  const proof = await proofFor(100_000n);
  const order = { receiver: 'dan', amount: 0.1 };
  const named = { 'PAYMENT-SIGNATURE': proof, 'Event-Endpoint': endpointId };
  const first = await post(`${service.url}/payments/x/pay`, order, named);
  const again = await post(`${service.url}/payments/x/pay`, order, { 'PAYMENT-SIGNATURE': proof });
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
  const { txn_id: txnId, receipt } = first.body.data;
  const shown = await (await fetch(receipt, { headers: { accept: 'application/json' } })).text();
  const validated = await (await fetch(`${service.url}/payments/validate?txn_id=${txnId}`)).text();
  const headers = JSON.stringify([...first.headers]);
  for (const text of [JSON.stringify(first.body), shown, validated, headers]) expect(text).not.toContain(endpointId);
  await eventually(async () => expect(receiver.ofType('settled').flatMap((event) => event.txnIds)).toContain(txnId));
});

test.each([
  ['another payer’s endpoint', () => endpointId],
  ['an endpoint that nobody registered', () => 'ep_BBBBBBBBBBBBBBBBBBBBBB'],
  ['what is no endpoint', () => 'https://victim.example/'],
])('%s refuses the payment, and nobody is charged', async (_what, named) => {
  const headers = { 'PAYMENT-SIGNATURE': await proofFor(100_000n, stranger), 'Event-Endpoint': named() };
  const { status, body } = await post(`${service.url}/payments/x/pay`, { receiver: 'eve', amount: 0.1 }, headers);
  expect([status, body['error'], body['field']]).toEqual([400, 'event_endpoint_not_found', 'Event-Endpoint']);
  expect(await chain.usdcBalance(stranger.address)).toBe(1_000_000n);
});
