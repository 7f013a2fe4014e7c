import { AppError, ERRORS } from '../../core/errors.ts';

/** The exit codes; `pennypost help` lists them too. */
export const EXIT = { paid: 0, refused: 1, usage: 2, unknown: 3 } as const;
export type Ending = keyof typeof EXIT;

/** An expected end that paid nothing, or where that is not known yet. Its text is one line for a person. */
export class Stop extends Error {
  readonly ending: Exclude<Ending, 'paid'>;
  /** Stable, for programs. */
  readonly word: string;
  /** What to do about it. */
  readonly next: string | null;

  constructor(ending: Exclude<Ending, 'paid'>, word: string, text: string, next: string | null = null) {
    super(text);
    this.ending = ending;
    this.word = word;
    this.next = next;
  }
}

export const badUsage = (text: string, next: string | null = 'See: pennypost help') =>
  new Stop('usage', 'bad_usage', text, next);

/** The rules of `core/` throw errors of the interface; here they are mistakes of the user. */
export function toStop(error: unknown): Stop | null {
  if (error instanceof Stop) return error;
  if (error instanceof AppError)
    return new Stop('usage', error.code, error.context.detail ?? ERRORS[error.code].detail);
  return null;
}
