/** Local mode brings a community of its own, so that the example of the documents works as it stands there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATALOG } from '../../core/catalog/operations.ts';
import { findViolations } from '../../db/audit/invariants.ts';
import { COMMUNITY_WALLETS } from '../../local/identity/farcaster-community.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { post } from '../support/pay.ts';
import { payFrom, proofFrom } from '../support/payers.ts';
import { refuseViolations } from '../support/databases/refuse-violations.ts';
import { startLocalService } from '../support/local-service.ts';
import { basePartsOf } from '../support/served.ts';

let service: Service;
let reply: Awaited<ReturnType<typeof post>>;
beforeAll(async () => {
  service = await startLocalService({ roles: ['api', 'worker'] });
  reply = await create();
});
afterAll(async () => {
  await eventually(async () => refuseViolations(await findViolations(service.store)));
  await service?.close();
});

type Share = { username: string; amount: number; wallet_address: string | null; status: string };
type Data = { id: string; total: number; counts: Record<string, number>; recipients: Share[] };

const { example } = CATALOG.createDistribution.request;
/** A platform that gives no answer in time is asked again, as the answer says. */
const create = () =>
  eventually(async () => {
    const answer = await post(`${service.url}/rewards/decsocial/create-distribution`, example);
    expect(answer.body['error']).not.toBe('upstream_unavailable');
    return answer;
  });
const dataOf = (answer: { body: { data: unknown } }) => answer.body.data as Data;
const toMicro = (amount: number) => BigInt(Math.round(amount * 1_000_000));

async function balanceOf(address: string): Promise<bigint> {
  return basePartsOf(service).rpc.balanceOf(`0x${address.slice(2)}`);
}

async function read(id: string): Promise<Data> {
  const answer = await fetch(`${service.url}/rewards/decsocial/distributions/${id}`);
  return ((await answer.json()) as { data: Data }).data;
}

test('the documented example of a reward is shared out', async () => {
  expect([reply.status, reply.body['error']]).toEqual([200, undefined]);
  const { id, recipients } = dataOf(reply);
  expect(recipients).toHaveLength(example.max_recipients);
  const sum = recipients.reduce((micro, { amount }) => micro + toMicro(amount), 0n);
  expect(sum).toBe(toMicro(example.budget));
  expect(recipients.some(({ wallet_address: address }) => address !== null)).toBe(true);
  const price = await post(`${service.url}/rewards/farcaster/confirm-distribution`, { order_id: id });
  expect([price.status, price.body['accepts'].length]).toEqual([402, 2]);
  const page = await fetch(`${service.url}/rewards/${id}`, { headers: { Accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`@${recipients[0]?.username}`)]);
});

async function statusOf(txnId: number): Promise<string> {
  const answer = await fetch(`${service.url}/payments/validate?txn_id=${txnId}`);
  return ((await answer.json()) as { data: { status: string } }).data.status;
}

test('each share, and a payment, goes where the list says that its person has published an address, and the others wait', async () => {
  const { id, total, recipients } = dataOf(reply);
  const before = new Map<string, bigint>();
  for (const { wallet_address: address } of recipients) if (address) before.set(address, await balanceOf(address));
  expect(before.size).toBeGreaterThan(1);
  const known = COMMUNITY_WALLETS.at(-1) ?? '';
  const headers = { 'PAYMENT-SIGNATURE': await proofFrom(service, 'base', toMicro(total)) };
  const [paid, { txn_id: sent }, { txn_id: toStranger }] = await Promise.all([
    post(`${service.url}/rewards/decsocial/confirm-distribution/${id}`, {}, headers),
    payFrom(service, 'base', 'decsocial', { receiver: known, amount: 0.5 }),
    payFrom(service, 'base', 'decsocial', { receiver: 'somebody-else', amount: 0.25 }),
  ]);
  expect(paid.status).toBe(200);

  const end = await eventually(async () => {
    const now = await read(id);
    expect(now.counts).toMatchObject({ paid: before.size, pending_claim: recipients.length - before.size });
    expect(await statusOf(sent)).toBe('paid');
    return now;
  });
  expect(await statusOf(toStranger)).toBe('pending_claim');
  for (const { username, amount, wallet_address: address, status } of end.recipients) {
    expect([username, status]).toEqual([username, address === null ? 'pending_claim' : 'paid']);
    if (address === null) continue;
    const got = toMicro(amount) + (username === known ? toMicro(0.5) : 0n);
    expect(await balanceOf(address)).toBe((before.get(address) ?? 0n) + got);
  }
});
