/**
 * Settled payments a second on PostgreSQL with one API and with four, in turn, in the same run and on the same machine as
 * the load, the chain and the database; and whether any transaction waited long for a lock. While one API is measured the
 * other three are stopped (SIGSTOP): they cost nothing, and they are as warm as the first when their turn comes. `npm run
 * bench -- apis payers=150 rounds=7` for other crowds and rounds. A payment waits for its block, so the rate of a round jumps.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { addressOfKey } from '../../chain/evm/key.ts';
import { parseConfig } from '../../core/config/config.ts';
import { startLocalMode, stopLocalMode } from '../../local/mode.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { startKillable, type Killable } from '../../scripts/torture/killable.ts';
import { localKeysOf } from '../../service/networks/keys.ts';
import { makeProof, post } from '../support/pay.ts';
import { findPostgres, startPostgres } from '../support/postgres.ts';
import { LOCK_WAIT_SETTINGS, LONG_WAIT_MS, countLockWaits } from './processes/lock-waits.ts';
import { gate } from './processes/gate.ts';

const settings = readSettings(process.argv.slice(2));
const [CROWD, ROUNDS] = [settings.number('payers', 150), settings.number('rounds', 7)];
const MANY = 4;
const BLOCK_MS = 1_000;
const AMOUNT = 0.05;
const VALUE = 50_000n;
const WARM_UP_ROUNDS = 2;
/** Longer than a lease: by then nobody counts the stopped ones, and nobody misses those that were let go. */
const SETTLED_AFTER_MS = 12_000;
const READY_WITHIN_MS = 120_000;

const bin = findPostgres();
if (bin === null) throw new Error('this needs PostgreSQL in /usr/lib/postgresql');
const dataDir = mkdtempSync(join(tmpdir(), 'pennypost-bench-apis-'));
const config = parseConfig({ DATA_DIR: dataDir, NETWORKS: 'base' });
const waits = countLockWaits();
const server = await startPostgres(bin, { settings: LOCK_WAIT_SETTINGS, onLog: waits.read });
const local = await startLocalMode({
  dataDir,
  networks: ['base'],
  keys: localKeysOf(config),
  blockTimeMs: BLOCK_MS,
});
const payTo = addressOfKey(localKeysOf(config).treasuryKey);
const payers = Array.from({ length: CROWD }, () => privateKeyToAccount(generatePrivateKey()));
const env = { NETWORKS: 'base', DATABASE_URL: server.url('postgres'), LOCAL_BLOCK_MS: String(BLOCK_MS) };
const running: Killable[] = [];
let longWaits = 0;
let crowds = 0;

async function start(role: 'api' | 'worker'): Promise<Killable> {
  const started = await startKillable({ dataDir, roles: [role], env });
  running.push(started);
  return started;
}

const untilServing = ({ url }: Killable) =>
  eventually(async () => {
    if (!(await fetch(`${url}/health`)).ok) throw new Error(`${url} does not serve yet`);
  }, READY_WITHIN_MS);

/**
 * Everyone pays once, in the same moment; those who are told to come back do. Each crowd pays other people than the one before:
 * a repeated request reads the payer's earlier payments for it, which the worker is still writing. Resolves with payments a second.
 */
async function pay(apis: readonly Killable[]): Promise<number> {
  crowds += 1;
  const headers = await Promise.all(
    payers.map((signer) => makeProof({ from: signer.address, signer, payTo, value: VALUE })),
  );
  const startedMs = performance.now();
  await Promise.all(headers.map((header, index) => payOnce(apis[index % apis.length], header, index)));
  return CROWD / ((performance.now() - startedMs) / 1_000);
}

async function payOnce(api: Killable | undefined, header: string, index: number): Promise<void> {
  if (api === undefined) throw new Error('nobody serves');
  const body = { receiver: `person${index}_${crowds}`, amount: AMOUNT };
  for (;;) {
    const reply = await post(`${api.url}/payments/x/pay`, body, { 'PAYMENT-SIGNATURE': header }).catch(() => null);
    // A connection that has just been closed says nothing about the payment.
    if (reply === null) continue;
    const { status, body: said } = reply;
    if (status === 200) return;
    if (said['error'] !== 'settlement_pending' && status !== 503) throw new Error(`${status} ${JSON.stringify(said)}`);
    await sleep(250);
  }
}

/** A process that has served little compiles while it serves. */
async function warmUp(apis: readonly Killable[]): Promise<void> {
  for (const api of apis) for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await pay([api]);
}

/** Only what is measured counts: a process that is stopped, or that has just come back, is a fault. */
async function measured(apis: readonly Killable[]): Promise<number> {
  waits.reset();
  const rate = await pay(apis);
  longWaits += waits.count();
  return rate;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const shown = (rates: readonly number[]) => rates.map((rate) => rate.toFixed(1)).join(', ');

try {
  for (const { address } of payers) await local.faucets.get('base')?.(address);
  await start('worker');
  const first = await start('api');
  const others = await Promise.all(Array.from({ length: MANY - 1 }, () => start('api')));
  const all = [first, ...others];
  for (const api of all) await untilServing(api);
  await warmUp(all);
  const [one, many]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { process } of others) process.kill('SIGSTOP');
    await sleep(SETTLED_AFTER_MS);
    await pay([first]);
    one.push(await measured([first]));
    for (const { process } of others) process.kill('SIGCONT');
    await sleep(SETTLED_AFTER_MS);
    for (const api of others) await untilServing(api);
    await pay(all);
    many.push(await measured(all));
  }
  console.log(
    `${CROWD} payers at once, ${BLOCK_MS} ms blocks, one worker, PostgreSQL (fsync off), ${ROUNDS} rounds each`,
  );
  console.log(`one API: ${shown(one)} payments a second`);
  console.log(`${MANY} APIs: ${shown(many)}`);
  const ratio = median(many) / median(one);
  gate(`${MANY} APIs reach ${ratio.toFixed(2)} × of one`, ratio >= 0.8, 'at least 0.8');
  gate(`${longWaits} waits for a lock above ${LONG_WAIT_MS} ms`, longWaits === 0, 'none');
} finally {
  for (const one of running.toReversed()) if (one.process.exitCode === null) await one.stop();
  await local.close();
  await server.close();
  await stopLocalMode(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();
