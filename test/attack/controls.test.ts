/**
 * Controls: each breaks one rule of the money path on purpose and shows the harm that follows, beside the same scenario
 * with the rule in place. Without them nobody could tell a test that holds from a test that sees nothing.
 */
import { randomBytes } from 'node:crypto';
import { copyFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { generatePrivateKey } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accept } from '../../api/payments/accept.ts';
import type { PaidRequest } from '../../api/payments/request.ts';
import type { ApiDependencies } from '../../api/environment/dependencies.ts';
import type { TreasurySigner } from '../../chain/signing/evm.ts';
import { microUsdc } from '../../core/money.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { findIdentity } from '../../db/identities/identities.ts';
import { linkWallet } from '../../db/transfers/link-wallet.ts';
import { localUserId } from '../../local/identity.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { makeProof, post } from '../support/pay.ts';
import { patientConnection } from '../api/responses/world.ts';
import { startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';
import { eventually } from '../../scripts/torture/eventually.ts';

type Hex = `0x${string}`;
let chain: BaseChain;
let closers: (() => Promise<void> | void)[] = [];

beforeEach(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  closers = [];
  await chain.close();
});

async function start(options: Partial<TestServiceOptions>): Promise<TestService> {
  const service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, ...options });
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= service.close());
  closers.push(close);
  return { ...service, close };
}

function databaseFile(): string {
  const path = `${tmpdir()}/pennypost-control-${randomBytes(6).toString('hex')}.sqlite`;
  closers.push(() => ['', '-wal', '-shm'].forEach((suffix) => rmSync(path + suffix, { force: true })));
  return path;
}

async function pay(service: TestService, receiver: string): Promise<void> {
  const account = await chain.createAccount({ usdc: microUsdc(1_000_000n), wei: 0n });
  const payTo = service.parts.treasury.address;
  const header = await makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n });
  const reply = await post(`${service.url}/payments/x/pay`, { receiver, amount: 1 }, { 'PAYMENT-SIGNATURE': header });
  expect(reply.status).toBe(200);
}

/** The rule: the nonce depends on the payout alone. This signer draws a new one each time. */
const withRandomNonce = (treasury: TreasurySigner): TreasurySigner => ({
  ...treasury,
  signPayout: (order) => treasury.signPayout({ ...order, payoutId: randomBytes(16).toString('hex') }),
});

/**
 * A payout is broadcast, the reply is lost, the process dies, and its last commits die with it (a torn disk, a restored
 * backup): the next start finds the payout still queued, while its transaction waits in the node's pool. Answers what
 * the recipient has in the end.
 */
async function crashAfterBroadcast(decorate: (treasury: TreasurySigner) => TreasurySigner) {
  const treasuryKey = generatePrivateKey();
  const lanes = () => ({ treasuryKey, laneKeys: [generatePrivateKey()] });
  const [path, backup] = [databaseFile(), databaseFile()];
  const wallet = `0x${randomBytes(20).toString('hex')}` as Hex;

  const before = await start({ databasePath: path, keys: lanes() });
  await pay(before, 'alice');
  // Another payer's money, out of which a second payout would be paid.
  await pay(before, 'bob');
  await before.worker?.close();
  const identity = await findIdentity(before.store, 'x', localUserId(parseRecipient('x', 'alice')));
  const link = { identityId: identity?.id ?? '', network: 'base' as const, address: wallet, source: 'test' };
  expect(await linkWallet(before.store, link, before.base.transferIdOf, Date.now())).toHaveLength(1);
  await before.close();
  copyFileSync(path, backup);
  await chain.holdBlocks();

  const decorateWorker: TestServiceOptions['decorateWorker'] = (worker) => ({
    ...worker,
    treasury: decorate(worker.treasury),
  });
  const proxy = await startRpcProxy(chain.rpcUrl);
  closers.push(proxy.close);
  const lost = proxy.fail('eth_sendRawTransaction', { kind: 'lose_reply' });
  const dies = await start({ rpcUrl: proxy.url, databasePath: path, keys: lanes(), decorateWorker });
  await eventually(async () => expect(lost.fired()).toBeGreaterThan(0));
  await dies.close();
  expect(Number(((await chain.rpc('txpool_status')) as { pending: string }).pending)).toBe(1);

  const again = await start({ databasePath: backup, keys: lanes(), decorateWorker });
  const signedAgain = async () => {
    const [payout] = await again.store.read.select().from(again.store.tables.transfers);
    expect(payout?.nonce).not.toBeNull();
  };
  await eventually(signedAgain);
  // Time to send the payout again, or to see that it must not.
  await sleep(1_000);
  await chain.mine(3);
  await eventually(async () => {
    const [cursor] = await again.store.read.select().from(again.store.tables.scanCursors);
    expect(cursor?.block).toBe(Number(await chain.client.getBlockNumber()));
  });
  return { received: await chain.usdcBalance(wallet), service: again };
}

describe('a crash after a broadcast whose reply and whose books are lost', () => {
  test('pays once, because the nonce is derived from the payout', async () => {
    const { received } = await crashAfterBroadcast((treasury) => treasury);
    expect(received).toBe(1_000_000n);
  });

  test('CONTROL: with a random nonce pays twice, out of another payer’s money', async () => {
    const { received, service } = await crashAfterBroadcast(withRandomNonce);
    expect(received).toBe(2_000_000n);
    // And the books notice, too late: a second outflow that nothing explains.
    const stops = await service.store.read.select().from(service.store.tables.signingStops);
    expect(stops.map(({ reason }) => reason)).toContain('unexplained_outflow');
  });
});

describe('one proof for two requests', () => {
  /** `bound` is the rule: what the proof is bound to is the body as received. Without it every request hashes alike. */
  async function presentTwice(bound: boolean) {
    let api: ApiDependencies | null = null;
    const service = await start({ decorate: (dependencies) => (api = dependencies) });
    const account = await chain.createAccount({ usdc: microUsdc(5_000_000n), wei: 0n });
    const payTo = service.parts.treasury.address;
    const header = await makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n });
    const ask = (receiver: string) => {
      const request: PaidRequest = {
        operation: 'rest.pay',
        pathParameters: { platform: 'x' },
        body: bound ? { receiver, amount: 1 } : null,
        lines: [
          {
            recipient: parseRecipient('x', receiver),
            receiver,
            amount: microUsdc(1_000_000n),
            field: 'receiver',
            note: null,
          },
        ],
        description: null,
        meta: null,
        agentKnown: false,
        payerReference: null,
        proofHeader: header,
        idempotencyKey: null,
        orderId: null,
        connection: patientConnection(randomBytes(9).toString('hex')),
      };
      return accept(api!, request);
    };
    const first = await ask('alice');
    expect(first.kind).toBe('settled');
    return { second: ask('mallory'), service, account };
  }

  test('is refused for mallory after it paid alice', async () => {
    const { second, service } = await presentTwice(true);
    await expect(second).rejects.toMatchObject({ code: 'payment_already_used' });
    await service.assertSound();
  });

  test('CONTROL: without the request hash mallory’s request is answered as paid, with alice’s payment', async () => {
    const { second, service, account } = await presentTwice(false);
    const accepted = await second;
    expect(accepted).toMatchObject({ kind: 'settled', replayed: true });
    // One charge bought two successes: a seller who trusts the answer has delivered to mallory for nothing.
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    const lines = await service.store.read.select().from(service.store.tables.lines);
    expect(lines.map(({ recipientKey }) => recipientKey)).toEqual(['alice']);
  });
});
