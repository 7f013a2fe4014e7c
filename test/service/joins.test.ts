/**
 * The case in which a payer was once charged twice, with the roles as processes on PostgreSQL: a proof at one API, the
 * worker stopped, that API killed or stopped, and the client signs anew at another one.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit';
import { x402Client } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHeader } from '../../core/payments/x402.ts';
import { LEASE_MS } from '../../db/processes/owner.ts';
import { openStore } from '../../db/store/open.ts';
import type { Store } from '../../db/store/store.ts';
import { stopLocalMode } from '../../local/mode.ts';
import { solanaProfile } from '../../chain/solana/messages/profile.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { countHits, reportFaults } from '../../scripts/torture/faults.ts';
import { startKillable, type Killable } from '../../scripts/torture/killable.ts';
import { compileProgram } from '../support/compiled-program.ts';
import { onPostgres } from '../support/postgres.ts';

const RUNS = Number(process.env['JOINS_RUNS'] ?? 0);
const FAMILIES = ['base', 'solana'] as const;
const CASES = ['killed', 'stopped'] as const;
/** One of each in `npm test`. */
const EACH: [(typeof FAMILIES)[number], (typeof CASES)[number]][] =
  RUNS === 0
    ? [
        ['base', 'killed'],
        ['solana', 'stopped'],
      ]
    : Array.from({ length: RUNS }, () =>
        FAMILIES.flatMap((family) => CASES.map((end): (typeof EACH)[number] => [family, end])),
      ).flat();

const compiled = await compileProgram(join(import.meta.dirname, '../../main.ts'));
const running: Killable[] = [];
let dataDir: string;
let store: Store;
let worker: Killable;
let survivor: Killable;
let env: Record<string, string>;

const startRole = async (role: string): Promise<Killable> => {
  const started = await startKillable({ dataDir, compiled, roles: [role], env });
  running.push(started);
  return started;
};

onPostgres((fresh) => {
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'pennypost-joins-'));
    const database = await fresh();
    if (database.kind !== 'postgres') throw new Error('this is for PostgreSQL');
    env = { NETWORKS: 'base,solana', DATABASE_URL: database.url };
    worker = await startRole('worker');
    survivor = await startRole('api');
    store = await openStore(database);
  });
  afterAll(async () => {
    await store?.close();
    for (const { process, kill } of running.reverse()) if (process.exitCode === null) await kill();
    await stopLocalMode(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  });

  test.each(EACH)('on %s a retry at another API after the first was %s is charged once', async (family, end) => {
    const doomed = await startRole('api');
    const receiver = `r${Math.random().toString(36).slice(2, 12)}`;
    const client = await clientOn(family);
    worker.process.kill('SIGSTOP');
    const first = pay(doomed.url, client, receiver).catch(() => null);
    const paymentId = await eventually(async () => {
      const [line] = (await linesTo(receiver)).slice(-1);
      if (line === undefined) throw new Error('nothing is reserved yet');
      return line.paymentId;
    });
    doomed.process.kill(end === 'killed' ? 'SIGKILL' : 'SIGSTOP');
    const retry = pay(survivor.url, client, receiver);
    await sleep(1_000);
    worker.process.kill('SIGCONT');
    const answer = await retry;
    expect(answer).toMatchObject({ status: 200, replayed: 'true', attempt: paymentId });
    if (end === 'stopped') {
      await sleep(2 * LEASE_MS);
      doomed.process.kill('SIGCONT');
    }
    // No byte of an answer came from there.
    expect(await first).toBeNull();
    expect(await linesTo(receiver)).toHaveLength(1);
    if (end === 'stopped') {
      expect(await pay(doomed.url, client, receiver)).toMatchObject({ status: 200 });
      expect(await linesTo(receiver)).toHaveLength(2);
      await doomed.kill();
    }
    reportFaults(countHits([end]));
  });
});

async function linesTo(receiver: string) {
  const { lines } = store.tables;
  return (await store.read.select().from(lines)).filter((line) => line.recipientKey === receiver);
}

async function pay(url: string, client: x402Client, receiver: string) {
  const body = JSON.stringify({ receiver, amount: 0.5 });
  const ask = (headers: Record<string, string>) =>
    fetch(`${url}/payments/x/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const terms = (await ask({})).headers.get('PAYMENT-REQUIRED') ?? '';
  const payload = await client.createPaymentPayload(JSON.parse(Buffer.from(terms, 'base64').toString()));
  const reply = await ask({ 'PAYMENT-SIGNATURE': toHeader({ ...payload }) });
  const { data } = (await reply.json()) as { data?: { settlement_attempt_id: string } };
  return {
    status: reply.status,
    replayed: reply.headers.get('Idempotent-Replayed'),
    attempt: data?.settlement_attempt_id,
  };
}

type Published = { rpc: Record<string, string>; payers: { network: string; privateKey: string }[] };

/** The stock client with a payer of local mode. */
async function clientOn(family: (typeof FAMILIES)[number]): Promise<x402Client> {
  const { rpc, payers } = JSON.parse(readFileSync(join(dataDir, 'local', 'payers.json'), 'utf8')) as Published;
  const { privateKey = '' } = payers.find(({ network }) => network === family) ?? {};
  const client = new x402Client();
  if (family === 'base')
    return registerExactEvmScheme(client, { signer: privateKeyToAccount(privateKey as `0x${string}`) });
  const { caip2 } = solanaProfile('local');
  const signer = await createKeyPairSignerFromBytes(new Uint8Array(getBase58Encoder().encode(privateKey)));
  client.register(
    `solana:${caip2.slice('solana:'.length)}`,
    new ExactSvmScheme(signer, { rpcUrl: rpc['solana'] ?? '' }),
  );
  return client;
}
