import { z } from 'zod';
import type { SendMessageRequest } from '@a2a-js/sdk';
import { paymentPayloadSchema, toHeader } from '../../core/payments/x402.ts';
import { Refusal } from './refusal.ts';

/** Keys of the x402 extension in a message's metadata (a2a-x402 v0.2, section 7). */
export const STATUS = 'x402.payment.status';
export const REQUIRED = 'x402.payment.required';
export const PAYLOAD = 'x402.payment.payload';
export const RECEIPTS = 'x402.payment.receipts';
export const ERROR = 'x402.payment.error';

/** A message's request, in the program's own form. */
export type ReadMessage = {
  taskId: string | null;
  contextId: string | null;
  /** A call of a skill; null where the message only goes on with its task. */
  call: { skillId: string; params: Record<string, unknown> } | null;
  /** Its plain text; null where it has a call, or nothing. */
  text: string | null;
  /** A payment as a header would carry it; null when the message brings none. */
  proof: string | null;
  /** The caller does not want to pay. */
  isRejection: boolean;
  /** The caller asks again later instead of waiting. */
  isImpatient: boolean;
};

const object = z.record(z.string(), z.unknown());
const PARTS_MAX = 20;
const NAME_MAX = 100;

/**
 * A data part names the skill, `{"skill": "pennypost.pay.x", "params": {…}}`, or the message's metadata does
 * (`{"skill": …}`) with the params as the data part. Text beside a call is ignored; text alone is read by the grammar of
 * the chats, and where it is ambiguous the caller is asked.
 */
export function readMessage({ message, configuration }: SendMessageRequest): ReadMessage {
  if (message === undefined) throw new Refusal('invalid_params', { field: 'message', detail: 'There is no message.' });
  if (message.parts.length > PARTS_MAX) {
    const detail = `A message has at most ${PARTS_MAX} parts.`;
    throw new Refusal('invalid_params', { field: 'message.parts', detail });
  }
  const metadata = object.safeParse(message.metadata).data ?? {};
  const isRejection = metadata[STATUS] === 'payment-rejected';
  const call = callOf(message.parts, metadata);
  return {
    taskId: nameOf(message.taskId, 'message.taskId'),
    contextId: nameOf(message.contextId, 'message.contextId'),
    call,
    text: call === null ? textOf(message.parts) : null,
    proof: isRejection ? null : proofOf(metadata),
    isRejection,
    isImpatient: configuration?.returnImmediately === true,
  };
}

/** The library has an empty text for what is absent. Callers choose their contexts, so any other text is one. */
function nameOf(text: string, field: string): string | null {
  if (text.length > NAME_MAX || /\p{Cc}/u.test(text)) {
    const detail = `"${field}" has at most ${NAME_MAX} characters, and no control characters.`;
    throw new Refusal('invalid_params', { field, detail });
  }
  return text === '' ? null : text;
}

type Parts = NonNullable<SendMessageRequest['message']>['parts'];

function callOf(parts: Parts, metadata: Record<string, unknown>): ReadMessage['call'] {
  const data = parts.flatMap(({ content }) => {
    const value = content?.$case === 'data' ? object.safeParse(content.value).data : undefined;
    return value === undefined ? [] : [value];
  });
  if (data.length > 1) {
    const detail = 'A message calls one skill: send one data part.';
    throw new Refusal('invalid_params', { field: 'message.parts', detail });
  }
  const [part] = data;
  if (part === undefined) return null;
  if (typeof part['skill'] === 'string') {
    const params = object.safeParse(part['params'] ?? {});
    if (params.success) return { skillId: part['skill'], params: params.data };
    throw new Refusal('invalid_params', { field: 'params', detail: '"params" of a skill must be an object.' });
  }
  const named = metadata['skill'] ?? metadata['skillId'];
  if (typeof named === 'string') return { skillId: named, params: part };
  const detail =
    'The data part names no skill: {"skill": "pennypost.pay.x", "params": {"receiver": "…", "amount": 1}}.';
  throw new Refusal('invalid_params', { field: 'message.parts', detail });
}

function textOf(parts: Parts): string | null {
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []));
  const text = texts.join('\n').trim();
  return text === '' ? null : text;
}

function proofOf(metadata: Record<string, unknown>): string | null {
  const payload = metadata[PAYLOAD];
  if (payload === undefined || payload === null) {
    if (metadata[STATUS] !== 'payment-submitted') return null;
    const detail = `A submitted payment is in "${PAYLOAD}"; there is none.`;
    throw new Refusal('invalid_params', { field: PAYLOAD, detail });
  }
  const read = paymentPayloadSchema.safeParse(payload);
  if (read.success) return toHeader(read.data);
  throw new Refusal('invalid_params', { field: PAYLOAD, detail: `"${PAYLOAD}" is no x402 payment object.` });
}

/**
 * The payment in a request that is not parsed yet, for the limits, which must first know whether the payment is known.
 * Only where the method takes a payment: elsewhere one old payment would lift every limit for its payer for ever.
 */
export function proofIn(body: unknown): string | null {
  const place = placeIn(at(body, ['method']));
  const read = paymentPayloadSchema.safeParse(place === null ? undefined : at(body, place));
  return read.success ? toHeader(read.data) : null;
}

/** In the message of the standard methods, or beside the arguments of a skill; only names of skills contain dots. */
function placeIn(method: unknown): readonly string[] | null {
  if (method === 'SendMessage' || method === 'message/send') return ['params', 'message', 'metadata', PAYLOAD];
  return typeof method === 'string' && method.includes('.') ? ['params', 'payment'] : null;
}

function at(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => object.safeParse(value).data?.[key], body);
}
