import { fromBase58 } from '../messages/base58.ts';
import { isSignedBy } from '../messages/key.ts';
import { SIGNATURE_BYTES } from '../messages/programs.ts';

/** `network`: its name in x402 v2. `validBefore` in Unix seconds. */
export type SolanaEndpointConsent = { network: string; url: string; validBefore: number };

/** What a payer signs to be told at an address what becomes of their payments. Wallets show it unchanged. */
export function endpointText({ network, url, validBefore }: SolanaEndpointConsent): string {
  return [
    'pennypost: tell this address what becomes of my payments.',
    '',
    `Address: ${url}`,
    `Network: ${network}`,
    `Valid before: ${validBefore}`,
  ].join('\n');
}

/** Whether the payer's own key signed the text, as bare UTF-8. `signature`: base58 of 64 bytes. */
export function isEndpointOfSolana(payer: string, consent: SolanaEndpointConsent, signature: string): boolean {
  const bytes = fromBase58(signature, SIGNATURE_BYTES);
  return bytes !== null && isSignedBy(payer, Buffer.from(endpointText(consent)), bytes);
}
