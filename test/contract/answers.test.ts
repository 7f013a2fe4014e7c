import { randomBytes } from 'node:crypto';
import { parseEventLogs, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../db/identities/identities.ts';
import { linkWallet } from '../../db/transfers/link-wallet.ts';
import { localUserId } from '../../local/identity.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { makeProof } from '../support/pay.ts';
import { jsonPost, startInstallation, type Installation } from './installation.ts';

/** What a success says, to the letter where callers read it. */
type Hex = `0x${string}`;
let chain: BaseChain;
let installation: Installation;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  installation = await startInstallation({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
});
afterAll(async () => {
  await installation?.close();
  await chain?.close();
});
afterEach(() => installation.service.assertSound());

async function pay(path: string, body: unknown, value: bigint) {
  const account = await chain.createAccount({ usdc: microUsdc(value), wei: 0n });
  const payTo = installation.service.parts.treasury.address;
  const proof = await makeProof({ from: account.address, signer: account, payTo, value });
  const init = jsonPost(body, { 'PAYMENT-SIGNATURE': proof });
  return { account, init, reply: await installation.send(path, init) };
}

type Line = {
  txn_id: number;
  username: string;
  receipt: string;
  status: string;
  claim_url?: string;
  expires_at?: string;
};
const linesOf = (body: unknown) => (body as { data: Line[] }).data;

describe('a payment to a person without a wallet', () => {
  test('says what was sent, who collects it where, and until when', async () => {
    const { reply } = await pay('/payments/twitter/pay', { receiver: '@Alice', amount: '0.010' }, 10_000n);
    expect(reply.status).toBe(200);
    const { data } = reply.body as unknown as { data: Line };
    const day = data.expires_at?.slice(0, 10) ?? '';
    expect(reply.body).toEqual({
      code: 200,
      msg: `0.01 USDC sent successfully; waiting for x:alice to collect it until ${day}`,
      data: {
        txn_id: expect.any(Number),
        amount: 0.01,
        receipt: expect.stringMatching(/\/receipts\/[A-Za-z0-9_-]{22}$/),
        status: 'pending_claim',
        claim_url: expect.stringMatching(/\/claim\/x\/alice$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        settlement_attempt_id: expect.stringMatching(/^attempt_[0-9]{13}_[0-9a-z]+$/),
      },
    });
    const days = (Date.parse(data.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
  });

  test('names the transfer on the chain and its payer, in both headers', async () => {
    const { reply, account } = await pay('/payments/x/pay', { receiver: 'bob', amount: 0.5 }, 500_000n);
    const header = reply.headers.get('PAYMENT-RESPONSE') ?? '';
    expect(reply.headers.get('X-PAYMENT-RESPONSE')).toBe(header);
    const settlement = JSON.parse(atob(header)) as { transaction: Hex };
    expect(settlement).toEqual({
      success: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: 'eip155:8453',
      payer: account.address.toLowerCase(),
    });
    const { logs } = await chain.client.getTransactionReceipt({ hash: settlement.transaction });
    const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);
    const moved = parseEventLogs({ abi, logs }).map(({ args }) => [args.from, args.value]);
    expect(moved).toContainEqual([account.address, 500_000n]);
  });
});

describe('a payment to a person with a wallet', () => {
  test('is queued, and paid soon; its stored answer stays what it was', async () => {
    const recipient = parseRecipient('x', 'carol');
    const { store, base } = installation.service;
    const address = `0x${randomBytes(20).toString('hex')}` as Hex;
    const identityId = await store.tx((db) =>
      ensureIdentity(
        db,
        store.tables,
        { ...recipient, stableId: localUserId(recipient) },
        base.ids.identityId(),
        Date.now(),
      ),
    );
    await linkWallet(store, { identityId, network: 'base', address, source: 'test' }, base.transferIdOf, Date.now());
    const { reply, init } = await pay('/payments/x/pay', { receiver: 'carol', amount: 0.25 }, 250_000n);
    expect(reply.body).toMatchObject({ msg: '0.25 USDC sent successfully to x:carol', data: { status: 'queued' } });
    expect(reply.text).not.toContain('claim_url');
    await eventually(async () => {
      const found = await installation.send(`/payments/validate?txn_id=${reply.body.data.txn_id}`);
      expect(found.body.data.status).toBe('paid');
    });
    expect(await chain.usdcBalance(address)).toBe(250_000n);
    const again = await installation.send('/payments/x/pay', init);
    expect(again.body).toEqual(reply.body);
    expect(JSON.stringify(again.body)).not.toContain(address);
  });
});

describe('a batch', () => {
  test('of 100 has an id and a receipt per line that cannot be guessed from another', async () => {
    const receivers = Array.from({ length: 100 }, (_, index) => ({ receiver: `d${index}`, amount: 0.01 }));
    const { reply } = await pay('/payments/x/batch-pay', { receivers }, 1_000_000n);
    expect(reply.status).toBe(200);
    const lines = linesOf(reply.body);
    expect(lines.map(({ username }) => username)).toEqual(receivers.map(({ receiver }) => receiver));
    const ids = lines.map(({ txn_id: id }) => id);
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    expect(new Set(ids).size).toBe(100);
    expect(new Set(lines.map(({ receipt }) => receipt)).size).toBe(100);
    // Of ids that know nothing of each other half rise; counters, and clocks in front, would rise a hundred times.
    const rises = ids.filter((id, index) => index > 0 && id > (ids[index - 1] ?? 0)).length;
    expect(rises).toBeGreaterThan(25);
    expect(rises).toBeLessThan(75);
    expect(reply.body['msg']).toMatch(
      /^1 USDC sent successfully to 100 users; 100 of them can collect it until \d{4}-\d\d-\d\d$/,
    );
  });
});
