import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../../api/app.ts';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { listen } from '../../../service/http/server.ts';
import { findFlaws } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { startTestService, type TestService } from '../../support/service.ts';

/** Nothing listens there: what is refused before the chain is asked needs none. */
const NO_CHAIN = { rpcUrl: 'http://127.0.0.1:9', fundEth: async () => undefined, runWorker: false } as const;

let service: TestService;
let server: Awaited<ReturnType<typeof listen>>;
let browser: TestBrowser;
/** Opened once: each test has operations of its own on it, and the last looks at all. */
let page: Page;
/** What the browser complained about, but for refusals: a 402 is one. */
const complaints: string[] = [];

beforeAll(async () => {
  [browser, server] = await Promise.all([startBrowser(), listen('127.0.0.1', 0)]);
  const url = `http://127.0.0.1:${server.port}`;
  service = await startTestService({
    ...NO_CHAIN,
    decorate: (plain) => {
      const dependencies: ApiDependencies = { ...plain, settings: { ...plain.settings, baseUrl: url } };
      const app = createApi(dependencies, true);
      server.serve((request, env) => app.fetch(request, env));
      return dependencies;
    },
  });
  page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${url}/docs`);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await service?.close();
});
afterEach(() => {
  const found = complaints.splice(0);
  if (found.length > 0) throw new Error(`the browser complained: ${found.join('; ')}`);
});

const statusOf = (id: string) => page.locator(`#${id} [role="status"]`);

/** What each form and field is called by, which goes by ids of the whole page. */
const LOST_NAMES = `(() => {
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  const named = [...document.querySelectorAll('[for], [aria-labelledby]')];
  const aims = named.map((one) => one.getAttribute('for') ?? one.getAttribute('aria-labelledby'));
  const fields = [...document.querySelectorAll('input:not([type=hidden]), select, textarea')];
  return {
    doubled: ids.filter((id, index) => ids.indexOf(id) !== index),
    lost: aims.filter((id) => document.getElementById(id) === null),
    unnamed: fields.filter(({ labels }) => !labels[0]?.innerText.trim()).map(({ id }) => id),
  };
})()`;

/** Dozens of operations are made of the same elements: those stay that have one of a kind. Answers how many there are. */
const LEAVE_ONE_OF_EACH = `(() => {
  const seen = new Set();
  const kindOf = (element, part) => {
    const place = [];
    for (let at = element; at !== part; at = at.parentElement) place.push(at.localName + '.' + at.className);
    const names = [...element.attributes].map(({ name, value }) => /^(?:type|role|aria-(?!label))/.test(name) ? name + '=' + value : name + (value.trim() === '' ? ' empty' : '')).sort();
    return [place, names, element.previousElementSibling?.localName, element.textContent.trim() === ''].join();
  };
  for (const part of document.querySelectorAll('section.operation')) {
    const kinds = [...part.querySelectorAll('*')].map((element) => kindOf(element, part));
    if (kinds.every((kind) => seen.has(kind))) part.remove();
    for (const kind of kinds) seen.add(kind);
  }
  return document.querySelectorAll('section.operation').length;
})()`;

describe('the documentation', () => {
  test('by keyboard alone a request is sent, and the 402 with its price is shown', async () => {
    await page.locator('#pay summary').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('pay-path-platform');
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Send POST');
    await page.keyboard.press('Enter');
    await statusOf('pay').filter({ hasText: '402 Payment required' }).waitFor();
    const body = JSON.parse(await page.locator('#pay [data-body]').innerText()) as Record<string, unknown>;
    expect(body).toMatchObject({ code: 402, error: 'payment_required' });
    const headers = await page.locator('#pay [data-headers]').innerText();
    expect(headers).toContain('"x402Version": 2');
    expect(headers).toContain('"amount": "10000"');
    expect(headers).toContain('X-Request-Id');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Send POST');
  });

  test('a refused request shows the error word, and a query is sent as one', async () => {
    await page.locator('#validatePayment summary').click();
    await page.getByLabel('txn_id (optional)').fill('7');
    await page.locator('#validatePayment button').click();
    await statusOf('validatePayment').filter({ hasText: '400 Refused' }).waitFor();
    expect(await page.locator('#validatePayment [data-body]').innerText()).toContain('payment_not_found');
  });

  test('every form open: accessible, and nothing wider than the screen', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
    await page.evaluate(`document.querySelector('#pay [role="status"]').textContent = ''`);
    await page.locator('#pay button').click();
    await statusOf('pay').filter({ hasText: '402' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(await page.evaluate(LOST_NAMES)).toEqual({ doubled: [], lost: [], unnamed: [] });
    expect(await page.evaluate(LEAVE_ONE_OF_EACH)).toBeGreaterThan(1);
    expect(await findFlaws(page)).toEqual([]);
  });
});
