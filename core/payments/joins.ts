/**
 * Decides whether a new proof for a recently paid request is a retry, which joins the earlier payment, or a second
 * payment. Doubt joins, because a client that got no answer signs anew and would be charged twice.
 */

/** A caller's connection that waits for the answer of an earlier payment, as its row says. */
export type OpenResponse = {
  id: string;
  paymentId: string;
  /** The process that holds the connection. */
  process: string;
  /** Its lease runs, in the epoch in which it took the connection. */
  isOwnerAlive: boolean;
  /** Its answer leaves now, or has left: whether the caller took it is not certain yet. */
  isHanding?: boolean;
  /** The highest question after which the owner saw the connection open. */
  renewed: number;
};

/** An earlier payment whose caller was not handed its 200, as far as is known. */
export type EarlierPayment = {
  paymentId: string;
  delivery: 'waiting' | 'missed';
  responses: readonly OpenResponse[];
};

/** What has become known about open responses since the new proof came. */
export type Heard = {
  /** Their callers were there. */
  present: ReadonlySet<string>;
  /** No answer came within a lease to the question of this number. */
  silent: ReadonlyMap<string, number>;
};

export const NOTHING_HEARD: Heard = { present: new Set(), silent: new Map() };

export type JoinDecision =
  | { kind: 'join'; paymentId: string }
  | { kind: 'apart' }
  /** The owners of these have to be asked before anything may be decided. */
  | { kind: 'ask'; responses: readonly OpenResponse[] };

type Standing = 'present' | 'gone' | 'unknown';

/**
 * `earlier` is newest first. A payment that no caller waits for comes before one that another retry has joined already,
 * so that each of several callers finds the answer of its own payment. One whose answer is leaving is like one that waits.
 */
export function decideJoin(earlier: readonly EarlierPayment[], heard: Heard): JoinDecision {
  const isLeaving = (response: OpenResponse) => response.isHanding === true && standingOf(response, heard) !== 'gone';
  const missed = earlier.filter(({ delivery, responses }) => delivery === 'missed' && !responses.some(isLeaving));
  const left = earlier.find(({ responses }) => responses.every((response) => standingOf(response, heard) === 'gone'));
  const joined = left ?? missed[0];
  if (joined !== undefined) return { kind: 'join', paymentId: joined.paymentId };
  const waiting = earlier.flatMap(({ responses }) => responses);
  const unknown = waiting.filter((response) => standingOf(response, heard) === 'unknown');
  return unknown.length > 0 ? { kind: 'ask', responses: unknown } : { kind: 'apart' };
}

/** A caller seen after the new proof came stands for itself, whatever happened to its process since. */
export function standingOf(response: OpenResponse, { present, silent }: Heard): Standing {
  if (present.has(response.id)) return 'present';
  if (!response.isOwnerAlive) return 'gone';
  const question = silent.get(response.id);
  if (question === undefined) return 'unknown';
  return response.renewed < question ? 'gone' : 'present';
}
