/**
 * All rows by their names: the program in `test/bench` that measures each, with what it is told as `name=value`. What a row
 * leaves out has the default of its program.
 */
export type Place = { program: string; settings: Record<string, string> };

const row = (program: string, settings: Record<string, string> = {}): Place => ({ program, settings });

export const ROWS: Record<string, Place> = {
  challenges: row('challenges'),
  verification: row('verification'),
  lone: row('crowd', { payers: '1', times: '10' }),
  'burst-50': row('crowd', { payers: '50' }),
  'burst-500': row('crowd', { payers: '500' }),
  'burst-2000': row('crowd', { payers: '2000', rounds: '3' }),
  'blocks-1s': row('crowd', { payers: '50', blockMs: '1000' }),
  minute: row('minute'),
  sustained: row('sustained'),
  'gas-1': row('crowd', { payers: '1', times: '3', rounds: '1', token: 'dear' }),
  'gas-50': row('crowd', { payers: '50', rounds: '1', token: 'dear' }),
  'gas-283': row('crowd', { payers: '283', rounds: '1', token: 'dear' }),
  'batch-base': row('batch', { network: 'base' }),
  'batch-solana': row('batch', { network: 'solana' }),
  backlog: row('backlog'),
  chat: row('chat'),
  'chat-burst': row('chat-burst'),
  'chat-group': row('chat-burst', { only: 'group' }),
  storm: row('chat-burst', { only: 'storm' }),
  start: row('starting'),
  idle: row('idle'),
  store: row('store'),
  rewards: row('rewards'),
  processes: row('processes'),
  apis: row('apis'),
  move: row('move'),
  'postgres-1': row('crowd', { payers: '500', database: 'postgres', apis: '1' }),
  'postgres-2': row('crowd', { payers: '500', database: 'postgres', apis: '2' }),
  'postgres-1-sustained': row('sustained', { database: 'postgres', apis: '1' }),
  'postgres-2-sustained': row('sustained', { database: 'postgres', apis: '2' }),
  'stored-100000': row('crowd', { payers: '500', stored: '100000' }),
  'stored-100000-sustained': row('sustained', { stored: '100000' }),
  'stored-1000000': row('crowd', { payers: '500', stored: '1000000' }),
  'stored-1000000-sustained': row('sustained', { stored: '1000000' }),
};
