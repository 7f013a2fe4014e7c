/** Wallets of people pay over a link, on a phone, from the whole service in testnet mode. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { pino } from 'pino';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { readSolanaKey } from '../../../chain/solana/messages/key.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { microUsdc } from '../../../core/money.ts';
import { messagesAfter, postOnce } from '../../../db/chats/chat.ts';
import { createOrder, findOrder } from '../../../db/tips/orders.ts';
import { findPayLink } from '../../../db/pay-links/pay-links.ts';
import { startDnsServer } from '../../../local/identity/name-server.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { openStore } from '../../../db/store/open.ts';
import type { Store } from '../../../db/store/store.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startService, type Service } from '../../../service/start.ts';
import { axeViolations } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { injectBaseWallet, injectSolanaWallet } from '../../support/browser/browser-wallets.ts';
import { randomSolanaKey } from '../../support/solana-service.ts';
import { randomHexKey, startTestBase, startTestSolana } from '../../support/chains/test-networks.ts';

/** Set to refresh the pictures in docs/: SCREENSHOTS=1 npx vitest run test/flow/pay-links/pay-link-wallets.browser.test.ts */
const takePictures = process.env['SCREENSHOTS'] !== undefined;
const PHONE = { width: 320, height: 640 };
const ARRIVAL_MS = 90_000;
const CHAT = 'chat-of-the-test';
const PUBLIC_URL = 'https://pay.example.com';
/** Each has a link of its own, asked for before the service starts. */
const ORDERS = ['base', 'solana', 'forged', 'discord'] as const;
type OrderName = (typeof ORDERS)[number];

const usdc = (amount: number) => microUsdc(BigInt(amount * 1_000_000));
const payer = privateKeyToAccount(generatePrivateKey());
const poor = privateKeyToAccount(generatePrivateKey());
const solanaPayer = Keypair.generate();

let dataDir: string;
let service: Service;
let browser: TestBrowser;
let chains: { close: () => Promise<void> }[];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-pay-testnet-'));
  const laneKey = randomHexKey();
  const [treasuryKey, feePayerKey] = [randomSolanaKey(), randomSolanaKey()];
  const [base, solana, names] = await Promise.all([
    startTestBase({ usdc: [[payer.address, usdc(20)]], eth: [addressOfKey(laneKey)] }),
    startTestSolana(),
    startDnsServer((_name, type) => (type === 'MX' ? ['10 mail.example.com'] : [])),
  ]);
  chains = [base, solana, names];
  const fund = (key: string) => solana.fundSol(readSolanaKey(key).address, 100_000_000_000n);
  await Promise.all([treasuryKey, feePayerKey].map(fund));
  solana.fundUsdc(solanaPayer.publicKey.toBase58(), usdc(20));
  const config = parseConfig({
    NETWORK_MODE: 'testnet',
    DATA_DIR: dataDir,
    PORT: '0',
    BASE_URL: PUBLIC_URL,
    BASE_RPC_URL: base.rpcUrl,
    SOLANA_RPC_URL: solana.rpcUrl,
    TREASURY_KEY: randomHexKey(),
    TASK_KEY: randomHexKey(),
    LANE_KEYS: laneKey,
    SOLANA_TREASURY_KEY: treasuryKey,
    SOLANA_TASK_KEY: randomSolanaKey(),
    SOLANA_FEE_PAYER_KEY: feePayerKey,
    CHAT_WALLET_SEED: 'ef'.repeat(32),
    BOT_API_TOKEN: 'x'.repeat(40),
    // Nobody listens there: the mails are none of this test's business.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'post@example.com',
    DNS_SERVERS: names.address,
    OPERATOR_NAME: 'The test',
    SUPPORT_URL: 'https://example.com/help',
    TERMS_URL: 'https://example.com/terms',
  });
  const store = await openStore(config.databaseUrl);
  for (const name of ORDERS) await askForLink(store, name);
  await store.close();
  service = await startService({
    config,
    roles: ['api', 'worker', 'bot'],
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    failpoint: () => undefined,
    progress: () => undefined,
    addSecrets: () => undefined,
  });
  // A network is offered once its worker has looked at it.
  await eventually(async () => {
    const { status } = await fetch(`${service.url}/health`);
    if (status !== 200) throw new Error(`the service answers ${status}`);
  }, 60_000);
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
  for (const chain of chains ?? []) await chain.close();
  rmSync(dataDir, { recursive: true, force: true });
});

let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  context = await browser.newContext(PHONE);
  await passOn(context);
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
});
afterEach(async () => {
  // What a page has asked for meanwhile may still be on its way through us.
  for (const routed of [page, context]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
  const violations = await findViolations(service.store);
  if (violations.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(violations)}`);
});

/** As a chat would have left it: local mode alone has one that needs nobody else. */
async function askForLink(store: Store, name: OrderName): Promise<void> {
  const nowMs = Date.now();
  const view = { state: 'working', audience: 'person', paragraphs: [], actions: [] } as const;
  await postOnce(store, { id: `message-${name}`, chatId: CHAT, author: 'bot', onceKey: name, view, nowMs });
  await createOrder(store, {
    id: `order_of_${name}_0123456789`,
    transport: 'web',
    eventId: name,
    chatId: CHAT,
    messageId: `message-${name}`,
    userId: 'chat:somebody',
    walletId: 'chat:somebody',
    walletName: null,
    language: null,
    network: 'base',
    payerAddress: `0x${'12'.repeat(20)}`,
    route: '/payments/email/pay',
    body: { receiver: `${name}@example.com`, amount: '1.25', description: 'thanks for the talk' },
    recipient: `${name}@example.com`,
    amountMicroUsdc: usdc(1.25),
    viaLink: true,
    createdAtMs: nowMs,
  });
}

async function look(picture: string): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
  await expectFits();
  await takePicture(picture);
}

async function expectFits(): Promise<void> {
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
}

async function takePicture(picture: string): Promise<void> {
  if (takePictures) await page.screenshot({ path: `docs/images/${picture}.png`, fullPage: true });
}

const filledButtons = () => page.locator('.button:not(.quiet):visible').allInnerTexts();

/** As the proxy in front does, on the same machine. */
async function passOn(context: BrowserContext): Promise<void> {
  await context.route(`${PUBLIC_URL}/**`, async (route) => {
    await route.fulfill({ response: await route.fetch({ url: innerUrl(route) }) });
  });
}

const innerUrl = (route: Route) => route.request().url().replace(PUBLIC_URL, service.url);

/** The path of the link that the chat shows. */
async function linkOf(name: OrderName): Promise<string> {
  return eventually(async () => {
    const messages = await messagesAfter(service.store, CHAT, 0, 100);
    const actions = messages.find(({ id }) => id === `message-${name}`)?.view.actions ?? [];
    const link = actions.find((one) => one.kind === 'link');
    if (link?.kind !== 'link') throw new Error(`the chat shows ${JSON.stringify(actions)}`);
    expect(link.url).toMatch(/^https:\/\/pay\.example\.com\/pay\/[\w-]{32}$/);
    return new URL(link.url).pathname;
  }, 30_000);
}

const orderOf = (name: OrderName) => findOrder(service.store, `order_of_${name}_0123456789`);

async function untilPaid(name: OrderName): Promise<void> {
  await page.getByRole('heading', { name: 'It is paid' }).waitFor({ timeout: ARRIVAL_MS });
  expect(await orderOf(name)).toMatchObject({ status: 'answered' });
}

test('an empty wallet on Base signs nothing and is told why; the next one switches to the network, signs, and has paid', async () => {
  const wallet = await injectBaseWallet(context, payer);
  await page.goto(PUBLIC_URL + (await linkOf('base')));
  await page.getByText('the money is for b***@example.com').waitFor();
  await page.getByRole('button', { name: 'Pay with Test Base' }).waitFor();
  expect(await filledButtons()).toEqual(['Pay with Test Base']);
  await look('pay-link-wallet');
  const empty = await injectBaseWallet(context, poor, 'Empty');
  await page.reload();
  await page.getByRole('button', { name: 'Pay with Empty' }).click();
  await page.getByText('There is not enough USDC in that wallet').waitFor();
  await look('pay-link-refused');
  expect(empty.calls).not.toContain('eth_signTypedData_v4');
  await page.getByRole('button', { name: 'Pay with Test Base' }).click();
  await untilPaid('base');
  await expectFits();
  await takePicture('pay-link-wallet-paid');
  expect(wallet.calls).toContain('wallet_switchEthereumChain');
  const link = await findPayLink(service.store, 'order_of_base_0123456789');
  expect(link?.link).toMatchObject({ status: 'paid', header: null, nextLookAtMs: null });
});

test('a wallet on Solana signs what the server has prepared, and has paid', async () => {
  await injectSolanaWallet(context, solanaPayer, { chain: 'solana:devnet' });
  await page.goto(PUBLIC_URL + (await linkOf('solana')));
  await page.getByRole('button', { name: 'Pay with Test Solana' }).click();
  await untilPaid('solana');
  expect(await orderOf('solana')).toMatchObject({ receipt: expect.stringMatching(/\/receipts\//) });
});

test('a wallet that signs another transaction than it was given pays nothing; where two networks take the same wallets, a button names each, and asks for that one', async () => {
  const change = (bytes: Uint8Array) => {
    const changed = Buffer.from(bytes);
    // The last letter of the memo: behind it stands only how many lookup tables there are.
    changed.writeUInt8(changed.readUInt8(changed.length - 2) ^ 1, changed.length - 2);
    return changed;
  };
  await injectSolanaWallet(context, solanaPayer, { chain: 'solana:devnet', change });
  const url = PUBLIC_URL + (await linkOf('forged'));
  await page.goto(url);
  await page.getByRole('button', { name: 'Pay with Test Solana' }).click();
  await page.getByText(/not what we prepared/).waitFor();
  expect(await orderOf('forged')).toMatchObject({ status: 'linked' });

  await injectBaseWallet(context, payer);
  await page.route('**/pay/*', async (route) => {
    const response = await route.fetch({ url: innerUrl(route) });
    const another = JSON.stringify({ name: 'polygon', family: 'evm', title: 'Polygon' }).replaceAll('"', '&quot;');
    const body = (await response.text()).replace('data-networks="[', `data-networks="[${another},`);
    await route.fulfill({ response, body });
  });
  await page.goto(url);
  await page.getByRole('button', { name: 'Pay with Test Base · Base' }).waitFor();
  const prepare = page.waitForRequest('**/prepare');
  await page.getByRole('button', { name: 'Pay with Test Base · Polygon' }).click();
  expect((await prepare).postDataJSON()).toMatchObject({ network: 'polygon' });
});

test('a browser inside of Discord is told how to get out of it', async () => {
  await context.close();
  context = await browser.newContext({ ...PHONE, dark: true });
  await passOn(context);
  page = await context.newPage();
  const userAgent = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36 Discord/250';
  await page.setExtraHTTPHeaders({ 'user-agent': userAgent });
  const path = await linkOf('discord');
  await page.goto(PUBLIC_URL + path);
  const link = page.getByRole('link', { name: 'Open in your browser' });
  expect(await link.getAttribute('href')).toBe(`intent://pay.example.com${path}#Intent;scheme=https;end`);
  const apps = await page.getByRole('link', { name: /^Open in (MetaMask|Coinbase Wallet|Phantom)$/ }).all();
  expect(apps.length).toBe(3);
  expect(await filledButtons()).toEqual(['Show address and amount']);
  await look('pay-link-in-app');
});
