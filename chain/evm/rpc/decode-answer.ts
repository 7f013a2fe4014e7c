import { ChainUnavailable } from '../../errors.ts';

/** An answer that does not decode counts as none: the node lacks the contract or its state. */
export function decodeAnswer<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new ChainUnavailable('eth_call', 'malformed');
  }
}
