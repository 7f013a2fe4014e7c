import type { PushProtocol } from '../../../core/events/push.ts';
import { JsonRpcTransportHandler, type A2ARequestHandler } from '@a2a-js/sdk/server';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';

/** Whether a method's failures are written as protocol 1.0 wants them. */
export function isModern(method: string): boolean {
  return /^[A-Z]/.test(method);
}

/** The version of the protocol that has this method. */
export function protocolOf(method: string): PushProtocol {
  return isModern(method) ? '1.0' : '0.3';
}

/** The library's reading and writing of a method's version. */
export function toTransport(method: string, handler: A2ARequestHandler) {
  return isModern(method) ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler);
}
