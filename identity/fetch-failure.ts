/** Why no answer came. `forbidden-address`: the guard refused to connect; nothing was sent. */
export type FetchFault = 'timeout' | 'unreachable' | 'forbidden-address' | 'bad-url' | 'redirected' | 'too-large';

export class FetchFailure extends Error {
  readonly fault: FetchFault;

  constructor(fault: FetchFault, options?: ErrorOptions) {
    super(`fetch failed: ${fault}`, options);
    this.name = 'FetchFailure';
    this.fault = fault;
  }
}
