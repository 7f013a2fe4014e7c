/** Why a network is not shown to be solvent. Public, so they name no address and no sum. */
export const DOUBTS = {
  stopped: 'signing is stopped until the operator has looked',
  too_old: 'books and chain were not compared for more than a minute',
  differs: 'books and chain differ',
  not_covered: 'less is there than is owed',
} as const;

export type Doubt = keyof typeof DOUBTS;

/** Object.keys drops the type of the keys. */
export const DOUBT_WORDS = Object.keys(DOUBTS) as [Doubt, ...Doubt[]];
