import { AgentCard } from '@a2a-js/sdk';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { DefaultAgentCardResolver as OldAgentCardResolver } from 'a2a-v03/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createA2aApp } from '../../../../api/a2a/http/app.ts';
import { CATALOG, CATALOG_ROWS } from '../../../../core/catalog/operations.ts';
import type { NamedRow } from '../../../../core/catalog/row.ts';
import { platformsWhere } from '../../../../core/platforms/platforms.ts';
import { rpc, say, startWorld, X402, X402_OLD, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

type Card = {
  skills: { id: string; description: string; parameters: Record<string, unknown>; examples: string[] }[];
  capabilities: { extensions: { uri: string; params: Record<string, unknown> }[] };
};
async function read(path: string, app = world.app): Promise<Card> {
  const answer = await app.request(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  return (await answer.json()) as Card;
}
const PATHS = ['/a2a/.well-known/agent-card', '/.well-known/agent-card.json', '/a2a/.well-known/agent-card.json'];
/** What stock clients fetch with; the card is served without a socket. */
const fetchCard = (async (input: URL | string, init?: RequestInit) =>
  world.app.request(String(input), init)) as typeof fetch;

describe('the agent card', () => {
  test('is the same under each of its addresses', async () => {
    const cards = await Promise.all(PATHS.map((path) => read(path)));
    expect(cards[1]).toEqual(cards[0]);
    expect(cards[2]).toEqual(cards[0]);
  });

  test('lists a single and a batch skill for each platform, photo among them', async () => {
    const { skills } = await read(PATHS[0]!);
    const platforms = platformsWhere(({ a2a }) => a2a);
    expect(platforms).toContain('photo');
    const wanted = ['pay', 'batch-pay'].flatMap((kind) => platforms.map((name) => `pennypost.${kind}.${name}`));
    expect(skills.map(({ id }) => id)).toEqual(wanted);
  });

  test('has a schema for the params of each skill that its own example passes, and a wrong amount does not', async () => {
    const card = await read(PATHS[0]!);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const ofExtension = card.capabilities.extensions[0]?.params['parameters'] as Record<string, unknown>;
    expect(Object.keys(ofExtension)).toEqual(['pennypost.pay.{platform}', 'pennypost.batch-pay.{platform}']);
    for (const { id, parameters, examples } of card.skills) {
      expect(parameters).toEqual(ofExtension[id.replace(/[a-z]+$/, '{platform}')]);
      const { skill, params } = JSON.parse(examples[0] ?? '') as { skill: string; params: Record<string, unknown> };
      expect(skill).toBe(id);
      expect([ajv.validate(parameters, params), ajv.errors]).toEqual([true, null]);
      expect(ajv.validate(parameters, { ...params, amount: 11, receivers: [{ receiver: 'a', amount: 11 }] })).toBe(
        false,
      );
    }
  });

  test('names the extension in both versions, and both networks', async () => {
    const { extensions } = (await read(PATHS[0]!)).capabilities;
    expect(extensions.map(({ uri }) => uri)).toEqual([X402, X402_OLD]);
    for (const { params } of extensions) expect(params['networks']).toEqual(['eip155:8453', 'solana:mainnet']);
  });

  test('is whole for clients of protocol 1.0', async () => {
    const card = await new DefaultAgentCardResolver({ fetchImpl: fetchCard }).resolve('http://127.0.0.1:8402');
    const { supportedInterfaces, skills } = AgentCard.fromJSON(card);
    expect(supportedInterfaces[0]).toMatchObject({
      url: 'http://127.0.0.1:8402/a2a',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
    });
    expect(skills).toHaveLength(12);
  });

  test('is whole for clients of protocol 0.3', async () => {
    const card = await new OldAgentCardResolver({ fetchImpl: fetchCard }).resolve('http://127.0.0.1:8402');
    expect(card).toMatchObject({
      url: 'http://127.0.0.1:8402/a2a',
      preferredTransport: 'JSONRPC',
      protocolVersion: '0.3.0',
      capabilities: { streaming: true, pushNotifications: false },
    });
  });

  test('may be read from any origin; other methods are refused by name', async () => {
    const answer = await world.app.request(PATHS[1]!, { headers: { Origin: 'https://elsewhere.example' } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const posted = await world.app.request(PATHS[1]!, { method: 'POST' });
    expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('a row that is added to the catalog is on the card, and can be called', async () => {
    const { skill } = CATALOG.pay;
    const toy: NamedRow = { ...CATALOG.pay, id: 'toy', skill: { ...skill, name: 'toy.{platform}', title: 'A toy' } };
    const app = createA2aApp(world.dependencies, [...CATALOG_ROWS, toy]);
    const { skills } = await read(PATHS[0]!, app);
    expect(skills.map(({ id }) => id)).toContain('pennypost.toy.web');
    const called = await say({ app }, rpc('pennypost.toy.web', { receiver: 'example.com', amount: 2 }));
    expect(called.result).toMatchObject({ status: 'PAYMENT_REQUIRED', price: '2000000' });
    expect((await say(world, rpc('pennypost.toy.web', {}))).error.code).toBe(-32601);
  });
});
