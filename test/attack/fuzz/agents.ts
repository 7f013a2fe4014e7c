/** What programs speak to: the tools of MCP, and A2A in both versions and by the names of skills. */
import fc from 'fast-check';
import { skillsOf } from '../../../core/catalog/skills.ts';
import { toolsOf } from '../../../core/catalog/tools.ts';
import { PLATFORM_NAMES } from '../../../core/platforms/platforms.ts';
import { X402_V0, X402_V02 } from '../../../api/a2a/extensions.ts';
import { payPlatform, singleBody } from '../../contract/requests/bodies.ts';
import { brought, JSON_TYPE, nearly, odd, order, toRequest, visitor } from './parts.ts';

/** What is right, and now and then what is not. */
const mostly = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 11, arbitrary: right }, { weight: 1, arbitrary: wrong });

const rpc = (methods: readonly string[], params: fc.Arbitrary<Record<string, unknown>>) =>
  fc.record({
    jsonrpc: mostly(fc.constant('2.0'), fc.constant('1.0')),
    id: mostly<number | string | null>(fc.integer(), fc.oneof(fc.string(), fc.constant(null))),
    method: mostly(fc.constantFrom(...methods), odd),
    params,
  });

/** Each tool with its own example, so that it is really called. */
const ofTools = fc
  .constantFrom(...toolsOf(PLATFORM_NAMES))
  .chain(({ name, example }) =>
    fc.record({ name: fc.constant(name), arguments: fc.oneof(fc.constant(example as Record<string, unknown>), order) }),
  );
const called = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: ofTools },
      { weight: 1, arbitrary: fc.record({ name: fc.oneof(odd, fc.constant('pay_x')), arguments: order }) },
    ),
    fc.dictionary(fc.constantFrom('x402/payment', 'x402/payer', 'taskId', 'progressToken'), odd, { maxKeys: 2 }),
  )
  .map(([call, _meta]) => ({ ...call, _meta }));
const OTHER_MCP = ['tools/list', 'initialize', 'ping', 'resources/list', 'resources/read', 'prompts/list'];

export const mcp = fc
  .tuple(
    nearly(
      fc.oneof(
        { weight: 3, arbitrary: rpc(['tools/call'], called) },
        { weight: 1, arbitrary: rpc(OTHER_MCP, fc.dictionary(fc.string(), odd)) },
      ),
    ),
    brought,
  )
  .map(([body, headers]) =>
    toRequest('POST', '/mcp', [JSON_TYPE, ['accept', 'application/json, text/event-stream'], ...headers], body),
  );

const SKILLS = skillsOf(PLATFORM_NAMES).map(({ id }) => id);
const SENTENCES = [
  'Send 1 USDC to alice on X for the talk',
  'send 0.5 USDC to bob@example.com',
  'pay x:alice and x:bob 1 each',
  'give alice something',
  'send 5 to alice, but not today',
];
const text = fc.oneof({ weight: 1, arbitrary: odd }, { weight: 3, arbitrary: fc.constantFrom(...SENTENCES) });
type Call = { skill: string; params: Record<string, unknown> };
/** With what the skill takes, so that it is really called. */
const right = payPlatform.chain((platform) =>
  singleBody(platform).map(({ body }): Call => ({ skill: `pennypost.pay.${platform}`, params: body })),
);
const other = fc
  .tuple(fc.oneof(fc.constantFrom(...SKILLS), odd), order)
  .map(([skill, params]): Call => ({ skill, params }));
const call = fc.oneof({ weight: 3, arbitrary: right }, { weight: 1, arbitrary: other });
const named = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        taskId: fc.oneof(odd, fc.constant('@task')),
        contextId: odd,
        metadata: fc.dictionary(fc.constantFrom('x402.payment.status', 'x402.payment.payload', 'skill'), odd, {
          maxKeys: 2,
        }),
      },
      { requiredKeys: [] },
    ),
  },
);
/** The same message in the words of each version. */
const message = (version: 'modern' | 'legacy') =>
  fc.tuple(fc.oneof(text, call), named).map(([said, more]) => {
    const content = typeof said === 'string' ? { text: said } : { data: said };
    const kind = typeof said === 'string' ? 'text' : 'data';
    const part = version === 'modern' ? content : { kind, ...content };
    const role = version === 'modern' ? 'ROLE_USER' : 'user';
    const own = version === 'modern' ? {} : { kind: 'message' };
    return { message: { ...own, role, messageId: 'm', parts: [part], ...more } };
  });
const task = fc.record({ id: fc.oneof(odd, fc.constant('@task')) });
const listing = fc.record(
  { contextId: odd, pageSize: fc.oneof(fc.integer(), odd), pageToken: odd, status: odd },
  { requiredKeys: [] },
);
/** By the name of the skill itself: the first call, or the one that carries the payment. */
const bySkill = fc
  .tuple(
    call,
    mostly(
      fc.constant<Record<string, unknown>>({}),
      fc.dictionary(fc.constantFrom('taskId', 'transactionHash', 'refundAddress'), odd, { maxKeys: 2 }),
    ),
  )
  .chain(([{ skill, params }, more]) => rpc([skill], fc.constant({ ...params, ...more })));

export const a2a = fc
  .tuple(
    nearly(
      fc.oneof(
        rpc(['SendMessage'], message('modern')),
        rpc(['message/send'], message('legacy')),
        rpc(['GetTask', 'CancelTask', 'tasks/get', 'tasks/cancel'], task),
        rpc(['ListTasks'], listing),
        bySkill,
        rpc(['agent/getAuthenticatedExtendedCard', 'message/stream'], fc.dictionary(fc.string(), odd)),
      ),
    ),
    fc.constantFrom(X402_V0, X402_V02, 'urn:unknown'),
    // As many callers as visitors: one of them may hold only so many tasks.
    visitor,
    brought,
  )
  .map(([body, extension, { headers: from }, headers]) =>
    toRequest('POST', '/a2a', [JSON_TYPE, ['X-A2A-Extensions', extension], ...from, ...headers], body),
  );
