import { createHmac } from 'node:crypto';

/** A challenge is good for one to two of these. */
const CHALLENGE_MS = 5 * 60_000;

/**
 * What a passkey signs in this browser now, the newest first: only its cookie makes these, so nobody can have one signed for
 * another browser, and nothing has to be stored for strangers.
 */
export function challengesOf(secret: string, purpose: string, nowMs: number): string[] {
  const turn = Math.floor(nowMs / CHALLENGE_MS);
  const made = (at: number) => createHmac('sha256', secret).update(`pennypost/passkey/${purpose}/${at}`);
  return [turn, turn - 1].map((at) => made(at).digest('base64url'));
}
