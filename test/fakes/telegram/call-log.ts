/** Every call that arrived, with its times. Scenario tests read answers and refusals here, bursts their latencies. */
export type Call = {
  method: string;
  parameters: Record<string, unknown>;
  arrivedAtMs: number;
  /** Null while it is under way, and for ever when the connection broke. */
  answeredAtMs: number | null;
  outcome:
    | { kind: 'open' }
    | { kind: 'done'; result: unknown }
    | { kind: 'refused'; errorCode: number; description: string }
    /** A fault broke the connection; `done` says whether the effect happened. */
    | { kind: 'cut'; done: boolean };
};

export type CallLog = {
  begin: (method: string, parameters: Record<string, unknown>, arrivedAtMs: number) => Call;
  all: () => Call[];
};

export function createCallLog(): CallLog {
  const calls: Call[] = [];
  return {
    begin(method, parameters, arrivedAtMs) {
      const call: Call = { method, parameters, arrivedAtMs, answeredAtMs: null, outcome: { kind: 'open' } };
      calls.push(call);
      return call;
    },
    all: () => calls,
  };
}
