import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import { refuseOverLimit } from '../../payments/caller-limit.ts';
import type { ApiDependencies } from '../../environment/dependencies.ts';
import type { EventStreams } from '../../environment/event-stream.ts';
import type { ApiEnv } from '../../http/env.ts';
import { routeOf } from '../../http/route.ts';
import { readJsonBody } from '../../http/read-body.ts';
import { toCaller } from '../caller.ts';
import { idOf, readEnvelope, type RpcId } from '../envelope.ts';
import { echoExtensions, requestedExtensions } from '../extensions.ts';
import { toFailure, type Dialect } from '../failure.ts';
import { proofIn } from '../message.ts';
import { Refusal } from '../refusal.ts';
import { callSkill } from '../skills/skill-call.ts';
import { findSkill, type Skills } from '../skills.ts';
import { callStandard, isStreamed, streamStandard } from '../standard/standard.ts';
import { isModern } from '../standard/transport.ts';

/** Answers a JSON-RPC call: one of the protocol's methods, or a skill by its name. */
export function createAnswerer(dependencies: ApiDependencies, skills: Skills, streams: EventStreams) {
  return async (c: Context<ApiEnv>): Promise<Response> => {
    c.header('Cache-Control', 'no-store');
    echoExtensions(c);
    let id: RpcId = null;
    let dialect: Dialect = 'plain';
    const caller = toCaller(c, dependencies);
    try {
      const body = await readJsonBody(c.req.raw);
      id = idOf(body);
      await refuseOverLimit(c, dependencies, () => proofIn(body));
      const request = readEnvelope(body);
      if (isModern(request.method)) dialect = 'modern';
      const context = { dependencies, skills, caller };
      const skill = findSkill(skills, request.method, caller);
      if (skill !== null) assertActivated(c);
      const version = c.req.header('A2A-Version');
      if (skill === null && isStreamed(request.method)) {
        const stream = await streamStandard(context, request, version, streams);
        return c.body(stream, 200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
      }
      const result =
        skill === null
          ? await callStandard(context, request, version)
          : await callSkill(context, skill, request.params);
      await caller.noteHandedOver(true);
      return c.json({ jsonrpc: '2.0', id, result });
    } catch (error) {
      await caller.noteHandedOver(false);
      return answerFailure(c, dependencies, error, { id, dialect });
    }
  };
}

/** The published interface requires the header with each of these calls (4.4); the version it names changes nothing. */
function assertActivated(c: Context<ApiEnv>): void {
  if (requestedExtensions(c) === null) throw new Refusal('extension_required', { field: 'X-A2A-Extensions' });
}

type Answered = { id: RpcId; dialect: Dialect };

function answerFailure(
  c: Context<ApiEnv>,
  { log }: Pick<ApiDependencies, 'log'>,
  error: unknown,
  { id, dialect }: Answered,
): Response {
  const requestId = c.get('requestId');
  const expected = toFailure(error, dialect, requestId);
  if (expected !== null) {
    const retryAfter = error instanceof AppError ? error.context.retryAfterSeconds : undefined;
    if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
    return c.json({ jsonrpc: '2.0', id, error: expected }, statusOf(error));
  }
  log.error({ err: error, requestId, route: routeOf(c) }, 'a call of an agent failed unexpectedly');
  return c.json({ jsonrpc: '2.0', id, error: toFailure(new AppError('internal_error'), dialect, requestId) }, 500);
}

/** A refusal of the transport has its own status; a refusal of JSON-RPC is a 200 for HTTP. */
function statusOf(error: unknown): 200 | 413 | 415 | 429 {
  if (!(error instanceof AppError)) return 200;
  const { status } = error;
  return status === 413 || status === 415 || status === 429 ? status : 200;
}
