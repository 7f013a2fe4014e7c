/** A service on a chain that mines on demand, and people who do to it whatever they like. Used by the model test. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { createWalletClient, encodeFunctionData, http, parseAbi, type PrivateKeyAccount } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { microUsdc } from '../../core/money.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../db/identities/identities.ts';
import { linkWallet } from '../../db/transfers/link-wallet.ts';
import type { Identity } from '../../identity/port.ts';
import { createLocalIdentity, localUserId } from '../../local/identity.ts';
import {
  signAuthorization,
  signCancellation,
  testBase,
  toAuthorization,
  type BaseChain,
} from '../support/chains/base-chain.ts';
import { makeProof, post, USDC } from '../support/pay.ts';
import type { RpcFault, RpcProxy } from '../support/chains/rpc-proxy.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../../scripts/torture/eventually.ts';

export type Hex = `0x${string}`;
export const RECEIVERS = ['alice', 'bob', 'carol'] as const;
/** Whom a proof is presented for that was signed for another request. */
export const OTHER_RECEIVER = 'mallory';
export type Receiver = (typeof RECEIVERS)[number];
/** `account` signs; `address` pays, and is a contract wallet of that account for one of them. */
export type Payer = { address: Hex; account: PrivateKeyAccount };
export type Proof = { nonce: Hex; header: string; validBefore: number; payer: Payer; value: bigint };
export type Answer = { proof: Proof; sameBody: boolean; status: number | 'hung'; error: unknown; txnId: unknown };
/** Something a caller wants to buy once, however often they ask. Each has its own body, so that no two ever join. */
export type Wish = {
  payer: Payer;
  body: Record<string, unknown>;
  value: bigint;
  proofs: Proof[];
  answers: Answer[];
  open: number;
};

const USDC_WRITES = parseAbi([
  'function transfer(address to, uint256 value)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
]);

export async function createWorld(chain: BaseChain, proxy: RpcProxy) {
  const databasePath = `${tmpdir()}/pennypost-model-${randomBytes(6).toString('hex')}.sqlite`;
  const keys = { treasuryKey: generatePrivateKey(), laneKeys: [generatePrivateKey(), generatePrivateKey()] };
  const wallets = new Map<Receiver, Hex>(RECEIVERS.map((name) => [name, `0x${randomBytes(20).toString('hex')}`]));
  const linked = new Set<Receiver>();
  const everBlacklisted = new Set<Hex>();
  const blacklisted = new Set<Hex>();
  const frontRun = new Set<Hex>();
  const wishes: Wish[] = [];
  const inFlight = new Set<Promise<void>>();
  let skewMs = 0;
  let reorganised = false;
  let isAway = false;
  const now = () => Date.now() + skewMs;
  const everybody = createLocalIdentity('configured');
  const identity: Identity = {
    ...everybody,
    resolve: async (recipient) => (isAway ? { kind: 'unavailable' } : everybody.resolve(recipient)),
  };

  const stranger = await chain.createAccount();
  const owner = await chain.createAccount();
  const plain = await Promise.all([chain.createAccount(), chain.createAccount()]);
  const payers: Payer[] = [
    ...plain.map((account) => ({ account, address: account.address.toLowerCase() as Hex })),
    { account: owner, address: (await chain.deploySmartWallet(owner.address)).toLowerCase() as Hex },
  ];
  for (const { address } of payers) await chain.fundUsdc(address, microUsdc(20_000_000n));
  await syncClock();
  let service = await start();
  // The scan begins at the newest block; a reorganisation of that very block is a test of its own (defects, D16).
  await eventually(async () => {
    if ((await service.store.read.select().from(service.store.tables.scanCursors)).length === 0)
      throw new Error('no cursor yet');
  });
  await mine(3);

  async function start(): Promise<TestService> {
    const options = {
      rpcUrl: proxy.url,
      fundEth: chain.fundEth,
      databasePath,
      keys,
      now,
      identity,
      settlementWaitMs: 350,
      replaceAfterMs: 1_500,
    };
    return startTestService(options);
  }

  /** Blocks mined in a hurry run ahead of the wall clock; everybody's clock follows the chain's. */
  async function syncClock(): Promise<void> {
    skewMs = Math.max(skewMs, Number(await chain.latestTimestamp()) * 1000 - Date.now());
  }

  async function mine(blocks: number): Promise<void> {
    await chain.mine(blocks);
    await syncClock();
  }

  async function sign(wish: Wish): Promise<Proof> {
    const nonce = `0x${randomBytes(32).toString('hex')}` as Hex;
    const validBefore = Math.floor(now() / 1000) + 60;
    const { payer, value } = wish;
    const payTo = service.parts.treasury.address;
    const options = { from: payer.address, signer: payer.account, payTo, value, nonce, validBefore, validAfter: 0 };
    const proof = { nonce, header: await makeProof(options), validBefore, payer, value };
    wish.proofs.push(proof);
    return proof;
  }

  /** Presents a proof and does not wait for the answer; it is noted when it comes. */
  function present(wish: Wish, proof: Proof, body = wish.body, signal?: AbortSignal): Promise<void> {
    wish.open += 1;
    const sameBody = body === wish.body;
    const headers = { 'content-type': 'application/json', 'PAYMENT-SIGNATURE': proof.header };
    const url = `${service.url}/payments/x/pay`;
    const asked = fetch(url, { method: 'POST', headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) })
      .then(async (response) => {
        const reply = (await response.json()) as { error?: unknown; data?: { txn_id?: unknown } };
        wish.answers.push({ proof, sameBody, status: response.status, error: reply.error, txnId: reply.data?.txn_id });
      })
      .catch(() => void wish.answers.push({ proof, sameBody, status: 'hung', error: null, txnId: null }))
      .finally(() => {
        wish.open -= 1;
        inFlight.delete(asked);
      });
    inFlight.add(asked);
    return asked;
  }

  async function wish(payerIndex: number, receiver: Receiver, cents: number): Promise<Wish> {
    const payer = payers[payerIndex % payers.length]!;
    const amount = cents / 100;
    const made: Wish = {
      payer,
      body: { receiver, amount, wish: wishes.length },
      value: BigInt(cents) * 10_000n,
      proofs: [],
      answers: [],
      open: 0,
    };
    wishes.push(made);
    return made;
  }

  const byStranger = async (data: Hex) => {
    const wallet = createWalletClient({ account: stranger, chain: testBase, transport: http(chain.rpcUrl) });
    await wallet.sendTransaction({ to: USDC, data, gas: 500_000n });
  };

  return {
    payers,
    wallets,
    linked,
    everBlacklisted,
    frontRun,
    wishes,
    service: () => service,
    wasReorganised: () => reorganised,
    mine,

    async pay(payerIndex: number, receiver: Receiver, cents: number): Promise<void> {
      const made = await wish(payerIndex, receiver, cents);
      void present(made, await sign(made));
    },
    async signOnly(payerIndex: number, receiver: Receiver, cents: number): Promise<void> {
      await sign(await wish(payerIndex, receiver, cents));
    },
    replay(made: Wish): void {
      const proof = made.proofs.at(-1);
      if (proof) void present(made, proof);
    },
    replayWithOtherBody(made: Wish): void {
      const proof = made.proofs.at(-1);
      if (proof) void present(made, proof, { ...made.body, receiver: OTHER_RECEIVER });
    },
    /** What a stock client does after a 500 or a broken connection: everything again, with a new proof. */
    async retry(at: number): Promise<void> {
      const failed = wishes.filter(({ open, answers }) => {
        const last = answers.findLast(({ sameBody }) => sameBody);
        return open === 0 && (last?.status === 500 || last?.status === 'hung');
      });
      const made = failed.at(-1 - (at % Math.max(1, failed.length)));
      if (made) void present(made, await sign(made));
    },
    async payAndHangUp(payerIndex: number, receiver: Receiver, cents: number): Promise<void> {
      const made = await wish(payerIndex, receiver, cents);
      const proof = await sign(made);
      const controller = new AbortController();
      const asked = present(made, proof, made.body, controller.signal);
      const { payments } = service.store.tables;
      const row = async () =>
        (await service.store.read.select().from(payments)).find(({ nonce }) => nonce === proof.nonce);
      await eventually(async () => {
        if (made.open > 0 && !(await row())) throw new Error('not claimed yet');
      }, 1_000).catch(() => undefined);
      controller.abort();
      await asked;
      // The server hears of it a moment later; a client's way back takes longer than this.
      await eventually(async () => {
        if ((await row())?.delivery === 'waiting') throw new Error('not missed yet');
      }, 1_000).catch(() => undefined);
    },
    async link(receiver: Receiver): Promise<void> {
      const { store, base } = service;
      const recipient = { ...parseRecipient('x', receiver), stableId: localUserId(parseRecipient('x', receiver)) };
      const identityId = await store.tx((db) =>
        ensureIdentity(db, store.tables, recipient, base.ids.identityId(), now()),
      );
      const address = wallets.get(receiver)!;
      await linkWallet(store, { identityId, network: 'base', address, source: 'test' }, base.transferIdOf, now());
      linked.add(receiver);
      service.worker?.wake();
    },
    fault: (method: string, fault: RpcFault, times: number) => proxy.fail(method, fault, times),
    async reorg(): Promise<void> {
      reorganised = true;
      await chain.reorg(1);
      await syncClock();
    },
    /** Lets a block get into the books and takes it away again. */
    async mineInVain(): Promise<void> {
      service.worker?.wake();
      await sleep(150);
      await mine(1);
      await untilScanned(1_000);
      await this.reorg();
    },
    async restart(): Promise<void> {
      await service.close();
      service = await start();
    },
    async sendFirst(made: Wish): Promise<void> {
      const proof = made.proofs.at(-1);
      if (!proof) return;
      frontRun.add(proof.nonce);
      const to = service.parts.treasury.address;
      const { nonce, value, payer } = proof;
      const fields = { from: payer.address, to, value, validAfter: 0n, validBefore: BigInt(proof.validBefore), nonce };
      const signature = await signAuthorization(payer.account, toAuthorization(fields));
      const args = [payer.address, to, value, 0n, fields.validBefore, nonce, signature] as const;
      await byStranger(encodeFunctionData({ abi: USDC_WRITES, functionName: 'transferWithAuthorization', args }));
    },
    async cancel(made: Wish): Promise<void> {
      const proof = made.proofs.at(-1);
      if (!proof) return;
      const { nonce, payer } = proof;
      const signature = await signCancellation(payer.account, { authorizer: payer.address, nonce });
      const args = [payer.address, nonce, signature] as const;
      await byStranger(encodeFunctionData({ abi: USDC_WRITES, functionName: 'cancelAuthorization', args }));
    },
    /** The payer's money goes elsewhere, all but a little. */
    async drain(payerIndex: number): Promise<void> {
      const payer = plain[payerIndex % plain.length]!;
      const left = await chain.usdcBalance(payer.address);
      if (left < 500_000n) return;
      await chain.fundEth(payer.address, 10n ** 18n);
      const wallet = createWalletClient({ account: payer, chain: testBase, transport: http(chain.rpcUrl) });
      const data = encodeFunctionData({
        abi: USDC_WRITES,
        functionName: 'transfer',
        args: [stranger.address, left - 300_000n],
      });
      await wallet.sendTransaction({ to: USDC, data, gas: 200_000n });
    },
    async fund(payerIndex: number): Promise<void> {
      await chain.fundUsdc(payers[payerIndex % payers.length]!.address, microUsdc(5_000_000n));
      // A block on top: what the world itself arranges is not to be reorganised away.
      await mine(1);
    },
    async burn(burning: boolean): Promise<void> {
      await chain.setBurning(payers[2]!.address, burning);
      await mine(1);
    },
    async blacklist(receiver: Receiver, listed: boolean): Promise<void> {
      const address = wallets.get(receiver)!;
      if (listed) everBlacklisted.add(address);
      if (listed) blacklisted.add(address);
      else blacklisted.delete(address);
      const functionName = listed ? 'blacklist' : 'unBlacklist';
      await chain.sendAsAdmin(encodeFunctionData({ abi: USDC_WRITES, functionName, args: [address] }));
      await mine(1);
    },
    /** The platform answers nobody, or everybody again. */
    setAway(next: boolean): void {
      isAway = next;
    },
    async advance(seconds: number): Promise<void> {
      await chain.advanceTime(seconds);
      await syncClock();
    },

    /** Everything works again, and time passes, until nothing is on its way any more. */
    async comeToRest(): Promise<void> {
      proxy.fail('*', { kind: 'drop' }, 0);
      proxy.fail('eth_sendRawTransaction', { kind: 'drop' }, 0);
      await Promise.all(inFlight);
      isAway = false;
      let quiet = 0;
      for (let round = 0; round < 160; round += 1) {
        await mine(1);
        skewMs += 500;
        // Long enough for every window to close, never long enough for a payout's authorization to run out.
        if (round === 40 || round === 80) await this.advance(70);
        service.worker?.wake();
        // However slow the machine is, the worker sees each of these blocks, and then has a moment for what follows.
        await untilScanned(5_000);
        await sleep(40);
        // Three times in a row: what has just landed must be in the books, too.
        quiet = (await atRest()) ? quiet + 1 : 0;
        if (round >= 4 && quiet >= 3) return;
      }
    },
    post,
    async close(): Promise<void> {
      await Promise.all(inFlight);
      await service.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(databasePath + suffix, { force: true });
    },
  };

  /** The newest block is in the books; or something keeps it from there, which is no matter of ours. */
  async function untilScanned(withinMs: number): Promise<void> {
    const height = Number(await chain.client.getBlockNumber());
    await eventually(async () => {
      const [cursor] = await service.store.read.select().from(service.store.tables.scanCursors);
      if (cursor?.block !== height) throw new Error('not scanned yet');
    }, withinMs).catch(() => undefined);
  }

  async function atRest(): Promise<boolean> {
    const { read, tables } = service.store;
    const [payments, payouts] = [await read.select().from(tables.payments), await read.select().from(tables.transfers)];
    const lookups = await read.select().from(tables.lookups);
    return (
      lookups.length === 0 &&
      payments.every(({ status }) => status === 'final' || status === 'rejected') &&
      payouts.every(
        ({ status, toAddress }) =>
          status === 'final' ||
          status === 'held' ||
          status === 'void' ||
          (status !== 'confirmed' && everBlacklisted.has(toAddress as Hex)),
      )
    );
  }
}

export type World = Awaited<ReturnType<typeof createWorld>>;
