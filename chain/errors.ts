/** What kept the chain from answering; chosen from codes and shapes, never from a node's text. */
export type ChainFault =
  | 'unreachable'
  | 'timeout'
  /** The node's HTTP status was not 2xx; `code` is the status. */
  | 'http-status'
  | 'too-large'
  /** The answer has another shape than the standard's, or belongs to another question. */
  | 'malformed'
  /** The node answered with a JSON-RPC error; `code` is its number. */
  | 'refused'
  /** Answers that exclude each other, such as a finalized block above the newest. */
  | 'inconsistent'
  /** The answers of two nodes exclude each other. */
  | 'contradicted';

/**
 * The chain could not be asked. Nothing follows about what happened there, so a caller that sent something asks again
 * later. The node's own text is left out because it may contain the node's address or an access key.
 */
export class ChainUnavailable extends Error {
  readonly method: string;
  readonly fault: ChainFault;
  readonly code: number | null;

  constructor(method: string, fault: ChainFault, code: number | null = null) {
    super(`the chain did not answer ${method}: ${fault}${code === null ? '' : ` ${code}`}`);
    this.name = 'ChainUnavailable';
    this.method = method;
    this.fault = fault;
    this.code = code;
  }
}
