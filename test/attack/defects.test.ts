/**
 * What attacks on the money path once broke. Each test states the rule that must hold; the numbers group the attacks by
 * the weakness they aimed at.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { eq } from 'drizzle-orm';
import { createWalletClient, encodeFunctionData, http, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ChainUnavailable } from '../../chain/errors.ts';
import { microUsdc } from '../../core/money.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { boundNonce } from '../../core/request-hash.ts';
import { markDelivery } from '../../db/payments/records/deliver.ts';
import { findIdentity } from '../../db/identities/identities.ts';
import { findViolations } from '../../db/audit/invariants.ts';
import { gasSpent, type Entry } from '../../core/ledger.ts';
import { postEntry } from '../../db/ledger/ledger.ts';
import { linkWallet } from '../../db/transfers/link-wallet.ts';
import { localUserId } from '../../local/identity.ts';
import { audit } from '../../worker/evm/audit.ts';
import { createLaneScheduler } from '../../worker/evm/lanes/lane-scheduler.ts';
import { scanStep } from '../../worker/evm/scan-step.ts';
import {
  signAuthorization,
  signCancellation,
  startBaseChain,
  testBase,
  toAuthorization,
  type BaseChain,
} from '../support/chains/base-chain.ts';
import { openBooks } from '../support/books.ts';
import { makeProof, post, USDC } from '../support/pay.ts';
import { startRpcProxy, type RpcProxy } from '../support/chains/rpc-proxy.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';

type Hex = `0x${string}`;
let chain: BaseChain;
let closers: (() => Promise<void>)[] = [];

/** One for all: each service has keys and books of its own. */
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  closers = [];
});
afterAll(() => chain.close());

/** A chain of its own for a test that moves the clock, or takes blocks away. */
async function onOwnChain(): Promise<void> {
  const shared = chain;
  const own = await startBaseChain({ blockTimeMs: 200 });
  chain = own;
  closers.push(async () => {
    chain = shared;
    await own.close();
  });
}

async function start(options: Partial<TestServiceOptions> = {}): Promise<TestService> {
  const service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, ...options });
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= service.close());
  closers.push(close);
  return { ...service, close };
}

async function proxied(): Promise<RpcProxy> {
  const proxy = await startRpcProxy(chain.rpcUrl);
  closers.push(proxy.close);
  return proxy;
}

/** Books without a service, for what is asked of them alone. */
async function openOwnBooks() {
  const books = await openBooks();
  closers.push(() => books.close());
  return books;
}

const file = () => `${tmpdir()}/pennypost-defect-${randomBytes(6).toString('hex')}.sqlite`;
const keysOf = (lanes = 1) => ({
  treasuryKey: generatePrivateKey(),
  laneKeys: Array.from({ length: lanes }, generatePrivateKey),
});
const payer = (usdc = 5_000_000n) => chain.createAccount({ usdc: microUsdc(usdc) });
type Account = Awaited<ReturnType<typeof payer>>;
const randomAddress = () => `0x${randomBytes(20).toString('hex')}` as Hex;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const proofOf = (service: TestService, account: Account, from: Hex = account.address) =>
  makeProof({ from, signer: account, payTo: service.parts.treasury.address, value: 1_000_000n });
const send = (service: TestService, header: string, receiver = 'alice', more: Record<string, string> = {}) =>
  post(`${service.url}/payments/x/pay`, { receiver, amount: 1 }, { 'PAYMENT-SIGNATURE': header, ...more });
const pay = async (service: TestService, account: Account, receiver = 'alice') =>
  send(service, await proofOf(service, account), receiver);

async function link(service: TestService, handle: string, address: Hex): Promise<string[]> {
  const identity = await findIdentity(service.store, 'x', localUserId(parseRecipient('x', handle)));
  if (!identity) throw new Error(`nobody paid ${handle} yet`);
  const wallet = { identityId: identity.id, network: 'base' as const, address, source: 'test' };
  const created = await linkWallet(service.store, wallet, service.base.transferIdOf, Date.now());
  service.worker?.wake();
  return created;
}

const paymentRows = (service: TestService) => service.store.read.select().from(service.store.tables.payments);
const payoutRows = (service: TestService) => service.store.read.select().from(service.store.tables.transfers);

/** Each charge that was on its way has been made, or never will be. */
const isCharged = (service: TestService) =>
  eventually(async () => {
    const open = (await paymentRows(service)).filter(({ status }) => status === 'received' || status === 'settling');
    expect(open).toEqual([]);
  });

async function sendCall(account: Account, data: Hex): Promise<void> {
  const wallet = createWalletClient({ account, chain: testBase, transport: http(chain.rpcUrl) });
  const hash = await wallet.sendTransaction({ to: USDC, data });
  await chain.client.waitForTransactionReceipt({ hash });
}

async function cancelNonce(account: Account, nonce: Hex): Promise<void> {
  const signature = await signCancellation(account, { authorizer: account.address, nonce });
  const abi = parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']);
  const args = [account.address, nonce, signature] as const;
  await sendCall(account, encodeFunctionData({ abi, functionName: 'cancelAuthorization', args }));
}

/** Like `sendAsAdmin` of one function without arguments. */
const asAdmin = (name: 'pause' | 'unpause') =>
  chain.sendAsAdmin(
    encodeFunctionData({ abi: parseAbi(['function pause()', 'function unpause()']), functionName: name }),
  );

describe('D1: more candidates than a batch can hold', () => {
  test('168 proofs that wait at once are settled', async () => {
    const shared = { databasePath: file(), keys: keysOf(3) };
    const idle = await start({ ...shared, runWorker: false, settlementWaitMs: 1 });
    await scanStep(idle.base);
    const payers = await Promise.all(Array.from({ length: 9 }, () => payer(20_000_000n)));
    const headers = await Promise.all(Array.from({ length: 168 }, (_, index) => proofOf(idle, payers[index % 9]!)));
    const bodies = headers.map((header, index) => send(idle, header, `person${index}`));
    expect((await Promise.all(bodies)).every(({ status }) => status === 500)).toBe(true);
    const busy = await start(shared);
    await eventually(async () => {
      const statuses = (await paymentRows(busy)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 'settled' || status === 'final')).toHaveLength(168);
    }, 15_000);
  });
});

describe('D2: a transient obstacle must not hold a payout for ever', () => {
  test('while USDC is paused, payouts wait; afterwards they are paid', async () => {
    const service = await start();
    const wallet = randomAddress();
    await pay(service, await payer());
    await asAdmin('pause');
    try {
      await link(service, 'alice', wallet);
      await sleep(1_000);
    } finally {
      // For all others on this chain too.
      await asAdmin('unpause');
    }
    await eventually(async () => expect(await chain.usdcBalance(wallet)).toBe(1_000_000n), 8_000);
  });

  test('a payout whose authorization ran out before it was ever sent is renewed and paid', async () => {
    await onOwnChain();
    const shared = { databasePath: file(), keys: keysOf() };
    const dies = await start({
      ...shared,
      decorateWorker: (worker) => ({
        ...worker,
        failpoint: (name) => {
          if (name === 'payout.after-assign' || name === 'payout.before-store') throw new Error(`killed at ${name}`);
        },
      }),
    });
    const wallet = randomAddress();
    await pay(dies, await payer());
    await link(dies, 'alice', wallet);
    await eventually(async () => expect((await payoutRows(dies))[0]?.status).toBe('assigned'));
    await dies.close();
    // The service was down, or signing was stopped, for longer than an authorization lives.
    await chain.advanceTime(3_700);
    const again = await start(shared);
    await eventually(async () => {
      const rows = (await payoutRows(again)).map(({ status, heldReason }) => `${status} ${heldReason}`);
      expect(await chain.usdcBalance(wallet), rows.join()).toBe(1_000_000n);
    }, 10_000);
  });
});

describe('D3: fees of a stuck lane', () => {
  test('a lane is not priced out of its own money by an outage', async () => {
    const proxy = await proxied();
    let skewMs = 0;
    const service = await start({
      rpcUrl: proxy.url,
      runWorker: false,
      keys: keysOf(),
      settlementWaitMs: 1,
      now: () => Date.now() + skewMs,
    });
    await scanStep(service.base);
    const account = await payer();
    const header = await proofOf(service, account);
    await send(service, header);
    const scheduler = createLaneScheduler(service.base, { isMine: () => true });
    await scheduler.start();
    const [lane] = (await scheduler.freeLanes()).free;
    const { composeInbound } = await import('../../worker/evm/inbound.ts');
    const composition = await composeInbound(service.base, lane!);
    // A lane as an operator would fund it: 0.01 ETH is thousands of batches on Base.
    await chain.rpc('anvil_setBalance', lane!.address, `0x${(10n ** 16n).toString(16)}`);
    const lost = proxy.fail('eth_sendRawTransaction', { kind: 'drop' }, 10_000);
    await scheduler.send(lane!, composition!);
    // Ten minutes in which the sequencer takes no transactions while the node answers everything else.
    for (let seconds = 0; seconds < 600; seconds += 8) {
      skewMs += 8_000;
      await scheduler.keepMoving(() => true);
    }
    lost.heal();
    skewMs += 8_000;
    await scheduler.keepMoving(() => false);
    await chain.mine(1);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
  });
});

/** A proof in the name of any contract, signed by nobody. */
const forged = (service: TestService, contract: Hex, forger: Account) => proofOf(service, forger, contract);

describe('D4, D15, D20: payers with code, whose signatures only the chain can check', () => {
  test('neither forged proofs nor worthless ones hold up an honest payment, or take a wallet’s 20 places', async () => {
    const service = await start({ settlementWaitMs: 20_000 });
    const [honest, forger, poor] = [await payer(), await payer(0n), await payer(0n)];
    const paysSoon = async (receiver: string) => {
      const startedMs = Date.now();
      expect((await pay(service, honest, receiver)).status).toBe(200);
      expect(Date.now() - startedMs).toBeLessThan(10_000);
    };

    const deployed = await Promise.all([1, 2].map(() => chain.deploySmartWallet(honest.address)));
    const [wallet, other] = deployed as [Hex, Hex];
    await chain.fundUsdc(wallet, microUsdc(5_000_000n));
    // As many in the name of one as it has places.
    const names = [...Array.from({ length: 20 }, () => wallet), other, other];
    const headers = await Promise.all(names.map((contract) => forged(service, contract, forger)));
    const answers = await Promise.all(headers.map((header, index) => send(service, header, `someone${index}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([402]));
    // They are refused before they become rows.
    expect(await paymentRows(service)).toEqual([]);
    await paysSoon('alice');
    expect((await send(service, await proofOf(service, honest, wallet), 'bob')).status).toBe(200);

    const before = (await paymentRows(service)).length;
    const empty = await Promise.all([1, 2].map(() => chain.deploySmartWallet(poor.address)));
    const signers = Array.from({ length: 20 }, (_, index) => empty[index % 2]!);
    const signed = await Promise.all(signers.map((contract) => proofOf(service, poor, contract)));
    const flood = signed.map((header, index) => send(service, header, `somebody${index}`));
    await eventually(async () => expect((await paymentRows(service)).length).toBe(before + 20));
    await paysSoon('carol');
    await Promise.all(flood);
  });

  test('nobody else can take the missed answer of a smart wallet, so its owner is not charged twice', async () => {
    const proxy = await proxied();
    const service = await start({ rpcUrl: proxy.url, settlementWaitMs: 500 });
    const owner = await payer();
    const wallet = await chain.deploySmartWallet(owner.address);
    await chain.fundUsdc(wallet, microUsdc(5_000_000n));
    const lost = proxy.fail('eth_sendRawTransaction', { kind: 'drop' }, 3);
    expect((await send(service, await proofOf(service, owner, wallet))).status).toBe(500);
    await eventually(async () => expect(lost.fired()).toBeGreaterThan(0));
    lost.heal();
    await eventually(async () => expect((await paymentRows(service))[0]?.status).not.toBe('settling'), 8_000);
    // A stranger repeats the request with a signature of nobody.
    const stolen = await send(service, await forged(service, wallet, await payer(0n)));
    expect.soft(stolen.status).toBe(402);
    await sleep(200);
    // The owner's client retries as stock clients do: with a new proof.
    expect((await send(service, await proofOf(service, owner, wallet))).status).toBe(200);
    expect(await chain.usdcBalance(wallet)).toBe(4_000_000n);
  });
});

describe('D5: a claim that expected to join and did not', () => {
  test('still credits the resolved identity', async () => {
    const path = file();
    let beforeClaim = async () => undefined as void;
    const service = await start({
      databasePath: path,
      settlementWaitMs: 3_000,
      decorate: (dependencies) => ({
        ...dependencies,
        store: {
          ...dependencies.store,
          tx: async (work) => {
            const hook = beforeClaim;
            beforeClaim = async () => undefined;
            await hook();
            return dependencies.store.tx(work);
          },
        },
      }),
    });
    const account = await payer();
    const first = await pay(service, account);
    expect(first.status).toBe(200);
    const [row] = await paymentRows(service);
    // As after a 500: the first caller has not been handed its answer yet ...
    await service.store.tx(async (db) => {
      await db.update(service.store.tables.payments).set({ delivery: 'missed' });
      await db.delete(service.store.tables.waitingResponses);
    });
    // ... and is handed it by its own retry while a second, deliberate payment is between look and claim.
    beforeClaim = () => markDelivery(service.store, row!.id, 'handed');
    expect((await pay(service, account)).status).toBe(200);
    const identities = await service.store.read.select().from(service.store.tables.identities);
    expect(identities.map(({ stableId }) => stableId)).toEqual([localUserId(parseRecipient('x', 'alice'))]);
  });
});

describe('D6, D18: a caller that got a 500', () => {
  test('past the claim, or by a COMMIT whose reply was lost, is not charged again for a retry with a new proof', async () => {
    let next: 'commit' | 'wait' | null = null;
    const fails = (what: 'commit' | 'wait') => {
      if (next !== what) return false;
      next = null;
      return true;
    };
    const service = await start({
      decorate: (dependencies) => ({
        ...dependencies,
        store: {
          ...dependencies.store,
          tx: async (work) => {
            const value = await dependencies.store.tx(work);
            // PostgreSQL: the connection broke in COMMIT, so that nobody knows (db/store/store-pg.ts reports it as it is).
            if (fails('commit')) throw new Error('Connection terminated unexpectedly');
            return value;
          },
        },
        // Any failure after the claim: a busy database, or a full queue of transactions.
        waitForChange: (...args) => {
          if (fails('wait')) throw new Error('the database went away');
          return dependencies.waitForChange(...args);
        },
      }),
    });
    const cases = [
      ['commit', expect.any(String) as string],
      ['wait', 'internal_error'],
    ] as const;
    for (const [what, word] of cases) {
      next = what;
      const account = await payer();
      const first = await pay(service, account);
      expect([first.status, first.body['error'], next], what).toEqual([500, word, null]);
      expect((await pay(service, account)).status, what).toBe(200);
      await isCharged(service);
      expect(await chain.usdcBalance(account.address), what).toBe(4_000_000n);
    }
  });
});

/** Between us and a node that, for a while, knows a block but not yet its logs: it answers `[]`. */
async function startForgetfulNode(target: string) {
  let forgetful = false;
  let fired = 0;
  const read = async (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  };
  const server = createServer((request, response) => {
    void read(request).then(async (body) => {
      const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const calls = [JSON.parse(body)].flat() as { id: number; method: string }[];
      const replies = [await answer.json()].flat() as { id: number; result?: unknown }[];
      for (const call of calls) {
        const reply = replies.find(({ id }) => id === call.id);
        if (!forgetful || call.method !== 'eth_getLogs' || !Array.isArray(reply?.result)) continue;
        fired += reply.result.length;
        reply.result = [];
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(replies));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forget: (value: boolean) => void (forgetful = value),
    fired: () => fired,
  };
}

describe('D7: a node that leaves out logs once', () => {
  test('never makes a 402 of a payment that has landed', async () => {
    const node = await startForgetfulNode(chain.rpcUrl);
    const service = await start({ rpcUrl: node.url, settlementWaitMs: 8_000 });
    const account = await payer();
    const header = await proofOf(service, account);
    node.forget(true);
    const reply = send(service, header);
    await eventually(async () => expect(node.fired()).toBeGreaterThan(0));
    node.forget(false);
    const { status } = await reply;
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    expect(status).not.toBe(402);
    await service.assertSound();
  });
});

describe('D8: a lane nonce that another program spent', () => {
  test('does not block the lane for ever', async () => {
    const proxy = await proxied();
    const keys = keysOf();
    const service = await start({ rpcUrl: proxy.url, keys, settlementWaitMs: 9_000 });
    const lost = proxy.fail('eth_sendRawTransaction', { kind: 'drop' }, 1_000);
    const first = pay(service, await payer());
    await eventually(async () => expect(lost.fired()).toBeGreaterThan(0));
    // A restored backup that does not know the replacement that was mined, or an operator who moved the lane's ETH.
    const lane = privateKeyToAccount(keys.laneKeys[0]!);
    const wallet = createWalletClient({ account: lane, chain: testBase, transport: http(chain.rpcUrl) });
    await chain.client.waitForTransactionReceipt({
      hash: await wallet.sendTransaction({ to: lane.address, value: 1n }),
    });
    lost.heal();
    const second = await pay(service, await payer(), 'bob');
    await first;
    expect(second.status).toBe(200);
  });
});

describe('D9, D10, D11: one bad row, an invariant that cannot fail, and money that was there before', () => {
  test('stop nobody; a wallet in mixed case is paid and explained; a payout that claims to be paid has landed', async () => {
    const keys = keysOf();
    await chain.fundUsdc(privateKeyToAccount(keys.treasuryKey).address, microUsdc(1n));
    const service = await start({ keys, settlementWaitMs: 5_000 });
    const { store } = service;
    expect((await pay(service, await payer(), 'bob')).status).toBe(200);
    await service.assertSound();

    const wallet = privateKeyToAccount(generatePrivateKey()).address;
    await link(service, 'bob', wallet);
    await eventually(async () => expect(await chain.usdcBalance(wallet)).toBe(1_000_000n));
    await eventually(async () => expect((await payoutRows(service))[0]?.status).toBe('final'));
    const [paid] = await payoutRows(service);
    expect(await store.read.select().from(store.tables.signingStops)).toEqual([]);

    await pay(service, await payer());
    // Linked before this address became a lane, or by a caller that checked less than the operator's command.
    await link(service, 'alice', service.parts.lanes[0]!.address);
    await sleep(300);
    expect((await pay(service, await payer(), 'carol')).status).toBe(200);

    await service.worker?.close();
    const { transfers } = store.tables;
    const isPaid = eq(transfers.id, paid!.id);
    // A lost update: "paid", but of another transfer, or of none.
    await store.tx((db) =>
      db
        .update(transfers)
        .set({ id: randomBytes(16).toString('hex') })
        .where(isPaid),
    );
    expect((await findViolations(store)).map(({ rule }) => rule)).toContain('paid means landed');
  });

  test('assets = liabilities is judged per network', async () => {
    const { store } = await openOwnBooks();
    const entry: Entry = {
      cause: 'test:1',
      postings: [
        { account: 'chain:base:0xaa', unit: 'usdc', side: 'asset', amount: 5n },
        { account: 'escrow:solana:person', unit: 'usdc', side: 'liability', amount: -5n },
      ],
    };
    await store.tx((db) => postEntry(db, store.tables, entry, 1));
    expect((await findViolations(store)).map(({ rule }) => rule)).toContain('assets = liabilities');
  });
});

describe('D12: a transfer that landed before it was presented', () => {
  test('pays nobody who copied it from the chain, also while the scan is behind', async () => {
    const shared = { databasePath: file(), keys: keysOf() };
    const idle = await start({ ...shared, runWorker: false, settlementWaitMs: 200 });
    await scanStep(idle.base);
    const account = await payer();
    const payTo = idle.parts.treasury.address;
    const nonce = `0x${randomBytes(32).toString('hex')}` as Hex;
    const validBefore = Math.floor(Date.now() / 1000) + 60;
    const authorization = toAuthorization({
      from: account.address,
      to: payTo,
      value: 1_000_000n,
      validAfter: 0n,
      validBefore: BigInt(validBefore),
      nonce,
    });
    const signature = await signAuthorization(account, authorization);
    const abi = parseAbi([
      'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
    ]);
    const { from, to, value, validAfter } = authorization;
    const args = [from, to, value, validAfter, BigInt(validBefore), nonce, signature] as const;
    await sendCall(account, encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args }));
    await chain.mine(3);
    // Mallory reads the calldata and is first to present it, while the worker is down.
    const copied = await makeProof({ from, signer: account, payTo, value, nonce, validBefore, validAfter: 0 });
    await send(idle, copied, 'mallory');
    const awake = await start(shared);
    await eventually(async () =>
      expect((await awake.store.read.select().from(awake.store.tables.observedTransfers)).length).toBe(1),
    );
    const lines = await awake.store.read.select().from(awake.store.tables.lines);
    expect(
      lines.filter(({ recipientKey, status }) => recipientKey === 'mallory' && status === 'escrowed'),
    ).toHaveLength(0);
  });
});

describe('D12, the other way: what the chain says of an unused authorization', () => {
  test('is no payment where a node lies that it is used, and pays once when the node says so', async () => {
    const service = await start({ settlementWaitMs: 600 });
    const { checker } = service.parts.apiNetwork;
    const { isUsed } = checker;
    checker.isUsed = async () => true;
    const account = await payer();
    const proof = await proofOf(service, account);
    const { status, body } = await send(service, proof);
    expect([status, body['error']]).toEqual([500, 'settlement_pending']);
    expect(await paymentRows(service)).toEqual([]);
    checker.isUsed = isUsed;
    await eventually(async () => expect((await send(service, proof)).status).toBe(200));
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    await service.assertSound();
  });

  test('ends soon where its number was used long ago, and holds up nobody', async () => {
    const service = await start({
      settlementWaitMs: 60_000,
      // Longer ago than is looked for.
      decorateWorker: (worker) => ({ ...worker, rpc: { ...worker.rpc, authorizationLogs: async () => [] } }),
    });
    const account = await payer();
    const { body } = await post(`${service.url}/payments/x/pay`, { receiver: 'alice', amount: 1 });
    const hash = (body.accepts[0] as { extra: { requestHash: string } }).extra.requestHash;
    const nonce = `0x${boundNonce(hash, randomBytes(16).toString('hex'))}` as Hex;
    await cancelNonce(account, nonce);
    await chain.mine(3);
    const payTo = service.parts.treasury.address;
    const proof = await makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n, nonce });
    const { status, body: refusal } = await send(service, proof);
    expect([status, refusal['error']]).toEqual([402, 'invalid_transaction_state']);
    const rows = await paymentRows(service);
    expect(rows.map(({ bound, status: state }) => [bound, state])).toEqual([[true, 'rejected']]);
    expect((await pay(service, account)).status).toBe(200);
    await service.assertSound();
  });
});

describe('D14, D16: blocks that are taken away', () => {
  test('may be the very first one read; before the scan notices that any is gone, an audit does not stop signing', async () => {
    await onOwnChain();
    await chain.holdBlocks();
    const service = await start({ runWorker: false, settlementWaitMs: 1 });
    await chain.mine(3);
    await scanStep(service.base);
    await chain.reorg(1);
    await chain.mine(1);
    const outcomes = [];
    for (let index = 0; index < 5; index += 1)
      outcomes.push(await scanStep(service.base).catch((error: Error) => error.message));
    expect(outcomes.at(-1)).toBe('idle');

    const account = await payer();
    const abi = parseAbi(['function transfer(address to, uint256 value)']);
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [service.parts.treasury.address, 5n] });
    const wallet = createWalletClient({ account, chain: testBase, transport: http(chain.rpcUrl) });
    await wallet.sendTransaction({ to: USDC, data });
    await chain.mine(1);
    while ((await scanStep(service.base)) !== 'idle');
    await service.assertSound();
    await chain.reorg(1);
    // The audit's minute is over just now; the scan comes 500 ms later.
    await audit(service.base);
    while ((await scanStep(service.base)) !== 'idle');
    expect(await service.store.read.select().from(service.store.tables.signingStops)).toEqual([]);
  });

  test('an audit does not see a broken sum while gas is booked', async () => {
    const { store } = await openOwnBooks();
    let running = true;
    const booking = (async () => {
      for (let index = 0; running; index += 1) {
        const entry = gasSpent({
          network: 'base' as const,
          lane: '0xaa',
          transaction: `0x${index}`,
          unit: 'wei',
          amount: 7n,
        });
        await store.tx((db) => postEntry(db, store.tables, entry, 1));
      }
    })();
    const found = [];
    for (let index = 0; index < 80; index += 1) {
      found.push(...(await findViolations(store)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    running = false;
    await booking;
    expect(found.slice(0, 2)).toEqual([]);
  });
});

describe('D17: clocks', () => {
  test('of host and chain may differ by 5 s either way: what we settled ourselves counts', async () => {
    const paidAt = async (skewMs: number) => {
      const service = await start({ now: () => Date.now() + skewMs });
      const account = await payer();
      const reply = await pay(service, account);
      expect([reply.status, reply.body['error']], `${skewMs}`).toEqual([200, undefined]);
      expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    };
    await Promise.all([5_000, -5_000].map(paidAt));
  });
});

describe('D19: one authorization whose history a node will not tell', () => {
  test('does not keep the others from being told that they are dead', async () => {
    await onOwnChain();
    const proxy = await proxied();
    let asked = 0;
    const service = await start({
      rpcUrl: proxy.url,
      settlementWaitMs: 300,
      decorateWorker: (worker) => ({
        ...worker,
        rpc: {
          ...worker.rpc,
          // Providers limit the range of eth_getLogs, some to less than three hours of blocks.
          authorizationLogs: async () => {
            asked += 1;
            throw new ChainUnavailable('eth_getLogs', 'refused', -32_005);
          },
        },
      }),
    });
    proxy.fail('eth_sendRawTransaction', { kind: 'drop' });
    const [cancels, waits] = [await payer(), await payer()];
    const nonce = `0x${randomBytes(32).toString('hex')}` as Hex;
    const payTo = service.parts.treasury.address;
    const canceled = await makeProof({ from: cancels.address, signer: cancels, payTo, value: 1_000_000n, nonce });
    expect((await send(service, canceled)).status).toBe(500);
    await cancelNonce(cancels, nonce);
    const header = await proofOf(service, waits);
    expect((await send(service, header, 'bob')).status).toBe(500);
    await chain.advanceTime(120);
    await eventually(async () => expect(asked).toBeGreaterThan(0));
    await eventually(async () => expect((await send(service, header, 'bob')).status).toBe(402), 12_000);
  });
});
