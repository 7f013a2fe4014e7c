import type { Kit } from '../dialects/kit-sqlite.ts';

export const defineHealthTables = (k: Kit) => ({
  /** The last sign of life of a role, so that another process can say whether all of the service serves. */
  heartbeats: k.table('heartbeats', {
    name: k.text('name').primaryKey(),
    atMs: k.int('at_ms').notNull(),
    detail: k.json<Record<string, unknown>>('detail').notNull(),
  }),
});

/** Whether the first byte of a 200 may have left. */
export const RESPONSE_STATES = ['waiting', 'handing'] as const;

export const defineProcessTables = (k: Kit) => ({
  /** What a process holds names this row and its epoch. All times here are of the database's clock. */
  processes: k.table('processes', {
    id: k.text('id').primaryKey(),
    roles: k.text('roles').notNull(),
    /** Where it listens: the next process that listens there knows that this one has ended. */
    address: k.text('address').notNull(),
    /** Its number on its host, by which the next process on that host knows that it has ended. */
    pid: k.int('pid').notNull(),
    epoch: k.int('epoch').notNull(),
    beatAtMs: k.int('beat_at_ms').notNull(),
  }),

  /** What one process at a time has or does, such as a lane or a periodic job: its own while the lease of that epoch runs. */
  holdings: k.table(
    'holdings',
    {
      name: k.text('name').primaryKey(),
      process: k.text('process').notNull(),
      epoch: k.int('epoch').notNull(),
    },
    (t) => [k.index('holdings_process_idx').on(t.process)],
  ),

  /**
   * How often each process has stored what it signed. The process keeps the same number outside the database, so that it
   * notices when the database steps back in time.
   */
  highWaterMarks: k.table('high_water_marks', {
    /** Random, kept in the process's own file. */
    holder: k.text('holder').primaryKey(),
    mark: k.int('mark').notNull(),
    /** The higher mark that the process has seen in the time that this database has lost; null: nothing is lost. */
    seenMark: k.int('seen_mark'),
  }),

  /** A caller's connection that is still owed the 200 of a payment. The row goes when that answer has left or cannot. */
  waitingResponses: k.table(
    'waiting_responses',
    {
      id: k.text('id').primaryKey(),
      paymentId: k.text('payment_id').notNull(),
      process: k.text('process').notNull(),
      epoch: k.int('epoch').notNull(),
      state: k.oneOf('state', RESPONSE_STATES).notNull(),
      /** How often another request has asked whether the caller is still there. */
      asked: k.int('asked').notNull(),
      /** The highest question after which the owner saw the connection open. */
      renewed: k.int('renewed').notNull(),
    },
    (t) => [
      k.index('waiting_responses_payment_idx').on(t.paymentId),
      k.index('waiting_responses_owner_idx').on(t.process, t.epoch),
    ],
  ),
});
