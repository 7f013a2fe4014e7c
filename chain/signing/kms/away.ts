/** What kept a key service from signing; chosen from codes and shapes, never from a text. */
export type SignerFault =
  | 'unreachable'
  | 'timeout'
  | 'throttled'
  /** The service says no: no permission, a disabled key, another use of the key. */
  | 'refused'
  /** The answer has another shape than the service's. */
  | 'malformed'
  /** The signature is of another key than the one whose address is configured. */
  | 'another-key'
  /** It failed a moment ago, and is left in peace until it may be asked again. */
  | 'resting';

/**
 * A key could not sign now. Nothing was signed that anyone else has: a signature that comes too late is dropped, so what
 * asked for it may ask again.
 */
export class SignerAway extends Error {
  readonly fault: SignerFault;
  readonly code: string | null;

  constructor(address: string, fault: SignerFault, code: string | null = null) {
    super(`the key of ${address} does not sign: ${fault}${code === null ? '' : ` (${code})`}`);
    this.name = 'SignerAway';
    this.fault = fault;
    this.code = code;
  }
}
