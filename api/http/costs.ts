/**
 * What a request costs us, counted in plain requests of the published interface, which cost one each. The first row that
 * fits counts. Zero: what costs no more than a refusal, and what the operator watches the service by.
 */
const COSTS: readonly { of: RegExp; cost: number }[] = [
  { of: /^\/(?:health\/(?:live|ready)|metrics)$/, cost: 0 },
  // Written down and looked up in several tables.
  { of: /^\/health(?:\/solvency)?$|^\/rewards\/[^/]+\/shares\.csv$/, cost: 4 },
  // A report is written down for a person to read.
  { of: /\/report$/, cost: 4 },
  // A picture takes some tenths of a second of a core where none is stored.
  { of: /\/preview\.png$/, cost: 4 },
];

/** It holds a socket and a place, and reads for as long as it is open. */
const STREAM_COST = 4;
const STREAMS = /^\/(?:(?:receipts|rewards|claims|chat)\/|a2a$)/;

export function costOf({ method, path, accept }: { method: string; path: string; accept: string | undefined }): number {
  // A preflight is answered without looking at anything.
  if (method === 'OPTIONS') return 0;
  const known = COSTS.find(({ of }) => of.test(path));
  if (known !== undefined) return known.cost;
  return accept?.includes('text/event-stream') === true && STREAMS.test(path) ? STREAM_COST : 1;
}
