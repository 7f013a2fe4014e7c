/**
 * Why a proof was refused, in the words that programs read. The caller decides `wrong_account`, `wrong_code` and
 * `too_many_tries`: it knows the line and the tries.
 */
export const PROOF_REFUSALS = {
  wrong_state: 'This sign-in was not started here, or it was started in another window. Start it again.',
  wrong_callback: 'The answer to the sign-in was not complete. Start it again.',
  wrong_issuer: 'The answer to the sign-in came from another place. Start it again.',
  denied_by_user: 'You did not agree to the sign-in, so nothing was proven.',
  replayed: 'This sign-in was used already, or it took too long. Start it again.',
  expired: 'The time for this proof is over. Start it again.',
  wrong_message: 'What was signed is not what we asked to be signed. Start it again.',
  wrong_signature: 'The signature does not belong to this account.',
  wrong_account: 'You signed in with another account than that of the person this money is for.',
  wrong_code: 'That is not the code from the mail.',
  too_many_tries: 'That was one try too many. Ask for a new code.',
  not_published: 'The text is not there yet. A change of DNS may take a few minutes to be seen.',
} as const;

export type ProofRefusalReason = keyof typeof PROOF_REFUSALS;
