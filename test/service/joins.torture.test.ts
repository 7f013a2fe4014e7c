/**
 * The case in which a payer was once charged twice, with the roles as processes on PostgreSQL: a proof at one API, the
 * worker stopped, that API killed or stopped, and the client signs anew at another one.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBase58Encoder } from '@solana/kit';
import type { x402Client } from '@x402/core/client';
import { Client } from 'pg';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHeader } from '../../core/payments/x402.ts';
import { LEASE_MS } from '../../db/processes/owner.ts';
import { openStore } from '../../db/store/open.ts';
import type { Store } from '../../db/store/store.ts';
import { stopLocalMode } from '../../local/mode.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { countHits, namedFaults, reportFaults } from '../../scripts/torture/faults.ts';
import { startKillable, type Killable, type KillableOptions } from '../../scripts/torture/killable.ts';
import { startFront, type Front } from '../attack/cluster/front.ts';
import { clientOnBase, clientOnSolana } from '../support/agents.ts';
import { clockOff } from '../support/clock-off.ts';
import { onPostgres } from '../support/postgres.ts';

const RUNS = Number(process.env['JOINS_RUNS'] ?? 1);
const FAMILIES = ['base', 'solana'] as const;
type Family = (typeof FAMILIES)[number];
/** What happens to the first API, or to what it says, while its callers wait. */
const CASES = ['killed', 'stopped', 'behind a proxy', 'clocks apart', 'missed not written'] as const;
type Case = (typeof CASES)[number];
/** A slice names its cases. */
const named = namedFaults();
const chosen = CASES.filter((one) => named.length === 0 || named.includes(one));
const EACH = Array.from({ length: RUNS }, () =>
  FAMILIES.flatMap((family) => chosen.map((end): [Family, Case] => [family, end])),
).flat();
const CALLERS = 3;
/** A proof on Base says until when it is good, and an API refuses one of another time. On Solana it says nothing. */
const CLOCK_MS = { base: -200_000, solana: -600_000 } as const satisfies Record<Family, number>;

const running: Killable[] = [];
const fronts: Front[] = [];
let dataDir: string;
let store: Store;
let worker: Killable;
let survivor: Killable;
let env: Record<string, string>;

const startRole = async (role: string, more: Partial<KillableOptions> = {}): Promise<Killable> => {
  const started = await startKillable({ dataDir, roles: [role], env, ...more });
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
    // A worker that is stopped before its first look is no worker to those who ask for terms.
    await eventually(async () => {
      if (!(await fetch(`${survivor.url}/health`)).ok) throw new Error('a network does not settle yet');
    });
    store = await openStore(database);
  });
  afterAll(async () => {
    for (const front of fronts) front.close();
    await store?.close();
    for (const { process, kill } of running.reverse()) if (process.exitCode === null) await kill();
    await stopLocalMode(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  });

  test.each(EACH)('on %s retries at another API after the first was %s are charged once', async (family, end) => {
    const { doomed, url } = await startDoomed(family, end);
    const callers = await Promise.all(Array.from({ length: CALLERS }, (_, index) => newCaller(family, index)));
    const hangUp = new AbortController();
    worker.process.kill('SIGSTOP');
    const firsts = callers.map((caller) => pay(url, caller, hangUp.signal).catch(() => null));
    const paymentIds = await Promise.all(callers.map(({ receiver }) => reservedFor(receiver)));
    if (end === 'missed not written') hangUp.abort();
    else doomed.process.kill(end === 'stopped' ? 'SIGSTOP' : 'SIGKILL');
    const retries = callers.map((caller) => pay(survivor.url, caller));
    await sleep(1_000);
    worker.process.kill('SIGCONT');
    for (const [index, answer] of (await Promise.all(retries)).entries()) {
      expect(answer).toMatchObject({ status: 200, replayed: 'true', attempt: paymentIds[index] });
    }
    if (end === 'stopped') {
      await sleep(2 * LEASE_MS);
      doomed.process.kill('SIGCONT');
    }
    // No byte of an answer came from there.
    expect(await Promise.all(firsts)).toEqual(callers.map(() => null));
    for (const { receiver } of callers) expect(await linesTo(receiver)).toHaveLength(1);
    if (end === 'stopped') {
      const [caller] = callers;
      if (caller === undefined) throw new Error('there are no callers');
      expect(await pay(doomed.url, caller)).toMatchObject({ status: 200 });
      expect(await linesTo(caller.receiver)).toHaveLength(2);
    }
    await doomed.kill();
    reportFaults(countHits([end]));
  });

  test.each(FAMILIES)('on %s two live callers with one body at two APIs pay twice', async (family) => {
    const other = await startRole('api');
    const caller = await newCaller(family, 0);
    worker.process.kill('SIGSTOP');
    const first = pay(other.url, caller);
    const paymentId = await reservedFor(caller.receiver);
    const second = pay(survivor.url, caller);
    await eventually(async () => expect(await linesTo(caller.receiver)).toHaveLength(2));
    worker.process.kill('SIGCONT');
    const answers = await Promise.all([first, second]);
    expect(answers).toMatchObject([
      { status: 200, attempt: paymentId },
      { status: 200, replayed: null },
    ]);
    expect(answers[1]?.attempt).not.toBe(paymentId);
    await other.kill();
    reportFaults(countHits(['both alive']));
  });
});

/** The API that is not there when the answer is, and where its callers reach it. */
async function startDoomed(family: Family, end: Case): Promise<{ doomed: Killable; url: string }> {
  switch (end) {
    case 'clocks apart': {
      const doomed = await startRole('api', { nodeArguments: ['--import', clockOff(CLOCK_MS[family])] });
      return { doomed, url: doomed.url };
    }
    case 'missed not written': {
      await refuseMissedFrom('doomed');
      const url = new URL(env['DATABASE_URL'] ?? '');
      url.searchParams.set('application_name', 'doomed');
      const doomed = await startRole('api', { env: { ...env, DATABASE_URL: url.href } });
      return { doomed, url: doomed.url };
    }
    case 'behind a proxy': {
      const doomed = await startRole('api');
      const front = await startFront(0, [Number(new URL(doomed.url).port)]);
      fronts.push(front);
      return { doomed, url: front.url };
    }
    case 'killed':
    case 'stopped': {
      const doomed = await startRole('api');
      return { doomed, url: doomed.url };
    }
  }
}

/** What this client of the database notes about a missed answer fails from now on. */
async function refuseMissedFrom(name: string): Promise<void> {
  const client = new Client({ connectionString: env['DATABASE_URL'] });
  await client.connect();
  await client.query(`CREATE OR REPLACE FUNCTION refuse_missed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('application_name') = '${name}' THEN RAISE EXCEPTION 'not now'; END IF;
  RETURN NEW;
END $$`);
  await client.query(`CREATE OR REPLACE TRIGGER refuse_missed BEFORE UPDATE ON payments
FOR EACH ROW WHEN (NEW.delivery = 'missed') EXECUTE FUNCTION refuse_missed()`);
  await client.end();
}

type Caller = { client: x402Client; receiver: string };

const newCaller = async (family: Family, index: number): Promise<Caller> => ({
  client: await clientOn(family, index),
  receiver: `r${Math.random().toString(36).slice(2, 12)}`,
});

/** The payment that its first request has made. */
const reservedFor = (receiver: string): Promise<string> =>
  eventually(async () => {
    const [line] = (await linesTo(receiver)).slice(-1);
    if (line === undefined) throw new Error('nothing is reserved yet');
    return line.paymentId;
  });

async function linesTo(receiver: string) {
  const { lines } = store.tables;
  return (await store.read.select().from(lines)).filter((line) => line.recipientKey === receiver);
}

async function pay(url: string, { client, receiver }: Caller, signal?: AbortSignal) {
  const body = JSON.stringify({ receiver, amount: 0.5 });
  const ask = (headers: Record<string, string>) =>
    fetch(`${url}/payments/x/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      ...(signal && { signal }),
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
async function clientOn(family: Family, index: number): Promise<x402Client> {
  const { rpc, payers } = JSON.parse(readFileSync(join(dataDir, 'local', 'payers.json'), 'utf8')) as Published;
  const { privateKey = '' } = payers.filter(({ network }) => network === family)[index] ?? {};
  if (family === 'base') return clientOnBase(privateKeyToAccount(privateKey as `0x${string}`));
  return clientOnSolana(new Uint8Array(getBase58Encoder().encode(privateKey)), rpc['solana'] ?? '');
}
