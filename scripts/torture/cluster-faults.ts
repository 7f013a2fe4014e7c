/** What the torture of a cluster does to each part of it. */
export const PROCESS_FAULTS = [
  'kill api',
  'kill worker',
  'kill bot',
  'stop for 3 s',
  'stop for 12 s',
  'stop for 40 s',
] as const;

export const STORE_FAULTS = [
  'redis killed',
  'redis flushed',
  'redis frozen',
  'postgres fast',
  'postgres immediate',
] as const;

export const NODE_FAULTS = [
  'rpc lose_reply',
  'rpc drop',
  'rpc unavailable',
  'rpc delay',
  'rpc bad_gateway',
  'rpc hang',
  'rpc duplicate',
  'rpc swallow',
  'rpc no_receipt',
  'rpc stale_head',
  'rpc stale_nonce',
  'rpc empty_logs',
] as const;

/** Of the second node of the one network that has one. */
export const SECOND_FAULTS = ['second node silent', 'second node lies'] as const;

export const CLUSTER_FAULTS = [...PROCESS_FAULTS, ...STORE_FAULTS, ...NODE_FAULTS, ...SECOND_FAULTS] as const;
export type ClusterFault = (typeof CLUSTER_FAULTS)[number];
