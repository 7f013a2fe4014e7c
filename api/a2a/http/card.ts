import type { Skill } from '../../../core/catalog/skills.ts';
import { exampleFor } from '../../../core/catalog/invocation.ts';
import type { ApiDependencies } from '../../environment/dependencies.ts';
import { toSchema } from '../../../core/catalog/schema.ts';
import { X402_V0, X402_V02 } from '../extensions.ts';
import { A2A_PATH } from '../terms.ts';

type Json = Record<string, unknown>;

const INTERFACE_VERSION = '1.0.0';
const MODES = ['application/json'];
/** Any skill can be called by a sentence instead. */
const INPUT_MODES = [...MODES, 'text/plain'];

const HOW_TO_CALL =
  'Call a skill in either of two ways, or say what to pay in one English sentence ("Send 5 USDC to alice on X"), which is priced if it is clear and asked about if it is not. Standard: send a message with one data part {"skill": "<id>", "params": {…}} (or the params alone, with {"skill": "<id>"} in the message metadata); the task asks for a payment, which is signed and sent to the same taskId in the metadata "x402.payment.payload". Skill-named: a JSON-RPC request whose method is the skill id, with the header X-A2A-Extensions; the answer says what to transfer, and the same call with {taskId, payment: {network, transactionHash}} confirms it.';

/**
 * One card for clients of protocol 1.0 (`supportedInterfaces`) and 0.3 (`url`, `preferredTransport`,
 * `protocolVersion`): each reads its own fields and ignores the others.
 */
export function toAgentCard(
  { settings, networks, events }: Pick<ApiDependencies, 'settings' | 'networks' | 'events'>,
  skills: readonly Skill[],
): Json {
  const { baseUrl, operator } = settings;
  const url = baseUrl + A2A_PATH;
  return {
    name: 'pennypost',
    description: `Sends USDC to anyone by the name they already go by: a handle, an e-mail address or a domain. Paid by x402; no account, no key. ${HOW_TO_CALL}`,
    version: INTERFACE_VERSION,
    provider: { organization: operator.name, url: operator.supportUrl === '' ? baseUrl : operator.supportUrl },
    documentationUrl: `${baseUrl}/docs`,
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
      url,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    capabilities: {
      streaming: true,
      pushNotifications: events !== undefined,
      extendedAgentCard: false,
      extensions: toExtensions(networks, skills),
    },
    supportsAuthenticatedExtendedCard: false,
    defaultInputModes: INPUT_MODES,
    defaultOutputModes: MODES,
    skills: skills.map((skill) => ({
      id: skill.id,
      name: skill.title,
      description: skill.description,
      tags: skill.tags,
      examples: [toExample(skill)],
      inputModes: INPUT_MODES,
      outputModes: MODES,
      parameters: toParameters(skill),
    })),
  };
}

/**
 * Not required: a client that does not name them is served too, where a standard method leaves no doubt about the
 * meaning.
 */
function toExtensions(networks: ApiDependencies['networks'], skills: readonly Skill[]): Json[] {
  const terms = networks.map(({ terms }) => terms);
  const offered = {
    scheme: 'exact',
    currency: 'USDC',
    networks: terms.map(({ caip2, aliases }) => aliases[0] ?? caip2),
    assets: terms.map(({ caip2, aliases, asset }) => ({ network: aliases[0] ?? caip2, caip2, asset })),
  };
  return [
    {
      uri: X402_V02,
      description:
        'Payment by signed x402 authorizations (x402 version 2) in the metadata of messages. The JSON Schema of the params of each skill is in "parameters" here, and in "parameters" of the skill.',
      required: false,
      // Clients that know only what the protocol has in a skill find the schemas here.
      params: {
        ...offered,
        parameters: Object.fromEntries(skills.map((skill) => [toFamily(skill), toParameters(skill)])),
      },
    },
    {
      uri: X402_V0,
      description:
        'The same with x402 version 1, and skill-named calls: name it in the header X-A2A-Extensions with each of them.',
      required: false,
      params: offered,
    },
  ];
}

/** Skills that differ in their platform only, and take the same params. */
function toFamily({ id, row }: Skill): string {
  return id.slice(0, id.indexOf('.') + 1) + (row.skill?.name ?? '');
}

/** The keys of a second skill-named call beside the params of the skill. */
const OF_THE_CALL: Json = {
  taskId: { type: 'string', description: 'skill-named calls only: of the first answer, with the payment' },
  payment: {
    type: 'object',
    description: 'skill-named calls only: the transfer that pays for the task',
    properties: { network: { type: 'string' }, transactionHash: { type: 'string' } },
    required: ['network', 'transactionHash'],
  },
  refund_address: {
    type: ['string', 'array'],
    items: { type: 'string' },
    description:
      'skill-named calls only: where money goes back to that nobody collects, or a list with one address for each network; without it a transfer from an exchange could not be returned',
  },
};

function toParameters({ row }: Skill): Json {
  if (row.request?.in !== 'body') throw new Error(`the skill of ${row.id} has no body to describe`);
  const schema = toSchema(row.request.schema);
  return { ...schema, properties: { ...(schema['properties'] as Json), ...OF_THE_CALL } };
}

/** A data part as a message has it. */
function toExample({ id, row, platform }: Skill): string {
  return JSON.stringify({ skill: id, params: exampleFor(row.request?.example ?? {}, platform) });
}
