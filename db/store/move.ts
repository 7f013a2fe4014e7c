import { and, getTableName, inArray, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import { DROP_MOVES, type DropEnd } from '../../core/drops/drops.ts';
import * as states from '../../core/states.ts';
import type { Db, SigningDb } from './store.ts';

/** The allowed moves by the name of the table whose `status` they are about. */
const MOVES = {
  payments: states.PAYMENT_MOVES,
  lines: states.LINE_MOVES,
  transfers: states.TRANSFER_MOVES,
  wallet_withdrawals: states.WITHDRAWAL_MOVES,
  carriers: states.CARRIER_MOVES,
  tasks: states.TASK_MOVES,
  orders: states.ORDER_MOVES,
  pay_links: states.PAY_LINK_MOVES,
  claims: states.CLAIM_MOVES,
  reward_cards: states.REWARD_MOVES,
  treasury_withdrawals: states.TREASURY_MOVES,
  money_requests: states.MONEY_REQUEST_MOVES,
  drops: DROP_MOVES,
} as const;

/** As a value, or as where the value of a prepared statement goes. */
type Given<T> = T | SQL;

type Landed = { landedTransaction: Given<string>; landedBlock: Given<number> };

/** What has to be written down with a state: without it the move would prove nothing. */
type Evidence = {
  payments: { settled: Landed; rejected: { rejectReason: string } };
  transfers: { confirmed: Landed; held: { heldReason: string } };
  wallet_withdrawals: {
    paid: { endedAtMs: number };
    failed: { failure: states.WithdrawalFailure; endedAtMs: number };
  };
  carriers: { sealed: { sealedBlock: number; sealedTransaction: string | null } };
  // Null where an earlier task of the same payer has the payment.
  tasks: { paid: { paymentId: string | null } };
  orders: {
    signed: { header: string };
    answered: { txnId: number; receipt: string; failure: null };
    failed: { failure: string };
  };
  pay_links: { presented: { header: string } };
  claims: { verified: { identityId: string }; rejected: { rejectReason: string; endedAtMs: number } };
  reward_cards: { signed: { header: string }; paid: { paidAtMs: number }; failed: { failure: string } };
  treasury_withdrawals: { confirmed: { endedBy: string; endedAtMs: number } };
  money_requests: { agreed: { orderId: string } };
  drops: { agreed: { orderId: string }; ended: { endReason: DropEnd } };
};

/** What our keys have signed is stored by `moveSigned` only. The header of a pay link is its visitor's. */
type Unsigned = {
  transfers: { signature?: null };
  orders: { header?: null };
  reward_cards: { header?: null } | { header: string; viaLink: true };
};

type Moving = keyof typeof MOVES;
type Stateful<Name extends string> = SQLiteTable & { status: SQLiteColumn; _: { name: Name } };

/** The states that may become this one. */
type Before<Name extends Moving, To> = {
  [From in keyof (typeof MOVES)[Name]]: (typeof MOVES)[Name][From] extends readonly (infer Next)[]
    ? To extends Next
      ? From
      : never
    : never;
}[keyof (typeof MOVES)[Name]];

type EvidenceOf<Name, To> = Name extends keyof Evidence
  ? To extends keyof Evidence[Name]
    ? Evidence[Name][To]
    : unknown
  : unknown;

type UnsignedOf<Name> = Name extends keyof Unsigned ? Unsigned[Name] : unknown;

type Move<Name extends Moving, Table extends Stateful<Name>, To extends keyof (typeof MOVES)[Name]> = {
  from?: readonly Before<Name, To>[];
  where: SQL | undefined;
  set: SQLiteUpdateSetSource<Table> & { status: To } & EvidenceOf<Name, To>;
};

/**
 * Moves rows from one state to another, and names the old states in the same statement, so that of two writers one moves
 * a row. Without `from` these are all the states that may become the new one. Answers the rows that it has moved. The
 * compiler refuses a move that `core/states.ts` does not allow, and one without its evidence.
 */
export function move<
  const Name extends Moving,
  Table extends Stateful<Name>,
  const To extends keyof (typeof MOVES)[Name],
>(db: Db, table: Table & Stateful<Name>, change: Move<Name, Table, To> & { set: UnsignedOf<Name> }) {
  return update(db, table, change);
}

/** The same with the signature or header that the move is about. */
export function moveSigned<
  const Name extends keyof Unsigned,
  Table extends Stateful<Name>,
  const To extends keyof (typeof MOVES)[Name],
>(db: SigningDb, table: Table & Stateful<Name>, change: Move<Name, Table, To>) {
  return update(db, table, change);
}

function update<Name extends Moving, Table extends Stateful<Name>, To extends keyof (typeof MOVES)[Name]>(
  db: Db,
  table: Table & Stateful<Name>,
  { where, from, set }: Move<Name, Table, To>,
) {
  const before = statesBefore(getTableName(table), set.status);
  const named = from === undefined ? before : before.filter((state) => from.some((one) => one === state));
  if (named.length === 0) throw new Error(`no ${getTableName(table)} may become ${String(set.status)} from here`);
  return db
    .update(table)
    .set(set)
    .where(and(where, inArray(table.status, named)))
    .returning();
}

function statesBefore(name: string, to: PropertyKey): string[] {
  const known: Record<string, Record<string, readonly string[]>> = MOVES;
  const moves = known[name] ?? {};
  return Object.keys(moves).filter((state) => moves[state]?.some((next) => next === to));
}
