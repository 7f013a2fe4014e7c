/**
 * A worker that was stopped in the middle of its work and wakes when another has taken over, with the roles as processes on
 * PostgreSQL: it can neither store what it has signed nor send what it has stored. And two bots, of which one listens.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/core/client';
import { createPublicClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHeader } from '../../core/payments/x402.ts';
import { readHoldings } from '../../db/processes/holdings.ts';
import { openStore } from '../../db/store/open.ts';
import type { Store } from '../../db/store/store.ts';
import { stopLocalMode } from '../../local/mode.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { countHits, reportFaults } from '../../scripts/torture/faults.ts';
import { startKillable, type Killable } from '../../scripts/torture/killable.ts';
import type { Call } from '../fakes/telegram/call-log.ts';
import { startFakeTelegram } from '../fakes/telegram/start.ts';
import { onPostgres } from '../support/postgres.ts';

const RUNS = Number(process.env['LEASES_RUNS'] ?? 1);
const POINTS = ['settle.before-store', 'settle.after-store'] as const;
const EACH = Array.from({ length: RUNS }, () => POINTS).flat();
const REFUSED = { 'settle.before-store': 'may not sign', 'settle.after-store': 'nothing is sent' } as const;

const running: Killable[] = [];
let dataDir: string;
let store: Store;
let api: Killable;
let env: Record<string, string>;

const startRole = async (role: string, more: Record<string, string> = {}): Promise<Killable> => {
  const started = await startKillable({ dataDir, roles: [role], env: { ...env, ...more } });
  running.push(started);
  return started;
};

onPostgres((fresh) => {
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'pennypost-leases-'));
    const database = await fresh();
    if (database.kind !== 'postgres') throw new Error('this is for PostgreSQL');
    env = { NETWORKS: 'base', DATABASE_URL: database.url };
    api = await startRole('api');
    store = await openStore(database);
  });
  afterAll(async () => {
    await store?.close();
    for (const { process, kill } of running.reverse()) if (process.exitCode === null) await kill();
    await stopLocalMode(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  });

  test.each(EACH)('on base a worker stopped at %s wakes and can do no more', async (point) => {
    const stopped = await startRole('worker', { FAILPOINT: `stop:${point}` });
    const [before, refusedBefore] = [await bytesNow(), timesLogged(REFUSED[point])];
    const answer = pay(`r${Math.random().toString(36).slice(2, 12)}`);
    await eventually(async () => expect(stopped.output()).toContain(`failpoint fired: ${point}`), 60_000);
    const other = await startRole('worker');
    const paymentId = await eventually(async () => {
      const [payment] = (await paymentsNow()).slice(-1);
      if (payment?.status !== 'settled' && payment?.status !== 'final') throw new Error('nobody has taken over');
      return payment.id;
    }, 60_000);
    stopped.process.kill('SIGCONT');
    await eventually(async () => expect(timesLogged(REFUSED[point])).toBeGreaterThan(refusedBefore), 30_000);
    // What was signed before it was stopped was sent once, by the one that had it: no nonce of a lane is without its bytes.
    expect(await bytesNow()).toBe(before + 1);
    expect(await noncesOnChain()).toBe(before + 1);
    expect((await paymentsNow()).filter(({ id }) => id === paymentId)).toHaveLength(1);
    await answer.catch(() => undefined);
    // It lives on under a new epoch, and takes part again.
    const lanes = async () => new Set((await readHoldings(store, 'lane:base:')).map(({ process }) => process));
    await eventually(async () => expect((await lanes()).size).toBe(2), 30_000);
    await other.stop();
    await eventually(async () => expect((await lanes()).size).toBe(1), 8_000);
    await stopped.stop();
    reportFaults(countHits([`stopped at ${point}`]));
  });

  test('of two bots one asks Telegram; when it dies the other goes on, and no update is lost or handled twice', async () => {
    const telegram = await startFakeTelegram({ limits: null, botUsername: 'penny_bot' });
    const more = { BASE_URL: api.url, TELEGRAM_TOKEN: telegram.token, TELEGRAM_API_URL: telegram.url };
    const bots = [await startRole('bot', more), await startRole('bot', more)];
    try {
      const dora = telegram.createUser({ firstName: 'Dora', languageCode: 'en', started: true });
      const listens = async () => (await readHoldings(store, 'listener:telegram:')).map(({ process }) => process);
      const first = await eventually(async () => {
        const [process] = await listens();
        if (typeof process !== 'string') throw new Error('nobody listens');
        return process;
      });
      const { botMessages, chatEvents } = store.tables;
      /** What was said is answered, and nothing is left to be shown. */
      const answersTo = async (text: string, count: number) => {
        telegram.say(dora, dora, text);
        await eventually(async () => {
          const updates = await store.read.select().from(chatEvents);
          expect(updates.map(({ doneAtMs }) => doneAtMs !== null)).toEqual(Array.from({ length: count }, () => true));
          const messages = await store.read.select().from(botMessages);
          expect(messages.map(({ pendingSinceMs }) => pendingSinceMs)).toEqual(
            Array.from({ length: count }, () => null),
          );
        }, 60_000);
        expect(telegram.fromBot(dora, dora)).toHaveLength(count);
      };
      await answersTo('/help', 1);
      const { processes } = store.tables;
      const [holder] = (await store.read.select().from(processes)).filter(({ id }) => id === first);
      const doomed = bots.find(({ process }) => process.pid === holder?.pid);
      if (doomed === undefined) throw new Error('neither bot listens');
      await doomed.kill();
      await answersTo('/help', 2);
      expect(await listens()).not.toEqual([first]);
      const isConflict = ({ outcome }: Call) => outcome.kind === 'refused' && outcome.errorCode === 409;
      expect(telegram.calls('getUpdates').filter(isConflict)).toEqual([]);
    } finally {
      for (const bot of bots) if (bot.process.exitCode === null) await bot.kill();
      await telegram.close();
    }
  });
});

/** How often this was logged. */
const timesLogged = (text: string) => readFileSync(join(dataDir, 'pennypost.log'), 'utf8').split(text).length - 1;

const paymentsNow = async () => store.read.select().from(store.tables.payments);
const bytesNow = async () => (await store.read.select().from(store.tables.carriers)).length;

type Published = { rpc: { base: string }; payers: { network: string; privateKey: `0x${string}` }[] };
const published = () => JSON.parse(readFileSync(join(dataDir, 'local', 'payers.json'), 'utf8')) as Published;

/** How many transactions the lanes have sent that are in blocks. */
async function noncesOnChain(): Promise<number> {
  const client = createPublicClient({ transport: http(published().rpc.base) });
  const lanes = (await readHoldings(store, 'lane:base:')).map(({ name }) => name.slice('lane:base:'.length));
  const senders = (await store.read.select().from(store.tables.carriers)).map(({ sender }) => sender);
  const all = [...new Set([...lanes, ...senders])] as `0x${string}`[];
  const counts = await Promise.all(all.map((address) => client.getTransactionCount({ address })));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function pay(receiver: string): Promise<number> {
  const { privateKey } = published().payers.find(({ network }) => network === 'base') ?? {};
  if (privateKey === undefined) throw new Error('there is no payer on Base');
  const client = registerExactEvmScheme(new x402Client(), { signer: privateKeyToAccount(privateKey) });
  const ask = (headers: Record<string, string>) =>
    fetch(`${api.url}/payments/x/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ receiver, amount: 0.5 }),
    });
  // The worker before this one may be in the terms still, and out of them when its proof comes: 503, and nothing was taken.
  return eventually(async () => {
    const terms = (await ask({})).headers.get('PAYMENT-REQUIRED');
    if (terms === null) throw new Error('Base is not in the terms yet');
    const payload = await client.createPaymentPayload(JSON.parse(Buffer.from(terms, 'base64').toString()));
    const { status } = await ask({ 'PAYMENT-SIGNATURE': toHeader({ ...payload }) });
    if (status === 503) throw new Error('Base is out of the terms again');
    return status;
  }, 30_000);
}
