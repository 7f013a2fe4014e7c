/** What an operator may type, by its form; a payout, a claim and a slug have one too. */
export const FORMS = {
  txn: /^[1-9][0-9]{0,15}$/,
  payment: /^attempt_[\w-]+$/,
  claim: /^claim_[\w-]+$/,
  reward: /^(dist|reward)_[\w-]+$/,
  drop: /^drop_[\w-]+$/,
  request: /^ask_[\w-]+(\.[0-9]{2})?$/,
  payout: /^[0-9a-f]{32}$/i,
  evmAddress: /^0x[0-9a-f]{40}$/i,
  evmHash: /^0x[0-9a-f]{64}$/i,
  svmAddress: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  svmHash: /^[1-9A-HJ-NP-Za-km-z]{80,90}$/,
  slug: /^[\w-]{22}$/,
  name: /^@?([a-z]+)[:/](.+)$/i,
} as const;
