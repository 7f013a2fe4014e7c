/** What our own keys on Solana sign. `opening`: of a token account of our own, before anything is settled. */
export type SolanaSigning = 'inbound' | 'payout' | 'sweep' | 'withdrawal' | 'opening';

/** One key of ours; it checks what it is asked to sign. `chain/signing/` makes them. */
export type SolanaSigner = {
  address: string;
  /** The 64 bytes of an ed25519 signature. Asynchronous because the key may live in a key management service. */
  sign: (what: SolanaSigning, messageBytes: Uint8Array) => Promise<Uint8Array>;
};
