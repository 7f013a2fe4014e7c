import type { CatalogRow } from '../../../core/catalog/row.ts';

/** How the bytes reach the server. `fetch` where fetch can send them, a bare socket where it refuses. */
export type Delivery = 'whole' | 'chunked' | 'slow' | 'pipelined' | 'aborted';

/** Terms of a proof on Base that looks real. It is signed when it is sent; nobody who signs here holds any money. */
export type ProofTerms = {
  version: 1 | 2;
  network: string;
  /** The payer's private key. */
  key: `0x${string}`;
  payTo: 'ours' | `0x${string}`;
  /** Micro-USDC on top of the price. */
  surplus: number;
  window: 'now' | 'over' | 'not yet' | 'too long';
  signature: 'own' | `0x${string}`;
};

/** The same on Solana, where a proof is half a transaction. */
export type SolanaProofTerms = {
  version: 1 | 2;
  /** The payer's, in hex. */
  seed: string;
  isToUs: boolean;
  surplus: number;
  isSigned: boolean;
  /** False: of a block that never was. */
  hasNewBlock: boolean;
  units: number;
  extraInstructions: number;
};

export type Proof = { header: string } & (
  | { kind: 'text'; value: string }
  | { kind: 'base'; terms: ProofTerms; price: number }
  | { kind: 'solana'; terms: SolanaProofTerms; price: number }
);

/** What the contract says about a request that is right in every part; null where several answers are. */
export type Expected = { status: number; error: string | null; price: number | null };

export type TestRequest = {
  /** The row of the catalog that it is meant for; null for everything else. */
  row: CatalogRow | null;
  method: string;
  /** Path and query, as they stand on the request line. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
  proof: Proof | null;
  delivery: Delivery;
  hasValidBody: boolean;
  expected: Expected | null;
};

/** One line for a person who has to find out what went wrong. */
export function describeRequest({ method, target, headers, body, proof, delivery }: TestRequest): string {
  const shown = body === null ? 'no body' : `${body.length} bytes ${JSON.stringify(body.toString().slice(0, 300))}`;
  const named = headers.map(([name, value]) => `${name}: ${value.slice(0, 60)}`).join(', ');
  const proven = proof === null ? '' : `, ${JSON.stringify(proof).slice(0, 300)}`;
  return `${method} ${target.slice(0, 200)} {${named}} ${shown}${proven} (${delivery})`;
}
