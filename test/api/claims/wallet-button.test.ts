import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findFlaws } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { networksOf } from './installation.ts';
import { SOLANA_ADDRESS } from './memory-claims.ts';
import { serveInstallation, type ServedInstallation } from './server.ts';

/** Wallets as their extensions put them into a page, with an account each. */
const ADDRESS = '0x00000000000000000000000000000000000A11ce';

const ANNOUNCED = `(() => {
  const provider = { request: async ({ method }) => (method === 'eth_requestAccounts' ? ['${ADDRESS}'] : null) };
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', {
    detail: { info: { uuid: '1', name: '<b>Test</b> Wallet', rdns: 'test.wallet' }, provider },
  }));
  addEventListener('eip6963:requestProvider', announce);
})()`;
const INJECTED = `window.ethereum = { request: async () => ['${ADDRESS}'] }`;
const REFUSING = `window.ethereum = { request: async () => { throw Object.assign(new Error('no'), { code: 4001 }); } }`;
const STANDARD = `(() => {
  const wallet = {
    version: '1.0.0', name: 'Sun', icon: 'data:,', chains: ['solana:mainnet'], accounts: [],
    features: { 'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [{ address: '${SOLANA_ADDRESS}' }] }) } },
  };
  const register = ({ register }) => register(wallet);
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail));
})()`;

let browser: TestBrowser;
let installation: ServedInstallation;
beforeAll(async () => {
  [browser, installation] = await Promise.all([
    startBrowser(),
    serveInstallation((claims) => ({ networks: networksOf(claims, ['base', 'solana']) })),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await installation?.close();
});

let page: Page;
const complaints: string[] = [];
beforeEach(async () => {
  const context = await browser.newContext({ width: 320, height: 640 });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
});
afterEach(async () => {
  await page.context().close();
  const found = complaints.splice(0);
  if (found.length > 0) throw new Error(`the browser complained: ${found.join('; ')}`);
});

async function openWith(...scripts: string[]): Promise<void> {
  for (const script of scripts) await page.addInitScript(script);
  await page.goto(`${installation.url}/claim/x/alice`);
  await page.getByText('Send it to my own app or exchange').click();
}

describe('a recipient with a wallet in this browser', () => {
  test('is offered it by name, which is only text, and has its address filled in', async () => {
    await openWith(ANNOUNCED);
    await page.getByRole('button', { name: 'Use <b>Test</b> Wallet (Base' }).click();
    await page.getByText('This is the address of your wallet.').waitFor();
    expect(await page.getByLabel('Your address').inputValue()).toBe(ADDRESS);
    expect(await findFlaws(page, { rules: 'strict' })).toEqual([]);
  });

  test('is asked in the older way when it does not announce itself', async () => {
    await openWith(INJECTED);
    await page.getByRole('button', { name: 'Use Ethereum (Base' }).click();
    await page.getByText('This is the address of your wallet.').waitFor();
    expect(await page.getByLabel('Your address').inputValue()).toBe(ADDRESS);
  });

  test('may refuse, and is told what to do instead', async () => {
    await openWith(REFUSING);
    await page.getByRole('button', { name: 'Use Ethereum (Base' }).click();
    await page.getByText('Your wallet gave no address. Paste it instead.').waitFor();
    expect(await page.getByLabel('Your address').inputValue()).toBe('');
  });

  test('is offered one on Solana too', async () => {
    await openWith(STANDARD);
    await page.getByRole('button', { name: 'Use Sun (Solana' }).click();
    await page.getByText('This is the address of your wallet.').waitFor();
    expect(await page.getByLabel('Your address').inputValue()).toBe(SOLANA_ADDRESS);
  });
});

test('without a wallet there is no such button', async () => {
  await openWith();
  expect(await page.getByRole('button', { name: /^Use / }).count()).toBe(0);
});
