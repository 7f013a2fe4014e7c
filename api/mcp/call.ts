import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import { parseConfirmation } from '../../core/bodies/rewards.ts';
import type { Invocation } from '../../core/catalog/invocation.ts';
import type { Paid, PaidByBody } from '../../core/catalog/row.ts';
import type { Tool } from '../../core/catalog/tools.ts';
import { AppError } from '../../core/errors.ts';
import { requestHash } from '../../core/request-hash.ts';
import type { PaymentRow } from '../../db/payments/records/find.ts';
import { accept, type Accepted } from '../payments/accept.ts';
import { receiptFor } from '../payments/challenges.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { assertOffered } from '../payments/lines.ts';
import type { Asker } from '../http/asker.ts';
import { hasBotToken } from '../http/caller.ts';
import { connectionOf, hangUpSignal } from '../payments/delivery.ts';
import type { ApiEnv } from '../http/env.ts';
import { eventEndpointOf } from '../http/event-endpoint.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { confirmDistribution } from '../rewards/confirm.ts';
import { toConfirmedAnswer } from '../rewards/read.ts';
import { generationOf } from '../../core/payments/x402.ts';
import { settlementOf } from '../payments/terms.ts';
import { FREE_TOOLS, type FreeCall } from './free.ts';
import { priceOf, toPriceRefusal, toPriceResult } from './price.ts';
import { askerIn, proofIn } from './proof.ts';
import { isRecord } from './record.ts';
import { Refused } from './refusal.ts';
import { toResult } from './results.ts';
import { newTaskId, readTaskId } from './task.ts';
import type { Toolbox } from './tools.ts';

/** The outcome of a call. `paymentId` is set when the result is the answer of a payment, which must be handed over. */
export type Called = { result: CallToolResult; paymentId: string | null };

/** Calls a tool. Throws AppError or Refused; `params` are as received, because a proof is bound to them. */
export async function callTool(
  c: Context<ApiEnv>,
  dependencies: ApiDependencies,
  toolbox: Toolbox,
  params: Record<string, unknown>,
): Promise<Called> {
  const { name } = params;
  const tool = typeof name === 'string' ? toolbox.find(name) : null;
  if (tool === null) {
    throw new AppError('validation_failed', {
      field: 'name',
      detail: 'No such tool is offered; tools/list names all.',
    });
  }
  const toolArguments = params['arguments'] ?? {};
  if (!isRecord(toolArguments)) {
    throw new AppError('validation_failed', { field: 'arguments', detail: '"arguments" must be an object.' });
  }
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  const asker = askerIn(meta, c, dependencies.settings.isTrustedProxy);
  const call = { tool, toolArguments, meta, proof: proofIn(meta, c), asker, isBot: isBot(c, dependencies) };
  if (tool.paid !== null)
    return callPaid(c, dependencies, { ...call, invocation: toolbox.invocationOf(tool) }, tool.paid);
  const free = { ...call, address: asker.caller, signal: hangUpSignal(c) };
  return { result: await callFree(dependencies, tool, free), paymentId: null };
}

type Call = {
  tool: Tool;
  toolArguments: Record<string, unknown>;
  meta: Record<string, unknown>;
  proof: string | null;
  asker: Asker;
  isBot: boolean;
};

async function callFree(dependencies: ApiDependencies, tool: Tool, call: FreeCall): Promise<CallToolResult> {
  const { id } = tool.row;
  const answer = Object.hasOwn(FREE_TOOLS, id) ? FREE_TOOLS[id] : undefined;
  if (answer === undefined) throw new Error(`the free tool of "${id}" has no handler in FREE_TOOLS`);
  return toResult(await answer(dependencies, call));
}

async function callPaid(
  c: Context<ApiEnv>,
  dependencies: ApiDependencies,
  call: Call & { invocation: Invocation },
  paid: Paid,
): Promise<Called> {
  const { tool, meta, invocation } = call;
  const { accepted, given, answer } =
    paid.kind === 'confirm-distribution'
      ? await confirm(c, dependencies, call)
      : await pay(c, dependencies, call, paid);
  switch (accepted.kind) {
    case 'challenge': {
      const taskId = given ?? newTaskId(accepted.requestHash, dependencies.collecting.random);
      const price = priceOf(dependencies, accepted, { tool: tool.name, invocation, taskId });
      if (wantsResult(c, meta)) return { result: toPriceResult(price), paymentId: null };
      throw new Refused(toPriceRefusal(price));
    }
    case 'settled': {
      const { payment, replayed } = accepted;
      if (replayed) c.header('Idempotent-Replayed', 'true');
      const settlement = settlementOf(dependencies, payment, generationOf(call.proof));
      const receipt = receiptFor(call.proof, payment);
      const result = toResult(answer?.body(payment) ?? payment.answer ?? {}, {
        'x402/payment-response': settlement,
        ...(receipt === null ? {} : { 'org.paymentauth/receipt': receipt }),
      });
      return { result, paymentId: answer?.isEarlier === true ? null : payment.id };
    }
    case 'pending':
      throw new AppError('settlement_pending', { settlementAttemptId: accepted.payment.id, retryAfterSeconds: 5 });
  }
}

/** The outcome of a paid call; `given` is the task that it named. */
type Paying = {
  accepted: Accepted;
  given: string | null;
  /** For an answer that is more than the stored one. `isEarlier`: it was paid before, and nothing is handed over. */
  answer: { body: (payment: PaymentRow) => Record<string, unknown>; isEarlier: boolean } | null;
};

async function pay(
  c: Context<ApiEnv>,
  dependencies: ApiDependencies,
  { tool, toolArguments, meta, proof, asker, isBot: agentKnown }: Call,
  paid: PaidByBody,
): Promise<Paying> {
  const offer = {
    isBot: agentKnown,
    check: (platform: Parameters<typeof assertOffered>[1], field: string) =>
      assertOffered(dependencies, platform, field),
  };
  const order = paid.read(toolArguments, offer, tool.platform);
  const operation = `mcp.${paid.kind}` as const;
  const pathParameters: Record<string, string> = tool.platform === null ? {} : { platform: tool.platform };
  const given = readTaskId(meta['taskId'], requestHash(operation, pathParameters, toolArguments));
  const accepted = await accept(dependencies, {
    ...order,
    operation,
    pathParameters,
    body: toolArguments,
    agentKnown,
    proofHeader: proof,
    asker,
    idempotencyKey: idempotencyKeyOf(c),
    endpointId: eventEndpointOf(c),
    orderId: given === null ? null : `mcp:${given}`,
    connection: connectionOf(c, dependencies),
  });
  return { accepted, given, answer: null };
}

/** A distribution is paid once, whichever call pays: the task id is checked but does not matter. */
async function confirm(
  c: Context<ApiEnv>,
  dependencies: ApiDependencies,
  { toolArguments, meta, proof, asker, isBot: agentKnown }: Call,
): Promise<Paying> {
  const id = parseConfirmation(toolArguments);
  const given = readTaskId(meta['taskId'], requestHash('mcp.confirm-distribution', {}, { order_id: id }));
  const { found, accepted, isEarlier } = await confirmDistribution(dependencies, {
    id,
    through: 'mcp',
    pathParameters: {},
    agentKnown,
    proofHeader: proof,
    asker,
    idempotencyKey: idempotencyKeyOf(c),
    endpointId: eventEndpointOf(c),
    connection: connectionOf(c, dependencies),
  });
  const body = (payment: PaymentRow) => toConfirmedAnswer(dependencies.settings.baseUrl, found, payment);
  return { accepted, given, answer: { body, isEarlier } };
}

/** Whether a price is asked for in the form of the x402 specification, instead of as an error. */
function wantsResult(c: Context<ApiEnv>, meta: Record<string, unknown>): boolean {
  return c.req.query('payment') === 'result' || meta['x402/payment-mode'] === 'result';
}

function isBot(c: Context<ApiEnv>, { settings }: Pick<ApiDependencies, 'settings'>): boolean {
  return hasBotToken(c, settings.botApiToken);
}
