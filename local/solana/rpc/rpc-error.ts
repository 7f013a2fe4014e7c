/** An error that the caller of a method gets to see, with the numbers and words of a Solana node. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function invalidParams(reason: string): RpcError {
  return new RpcError(-32602, reason);
}

export function blockCleanedUp(slot: number, firstAvailable: number): RpcError {
  return new RpcError(
    -32001,
    `Block ${slot} cleaned up, does not exist on node. First available block: ${firstAvailable}`,
  );
}

export function preflightFailed(reason: string, simulation: object): RpcError {
  return new RpcError(-32002, `Transaction simulation failed: ${reason}`, simulation);
}

export function wrongSignature(): RpcError {
  return new RpcError(-32003, 'Transaction signature verification failure');
}

export function blockNotAvailable(slot: number): RpcError {
  return new RpcError(-32004, `Block not available for slot ${slot}`);
}

export function slotSkipped(slot: number): RpcError {
  return new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
}

export function versionNotSupported(version: number): RpcError {
  return new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with ` +
      `the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}

export function minContextSlotNotReached(contextSlot: number): RpcError {
  return new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot });
}
