import { z } from 'zod';
import { registerEndpointBody } from '../bodies/endpoint.ts';
import { NETWORKS } from '../networks.ts';
import { BODY, FREE, PLAIN, TRANSPORT, type CatalogRow } from './row.ts';

const registeredAnswer = z.object({
  code: z.literal(201),
  msg: z.string().meta({ description: 'for people; may change' }),
  data: z.object({
    endpoint_id: z
      .string()
      .regex(/^ep_[A-Za-z0-9_-]{22}$/)
      .meta({ description: 'name it in the header Event-Endpoint of a payment' }),
    network: z.enum(NETWORKS),
    url: z.url(),
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]+=*$/)
      .meta({ description: 'what events are signed with (Standard Webhooks); shown once' }),
  }),
});

const REGISTERED_EXAMPLE = {
  code: 201,
  msg: 'Keep the secret: it is not shown again.',
  data: {
    endpoint_id: 'ep_AAAAAAAAAAAAAAAAAAAAAA',
    network: 'base',
    url: 'https://agent.example.com/events',
    secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  },
} satisfies z.input<typeof registeredAnswer>;

/** How payers are told what becomes of their payments. */
export const EVENT_OPERATIONS = {
  registerEndpoint: {
    ...FREE,
    ...PLAIN,
    method: 'post',
    path: '/events/endpoints',
    group: 'Events',
    summary: 'Be told what becomes of your payments',
    description:
      'Signed by the account that pays. Before it answers, the address is sent {"type": "endpoint.challenge", "data": {"challenge"}} and must answer 200 with the challenge as its whole body. Payments that name the endpoint in the header Event-Endpoint are then told there by Standard Webhooks: {"type", "timestamp", "data": {"settlement_attempt_id", "txn_ids"}}, where type is payment.settled, payment.collected, payment.returned or payment.held. A batch is one delivery for each state. What is not taken with 2xx is tried ten times in three days, under the same webhook-id; 410 ends the endpoint. One that no payment has named for 30 days is forgotten.',
    parameters: [],
    request: {
      in: 'body',
      schema: registerEndpointBody,
      example: {
        network: 'base',
        payer: `0x${'11'.repeat(20)}`,
        url: 'https://agent.example.com/events',
        valid_before: 1,
        signature: `0x${'00'.repeat(65)}`,
      },
    },
    success: registeredAnswer,
    answerExample: REGISTERED_EXAMPLE,
    successStatus: 201,
    errors: [
      ...BODY,
      'invalid_signature',
      'event_endpoint_refused',
      'too_many_event_endpoints',
      'upstream_unavailable',
      ...TRANSPORT,
    ],
  },
} as const satisfies Record<string, CatalogRow>;
