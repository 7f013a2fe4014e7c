/** Faults that are no kill at a point, by torture: each has to hit, and is counted by this name. */

export const MODEL_FAULTS = [
  'drop',
  'lose_reply',
  'unavailable',
  'reorg',
  'restart',
  'replay',
  'hang up',
  'front-run',
  'cancel',
];

export const STORM_FAULTS = [
  'both moderators at once',
  'agents at once',
  'Telegram at once',
  'Discord at once',
  'two ask',
  'contradict',
  'reorg',
  'die',
];

export const JOIN_FAULTS = [
  'killed',
  'stopped',
  'behind a proxy',
  'clocks apart',
  'missed not written',
  'both alive',
  'kill',
  'stop',
  'stop after it',
  'fail',
  'fail behind',
  'lose the reply',
];

export const LEASE_FAULTS = [
  'kill',
  'leave',
  'stop',
  'stop after it',
  'fail',
  'lose the reply',
  'clocks apart',
  'stopped at settle.before-store',
  'stopped at settle.after-store',
];

export const RESTORE_FAULTS = [
  'restored',
  'equal amounts',
  'partly paid',
  'copied authorization',
  'gathered refund',
  'called off',
  'lock',
  'alias',
  'idempotency key',
  'two primaries',
  'by command',
  'on base',
  'on solana',
];

export const REQUEST_FAULTS = ['chunked', 'slow', 'pipelined', 'aborted', 'forged signature', 'wrong body'];

export const FUZZ_FACES = ['http', 'mcp', 'a2a', 'pages', 'chat', 'webhook'];

export const PURSE_FAULTS = [
  'killed by chance',
  'killed as money leaves',
  'claim confirmed again',
  'spent too early',
  'send agreed to again',
  'taken out again',
  'stranger asked',
  'copied cookie',
];

/** What groups do, delivered once more at the end. */
export const GROUP_FAULTS = [
  'drop delivered again',
  'bill delivered again',
  'top delivered again',
  'block delivered again',
];
