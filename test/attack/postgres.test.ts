import { createRateLimiter } from '../../queue/rate-limiter.ts';
/** The money path once over on PostgreSQL: what the flow tests hold on SQLite must hold there. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRestApp } from '../../api/rest/app.ts';
import type { ApiDependencies } from '../../api/environment/dependencies.ts';
import { CARRIERS } from '../../core/transfers/carriers.ts';
import { createIds } from '../../core/ids.ts';
import { gasSpent } from '../../core/ledger.ts';
import { microUsdc, ZERO_USDC } from '../../core/money.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { findIdentity } from '../../db/identities/identities.ts';
import { findViolations } from '../../db/audit/invariants.ts';
import { postEntry } from '../../db/ledger/ledger.ts';
import { readHoldings } from '../../db/processes/holdings.ts';
import { guardSigning } from '../../db/processes/signing.ts';
import { openStore, type DatabaseAddress } from '../../db/store/open.ts';
import { linkWallet } from '../../db/transfers/link-wallet.ts';
import { createLocalIdentity, localUserId } from '../../local/identity.ts';
import { createAnnouncer } from '../../queue/announcer.ts';
import { createHolder } from '../../service/readiness/holder.ts';
import { startProcess } from '../../service/readiness/process.ts';
import { createEvmParts } from '../../service/networks/evm.ts';
import { addressOfKey } from '../../chain/evm/key.ts';
import { audit } from '../../worker/evm/audit.ts';
import { startEvmSettlement } from '../../worker/evm/start.ts';
import { startWorker, type WorkerOptions } from '../../worker/start.ts';
import type { EvmWorker } from '../../worker/dependencies.ts';
import { createTestCollecting } from '../support/claims/collecting.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { makeProof } from '../support/pay.ts';
import { createTestResponses } from '../api/responses/world.ts';
import { onPostgres } from '../support/postgres.ts';
import { testTransferIds } from '../support/transfers/transfer-ids.ts';
import { eventually } from '../../scripts/torture/eventually.ts';

type Hex = `0x${string}`;
let chain: BaseChain;

onPostgres((fresh) => {
  beforeAll(async () => {
    chain = await startBaseChain({ blockTimeMs: 200 });
  });
  afterAll(() => chain?.close());

  test('8 payers at once, each proof twice, and two workers: each charged once, each recipient paid once', async () => {
    await assertEachPaidOnce(await fresh());
  });

  /** DEFECT D14: the two queries of one check see two moments, and what they find wrong stops signing for good. */
  test('an audit beside a booking of gas sees no broken sum', async () => {
    await assertNoBrokenSum(await fresh());
  });
});

async function assertEachPaidOnce(database: DatabaseAddress): Promise<void> {
  const keys = { treasuryKey: key(), laneKeys: [key(), key(), key()] };
  for (const laneKey of keys.laneKeys) await chain.fundEth(addressOfKey(laneKey), 10n ** 20n);
  const parts = createEvmParts('base', 'local', chain.rpcUrl, keys);
  const opened = await Promise.all([1, 2].map(() => openStore(database)));
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  const announcer = createAnnouncer({ target: null, log });
  const ids = createIds(randomBytes);
  const workers = await Promise.all(
    opened.map(async (store, index) => {
      const lease = await startProcess({ store, roles: ['worker'], address: `worker:${index}`, log });
      const holder = createHolder({ store, lease, announcer, log });
      const base: EvmWorker = {
        store: guardSigning(store, lease.owner),
        ...parts,
        ids,
        transferIdOf: testTransferIds,
        log,
        holder,
        now: () => Date.now(),
        failpoint: () => undefined,
        announce: (paymentIds) => paymentIds.forEach((id) => announcer.announce(`payment:${id}`)),
        settings: {
          baseUrl: 'http://x',
          retentionDays: 180,
          mailsDailyMax: null,
          exposureCapMicroUsdc: 2_000_000_000n,
          refundMinMicroUsdc: 50_000n,
          carriers: CARRIERS,
        },
        pace: { scanEveryMs: 50, replaceAfterMs: 5_000 },
      };
      const options: WorkerOptions = {
        ...base,
        networks: [{ network: 'base', start: (context) => startEvmSettlement({ ...base, ...context }) }],
        identity: createLocalIdentity('configured'),
        senders: {},
        payouts: { dailyMicroUsdc: { payer: null, recipient: null }, treasuries: {} },
        notify: () => false,
      };
      const worker = await startWorker(options);
      const close = async () => {
        await worker.close();
        await holder.close();
        await lease.close();
      };
      return { worker, base, close };
    }),
  );
  const store = opened[0]!;
  const shared = {
    store,
    identity: createLocalIdentity('configured'),
    ids,
    now: () => Date.now(),
    log,
    notify: () => workers.forEach(({ worker }) => worker.wake()),
  };
  const api: ApiDependencies = {
    ...shared,
    collecting: createTestCollecting(shared),
    startedAtMs: 0,
    failpoint: () => undefined,
    networks: [parts.apiNetwork],
    waitForChange: async (id, ms, signal) => (await announcer.waitFor(`payment:${id}`, ms, signal)) === 'announced',
    responses: createTestResponses(store, log),
    queueAnswers: async () => true,
    callerLimiter: createRateLimiter(0, () => 0),
    payerLimiter: createRateLimiter(0, () => 0),
    settings: {
      baseUrl: 'http://x',
      feeBps: 0,
      feeFlat: ZERO_USDC,
      claimTtlMs: 1e9,
      settlementWaitMs: 60_000,
      localMode: true,
      reservationsMax: null,
      picturesDir: null,
      botApiToken: null,
      isTrustedProxy: () => false,
      operator: { name: '', supportUrl: '', termsUrl: '' },
    },
  };
  const app = createRestApp(api);
  const ask = (header: string, receiver: string) =>
    app.request('/payments/x/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'PAYMENT-SIGNATURE': header },
      body: JSON.stringify({ receiver, amount: 0.5 }),
    });
  try {
    const accounts = await Promise.all(
      Array.from({ length: 8 }, () => chain.createAccount({ usdc: microUsdc(1_000_000n), wei: 0n })),
    );
    const payAll = () =>
      Promise.all(
        accounts.flatMap(async (account, index) => {
          const header = await makeProof({
            from: account.address,
            signer: account,
            payTo: parts.treasury.address,
            value: 500_000n,
          });
          // Each proof twice at once.
          return Promise.all([ask(header, `person${index % 4}`), ask(header, `person${index % 4}`)]);
        }),
      );
    const first = (await payAll()).flat();
    expect(first.map(({ status }) => status)).toEqual(first.map(() => 200));
    const wallets = Array.from({ length: 4 }, () => `0x${randomBytes(20).toString('hex')}` as Hex);
    // Linked while more is being paid to the same people.
    const [second] = await Promise.all([
      payAll(),
      ...wallets.map(async (address, index) => {
        const identity = await findIdentity(store, 'x', localUserId(parseRecipient('x', `person${index}`)));
        await linkWallet(
          store,
          { identityId: identity!.id, network: 'base', address, source: 'test' },
          ids.payoutId,
          Date.now(),
        );
      }),
    ]);
    expect(second.flat().map(({ status }) => status)).toEqual(second.flat().map(() => 200));
    await eventually(async () => {
      for (const wallet of wallets) expect(await chain.usdcBalance(wallet)).toBe(2_000_000n);
    }, 20_000);
    await eventually(async () => {
      const rows = await store.read.select().from(store.tables.transfers);
      expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['final']));
    });
    for (const { address } of accounts) expect(await chain.usdcBalance(address)).toBe(0n);
    expect(await chain.usdcBalance(parts.treasury.address)).toBe(0n);
    expect(await audit(workers[0]!.base)).toEqual([]);
    expect(await store.read.select().from(store.tables.signingStops)).toEqual([]);
    // Each had its part of the lanes.
    const lanes = await readHoldings(store, 'lane:');
    expect(new Set(lanes.map(({ process }) => process)).size).toBe(2);
    expect(lanes).toHaveLength(3);
  } finally {
    for (const { close } of workers) await close();
    await announcer.close();
    for (const one of opened) await one.close();
  }
}

async function assertNoBrokenSum(database: DatabaseAddress): Promise<void> {
  const store = await openStore(database);
  let running = true;
  const booking = (async () => {
    for (let index = 0; running; index += 1) {
      const entry = gasSpent({ network: 'base', lane: '0xaa', transaction: `0x${index}`, unit: 'wei', amount: 7n });
      await store.tx((db) => postEntry(db, store.tables, entry, 1));
    }
  })();
  const found: string[] = [];
  for (let index = 0; index < 40 && found.length === 0; index += 1) {
    found.push(...(await findViolations(store)).map(({ rule, detail }) => `${rule}: ${detail}`));
  }
  running = false;
  await booking;
  await store.close();
  expect(found).toEqual([]);
}

function key(): Hex {
  return `0x${randomBytes(32).toString('hex')}`;
}
