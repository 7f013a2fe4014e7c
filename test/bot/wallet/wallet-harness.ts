import type { Cancellations } from '../../../bot/requests/cancellations.ts';
import { createWalletPages } from '../../../bot/wallet/app.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { markPaid } from '../../../db/withdrawals/end.ts';
import { withdrawalsOfWallet } from '../../../db/withdrawals/find.ts';
import { createPasskeys } from '../../../identity/passkeys/passkeys.ts';
import { browserIdOf, newBrowserSecret } from '../../../identity/browsers.ts';
import { createHarness, OPERATOR, START_MS, usdc } from '../harness.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

export const WALLET = 'x:7';

/** The pages under /purse without a socket, over stand-ins for the networks, and a browser with a wallet. */
export async function createWalletHarness({
  faucet = false,
  publicUrl = 'http://localhost',
  apiUrl = 'http://api.test',
  cancellations,
}: { faucet?: boolean; publicUrl?: string; apiUrl?: string; cancellations?: Cancellations } = {}) {
  const harness = await createHarness({
    apiUrl,
    balance: usdc(3.2),
    solanaBalance: usdc(0),
    faucet,
  });
  const { deps, bot, store } = harness;
  if (cancellations !== undefined) deps.cancellations = cancellations;
  const pages = createWalletPages({
    ...deps,
    limits: createRateLimits(deps.clock.now),
    publicUrl,
    orders: bot.orders,
    withdrawals: bot.withdrawals,
    signInPlatforms: ['x', 'code', 'email'],
    isSecure: false,
    passkeys: createPasskeys(publicUrl),
    operator: OPERATOR,
  });

  /** A browser as it is once a person has proved a name in it. */
  async function openBrowser(walletId: string | null = WALLET, spendsFromMs = 0, looksFromMs = 0) {
    const secret = newBrowserSecret(deps.random);
    const holderId = browserIdOf(secret) ?? '';
    if (walletId !== null) {
      const holder = { holderId, walletId, identityId: 'person_7', name: 'x:alice' };
      await store.tx((db) => addHolder(db, store.tables, holder, START_MS, spendsFromMs, looksFromMs));
    }
    const headers = { cookie: `pennypost=${secret}` };
    const get = (path: string) => pages.request(`http://localhost${path}`, { headers });
    const post = (path: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
      pages.request(`http://localhost${path}`, {
        method: 'POST',
        headers: { ...headers, origin: 'http://localhost', ...more },
        body: new URLSearchParams(fields),
      });
    const review = (fields: Record<string, string> = {}) =>
      post('/review', { wallet: walletId ?? '', network: 'base', ...fields });
    const tokenIn = async (response: Response) => /name="token" value="([^"]+)"/.exec(await response.text())?.[1] ?? '';
    return { secret, holderId, get, post, review, tokenIn };
  }

  const rows = (walletId = WALLET) => withdrawalsOfWallet(store, walletId);
  /** What the worker says in the end. */
  async function pay(walletId = WALLET) {
    const [row] = await rows(walletId);
    if (!row || !(await markPaid(store, row, `0x${'4f'.repeat(32)}`, START_MS))) throw new Error('nothing was signed');
  }
  return { ...harness, pages, openBrowser, rows, pay };
}
