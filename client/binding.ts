import { joinNonce, nonceForm, requestForm } from '../core/requests/request-form.ts';
import type { Operation } from '../core/payments/operations.ts';

/** SHA-256, handed in: browsers have only one that is asynchronous. */
export type Sha256 = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;

/** A paid request, as its price must name it. */
export type RequestName = {
  operation: Operation;
  pathParameters: Record<string, string>;
  body: Record<string, unknown>;
};

/** The same as `requestHash` of `core/`, where there is no Node. */
export async function hashRequest(sha256: Sha256, { operation, pathParameters, body }: RequestName): Promise<string> {
  return hashText(sha256, requestForm(operation, pathParameters, body));
}

/** The same as `boundNonce` of `core/`. `random`: 16 bytes. */
export async function bindNonce(sha256: Sha256, requestHash: string, random: Uint8Array): Promise<string> {
  const randomHex = toHex(random);
  return joinNonce(randomHex, toHex(await sha256(fromHex(nonceForm(requestHash, randomHex)))));
}

export async function hashText(sha256: Sha256, text: string): Promise<string> {
  return toHex(await sha256(new TextEncoder().encode(text)));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
