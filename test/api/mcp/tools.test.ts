/** What is offered as a tool, and that one row of the catalog is enough for a new one. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../../api/app.ts';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { createToolbox } from '../../../api/mcp/tools.ts';
import { CATALOG, CATALOG_ROWS } from '../../../core/catalog/operations.ts';
import type { NamedRow } from '../../../core/catalog/row.ts';
import { PLATFORM_NAMES } from '../../../core/platforms/platforms.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { call, say } from './caller.ts';

let service: TestService;
let dependencies: ApiDependencies;
beforeAll(async () => {
  service = await startTestService({
    // Nothing listens there: a price needs no chain.
    rpcUrl: 'http://127.0.0.1:9',
    fundEth: async () => undefined,
    runWorker: false,
    decorate: (plain) => (dependencies = plain),
  });
});
afterAll(() => service.close());

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

test('every tool of the contract is listed, and no other', () => {
  const names = createToolbox(PLATFORM_NAMES, CATALOG_ROWS).listed.map(({ name }) => name);
  expect(names.toSorted()).toEqual(
    [
      'pay_x',
      'pay_decsocial',
      'pay_email',
      'pay_web',
      'pay_code',
      'batch_pay',
      'validate_payment',
      'create_reward_distribution',
      'confirm_reward_distribution',
    ].toSorted(),
  );
});

test('a platform that is not offered has no tool', () => {
  const toolbox = createToolbox(['web', 'photo', 'discord'], CATALOG_ROWS);
  expect(toolbox.listed.map(({ name }) => name)).toEqual(['pay_web', 'batch_pay', 'validate_payment']);
  expect(toolbox.find('pay_x')).toBeNull();
  expect(toolbox.find('pay_photo')).toBeNull();
});

test('a platform’s other names work as its own does, and are not listed', () => {
  const { find } = createToolbox(PLATFORM_NAMES, CATALOG_ROWS);
  const pairs = [
    ['pay_twitter', 'pay_x'],
    ['pay_farcaster', 'pay_decsocial'],
    ['pay_github', 'pay_code'],
  ] as const;
  for (const [alias, name] of pairs) {
    expect(find(alias)?.name).toBe(name);
  }
});

describe('each listed tool', () => {
  const { listed } = createToolbox(PLATFORM_NAMES, CATALOG_ROWS);

  test.each(listed.map((tool) => [tool.name, tool] as const))(
    '%s has a schema that a client can use',
    (_name, tool) => {
      const schema = new Ajv2020({ strict: false }).compile(tool.inputSchema);
      expect(tool.inputSchema.type).toBe('object');
      expect('outputSchema' in tool).toBe(false);
      const good: Record<string, unknown> = {
        batch_pay: { payments: [{ platform: 'x', receiver: 'alice', amount: 0.5, description: 'lunch' }] },
        validate_payment: { txn_id: 1 },
        create_reward_distribution: { budget: 1, content_id: '0xb87cf233790dd2d8a3ed9549f9e15069c02b1da0' },
        confirm_reward_distribution: { order_id: 'dist_AAAAAAAAAAAAAAAAAAAAAA' },
      };
      expect(schema(good[tool.name] ?? { receiver: 'alice', amount: '0.5' })).toBe(true);
      expect(schema({ payments: [], receiver: '', amount: 11, txn_id: -1 })).toBe(false);
    },
  );

  test.each(listed.map((tool) => [tool.name, tool] as const))('%s says whether it spends', (name, { annotations }) => {
    expect(annotations['readOnlyHint']).toBe(name === 'validate_payment');
    const isFree = name === 'validate_payment' || name === 'create_reward_distribution';
    expect(annotations['destructiveHint']).toBe(!isFree);
  });
});

test('one more row of the catalog is a route, a tool, a skill and a price at once', async () => {
  const toy: NamedRow = {
    ...CATALOG.crossBatchPay,
    id: 'toy',
    path: '/payments/toy',
    tool: { ...CATALOG.crossBatchPay.tool, name: 'toy_pay', title: 'A toy', description: 'Pays like a batch.' },
    skill: { ...CATALOG.batchPay.skill, name: 'toy.{platform}' },
  };
  const app = createApi(dependencies, true, null, [...CATALOG_ROWS, toy]);
  const listed = await say(app, list);
  expect(listed.result.tools.map(({ name }) => name)).toContain('toy_pay');
  const document = (await (await app.request('/openapi.json')).json()) as { paths: Record<string, unknown> };
  expect(Object.keys(document.paths)).toContain('/payments/toy');
  const card = (await (await app.request('/.well-known/agent-card.json')).json()) as { skills: { id: string }[] };
  expect(card.skills.map(({ id }) => id)).toContain('pennypost.toy.web');
  const priced = await say(app, call('toy_pay', { payments: [{ platform: 'x', receiver: 'alice', amount: 2 }] }));
  expect(priced.error).toMatchObject({ code: -32402, data: { accepts: [{ amount: '2000000' }] } });
  const before = await say(createApi(dependencies, true), list);
  expect(before.result.tools.map(({ name }) => name)).not.toContain('toy_pay');
});

test('a free row that nobody answers fails inside, and shows nothing of it', async () => {
  const forgotten: NamedRow = {
    ...CATALOG.validatePayment,
    id: 'forgotten',
    tool: { ...CATALOG.validatePayment.tool, name: 'forgotten' },
  };
  const app = createApi(dependencies, true, null, [forgotten]);
  const { status, error } = await say(app, call('forgotten', {}));
  expect([status, error.code, error.message]).toEqual([200, -32603, 'Something went wrong on our side.']);
  expect(error.data).toMatchObject({ error: 'internal_error', retryable: true });
});

describe('who may ask, and how often', () => {
  test('a caller over the limit is told when to come again; our bot is not counted', async () => {
    const callerLimiter = { allows: () => false, retryAfterSeconds: () => 17 };
    const app = createApi({ ...dependencies, callerLimiter }, true);
    const said = await say(app, list);
    expect([said.status, said.error.code, said.headers.get('Retry-After')]).toEqual([429, -32053, '17']);
    expect(said.id).toBe(1);
    expect(said.error.data).toMatchObject({ error: 'rate_limited', retryable: true, retry_after_seconds: 17 });
    const headers = { Authorization: `Bearer ${dependencies.settings.botApiToken ?? ''}` };
    expect((await say(app, list, { headers })).status).toBe(200);
  });
});
