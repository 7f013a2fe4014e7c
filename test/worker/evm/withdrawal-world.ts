/** A chain, personal wallets on it, and workers that carry what they sign: what tests of withdrawals on Base need. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWalletClient, http } from 'viem';
import { expect } from 'vitest';
import type { Authorization } from '../../../chain/evm/authorization.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { withdrawalNonce } from '../../../chain/evm/nonces.ts';
import { createPersonalWallets } from '../../../chain/wallets/personal-wallets.ts';
import { microUsdc } from '../../../core/money.ts';
import { findWithdrawal, type WithdrawalRow } from '../../../db/withdrawals/find.ts';
import { requestWithdrawal } from '../../../db/withdrawals/request.ts';
import { markWithdrawalSigned } from '../../../db/withdrawals/signed.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { startBaseChain, testBase } from '../../support/chains/base-chain.ts';
import { USDC } from '../../support/pay.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.ts';

type Hex = `0x${string}`;
export const randomHex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}` as Hex;

/** A node that passes nothing on while it is `mute`, and counts how often it was asked what became of authorizations. */
export function silentNode() {
  const node = { mute: true, looks: 0 };
  const decorateWorker = (worker: EvmWorker): EvmWorker => {
    const { rpc } = worker;
    const authorizationStates: EvmWorker['rpc']['authorizationStates'] = async (...question) => {
      const states = await rpc.authorizationStates(...question);
      node.looks += 1;
      return states;
    };
    const sendRaw: EvmWorker['rpc']['sendRaw'] = async (raw) => (node.mute ? undefined : rpc.sendRaw(raw));
    return { ...worker, rpc: { ...rpc, authorizationStates, sendRaw } };
  };
  return { node, decorateWorker };
}

type Asked = { walletId: string; to: Hex; amount?: bigint; requestKey?: string };
type Signing = { generation?: number; validSeconds?: number };

export type WithdrawalWorld = Awaited<ReturnType<typeof createWithdrawalWorld>>;

export async function createWithdrawalWorld() {
  const chain = await startBaseChain({ blockTimeMs: 200 });
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-withdrawals-'));
  const wallets = createPersonalWallets({ seed: randomBytes(32), profile: evmProfile('base', 'local') });
  let services: TestService[] = [];

  async function signFor(row: WithdrawalRow, { generation = 0, validSeconds = 600 }: Signing = {}) {
    const authorization: Authorization = {
      from: row.fromAddress as Hex,
      to: row.toAddress as Hex,
      value: row.amountMicroUsdc,
      validAfter: 0,
      validBefore: Number(await chain.latestTimestamp()) + validSeconds,
      nonce: withdrawalNonce({ id: row.id, generation }),
    };
    return { authorization, signature: await wallets.signTransferAuthorization(row.walletId, authorization) };
  }

  async function rowOf(service: TestService, id: string): Promise<WithdrawalRow> {
    const row = await findWithdrawal(service.store, id);
    if (row === null) throw new Error(`there is no withdrawal ${id}`);
    return row;
  }

  return {
    chain,
    signFor,
    rowOf,
    async start(options: Partial<TestServiceOptions> = {}): Promise<TestService> {
      const service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, ...options });
      services.push(service);
      return service;
    },
    async stop(service: TestService): Promise<void> {
      services = services.filter((one) => one !== service);
      await service.close();
    },
    /** Two services share a database and keys, one after the other. */
    lasting: () => ({
      databasePath: join(dir, `${randomBytes(6).toString('hex')}.sqlite`),
      keys: { treasuryKey: randomHex(32), laneKeys: [randomHex(32), randomHex(32)] },
    }),
    async newWallet(usdc = 2_000_000n): Promise<{ walletId: string; address: Hex }> {
      const walletId = `x:${randomBytes(6).toString('hex')}`;
      const address = wallets.addressOf(walletId);
      await chain.fundUsdc(address, microUsdc(usdc));
      return { walletId, address };
    },
    request: (service: TestService, { walletId, to, amount = 1_500_000n, requestKey = 'one' }: Asked) =>
      requestWithdrawal(service.store, {
        id: service.base.ids.withdrawalId(),
        holderId: `chat:${walletId}`,
        requestKey,
        walletId,
        network: 'base',
        fromAddress: wallets.addressOf(walletId),
        toAddress: to,
        amountMicroUsdc: microUsdc(amount),
        nowMs: Date.now(),
      }),
    /** As the holder of the keys does it: on "false" the signature is forgotten. */
    async sign(service: TestService, row: WithdrawalRow, signing: Signing = {}): Promise<boolean> {
      const { authorization, signature } = await signFor(row, signing);
      const { nonce, validBefore } = authorization;
      const { generation = 0 } = signing;
      return markWithdrawalSigned(service.store, row.id, { generation, nonce, validBefore, signature });
    },
    becomes: (service: TestService, id: string, status: string) =>
      eventually(async () => expect((await rowOf(service, id)).status).toBe(status), 15_000),
    batchesOf: (service: TestService) => service.store.read.select().from(service.store.tables.carriers),
    /** Anybody can do that who has seen an authorization. */
    async broadcast(data: Hex): Promise<string> {
      const account = await chain.createAccount();
      const client = createWalletClient({ account, chain: testBase, transport: http(chain.rpcUrl) });
      const hash = await client.sendTransaction({ to: USDC, data });
      await chain.client.waitForTransactionReceipt({ hash });
      return hash;
    },
    async closeServices(): Promise<void> {
      for (const service of services) await service.close();
      services = [];
    },
    async close(): Promise<void> {
      await chain.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
