import canonicalize from 'canonicalize';
import { fromHeader, toBase64 } from '../x402.ts';

/** Canonical JSON (RFC 8785), because ids are made of the text. */
export function toBase64UrlJson(value: unknown): string {
  return toBase64Url(canonicalize(value) ?? '');
}

export function toBase64Url(text: string): string {
  return toBase64(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Null where it is not base64url of JSON, or one object in it names a key twice. */
export function fromBase64UrlJson(text: string): unknown {
  return fromHeader(text.replaceAll('-', '+').replaceAll('_', '/'));
}
