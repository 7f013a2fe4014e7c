const SQLITE_CODES: Record<string, Constraint> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_NOTNULL: 'notNull',
  SQLITE_CONSTRAINT_TRIGGER: 'immutable',
};
const POSTGRES_CODES: Record<string, Constraint> = {
  '23505': 'unique',
  '23514': 'check',
  '23502': 'notNull',
  // Raised by the triggers of 0001_rules.sql.
  '23000': 'immutable',
};

export type Constraint = 'unique' | 'check' | 'notNull' | 'immutable';

/** The constraint that a statement broke, in either dialect, or null for any other error. */
export function violatedConstraint(error: unknown): Constraint | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : '';
    const constraint = SQLITE_CODES[code] ?? POSTGRES_CODES[code];
    if (constraint) return constraint;
  }
  return null;
}

/** An expected conflict is an `ON CONFLICT DO NOTHING RETURNING` without rows. This is for the unexpected ones. */
export function isUniqueViolation(error: unknown): boolean {
  return violatedConstraint(error) === 'unique';
}
