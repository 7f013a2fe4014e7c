/** Words that this project once used where English or the trade has one of its own. They are counted, not forbidden. */
export const DIALECT: readonly { word: string; pattern: RegExp }[] = [
  { word: 'somebody', pattern: /\bsomebody\b/gi },
  { word: 'whoever', pattern: /\b(whoever|whomever)\b/gi },
  { word: 'he, him, his', pattern: /\b(he|him|his|himself)\b/gi },
  { word: 'shall', pattern: /\bshall\b(?! (I|we)\b)/gi },
  { word: 'what is said', pattern: /\bwhat is (said|told)\b/gi },
];

/** Names that have a successor, also as a part of longer names such as `refuseClosedClaim`. */
export const OLD_NAMES: readonly { word: string; pattern: RegExp }[] = [
  { word: 'claimProof', pattern: /claim_?proof/gi },
  { word: 'paidOrder', pattern: /paid_?order/gi },
  { word: 'treasuryReceipt', pattern: /treasury[_-]?receipt/gi },
  { word: 'bell', pattern: /\b(door)?bells?\b/gi },
  { word: 'desk', pattern: /desk(?!top)/gi },
  { word: 'door', pattern: /\bdoors?\b/gi },
  { word: 'crowd', pattern: /crowd/gi },
  { word: 'last word', pattern: /last[ _-]?word/gi },
  { word: 'surroundings', pattern: /surroundings/gi },
  { word: 'foundations', pattern: /foundations/gi },
  { word: 'stepper', pattern: /stepper/gi },
  { word: 'calm', pattern: /(?<!lo)calm/gi },
  { word: 'wantReturn', pattern: /want_?return/gi },
  { word: 'refuseClosed', pattern: /refuse_?closed/gi },
  { word: 'missDeliveries', pattern: /miss_?deliveries/gi },
];
