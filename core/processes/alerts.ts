/** An operator is alerted once when a condition begins and once when it ends. Pure; the rows are in the database. */

/** The conditions that raise an alert; its name begins with one of them. */
export const ALERT_KINDS = [
  'gas',
  'network',
  'second_node',
  'stop',
  'drift',
  'float',
  'held',
  'unexplained',
  'taken',
  'screening',
  'reports',
  'bots',
  'mail',
  'outbox',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** A condition that holds now. `name`: what it is, and where, such as `gas:base`. `text`: the sentence for the operator. */
export type Ringing = { name: string; text: string };

export type AlertState = {
  name: string;
  text: string;
  sinceMs: number;
  /** Null: it has not lasted long enough to be reported. */
  toldAtMs: number | null;
  /** Since when it has been gone after it was reported; null: it is still there. */
  goneSinceMs: number | null;
  /** When it was reported although it is unknown whether the message arrived; null: there is no such doubt. */
  doubtAtMs: number | null;
};

/** `state`: null where nothing is left to remember. `tell`: what to report before the state is stored. */
export type AlertStep = { state: AlertState | null; tell: 'begins' | 'ends' | null };

/** A condition that passes this soon by itself is not worth a report. */
export const BEGINS_AFTER_MS = 2 * 60_000;
/** A condition that comes and goes is one alert, so no alert is reported more than a few times an hour. */
export const ENDS_AFTER_MS = 10 * 60_000;

/** A message that may have arrived is repeated no sooner than this, and only once. */
export const DOUBT_PAUSE_MS = 5 * 60_000;

/** The next step of one alert; `ringing`: null while its condition does not hold. */
export function nextAlert(before: AlertState | null, ringing: Ringing | null, nowMs: number): AlertStep {
  if (before === null) {
    if (ringing === null) return { state: null, tell: null };
    return { state: { ...ringing, sinceMs: nowMs, toldAtMs: null, goneSinceMs: null, doubtAtMs: null }, tell: null };
  }
  const isPausing = before.doubtAtMs !== null && nowMs - before.doubtAtMs < DOUBT_PAUSE_MS;
  if (before.toldAtMs === null) {
    if (ringing === null) return { state: null, tell: null };
    const isOld = nowMs - before.sinceMs >= BEGINS_AFTER_MS;
    const state = { ...before, text: ringing.text };
    return isOld && !isPausing
      ? { state: { ...state, toldAtMs: nowMs, doubtAtMs: null }, tell: 'begins' }
      : { state, tell: null };
  }
  if (ringing !== null)
    return { state: { ...before, text: ringing.text, goneSinceMs: null, doubtAtMs: null }, tell: null };
  const goneSinceMs = before.goneSinceMs ?? nowMs;
  if (nowMs - goneSinceMs < ENDS_AFTER_MS || isPausing) return { state: { ...before, goneSinceMs }, tell: null };
  return { state: null, tell: 'ends' };
}
