import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../../api/app.ts';
import { createCosts } from '../../../api/costs/costs.ts';
import { startWorld, X402, type World } from '../a2a/world.ts';

const CIRCLING = `0x${'c1'.repeat(20)}`;
const OTHER = `0x${'0e'.repeat(20)}`;
const LINE = 10_000n;

let world: World;
let ask: (path: string, body: object, headers?: Record<string, string>) => Promise<Answer>;
type Terms = { amount?: string; maxAmountRequired?: string };
type Answer = {
  accepts?: Terms[];
  error?: { data: { accepts: Terms[] } };
  result?: { metadata: { 'x402.payment.required': { accepts: Terms[] } } };
};

beforeAll(async () => {
  world = await startWorld();
  const { dependencies, store } = world;
  const rules = { base: { dailyUnits: 10n ** 9n, lineMicroUsdc: LINE } };
  const costs = createCosts({ store, now: dependencies.now, rules, ageMinMs: 0 });
  const isCircling = async (network: string, payer: string) => network === 'base' && payer === CIRCLING;
  const app = createApi({ ...dependencies, costs: { ...costs, isCircling } }, true);
  ask = async (path, body, headers = {}) => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    return (await app.request(path, init)).json() as Promise<Answer>;
  };
});
afterAll(() => world.close());

const ORDER = { receiver: 'alice', amount: 1 };
const EXTENSION = { 'X-A2A-Extensions': X402 };
const tool = (meta: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'pay_x', arguments: ORDER, _meta: meta },
});
const skill = { jsonrpc: '2.0', id: 1, method: 'pennypost.pay.x', params: ORDER };

const WAYS = {
  'over HTTP': async (payer: string) => (await ask('/payments/x/pay', ORDER, { 'X-Payer': payer })).accepts,
  'over MCP': async (payer: string) => (await ask('/mcp', tool(), { 'X-Payer': payer })).error?.data.accepts,
  'over MCP, in the call itself': async (payer: string) =>
    (await ask('/mcp', tool({ 'x402/payer': payer }))).error?.data.accepts,
  'over A2A': async (payer: string) =>
    (await ask('/a2a', skill, { ...EXTENSION, 'X-Payer': payer })).result?.metadata['x402.payment.required'].accepts,
};

describe.each(Object.entries(WAYS))('a payer who is named %s', (_way, price) => {
  test('is asked for the cost that is theirs, on that network alone, before anything is signed', async () => {
    const amounts = async (payer: string) =>
      (await price(payer))?.map(({ amount, maxAmountRequired }) => amount ?? maxAmountRequired);
    expect(await amounts(CIRCLING)).toEqual(['1010000', '1000000']);
    // Most clients write an address with its checksum.
    expect(await amounts(CIRCLING.replaceAll('c', 'C'))).toEqual(['1010000', '1000000']);
    expect(await amounts(OTHER)).toEqual(['1000000', '1000000']);
    expect(await amounts('')).toEqual(['1000000', '1000000']);
  });
});
