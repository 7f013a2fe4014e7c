import { isOfKind } from '../../db/transfers/find.ts';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseConfig } from '../../core/config/config.ts';
import type { Failpoint } from '../../core/failpoints.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { plainText } from '../../core/view.ts';
import { findIdentity } from '../../db/identities/identities.ts';
import { readBooks } from '../../db/audit/books.ts';
import { findViolations } from '../../db/audit/invariants.ts';
import { openStore } from '../../db/store/open.ts';
import { addressOfKey } from '../../chain/evm/key.ts';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../chain/evm/rpc/rpc.ts';
import { localUserId } from '../../local/identity.ts';
import { linkRecipient } from '../../service/operator/addresses/link.ts';
import { localKeysOf } from '../../service/networks/keys.ts';
import { eventually } from './eventually.ts';
import { startKillable, type Killable } from './killable.ts';

type Hex = `0x${string}`;
export type KillOutcome = { point: Failpoint; fired: boolean; charged: bigint; paid: bigint; receipts: number };

const TIP = 1_000_000n;
const START = 20_000_000n;
/** The web chat pays on Base; Solana has an ordeal of its own. */
const ON_BASE = { NETWORKS: 'base' };

/**
 * One life and death: a visitor tips a recipient with a wallet, the process is killed at the point, and is started again.
 * Nothing else is done; whatever was promised must come true by itself.
 */
export async function killAt(dataDir: string, point: Failpoint): Promise<KillOutcome> {
  const config = parseConfig({ DATA_DIR: dataDir });
  const handle = `k${randomBytes(6).toString('hex')}`;
  const wallet = `0x${randomBytes(20).toString('hex')}` as Hex;
  const doomed = await startKillable({ dataDir, failpoint: point, env: ON_BASE });
  let revived: Killable | null = null;
  try {
    await linkRecipient(config, `x:${handle}`, wallet, 'a torture');
    const visitor = await visit(doomed.url);
    await tip(doomed.url, visitor.cookie, `/tip x:${handle} 1`);
    await Promise.race([doomed.died, timeout(60_000)]);
    const fired = doomed.output().includes(`failpoint fired: ${point}`);
    if (!fired) await doomed.kill();
    revived = await startKillable({ dataDir, env: ON_BASE });
    return { point, fired, ...(await outcomeOf(dataDir, handle, wallet)) };
  } finally {
    await doomed.kill();
    await revived?.kill();
  }
}

async function outcomeOf(dataDir: string, handle: string, wallet: Hex): Promise<Omit<KillOutcome, 'point' | 'fired'>> {
  const config = parseConfig({ DATA_DIR: dataDir });
  const store = await openStore(config.databaseUrl);
  try {
    const { rpc, treasury } = await chainOf(dataDir);
    const { chatMessages, orders, transfers } = store.tables;
    const order = await eventually(async () => {
      const found = (await store.read.select().from(orders)).find(({ recipient }) => recipient === `x:${handle}`);
      if (found?.status !== 'answered' || found.shownAtMs === null)
        throw new Error(`order is ${found?.status ?? 'missing'}`);
      if ((await rpc.balanceOf(wallet)) === 0n) throw new Error('the recipient was not paid');
      const open = (await store.read.select().from(transfers).where(isOfKind(store.tables, 'payout'))).filter(
        ({ status }) => status !== 'final',
      );
      if (open.length > 0) throw new Error(`${open.length} payouts are not final`);
      return found;
    }, 30_000);
    const posted = await eventually(async () => {
      const messages = await store.read.select().from(chatMessages);
      const told = messages.filter(({ chatId, author }) => chatId === order.chatId && author === 'bot');
      // One message, which says in the end that it has arrived; any other about it is one too many.
      const mine = told.map(({ view }) => plainText(view)).filter((text) => text.includes(`@${handle}`));
      if (!mine.some((text) => text.includes(' received '))) throw new Error('no message says that it has arrived');
      return mine.length;
    });
    const violations = await findViolations(store);
    if (violations.length > 0) throw new Error(JSON.stringify(violations));
    await eventually(async () => {
      const books = (await readBooks(store, 'base', [treasury]))?.held.get(treasury);
      const chain = await rpc.balanceOf(treasury);
      if (books !== chain) throw new Error(`books say ${books}, the chain says ${chain}`);
    });
    const charged = START - (await rpc.balanceOf(order.payerAddress as Hex));
    if (!(await findIdentity(store, 'x', localUserId(parseRecipient('x', handle)))))
      throw new Error('identity is missing');
    return { charged, paid: await rpc.balanceOf(wallet), receipts: posted };
  } finally {
    await store.close();
  }
}

async function chainOf(dataDir: string) {
  const { readFile } = await import('node:fs/promises');
  const published = JSON.parse(await readFile(join(dataDir, 'local', 'payers.json'), 'utf8')) as {
    rpc: { base: string };
  };
  const rpc = createEvmRpc({ url: published.rpc.base, timeoutMs: 5_000, profile: evmProfile('base', 'local') });
  const { treasuryKey } = localKeysOf(parseConfig({ DATA_DIR: dataDir }));
  return { rpc, treasury: addressOfKey(treasuryKey) };
}

export const isExact = (outcome: KillOutcome) =>
  outcome.fired && outcome.charged === TIP && outcome.paid === TIP && outcome.receipts === 1;

/** A new visitor with a wallet and play money. */
async function visit(url: string): Promise<{ cookie: string }> {
  const page = await fetch(`${url}/chat`);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { cookie };
}

async function tip(url: string, cookie: string, text: string): Promise<void> {
  const body = JSON.stringify({ text, event_id: randomBytes(8).toString('hex') });
  const headers = { 'content-type': 'application/json', cookie, origin: url, 'sec-fetch-site': 'same-origin' };
  // The process may die under this very request.
  await fetch(`${url}/chat/messages`, { method: 'POST', headers, body }).catch(() => undefined);
}

const timeout = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
